//===- RowPipeline.cpp - three passes over rows as one --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RowPipeline.h"

#include "hgc/CodeGen/CPU/StreamedStores.h"
#include "hgc/CodeGen/Common/Lanes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

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
  return lanes > 1 && plan.count % lanes == 0 && plan.count >= leastSteps * lanes &&
         plan.count % getLineLanes(kernel) == 0;
}

RowPipeline::RowPipeline(KernelContext &context, const ReductionPlan &plan, const RowStages &stages)
    : context(context), plan(plan), stages(stages), b(context.builder, context.loc),
      lanes(chooseStageLanes(context.kernel, plan, context.target)) {}

Value RowPipeline::isAligned() {
  return b.equal(emitUnaligned(context, getLineLanes(context.kernel), Value()), b.constant(0));
}

ReductionNest RowPipeline::nestAt(Value row) {
  SmallVector<LaneIndex> at;
  if (!plan.parallel.empty())
    at.push_back({row, 0});
  return ReductionNest(context, plan, at);
}

/// Neighbouring rows keep their numbers in different places.
Value RowPipeline::keptAt(Value row, Value column) { return b.add(b.mul(b.rem(row, 2), plan.count), column); }

std::pair<Value, Value> RowPipeline::emitStep(const Step &step) {
  OpBuilder &builder = context.builder;
  bool streams = plan.streamsStores(context.kernel, context.target);
  Type vector = getLaneType(stages.type, lanes);
  SmallVector<Value> init{stages.first.neutral(builder, context.loc, vector),
                          stages.second.neutral(builder, context.loc, vector)};
  auto combine = [&](const Combiner &combiner, Value total, Value value) {
    return combiner.combine(builder, context.loc, total, value);
  };
  SmallVector<Value> totals =
      b.loop(b.constant(0), b.constant(plan.count), lanes, init, [&](Value column, ValueRange carried) {
        keepRolled(column);
        SmallVector<Value> next(carried);
        if (step.ahead) {
          ReductionNest nest = nestAt(step.ahead);
          next[0] = combine(stages.first, carried[0], stages.firstElement(nest, nest.pointAt(column, lanes)));
        }
        if (step.row) {
          ReductionNest nest = nestAt(step.row);
          Value value =
              stages.secondElement(nest, nest.pointAt(column, lanes), step.rowFirst, keptAt(step.row, column));
          next[1] = combine(stages.second, carried[1], value);
        }
        if (step.behind) {
          ReductionNest nest = nestAt(step.behind);
          ReductionPoint point = nest.pointAt(column, lanes);
          point.isStreamed = streams;
          stages.write(nest, point, step.behindFirst, step.behindSecond, keptAt(step.behind, column));
        }
        return next;
      });
  std::pair<Value, Value> results;
  if (step.ahead)
    results.first = stages.finishFirst(stages.first.fold(builder, context.loc, totals[0]));
  if (step.row)
    results.second = stages.finishSecond(stages.second.fold(builder, context.loc, totals[1]));
  return results;
}

void RowPipeline::emit() {
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
