//===- ReductionNest.cpp - loops that reduce some dims --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/ReductionNest.h"

#include "hgc/CodeGen/CPU/StreamedStores.h"
#include "hgc/CodeGen/Common/Lanes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace hgc::cpu {

/// Steps that LLVM may unroll.
static constexpr int64_t kShortSteps = 8;
/// Steps of a row that are worth one more, to write all but two at aligned addresses.
static constexpr int64_t kAlignedSteps = 4;
/// Parts are cut for kernels with fewer units than this, ...
static constexpr int64_t kEnoughUnits = 16;
/// ... of at least so many elements, ...
static constexpr int64_t kPartElements = 32768;
/// ... and at most so many, which hold no more partial results than this.
static constexpr int64_t kMostParts = 64, kMostPartResults = 16384;

//===----------------------------------------------------------------------===//
// Plan
//===----------------------------------------------------------------------===//

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
  lanes = isRow ? chooseManyLanes(kernel, target, extent) : chooseLanes(kernel, target, extent, 4);
  if (extents.empty())
    extents.push_back(1);
  loops = UnitLoops::plan(extents, count * weight, isRow ? 1 : lanes);
}

std::string ReductionPlan::describe() const {
  std::string text = llvm::formatv("{0} of {1}, lanes={2}", isRow ? "rows" : "columns", count, lanes);
  return isSplit() ? text + llvm::formatv(", {0} parts", parts).str() : text;
}

bool ReductionPlan::alignsStores(exec::KernelOp kernel, const DeviceTable &target) const {
  if (!isRow || lanes == 1 || reduced.size() != 1 || kernel.updatesInPlace() || innerExtent() < kAlignedSteps * lanes)
    return false;
  // What is kept of a row beside the output must stay near.
  return count * getWidestComputeBytes(kernel) <= target.l2Bytes / 4;
}

bool ReductionPlan::streamsStores(exec::KernelOp kernel, const DeviceTable &target) const {
  // A row of small results may be shorter than a line.
  return alignsStores(kernel, target) && innerExtent() >= 2 * getLineLanes(kernel) && fillsCaches(kernel, target);
}

int64_t ReductionPlan::resultCount() const {
  int64_t results = 1;
  for (size_t axis : parallel)
    results *= axes[axis].extent;
  return results;
}

void ReductionPlan::split() {
  if (reduced.empty() || loops.units == 0 || loops.units >= kEnoughUnits)
    return;
  int64_t results = resultCount(), wanted = std::min(kMostParts, count * results / kPartElements);
  wanted = std::min(wanted, std::max<int64_t>(2, kMostPartResults / results));
  if (wanted < 2)
    return;
  // The outermost axis that has enough iterations, else the longest. Rows of
  // several axes keep the innermost whole: each of them has a rest.
  auto extentOf = [&](size_t number) { return axes[reduced[number]].extent; };
  size_t last = reduced.size() - 1, candidates = isRow && last > 0 ? last : reduced.size(), axis = 0;
  for (size_t i = 1; i < candidates && extentOf(axis) < wanted; ++i)
    if (extentOf(i) > extentOf(axis))
      axis = i;
  int64_t step = axis == last ? innerStep() : 1;
  int64_t extent = axis == last ? wholeExtent() : extentOf(axis);
  int64_t length = llvm::alignTo(std::max<int64_t>(1, llvm::divideCeil(extent, wanted)), step);
  int64_t number = llvm::divideCeil(extent, length);
  if (number < 2)
    return;
  parts = number;
  partLength = length;
  partAxis = axis;
}

bool isPlainLoad(Value tensor) { return isa_and_nonnull<exec::LoadOp>(tensor.getDefiningOp()); }

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

