//===- RowPipeline.cpp - three passes over rows as one --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RowPipeline.h"

#include "hgc/CodeGen/CPU/StreamedStores.h"
#include "hgc/CodeGen/Common/Lanes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

/// Registers of a stage's vector: three stages share them all.
static constexpr int64_t kRegisters = 2;

static int64_t chooseStageLanes(exec::KernelOp kernel, const ReductionPlan &plan, const DeviceTable &target) {
  return chooseLanes(kernel, target, plan.innerExtent(), kRegisters);
}

bool RowPipeline::isPossible(exec::KernelOp kernel, const ReductionPlan &plan, const DeviceTable &target) {
  // Short rows are over before a loop pays; sums of long ones go into wider totals.
  constexpr int64_t leastSteps = 4, mostElements = 8192;
  if (!plan.isRow || plan.isSplit() || plan.reduced.size() != 1 || plan.loops.extents.size() != 1 ||
      kernel.getStores().size() != 1 || kernel.updatesInPlace() || plan.count > mostElements)
    return false;
  int64_t lanes = chooseStageLanes(kernel, plan, target);
  return lanes > 1 && plan.lanes % lanes == 0 && plan.count % plan.lanes == 0 && plan.count >= leastSteps * lanes &&
         plan.count % getLineLanes(kernel) == 0;
}

RowPipeline::RowPipeline(KernelContext &context, const ReductionPlan &plan, RowStages stages)
    : context(context), plan(plan), stages(std::move(stages)), b(context.builder, context.loc),
      lanes(chooseStageLanes(context.kernel, plan, context.target)) {}

void RowPipeline::emitOr(function_ref<void()> emitRows) {
  Value unaligned = emitUnaligned(context, getLineLanes(context.kernel), Value());
  b.ifThen(
      b.equal(unaligned, b.constant(0)), [&] { emit(); }, emitRows);
}

ReductionNest RowPipeline::nestAt(Value row) {
  SmallVector<LaneIndex> at;
  if (!plan.parallel.empty())
    at.push_back({row, 0});
  return ReductionNest(context, plan, at);
}

/// Loads wait for older stores whose addresses end alike in so many bytes, which takes long where these are written
/// past the caches; so do stores behind such ones.
static constexpr int64_t kPage = 4096;
static constexpr int64_t kElementBytes = 4, kPageElements = kPage / kElementBytes;

/// Whether it matters where rows lie: those of other lengths meet each other's ends only now and then.
static bool collides(exec::KernelOp kernel, const ReductionPlan &plan, const DeviceTable &target) {
  return plan.streamsStores(kernel, target) && plan.count % kPageElements == 0;
}

/// Elements from the numbers of one row to those of the next: not whole pages.
static int64_t keptStride(const ReductionPlan &plan) {
  int64_t rest = plan.count % kPageElements;
  bool isNear = std::min(rest, kPageElements - rest) < kPageElements / 4;
  return plan.count + (isNear ? kPageElements / 2 : 0);
}

int64_t RowPipeline::keptElements(exec::KernelOp kernel, const ReductionPlan &plan, const DeviceTable &target) {
  return (collides(kernel, plan, target) ? kPageElements : 0) + keptStride(plan) + plan.count;
}

/// Neighbouring rows keep their numbers in different places.
Value RowPipeline::keptAt(Value row, Value column) {
  Value at = b.add(b.mul(b.rem(row, 2), keptStride(plan)), column);
  return keptStart ? b.add(at, keptStart) : at;
}

void RowPipeline::avoidCollisions() {
  if (!collides(context.kernel, plan, context.target))
    return;
  auto placeOf = [&](Value buffer) {
    return b.rem(memref::ExtractAlignedPointerAsIndexOp::create(context.builder, context.loc, buffer), kPage);
  };
  auto distance = [&](Value from, Value to) { return b.rem(b.sub(b.add(to, kPage), from), kPage); };
  // Writing starts half a page from where reading does.
  Value source = placeOf(stages.source),
        apart = distance(source, placeOf(context.buffers.lookup(getStore(context.kernel).getBuffer())));
  int64_t step = plan.lanes * kElementBytes;
  turn = b.mul(b.div(distance(apart, b.constant(kPage / 2)), step), plan.lanes);
  // Some kernels keep nothing.
  if (!context.scratch)
    return;
  // What two rows keep lies behind what is read by one of these and half a page more, whichever is
  // not right before what is written.
  constexpr int64_t line = 64, one = 768, other = 1792, few = 576;
  Value before = b.rem(b.add(apart, kPage / 2 - one), kPage / 2);
  Value behind = arith::SelectOp::create(context.builder, context.loc, b.lessThan(before, b.constant(few)),
                                         b.constant(other), b.constant(one));
  Value bytes = distance(placeOf(context.scratch), b.add(source, behind));
  keptStart = b.mul(b.div(bytes, line), line / kElementBytes);
}

