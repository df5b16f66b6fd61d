//===- ReductionNest.cpp - loops that reduce some dims --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/ReductionNest.h"

#include "hgc/CodeGen/Common/Combine.h"
#include "hgc/CodeGen/Common/Lanes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace hgc::cpu {

/// Steps that add to the same register before its content goes into a wider
/// total: bounds the growth of rounding errors.
static constexpr int64_t kChunkSteps = 128;

//===----------------------------------------------------------------------===//
// Plan
//===----------------------------------------------------------------------===//

/// As many registers side by side as keep the last, overlapping step cheap.
static int64_t chooseRowLanes(exec::KernelOp kernel, const DeviceTable &target, int64_t extent) {
  for (int64_t registers : {4, 2}) {
    int64_t lanes = chooseLanes(kernel, target, extent, registers);
    int64_t visited = llvm::divideCeil(extent, lanes) * lanes;
    if (visited * 4 <= extent * 5)
      return lanes;
  }
  return chooseLanes(kernel, target, extent, 1);
}

ReductionPlan::ReductionPlan(exec::KernelOp kernel, const DeviceTable &target, Value input, ArrayRef<bool> isReduced,
                             ArrayRef<Access> results, int64_t weight) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(input.getType()).getShape();
  rank = shape.size();
  SmallVector<Access> accesses(results);
  collectAccesses(input, identityForms(rank), {}, accesses);
  axes = mergeDims(shape, SmallVector<unsigned>(isReduced.begin(), isReduced.end()), accesses);
  SmallVector<int64_t> extents;
  for (auto [position, axis] : llvm::enumerate(axes)) {
    (axis.kind ? reduced : parallel).push_back(position);
    if (axis.kind)
      count *= axis.extent;
    else
      extents.push_back(axis.extent);
  }
  isRow = axes.back().kind != 0;
  int64_t extent = axes.back().extent;
  lanes = isRow ? chooseRowLanes(kernel, target, extent) : chooseLanes(kernel, target, extent, 4);
  if (extents.empty())
    extents.push_back(1);
  loops = UnitLoops::plan(extents, count * weight, isRow ? 1 : lanes);
}

std::string ReductionPlan::describe() const {
  return llvm::formatv("{0} of {1}, lanes={2}", isRow ? "rows" : "columns", count, lanes);
}

bool isPlainLoad(Value tensor) { return isa_and_nonnull<exec::LoadOp>(tensor.getDefiningOp()); }

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

void ReductionNest::emit(KernelContext &context, const ReductionPlan &plan, function_ref<void(ReductionNest &)> body) {
  IndexBuilder b(context.builder, context.loc);
  plan.loops.emit(b, context.begin, context.end, [&](ArrayRef<Value> outer, Value lower, Value upper) {
    auto visit = [&](Value last) {
      SmallVector<LaneIndex> at(outer.begin(), outer.end());
      if (!plan.parallel.empty())
        at.push_back({last, !plan.isRow && plan.lanes > 1 ? 1 : 0});
      ReductionNest nest(context, plan, at);
      body(nest);
    };
    if (plan.isRow)
      return b.loop(lower, upper, 1, visit);
    emitLaneLoop(b, lower, upper, plan.loops.extents.back(), plan.lanes, visit);
  });
}

ReductionPoint ReductionNest::makePoint(ArrayRef<Value> outer, Value last, int64_t fresh) {
  SmallVector<LaneIndex> positions(plan.axes.size());
  for (auto [axis, at] : llvm::zip_equal(plan.parallel, parallel))
    positions[axis] = at;
  ReductionPoint point;
  point.lanes = plan.lanes;
  point.fresh = fresh;
  point.position = b.constant(0);
  for (auto [number, axis] : llvm::enumerate(plan.reduced)) {
    bool isLast = number + 1 == plan.reduced.size();
    Value at = isLast ? last : outer[number];
    positions[axis] = {at, isLast && plan.isRow && plan.lanes > 1 ? 1 : 0};
    point.position = b.add(b.mul(point.position, plan.axes[axis].extent), at);
  }
  point.index = makeIndex(b, plan.rank, plan.axes, positions);
  return point;
}

SmallVector<LaneIndex> ReductionNest::resultIndex() {
  SmallVector<LaneIndex> positions(plan.axes.size(), LaneIndex(b.constant(0)));
  for (auto [axis, at] : llvm::zip_equal(plan.parallel, parallel))
    positions[axis] = at;
  return makeIndex(b, plan.rank, plan.axes, positions);
}

Value ReductionNest::spreadTo(const ReductionPoint &point, Value result) {
  return spread(context.builder, context.loc, result, point.lanes);
}

