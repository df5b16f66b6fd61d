//===- ElementIndexing.cpp - ops that are about indices -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Part of ElementEmitter: constants, iota, gather and slices, whose elements
// follow from indices rather than from arithmetic on elements.
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/Common/ElementEmitter.h"
#include "hgc/CodeGen/Common/Lanes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace hgc::codegen {

Value ElementEmitter::computeConstant(graph::ConstantOp op) {
  auto splat = cast<SplatElementsAttr>(op.getValue());
  OpBuilder &b = context.builder;
  Type element = splat.getElementType();
  Type compute = graph::getComputeType(element);
  TypedAttr attr;
  if (isa<FloatType>(element)) {
    APFloat value = splat.getSplatValue<APFloat>();
    bool exact;
    value.convert(cast<FloatType>(compute).getFloatSemantics(), APFloat::rmNearestTiesToEven, &exact);
    attr = FloatAttr::get(compute, value);
  } else {
    attr = IntegerAttr::get(compute, splat.getSplatValue<APInt>());
  }
  if (lanes > 1)
    attr = DenseElementsAttr::get(VectorType::get({lanes}, compute), Attribute(attr));
  return arith::ConstantOp::create(b, context.loc, attr);
}

Value ElementEmitter::computeIota(graph::IotaOp op, ArrayRef<LaneIndex> at) {
  OpBuilder &b = context.builder;
  Location loc = context.loc;
  const LaneIndex &position = at[op.getAxis()];
  auto type = cast<RankedTensorType>(op.getResult().getType());
  Type compute = graph::getComputeType(type.getElementType());
  Value value = lanes == 1 ? position.base : expand(position);
  if (isa<IntegerType>(compute))
    return arith::IndexCastOp::create(b, loc, getLaneType(compute, lanes), value);
  // i32 converts to float in one instruction on every target, i64 does not.
  bool isSmall = type.getDimSize(op.getAxis()) < (int64_t(1) << 31);
  Type integer = isSmall ? b.getI32Type() : b.getI64Type();
  value = arith::IndexCastOp::create(b, loc, getLaneType(integer, lanes), value);
  value = arith::SIToFPOp::create(b, loc, getLaneType(compute, lanes), value);
  return roundTo(b, loc, value, type.getElementType());
}

/// Clamps an integer scalar or vector to [low, high].
static Value clamp(OpBuilder &b, Location loc, Value value, int64_t low, int64_t high) {
  Value least = createConstant(b, loc, value.getType(), static_cast<double>(low));
  Value most = createConstant(b, loc, value.getType(), static_cast<double>(high));
  return arith::MaxSIOp::create(b, loc, arith::MinSIOp::create(b, loc, value, most), least);
}

Value wrapIndex(OpBuilder &b, Location loc, Value picked, int64_t extent) {
  Value zero = createConstant(b, loc, picked.getType(), 0);
  Value size = createConstant(b, loc, picked.getType(), static_cast<double>(extent));
  Value negative = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, picked, zero);
  Value wrapped = arith::AddIOp::create(b, loc, picked, size);
  Value safe = clamp(b, loc, arith::SelectOp::create(b, loc, negative, wrapped, picked), 0, extent - 1);
  return arith::IndexCastOp::create(b, loc, getLaneType(b.getIndexType(), getLanes(safe)), safe);
}

LaneIndex ElementEmitter::pick(Value indices, ArrayRef<LaneIndex> chosen, int64_t extent) {
  // Lanes that share one index need it once, as a scalar.
  bool isShared = llvm::all_of(chosen, [](const LaneIndex &i) { return i.isUniform(); });
  ElementEmitter scalar(context, 1);
  Value picked = isShared ? scalar.eval(indices, chosen) : eval(indices, chosen);
  Value position = wrapIndex(context.builder, context.loc, picked, extent);
  return getLanes(position) == 1 ? LaneIndex(position) : LaneIndex(Value(), 0, position);
}

Value ElementEmitter::computeGather(graph::GatherOp op, ArrayRef<LaneIndex> at) {
  auto axis = static_cast<size_t>(op.getAxis());
  size_t indexRank = cast<RankedTensorType>(op.getIndices().getType()).getRank();
  int64_t extent = cast<RankedTensorType>(op.getInput().getType()).getDimSize(axis);
  Indices source(at.take_front(axis));
  source.push_back(pick(op.getIndices(), at.slice(axis, indexRank), extent));
  source.append(at.begin() + axis + indexRank, at.end());
  return eval(op.getInput(), source);
}

Value ElementEmitter::computeGatherAlong(graph::GatherAlongOp op, ArrayRef<LaneIndex> at) {
  auto axis = static_cast<size_t>(op.getAxis());
  int64_t extent = cast<RankedTensorType>(op.getInput().getType()).getDimSize(axis);
  Indices source(at);
  source[axis] = pick(op.getIndices(), at, extent);
  return eval(op.getInput(), source);
}

Value ElementEmitter::computeSlice(graph::SliceOp op, ArrayRef<LaneIndex> at) {
  OpBuilder &b = context.builder;
  Location loc = context.loc;
  auto input = cast<RankedTensorType>(op.getInput().getType());
  ElementEmitter scalar(context, 1);
  Indices source;
  for (int64_t d = 0; d < input.getRank(); ++d) {
    int64_t stride = op.getStrides() ? (*op.getStrides())[d] : 1;
    LaneIndex walked = scale(at[d], stride);
    if (!op.getOffsets()) {
      source.push_back(add(walked, index.constant(op.getStarts() ? (*op.getStarts())[d] : 0)));
      continue;
    }
    int64_t reach = (op.getSizes()[d] - 1) * stride;
    LaneIndex entry = index.constant(d);
    Value start = scalar.eval(op.getOffsets(), entry);
    start = clamp(b, loc, start, std::max<int64_t>(0, -reach), input.getDimSize(d) - 1 - std::max<int64_t>(0, reach));
    Value position = arith::IndexCastOp::create(b, loc, b.getIndexType(), start);
    source.push_back(add(walked, position));
  }
  return eval(op.getInput(), source);
}

} // namespace hgc::codegen
