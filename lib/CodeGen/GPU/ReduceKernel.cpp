//===- ReduceKernel.cpp - GPU kernels with a reduction --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Few long reductions are split between several teams: these leave partial
// results in scratch memory, and a second launch combines them in order.
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/Common/Lanes.h"
#include "hgc/CodeGen/Common/ReduceElements.h"
#include "hgc/CodeGen/GPU/Emitters.h"
#include "hgc/CodeGen/GPU/Team.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::gpu;

/// Threads of a block that combines partial results.
static constexpr int64_t kFinishBlock = 128;

namespace {

struct ReduceEmitter final : KernelEmitter {
  FailureOr<KernelPlan> plan(exec::KernelOp kernel, const GpuTable &target) const override;
  LogicalResult emit(KernelContext &context, size_t number) const override;
};

/// What both launches know.
struct Reduce {
  explicit Reduce(exec::KernelOp kernel)
      : op(cast<graph::ReduceOp>(getRoot(kernel))),
        isUnsigned(graph::isUnsigned(cast<RankedTensorType>(op.getInput().getType()).getElementType())),
        type(getCombineType(op)), combiner{op.getKind(), isUnsigned} {}

  TeamPlan makePlan(exec::KernelOp kernel, const GpuTable &target);
  Value reduce(KernelContext &context, Team &team);
  void finish(KernelContext &context, Team &team, Value value, const TeamPlan &plan);

  graph::ReduceOp op;
  bool isUnsigned;
  /// Type in which elements are combined.
  Type type;
  Combiner combiner;
};

} // namespace

TeamPlan Reduce::makePlan(exec::KernelOp kernel, const GpuTable &target) {
  TeamPlan plan(kernel, target, ReducedDims(kernel), /*maySplit=*/true);
  // Elements are used once.
  plan.kept = 0;
  return plan;
}

Value Reduce::reduce(KernelContext &context, Team &team) {
  return team.reduce(combiner, type, [&](const TeamPoint &point) {
    Value element = ElementEmitter(context, point.lanes).eval(op.getInput(), point.index);
    return widen(context.builder, context.loc, element, type, isUnsigned);
  });
}

/// Stores what the kernel makes of a combined value.
void Reduce::finish(KernelContext &context, Team &team, Value value, const TeamPlan &plan) {
  value = finishReduce(context.builder, context.loc, op, value, plan.count);
  team.ifFinisher([&] {
    ElementEmitter result(context, plan.resultLanes());
    result.bind(op.getResult(), value);
    LaneIndex zero = IndexBuilder(context.builder, context.loc).constant(0);
    result.storeResult(toReduceResult<LaneIndex>(op, team.resultIndex(), zero));
  });
}

/// The plan of the second launch: a warp per row, a thread per column.
static TeamPlan makeFinishPlan(const TeamPlan &plan) {
  TeamPlan finish = plan;
  finish.team = plan.isRow ? kWarp : 1;
  finish.teams = kFinishBlock / finish.team;
  finish.steps = finish.partSteps = plan.parts;
  finish.parts = 1;
  finish.kept = 0;
  return finish;
}

FailureOr<KernelPlan> ReduceEmitter::plan(exec::KernelOp kernel, const GpuTable &target) const {
  Reduce reduce(kernel);
  TeamPlan plan = reduce.makePlan(kernel, target);
  KernelPlan result;
  result.launches.push_back(plan.getLaunch());
  result.text = "reduce " + plan.describe();
  if (plan.parts > 1) {
    result.launches.push_back(makeFinishPlan(plan).getLaunch());
    result.scratchBytes = plan.parts * plan.results * graph::getElementBytes(reduce.type);
  }
  return result;
}

LogicalResult ReduceEmitter::emit(KernelContext &context, size_t number) const {
  Reduce reduce(context.kernel);
  TeamPlan plan = reduce.makePlan(context.kernel, context.target);
  if (plan.parts == 1) {
    Team team(context, plan);
    reduce.finish(context, team, reduce.reduce(context, team), plan);
    return success();
  }
  IndexBuilder b(context.builder, context.loc);
  Value partials = context.getScratch(0, plan.parts * plan.results, graph::getStorageType(reduce.type));
  int64_t lanes = plan.resultLanes();
  auto place = [&](Value part, Value result) {
    return LaneIndex(b.add(b.mul(part, plan.results), result), lanes == 1 ? 0 : 1);
  };
  if (number == 0) {
    Team team(context, plan);
    Value value = reduce.reduce(context, team);
    team.ifFinisher([&] {
      ElementEmitter(context, lanes).store(value, partials, place(team.getPart(), team.getResult()), reduce.type);
    });
    return success();
  }
  TeamPlan finishPlan = makeFinishPlan(plan);
  Team team(context, finishPlan);
  Value value = team.combineSteps(reduce.combiner, reduce.type, [&](Value part) {
    return ElementEmitter(context, lanes).load(partials, place(part, team.getResult()), reduce.type);
  });
  reduce.finish(context, team, value, plan);
  return success();
}

std::unique_ptr<KernelEmitter> hgc::gpu::createReduceEmitter() { return std::make_unique<ReduceEmitter>(); }
