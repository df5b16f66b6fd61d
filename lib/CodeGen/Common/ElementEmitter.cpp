//===- ElementEmitter.cpp - the value of a tensor at a point --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recursion over the producers, with memory of what is known at this point so
// that a shared operand is computed once.
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/Common/ElementEmitter.h"

#include "hgc/CodeGen/Common/Lanes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace hgc::codegen {

static Type getElement(Value tensor) { return cast<RankedTensorType>(tensor.getType()).getElementType(); }

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

Value ElementEmitter::expand(const LaneIndex &a) {
  if (a.each)
    return a.each;
  OpBuilder &b = context.builder;
  auto type = VectorType::get({lanes}, b.getIndexType());
  Value base = spread(b, context.loc, a.base, lanes);
  if (a.isUniform())
    return base;
  SmallVector<Attribute> offsets;
  for (int64_t l = 0; l < lanes; ++l)
    offsets.push_back(b.getIndexAttr(distance(a, l)));
  Value steps = arith::ConstantOp::create(b, context.loc, DenseElementsAttr::get(type, offsets));
  return arith::AddIOp::create(b, context.loc, base, steps, arith::IntegerOverflowFlags::nsw);
}

LaneIndex ElementEmitter::add(const LaneIndex &a, const LaneIndex &b) {
  if (!a.each && !b.each)
    return {index.add(a.base, b.base), a.step + b.step, Value(), a.turn + b.turn};
  Value sum =
      arith::AddIOp::create(context.builder, context.loc, expand(a), expand(b), arith::IntegerOverflowFlags::nsw);
  return {Value(), 0, sum};
}

LaneIndex ElementEmitter::scale(const LaneIndex &a, int64_t factor) {
  if (!a.each)
    return {index.mul(a.base, factor), a.step * factor, Value(), a.turn * factor};
  if (factor == 1)
    return a;
  Value factors = spread(context.builder, context.loc, index.constant(factor), lanes);
  Value product =
      arith::MulIOp::create(context.builder, context.loc, a.each, factors, arith::IntegerOverflowFlags::nsw);
  return {Value(), 0, product};
}

LaneIndex ElementEmitter::apply(AffineExpr expr, ArrayRef<LaneIndex> at) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return at[dim.getPosition()];
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return index.constant(constant.getValue());
  auto binary = cast<AffineBinaryOpExpr>(expr);
  if (expr.getKind() == AffineExprKind::Add)
    return add(apply(binary.getLHS(), at), apply(binary.getRHS(), at));
  assert(expr.getKind() == AffineExprKind::Mul && "indexing maps are linear");
  return scale(apply(binary.getLHS(), at), cast<AffineConstantExpr>(binary.getRHS()).getValue());
}

SmallVector<LaneIndex> ElementEmitter::apply(AffineMap map, ArrayRef<LaneIndex> at) {
  SmallVector<LaneIndex> result;
  for (AffineExpr expr : map.getResults())
    result.push_back(apply(expr, at));
  return result;
}

