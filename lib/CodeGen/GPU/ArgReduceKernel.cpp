//===- ArgReduceKernel.cpp - GPU kernels with the position of an extreme --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/Common/ArgReducer.h"
#include "hgc/CodeGen/GPU/Emitters.h"
#include "hgc/CodeGen/GPU/Team.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::gpu;
using graph::ReduceKind;

static TeamPlan makePlan(exec::KernelOp kernel, const GpuTable &target) {
  auto op = cast<graph::ArgReduceOp>(getRoot(kernel));
  SmallVector<bool> isReduced(cast<RankedTensorType>(op.getInput().getType()).getRank(), false);
  isReduced[op.getAxis()] = true;
  return TeamPlan(kernel, target, op.getInput(), isReduced, getResultAccesses(kernel, op), false);
}

namespace {
struct ArgReduceEmitter final : KernelEmitter {
  FailureOr<KernelPlan> plan(exec::KernelOp kernel, const GpuTable &target) const override {
    TeamPlan teams = makePlan(kernel, target);
    KernelPlan plan;
    plan.launches.push_back(teams.getLaunch());
    plan.text = "arg_reduce " + teams.describe();
    return plan;
  }

  LogicalResult emit(KernelContext &context, size_t) const override {
    auto op = cast<graph::ArgReduceOp>(getRoot(context.kernel));
    TeamPlan plan = makePlan(context.kernel, context.target);
    Team team(context, plan);
    ArgReducer reducer(context, op);
    Value best = team.reduce(Combiner{ReduceKind::Max, false}, reducer.getKeyType(),
                             [&](const TeamPoint &point) { return reducer.getKey(point.index, point.lanes); });
    Value position =
        team.reduce(Combiner{ReduceKind::Min, false}, reducer.getPositionType(),
                    [&](const TeamPoint &point) { return reducer.getCandidate(point.index, point.lanes, best); });
    team.ifFinisher([&] {
      LaneIndex zero = IndexBuilder(context.builder, context.loc).constant(0);
      ElementEmitter result(context, plan.resultLanes());
      result.bind(op.getResult(), reducer.finish(position));
      result.storeResult(ArgReducer::dropAxis(op, team.resultIndex(), zero));
    });
    return success();
  }
};
} // namespace

std::unique_ptr<KernelEmitter> hgc::gpu::createArgReduceEmitter() { return std::make_unique<ArgReduceEmitter>(); }