Value RowPipeline::writtenAt(Value column) {
  if (!turn)
    return column;
  Value at = b.add(column, turn), count = b.constant(plan.count);
  return arith::SelectOp::create(context.builder, context.loc, b.lessThan(at, count), at, b.sub(at, count));
}

void RowPipeline::emitPoints(const Step &step, Value column, Value written, Value &first, Value &second) {
  auto combine = [&](const Combiner &combiner, Value total, Value value) {
    return combiner.combine(context.builder, context.loc, total, value);
  };
  if (step.ahead) {
    ReductionNest nest = nestAt(step.ahead);
    first = combine(stages.first, first, stages.firstElement(nest, nest.pointAt(column, lanes)));
  }
  if (step.row) {
    ReductionNest nest = nestAt(step.row);
    Value value = stages.secondElement(nest, nest.pointAt(column, lanes), step.rowFirst, keptAt(step.row, column));
    second = combine(stages.second, second, value);
  }
  if (step.behind) {
    ReductionNest nest = nestAt(step.behind);
    ReductionPoint point = nest.pointAt(written, lanes);
    point.isStreamed = plan.streamsStores(context.kernel, context.target);
    stages.write(nest, point, step.behindFirst, step.behindSecond, keptAt(step.behind, written));
  }
}

/// The total of parts that are combined as halves of a longer vector would be.
Value RowPipeline::fold(const Combiner &combiner, ArrayRef<Value> totals) {
  SmallVector<Value> parts(totals);
  for (size_t half = parts.size() / 2; half >= 1; half /= 2)
    for (size_t i = 0; i < half; ++i)
      parts[i] = combiner.combine(context.builder, context.loc, parts[i], parts[i + half]);
  return combiner.fold(context.builder, context.loc, parts.front());
}

std::pair<Value, Value> RowPipeline::emitStep(const Step &step) {
  Type vector = getLaneType(stages.type, lanes);
  int64_t parts = plan.lanes / lanes;
  SmallVector<Value> init(parts, stages.first.neutral(context.builder, context.loc, vector));
  init.append(parts, stages.second.neutral(context.builder, context.loc, vector));
  SmallVector<Value> totals =
      b.loop(b.constant(0), b.constant(plan.count), plan.lanes, init, [&](Value column, ValueRange carried) {
        keepRolled(column);
        SmallVector<Value> next(carried);
        Value written = step.behind ? writtenAt(column) : column;
        for (int64_t part = 0; part < parts; ++part)
          emitPoints(step, b.add(column, part * lanes), b.add(written, part * lanes), next[part], next[parts + part]);
        return next;
      });
  std::pair<Value, Value> results;
  if (step.ahead) {
    ReductionNest nest = nestAt(step.ahead);
    results.first = stages.finishFirst(nest, fold(stages.first, ArrayRef<Value>(totals).take_front(parts)));
  }
  if (step.row) {
    ReductionNest nest = nestAt(step.row);
    results.second = stages.finishSecond(nest, fold(stages.second, ArrayRef<Value>(totals).drop_front(parts)));
  }
  return results;
}

void RowPipeline::emit() {
  avoidCollisions();
  const UnitLoops &loops = plan.loops;
  bool isWhole = loops.units == 1;
  Value rows = b.constant(loops.extents.front());
  Value lower = isWhole ? b.constant(0) : b.mul(context.begin, loops.block), upper = rows;
  // The last unit takes what remains.
  if (!isWhole)
    upper = arith::SelectOp::create(b.builder, b.loc, b.equal(context.end, b.constant(loops.units)), rows,
                                    b.mul(context.end, loops.block));
  Value last = b.add(upper, -1);
  auto rowBehind = [&](Value row) { return b.min(b.add(row, 1), last); };
  b.ifThen(b.lessThan(lower, upper), [&] {
    Step start;
    start.ahead = lower;
    Value first = emitStep(start).first;
    auto [nextFirst, second] = emitStep({rowBehind(lower), lower, Value(), first, Value(), Value()});
    SmallVector<Value> known{first, second, nextFirst};
    known = b.loop(b.add(lower, 1), upper, 1, known, [&](Value row, ValueRange carried) {
      auto [aheadFirst, rowSecond] =
          emitStep({rowBehind(row), row, b.add(row, -1), carried[2], carried[0], carried[1]});
      return SmallVector<Value>{carried[2], rowSecond, aheadFirst};
    });
    emitStep({Value(), Value(), last, Value(), known[0], known[1]});
  });
  if (plan.streamsStores(context.kernel, context.target))
    emitStreamFence(context);
}