LaneIndex ElementEmitter::flatten(ArrayRef<LaneIndex> at, ArrayRef<int64_t> shape) {
  LaneIndex offset = index.constant(0);
  int64_t stride = 1;
  for (size_t d = shape.size(); d-- > 0;) {
    offset = add(scale(at[d], stride), offset);
    stride *= shape[d];
  }
  return offset;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// One scalar load per lane.
Value ElementEmitter::gatherLanes(Value buffer, const LaneIndex &offset, Type storage) {
  OpBuilder &b = context.builder;
  SmallVector<Value> elements;
  for (int64_t l = 0; l < lanes; ++l) {
    Value at = offset.each ? Value(vector::ExtractOp::create(b, context.loc, offset.each, ArrayRef<int64_t>{l}))
                           : index.add(offset.base, distance(offset, l));
    elements.push_back(hideBF16(b, context.loc, memref::LoadOp::create(b, context.loc, buffer, at)));
  }
  auto type = VectorType::get({lanes}, elements.front().getType());
  return showBF16(b, context.loc, vector::FromElementsOp::create(b, context.loc, type, elements), storage);
}

Value ElementEmitter::permuteLanes(Value buffer, const LaneIndex &offset, Type storage) {
  if (offset.each || offset.turn == 0)
    return {};
  SmallVector<int64_t> places;
  for (int64_t l = 0; l < lanes; ++l)
    places.push_back(distance(offset, l));
  auto [least, most] = std::minmax_element(places.begin(), places.end());
  int64_t first = *least, span = *most - first + 1;
  // Both ends are among the lanes, so all of it is inside the buffer.
  if (span > 2 * lanes)
    return {};
  OpBuilder &b = context.builder;
  Value near =
      vector::LoadOp::create(b, context.loc, VectorType::get({span}, storage), buffer, index.add(offset.base, first));
  for (int64_t &place : places)
    place -= first;
  near = hideBF16(b, context.loc, near);
  return showBF16(b, context.loc, vector::ShuffleOp::create(b, context.loc, near, near, places), storage);
}

Value ElementEmitter::skipLanes(Value buffer, const LaneIndex &offset, Type storage) {
  constexpr int64_t mostStep = 8, mostBytes = 64;
  int64_t step = std::abs(offset.step);
  // Each vector is to give two lanes at least. Where devices care about alignment, lanes of their own are better.
  if (offset.each || offset.turn || step < 2 || step > mostStep || 2 * step > lanes || context.bufferAlignment)
    return {};
  OpBuilder &b = context.builder;
  int64_t part = lanes;
  while (part % 2 == 0 && part * graph::getElementBytes(storage) > mostBytes)
    part /= 2;
  // Both ends are among the lanes, so all of it is inside the buffer; the last vector moves back to end there.
  int64_t span = (part - 1) * step + 1, count = llvm::divideCeil(span, part);
  auto type = VectorType::get({part}, storage);
  SmallVector<Value> parts;
  for (int64_t begin = 0; begin < lanes; begin += part) {
    Value first = index.add(offset.base, (offset.step > 0 ? begin : begin + part - 1) * offset.step);
    SmallVector<Value> vectors;
    for (int64_t i = 0; i < count; ++i) {
      Value at = index.add(first, std::min(i * part, span - part));
      vectors.push_back(hideBF16(b, context.loc, vector::LoadOp::create(b, context.loc, type, buffer, at)));
    }
    SmallVector<int64_t> picks;
    for (int64_t l = 0; l < part; ++l) {
      int64_t place = (offset.step > 0 ? l : part - 1 - l) * step, from = place / part;
      picks.push_back(from * part + place - std::min(from * part, span - part));
    }
    parts.push_back(pickLanes(b, context.loc, vectors, picks));
  }
  return showBF16(b, context.loc, joinLanes(b, context.loc, parts), storage);
}

llvm::MaybeAlign ElementEmitter::getAlignment(Value buffer, Value offset) {
  if (!context.bufferAlignment)
    return std::nullopt;
  int64_t bytes = graph::getElementBytes(cast<MemRefType>(buffer.getType()).getElementType());
  return llvm::Align(std::min(context.bufferAlignment, getKnownDivisor(offset) * bytes));
}

Value ElementEmitter::load(Value buffer, const LaneIndex &offset, Type element) {
  OpBuilder &b = context.builder;
  Location loc = context.loc;
  Type storage = cast<MemRefType>(buffer.getType()).getElementType();
  if (lanes == 1 || offset.isUniform()) {
    Value stored = memref::LoadOp::create(b, loc, buffer, offset.base);
    return spread(b, loc, toCompute(b, loc, stored, element), lanes);
  }
  auto type = VectorType::get({lanes}, storage);
  Value stored;
  if (offset.isContiguous()) {
    stored = vector::LoadOp::create(b, loc, type, buffer, offset.base, /*nontemporal=*/false,
                                    getAlignment(buffer, offset.base));
  } else if (!offset.each && offset.step == -1 && offset.turn == 0) {
    Value first = index.add(offset.base, 1 - lanes);
    Value loaded =
        vector::LoadOp::create(b, loc, type, buffer, first, /*nontemporal=*/false, getAlignment(buffer, first));
    Value forward = hideBF16(b, loc, loaded);
    SmallVector<int64_t> reversed;
    for (int64_t l = lanes; l-- > 0;)
      reversed.push_back(l);
    stored = showBF16(b, loc, vector::ShuffleOp::create(b, loc, forward, forward, reversed), storage);
  } else {
    stored = permuteLanes(buffer, offset, storage);
    if (!stored)
      stored = skipLanes(buffer, offset, storage);
    if (!stored)
      stored = gatherLanes(buffer, offset, storage);
  }
  return toCompute(b, loc, stored, element);
}

void ElementEmitter::store(Value value, Value buffer, const LaneIndex &offset, Type element) {
  OpBuilder &b = context.builder;
  Location loc = context.loc;
  Value stored = toStorage(b, loc, value, element);
  if (lanes == 1) {
    memref::StoreOp::create(b, loc, stored, buffer, offset.base);
    return;
  }
  if (offset.isContiguous() && fresh == lanes) {
    llvm::MaybeAlign alignment =
        streamAlignment ? llvm::MaybeAlign(streamAlignment) : getAlignment(buffer, offset.base);
    vector::StoreOp::create(b, loc, stored, buffer, offset.base, /*nontemporal=*/streamAlignment > 0, alignment);
    return;
  }
  if (offset.isContiguous()) {
    SmallVector<bool> isFresh(lanes, true);
    std::fill_n(isFresh.begin(), lanes - fresh, false);
    auto type = VectorType::get({lanes}, b.getI1Type());
    Value mask = arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, ArrayRef<bool>(isFresh)));
    vector::MaskedStoreOp::create(b, loc, buffer, offset.base, mask, stored);
    return;
  }
  Type storage = getElementTypeOrSelf(stored.getType());
  Value hidden = hideBF16(b, loc, stored);
  for (int64_t l = lanes - fresh; l < lanes; ++l) {
    Value at = offset.each ? Value(vector::ExtractOp::create(b, loc, offset.each, ArrayRef<int64_t>{l}))
                           : index.add(offset.base, distance(offset, l));
    memref::StoreOp::create(b, loc, showBF16(b, loc, slice(b, loc, hidden, l, 1), storage), buffer, at);
  }
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