static void emitUnits(KernelContext &context, const ReductionPlan &plan, Value begin, Value end,
                      function_ref<void(ReductionNest &)> body) {
  IndexBuilder b(context.builder, context.loc);
  plan.loops.emit(b, begin, end, [&](ArrayRef<Value> outer, Value lower, Value upper) {
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

void ReductionNest::emitPoints(KernelContext &context, const ReductionPlan &plan,
                               function_ref<void(ReductionNest &)> body) {
  IndexBuilder b(context.builder, context.loc);
  emitUnits(context, plan, b.constant(0), b.constant(plan.loops.units), body);
}

void ReductionNest::emit(KernelContext &context, const ReductionPlan &plan, function_ref<void(ReductionNest &)> body) {
  if (!plan.isSplit()) {
    emitUnits(context, plan, context.begin, context.end, body);
    if (plan.streamsStores(context.kernel, context.target))
      emitStreamFence(context);
    return;
  }
  IndexBuilder(context.builder, context.loc).loop(context.begin, context.end, 1, [&](Value part) {
    emitPoints(context, plan, [&](ReductionNest &nest) {
      nest.part = part;
      body(nest);
    });
  });
}

/// A loop of many steps is not unrolled: short ones gain from it, long ones lose
/// registers to loads that LLVM moves out of later passes.
void ReductionNest::keepLong(Value iteration) {
  if (plan.wholeExtent() > kShortSteps * plan.innerStep())
    keepRolled(iteration);
}

ReductionPoint ReductionNest::makePoint(ArrayRef<Value> outer, Value last, int64_t fresh, int64_t lanes) {
  SmallVector<LaneIndex> positions(plan.axes.size());
  for (auto [axis, at] : llvm::zip_equal(plan.parallel, parallel))
    positions[axis] = at;
  ReductionPoint point;
  point.lanes = lanes;
  point.fresh = fresh;
  point.position = b.constant(0);
  for (auto [number, axis] : llvm::enumerate(plan.reduced)) {
    bool isLast = number + 1 == plan.reduced.size();
    Value at = isLast ? last : outer[number];
    positions[axis] = {at, isLast && plan.isRow && lanes > 1 ? 1 : 0};
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
    int64_t step = plan.innerStep(), extent = plan.innerExtent(), whole = plan.wholeExtent();
    b.loop(b.constant(0), b.constant(whole), step, [&](Value i) {
      keepLong(i);
      visit(makePoint(outer, i, plan.lanes));
    });
    if (whole < extent)
      visit(makePoint(outer, b.constant(extent - step), extent - whole));
  };
  nest();
}

/// Elements of the row that lie before the first aligned address of the result.
Value ReductionNest::unalignedHead(int64_t lanes) {
  auto stored = cast<RankedTensorType>(getStore(context.kernel).getValue().getType());
  ReductionPoint start = makePoint({}, b.constant(0), lanes, lanes);
  return emitUnaligned(context, lanes, ElementEmitter(context, lanes).flatten(start.index, stored.getShape()).base);
}

void ReductionNest::prefetchNextEnd() {
  if (!plan.streamsStores(context.kernel, context.target))
    return;
  auto stored = cast<RankedTensorType>(getStore(context.kernel).getValue().getType());
  Value buffer = context.buffers.lookup(getStore(context.kernel).getBuffer()), zero = b.constant(0);
  b.ifThen(b.lessThan(zero, unalignedHead(getLineLanes(context.kernel))), [&] {
    LaneIndex start = ElementEmitter(context, 1).flatten(makePoint({}, zero, 1, 1).index, stored.getShape());
    Value end = b.min(b.add(start.base, 2 * plan.count - 1), b.constant(stored.getNumElements() - 1));
    memref::PrefetchOp::create(b.builder, b.loc, buffer, end, /*isWrite=*/true, /*localityHint=*/3,
                               /*isDataCache=*/true);
  });
}

void ReductionNest::forEachStreamed(function_ref<void(const ReductionPoint &)> visit) {
  // A line of the cache that is written past it and into it takes long: points at both
  // ends of the row that fill no line go one by one, and none is written twice.
  int64_t lanes = chooseLanes(context.kernel, context.target, plan.innerExtent(), 1);
  int64_t line = std::max(lanes, getLineLanes(context.kernel));
  Value zero = b.constant(0), extent = b.constant(plan.innerExtent()), first = unalignedHead(line);
  Value end = b.add(first, b.mul(b.div(b.sub(extent, first), line), line));
  auto one = [&](Value i) {
    keepRolled(i);
    visit(makePoint({}, i, 1, 1));
  };
  b.loop(zero, first, 1, one);
  b.loop(first, end, lanes, [&](Value i) {
    keepLong(i);
    ReductionPoint point = makePoint({}, i, lanes, lanes);
    point.isStreamed = true;
    visit(point);
  });
  b.loop(end, extent, 1, one);
}

void ReductionNest::forEachResult(function_ref<void(const ReductionPoint &)> visit) {
  if (plan.streamsStores(context.kernel, context.target))
    return forEachStreamed(visit);
  if (!plan.alignsStores(context.kernel, context.target))
    return forEach(visit);
  // Callers' buffers start anywhere, and stores across two cache lines are slow. Steps
  // start before the row by what is missing; its ends are written by whole vectors.
  Value zero = b.constant(0), last = b.constant(plan.innerExtent() - plan.lanes), shift = unalignedHead(plan.lanes);
  Value isAligned = b.equal(shift, zero);
  Value first = arith::SelectOp::create(b.builder, b.loc, isAligned, zero, b.add(shift, -plan.lanes));
  b.loop(first, b.constant(plan.innerExtent()), plan.lanes, [&](Value i) {
    keepLong(i);
    visit(makePoint({}, b.max(zero, b.min(i, last)), plan.lanes));
  });
}

} // namespace hgc::cpu
