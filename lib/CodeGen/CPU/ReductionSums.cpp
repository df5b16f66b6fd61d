//===- ReductionSums.cpp - combine the points of a reduction --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Order and grouping depend on the shape only. Parts of a split reduction keep
// their totals in scratch memory; they are combined in the order of parts, and the
// rest of a row that fills no step comes last.
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/ReductionNest.h"
#include "hgc/CodeGen/Common/Lanes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace hgc::cpu {

/// Steps that add to the same register before its content goes into a wider
/// total: bounds the growth of rounding errors.
static constexpr int64_t kChunkSteps = 128;

/// How two partial results become one, and in which types.
struct ReductionNest::Reducer {
  /// Adds a partial result to a total.
  Value addTo(OpBuilder &builder, Location loc, Value total, Value partial) const {
    return combiner.combine(builder, loc, total, convertFloat(builder, loc, partial, totalType));
  }
  Value startTotal(OpBuilder &builder, Location loc, int64_t lanes) const {
    return combiner.neutral(builder, loc, getLaneType(totalType, lanes));
  }

  Combiner combiner;
  /// Type of elements, and of the total over many of them.
  Type type, totalType;
};

ReductionNest::Reducer ReductionNest::makeReducer(Combiner combiner, Type type) {
  bool isSum = combiner.kind == graph::ReduceKind::Sum || combiner.kind == graph::ReduceKind::Mean;
  return {combiner, type, isSum && type.isF32() ? Float64Type::get(type.getContext()) : type};
}

//===----------------------------------------------------------------------===//
// Points
//===----------------------------------------------------------------------===//

std::pair<Value, Value> ReductionNest::bounds(size_t number) {
  bool isLast = number + 1 == plan.reduced.size();
  Value end = b.constant(isLast ? plan.wholeExtent() : plan.axes[plan.reduced[number]].extent);
  if (!part || number != plan.partAxis)
    return {b.constant(0), end};
  Value first = b.mul(part, plan.partLength);
  return {first, b.min(b.add(first, plan.partLength), end)};
}

/// Adds the points left over by the steps of all lanes. Lanes that were visited
/// before count as neutral.
Value ReductionNest::addTail(const Reducer &reducer, ArrayRef<Value> outer, Value partial, Element element) {
  int64_t extent = plan.innerExtent(), rest = extent % plan.innerStep();
  if (rest == 0)
    return partial;
  OpBuilder &builder = context.builder;
  ReductionPoint point = makePoint(outer, b.constant(extent - plan.lanes), rest);
  Value value = element(point);
  SmallVector<bool> isFresh(plan.lanes, true);
  std::fill_n(isFresh.begin(), plan.lanes - rest, false);
  auto maskType = VectorType::get({plan.lanes}, builder.getI1Type());
  Value mask =
      arith::ConstantOp::create(builder, context.loc, DenseElementsAttr::get(maskType, ArrayRef<bool>(isFresh)));
  Value neutral = reducer.combiner.neutral(builder, context.loc, value.getType());
  value = arith::SelectOp::create(builder, context.loc, mask, value, neutral);
  return reducer.combiner.combine(builder, context.loc, partial, value);
}

/// Combines points [lower, upper) of the innermost loop, all lanes fresh.
Value ReductionNest::reduceRange(const Reducer &reducer, ArrayRef<Value> outer, Value lower, Value upper, Value init,
                                 Element element) {
  return b
      .loop(lower, upper, plan.innerStep(), ValueRange{init},
            [&](Value i, ValueRange carried) -> SmallVector<Value> {
              keepLong(i);
              Value value = element(makePoint(outer, i, plan.lanes));
              return {reducer.combiner.combine(context.builder, context.loc, carried[0], value)};
            })
      .front();
}