void ElementEmitter::bind(Value tensor, Value value) {
  bound[tensor] = roundTo(context.builder, context.loc, value, getElement(tensor));
}

Value ElementEmitter::eval(Value tensor, ArrayRef<LaneIndex> at) {
  if (Value value = bound.lookup(tensor))
    return value;
  Key key{{tensor.getAsOpaquePointer(), 0}};
  for (const LaneIndex &i : at) {
    // Two constants of the same value are the same index.
    std::optional<int64_t> constant = i.each ? std::nullopt : getConstant(i.base);
    key.push_back({i.each ? i.each.getAsOpaquePointer() : nullptr, i.step});
    key.push_back({nullptr, i.turn});
    key.push_back({constant || i.each ? nullptr : i.base.getAsOpaquePointer(), constant.value_or(0)});
  }
  auto [it, isNew] = known.try_emplace(std::move(key));
  if (!isNew)
    return it->second;
  Value value = compute(tensor.getDefiningOp(), at);
  // The recursion may have added entries, but std::map keeps iterators valid.
  it->second = value;
  return value;
}

Value ElementEmitter::evalResult(ArrayRef<LaneIndex> at) { return eval(getStore(context.kernel).getValue(), at); }

void ElementEmitter::storeResult(ArrayRef<LaneIndex> at) {
  SmallVector<exec::StoreOp, 4> targets = context.kernel.getStores();
  SmallVector<Value> values;
  for (exec::StoreOp target : targets)
    values.push_back(eval(target.getValue(), at));
  // Behind all loads: a buffer may be updated in place.
  LaneIndex offset = flatten(at, cast<RankedTensorType>(targets.front().getValue().getType()).getShape());
  for (auto [target, value] : llvm::zip_equal(targets, values))
    store(value, context.buffers.lookup(target.getBuffer()), offset, getElement(target.getValue()));
}

Value ElementEmitter::compute(Operation *op, ArrayRef<LaneIndex> at) {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](exec::LoadOp load) {
        auto type = cast<RankedTensorType>(load.getResult().getType());
        return this->load(context.buffers.lookup(load.getBuffer()), flatten(at, type.getShape()),
                          type.getElementType());
      })
      .Case([&](graph::ConstantOp constant) { return computeConstant(constant); })
      .Case([&](graph::IotaOp iota) { return computeIota(iota, at); })
      .Case([&](graph::GatherOp gather) { return computeGather(gather, at); })
      .Case([&](graph::GatherAlongOp gather) { return computeGatherAlong(gather, at); })
      .Case([&](graph::SliceOp slice) { return computeSlice(slice, at); })
      .Default([&](Operation *other) { return computePointwise(other, at); });
}

/// Ops whose f16 and bf16 results need no rounding: they hand on an operand, or
/// change its sign, or drop bits of it.
static bool isExact(Operation *op) {
  return isa<graph::AbsOp, graph::NegOp, graph::SignOp, graph::ReluOp, graph::MaxOp, graph::MinOp, graph::SelectOp,
             graph::FloorOp, graph::CeilOp, graph::RoundOp, graph::TruncOp>(op);
}

Value ElementEmitter::computePointwise(Operation *op, ArrayRef<LaneIndex> at) {
  auto fusible = cast<graph::FusibleOp>(op);
  SmallVector<Value> operands;
  for (auto [number, operand] : llvm::enumerate(op->getOperands()))
    operands.push_back(eval(operand, apply(fusible.getIndexingMap(number), at)));
  if (fusible.getFusionKind() == graph::FusionKind::IndexMap)
    return operands.front();
  Value value = fusible.buildScalar(context.builder, context.loc, operands);
  assert(value && "pointwise ops build scalars");
  return isExact(op) ? value : roundTo(context.builder, context.loc, value, getElement(op->getResult(0)));
}

} // namespace hgc::codegen