void ReductionNest::forEach(function_ref<void(const ReductionPoint &)> visit) {
  if (plan.reduced.empty())
    return visit(makePoint({}, Value(), plan.lanes));
  SmallVector<Value> outer;
  std::function<void()> nest = [&]() {
    if (outer.size() + 1 < plan.reduced.size())
      return b.loop(plan.axes[plan.reduced[outer.size()]].extent, [&](Value i) {
        outer.push_back(i);
        nest();
        outer.pop_back();
      });
    int64_t step = innerStep(), extent = innerExtent(), whole = extent - extent % step;
    b.loop(b.constant(0), b.constant(whole), step, [&](Value i) { visit(makePoint(outer, i, plan.lanes)); });
    if (whole < extent)
      visit(makePoint(outer, b.constant(extent - step), extent - whole));
  };
  nest();
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// How two partial results become one, and in which types.
struct ReductionNest::Reducer {
  Combiner combiner;
  /// Type of elements, and of the total over many of them.
  Type type, totalType;
};

/// Adds the points left over by the steps of all lanes. Lanes that were visited
/// before count as neutral.
Value ReductionNest::addTail(const Reducer &reducer, ArrayRef<Value> outer, Value partial, Element element) {
  int64_t extent = innerExtent(), rest = extent % innerStep();
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
      .loop(lower, upper, innerStep(), ValueRange{init},
            [&](Value i, ValueRange carried) -> SmallVector<Value> {
              Value value = element(makePoint(outer, i, plan.lanes));
              return {reducer.combiner.combine(context.builder, context.loc, carried[0], value)};
            })
      .front();
}

/// Combines the whole innermost loop with `total`; without one returns the
/// loop's own result.
Value ReductionNest::reduceInnermost(const Reducer &reducer, ArrayRef<Value> outer, Value total, Element element) {
  OpBuilder &builder = context.builder;
  Location loc = context.loc;
  Value neutral = reducer.combiner.neutral(builder, loc, getLaneType(reducer.type, plan.lanes));
  auto finish = [&](Value partial) { return plan.isRow ? reducer.combiner.fold(builder, loc, partial) : partial; };
  auto addTo = [&](Value sum, Value partial) {
    return reducer.combiner.combine(builder, loc, sum, convertFloat(builder, loc, partial, reducer.totalType));
  };
  int64_t extent = innerExtent(), step = innerStep(), chunk = kChunkSteps * step, whole = extent - extent % step;
  if (!total || whole <= chunk) {
    Value partial = reduceRange(reducer, outer, b.constant(0), b.constant(whole), neutral, element);
    partial = finish(addTail(reducer, outer, partial, element));
    return total ? addTo(total, partial) : partial;
  }
  SmallVector<Value> sums = b.loop(b.constant(0), b.constant(whole), chunk, ValueRange{total},
                                   [&](Value first, ValueRange carried) -> SmallVector<Value> {
                                     Value upper = b.min(b.add(first, chunk), b.constant(whole));
                                     Value partial = reduceRange(reducer, outer, first, upper, neutral, element);
                                     return {addTo(carried[0], finish(partial))};
                                   });
  if (extent % step == 0)
    return sums.front();
  return addTo(sums.front(), finish(addTail(reducer, outer, neutral, element)));
}

Value ReductionNest::reduce(graph::ReduceKind kind, bool isUnsigned, Type type, Element element) {
  if (plan.reduced.empty())
    return element(makePoint({}, Value(), plan.lanes));
  OpBuilder &builder = context.builder;
  Location loc = context.loc;
  Combiner combiner{kind, isUnsigned};
  bool isSum = kind == graph::ReduceKind::Sum || kind == graph::ReduceKind::Mean;
  Reducer reducer{combiner, type, isSum && type.isF32() ? builder.getF64Type() : type};
  if (plan.reduced.size() == 1 && innerExtent() <= kChunkSteps * innerStep())
    return reduceInnermost(reducer, {}, Value(), element);
  SmallVector<Value> outer;
  std::function<Value(Value)> nest = [&](Value total) -> Value {
    if (outer.size() + 1 == plan.reduced.size())
      return reduceInnermost(reducer, outer, total, element);
    int64_t extent = plan.axes[plan.reduced[outer.size()]].extent;
    return b
        .loop(b.constant(0), b.constant(extent), 1, ValueRange{total},
              [&](Value i, ValueRange carried) -> SmallVector<Value> {
                outer.push_back(i);
                Value next = nest(carried[0]);
                outer.pop_back();
                return {next};
              })
        .front();
  };
  Value total = nest(combiner.neutral(builder, loc, getLaneType(reducer.totalType, resultLanes())));
  return convertFloat(builder, loc, total, type);
}

} // namespace hgc::cpu
