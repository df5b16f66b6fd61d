//===- ArgReduceKernel.cpp - kernels with the position of an extreme ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/Emitters.h"
#include "hgc/CodeGen/CPU/ReductionNest.h"
#include "hgc/CodeGen/Common/ArgReducer.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;
using graph::ReduceKind;

namespace {
struct ArgReduceEmitter final : KernelEmitter {
  KernelSchedule plan(exec::KernelOp kernel, const DeviceTable &target) const override;
  LogicalResult emit(KernelContext &context) const override;
};
} // namespace

static ReductionPlan makePlan(exec::KernelOp kernel, const DeviceTable &target) {
  auto op = cast<graph::ArgReduceOp>(getRoot(kernel));
  SmallVector<bool> isReduced(cast<RankedTensorType>(op.getInput().getType()).getRank(), false);
  isReduced[op.getAxis()] = true;
  return ReductionPlan(kernel, target, op.getInput(), isReduced, getResultAccesses(kernel, op), 2);
}

KernelSchedule ArgReduceEmitter::plan(exec::KernelOp kernel, const DeviceTable &target) const {
  ReductionPlan plan = makePlan(kernel, target);
  KernelSchedule schedule;
  schedule.units = plan.loops.units;
  schedule.grain = chooseGrain(kernel, target, schedule.units);
  schedule.text = "arg_reduce " + plan.describe();
  return schedule;
}

LogicalResult ArgReduceEmitter::emit(KernelContext &context) const {
  auto op = cast<graph::ArgReduceOp>(getRoot(context.kernel));
  ReductionPlan plan = makePlan(context.kernel, context.target);
  ArgReducer reducer(context, op);
  LaneIndex zero = IndexBuilder(context.builder, context.loc).constant(0);
  ReductionNest::emit(context, plan, [&](ReductionNest &nest) {
    Value best = nest.reduce({ReduceKind::Max}, reducer.getKeyType(),
                             [&](const ReductionPoint &point) { return reducer.getKey(point.index, point.lanes); });
    Value position = nest.reduce({ReduceKind::Min}, reducer.getPositionType(), [&](const ReductionPoint &point) {
      return reducer.getCandidate(point.index, point.lanes, best);
    });
    ElementEmitter result(context, nest.resultLanes());
    result.bind(op.getResult(), reducer.finish(position));
    result.storeResult(ArgReducer::dropAxis(op, nest.resultIndex(), zero));
  });
  return success();
}

std::unique_ptr<KernelEmitter> cpu::createArgReduceEmitter() { return std::make_unique<ArgReduceEmitter>(); }