/// Combines the whole innermost loop (or the nest's part of it) with `total`;
/// without one returns the loop's own result.
Value ReductionNest::reduceInnermost(const Reducer &reducer, ArrayRef<Value> outer, Value total, Element element) {
  OpBuilder &builder = context.builder;
  Location loc = context.loc;
  Value neutral = reducer.combiner.neutral(builder, loc, getLaneType(reducer.type, plan.lanes));
  auto finish = [&](Value partial) { return plan.isRow ? reducer.combiner.fold(builder, loc, partial) : partial; };
  int64_t chunk = kChunkSteps * plan.innerStep();
  auto [first, end] = bounds(plan.reduced.size() - 1);
  bool isPart = part && plan.partAxis + 1 == plan.reduced.size();
  if (!total || (!isPart && plan.wholeExtent() <= chunk)) {
    Value partial = reduceRange(reducer, outer, first, end, neutral, element);
    partial = finish(addTail(reducer, outer, partial, element));
    return total ? reducer.addTo(builder, loc, total, partial) : partial;
  }
  Value last = end;
  SmallVector<Value> sums =
      b.loop(first, end, chunk, ValueRange{total}, [&](Value from, ValueRange carried) -> SmallVector<Value> {
        Value upper = b.min(b.add(from, chunk), last);
        Value partial = reduceRange(reducer, outer, from, upper, neutral, element);
        return {reducer.addTo(builder, loc, carried[0], finish(partial))};
      });
  if (isPart || plan.wholeExtent() == plan.innerExtent())
    return sums.front();
  return reducer.addTo(builder, loc, sums.front(), finish(addTail(reducer, outer, neutral, element)));
}

/// The total of all points, or of the nest's part of them.
Value ReductionNest::reduceAll(const Reducer &reducer, Element element) {
  SmallVector<Value> outer;
  std::function<Value(Value)> nest = [&](Value total) -> Value {
    if (outer.size() + 1 == plan.reduced.size())
      return reduceInnermost(reducer, outer, total, element);
    auto [first, end] = bounds(outer.size());
    return b
        .loop(first, end, 1, ValueRange{total},
              [&](Value i, ValueRange carried) -> SmallVector<Value> {
                outer.push_back(i);
                Value next = nest(carried[0]);
                outer.pop_back();
                return {next};
              })
        .front();
  };
  return nest(reducer.startTotal(context.builder, context.loc, resultLanes()));
}

Value ReductionNest::reduce(Combiner combiner, Type type, Element element) {
  if (plan.reduced.empty())
    return element(makePoint({}, Value(), plan.lanes));
  Reducer reducer = makeReducer(combiner, type);
  if (plan.reduced.size() == 1 && plan.innerExtent() <= kChunkSteps * plan.innerStep())
    return reduceInnermost(reducer, {}, Value(), element);
  return convertFloat(context.builder, context.loc, reduceAll(reducer, element), type);
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

int64_t ReductionNest::partBytes(const ReductionPlan &plan, Combiner combiner, Type type) {
  return plan.parts * plan.resultCount() * graph::getElementBytes(makeReducer(combiner, type).totalType);
}

Value ReductionNest::partBuffer(Type type) {
  auto flat = MemRefType::get({plan.parts * plan.resultCount()}, graph::getStorageType(type));
  return memref::ViewOp::create(context.builder, context.loc, flat, context.scratch, b.constant(0), ValueRange{});
}

LaneIndex ReductionNest::partOffset(Value part) {
  Value offset = part;
  for (auto [axis, at] : llvm::zip_equal(plan.parallel, parallel))
    offset = b.add(b.mul(offset, plan.axes[axis].extent), at.base);
  return {offset, resultLanes() == 1 ? 0 : 1};
}

void ReductionNest::reducePart(Combiner combiner, Type type, Element element) {
  Reducer reducer = makeReducer(combiner, type);
  Value total = reduceAll(reducer, element);
  ElementEmitter(context, resultLanes())
      .store(total, partBuffer(reducer.totalType), partOffset(part), reducer.totalType);
}

Value ReductionNest::reduceParts(Combiner combiner, Type type, Element element) {
  OpBuilder &builder = context.builder;
  Location loc = context.loc;
  Reducer reducer = makeReducer(combiner, type);
  Value kept = partBuffer(reducer.totalType), start = reducer.startTotal(builder, loc, resultLanes());
  auto addPart = [&](Value i, ValueRange carried) -> SmallVector<Value> {
    Value partial = ElementEmitter(context, resultLanes()).load(kept, partOffset(i), reducer.totalType);
    return {reducer.combiner.combine(builder, loc, carried[0], partial)};
  };
  Value total = b.loop(b.constant(0), b.constant(plan.parts), 1, ValueRange{start}, addPart).front();
  // Only rows of one axis are cut along it where it has a rest.
  if (plan.partAxis + 1 == plan.reduced.size() && plan.wholeExtent() < plan.innerExtent()) {
    Value neutral = reducer.combiner.neutral(builder, loc, getLaneType(type, plan.lanes));
    Value rest = reducer.combiner.fold(builder, loc, addTail(reducer, {}, neutral, element));
    total = reducer.addTo(builder, loc, total, rest);
  }
  return convertFloat(builder, loc, total, type);
}

} // namespace hgc::cpu
