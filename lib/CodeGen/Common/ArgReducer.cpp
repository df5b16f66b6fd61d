//===- ArgReducer.cpp - the arithmetic of arg_reduce ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/Common/ArgReducer.h"

#include "hgc/CodeGen/Common/Combine.h"
#include "hgc/CodeGen/Common/Lanes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace hgc::codegen {

ArgReducer::ArgReducer(EmitContext &context, graph::ArgReduceOp op) : context(context), op(op) {
  auto input = cast<RankedTensorType>(op.getInput().getType());
  key = {input.getElementType(), op.getKind() == graph::ArgReduceKind::Min, true};
  bool isShort = input.getDimSize(op.getAxis()) < (int64_t(1) << 31);
  positionType = isShort ? context.builder.getI32Type() : context.builder.getI64Type();
}

Value ArgReducer::getKey(ArrayRef<LaneIndex> index, int64_t lanes) {
  Value value = ElementEmitter(context, lanes).eval(op.getInput(), index);
  return key.build(context.builder, context.loc, value);
}

/// The index of every lane, as integers.
static Value getPositions(OpBuilder &b, Location loc, const LaneIndex &at, int64_t lanes, Type type) {
  Value first = arith::IndexCastOp::create(b, loc, type, at.base);
  Value positions = spread(b, loc, first, lanes);
  if (at.isUniform() || lanes == 1)
    return positions;
  SmallVector<Attribute> steps;
  for (int64_t l = 0; l < lanes; ++l)
    steps.push_back(b.getIntegerAttr(type, l * at.step));
  auto vector = DenseElementsAttr::get(cast<VectorType>(positions.getType()), steps);
  return arith::AddIOp::create(b, loc, positions, arith::ConstantOp::create(b, loc, vector));
}

Value ArgReducer::getCandidate(ArrayRef<LaneIndex> index, int64_t lanes, Value best) {
  OpBuilder &b = context.builder;
  Location loc = context.loc;
  Value isBest =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, getKey(index, lanes), spread(b, loc, best, lanes));
  Value position = getPositions(b, loc, index[op.getAxis()], lanes, positionType);
  Value none = Combiner{graph::ReduceKind::Min, false}.neutral(b, loc, position.getType());
  return arith::SelectOp::create(b, loc, isBest, position, none);
}

Value ArgReducer::finish(Value position) {
  Type i64 = getLaneType(context.builder.getI64Type(), getLanes(position));
  if (position.getType() == i64)
    return position;
  return arith::ExtSIOp::create(context.builder, context.loc, i64, position);
}

SmallVector<Access> getResultAccesses(exec::KernelOp kernel, graph::ArgReduceOp op) {
  auto rank = static_cast<size_t>(cast<RankedTensorType>(op.getInput().getType()).getRank());
  SmallVector<LinearForm> forms = ArgReducer::dropAxis(op, identityForms(rank), LinearForm());
  Value result = getStore(kernel).getValue();
  SmallVector<Access> accesses{getRowMajorAccess(cast<RankedTensorType>(result.getType()).getShape(), forms)};
  collectAccesses(result, forms, op.getResult(), accesses);
  return accesses;
}

} // namespace hgc::codegen
