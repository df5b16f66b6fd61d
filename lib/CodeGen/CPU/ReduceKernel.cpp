//===- ReduceKernel.cpp - kernels with a reduction ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/Emitters.h"
#include "hgc/CodeGen/CPU/ReductionNest.h"
#include "hgc/CodeGen/Common/Lanes.h"
#include "hgc/CodeGen/Common/ReduceElements.h"
#include "hgc/CodeGen/Common/ReducedDims.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;
using graph::ReduceKind;

namespace {
struct ReduceEmitter final : KernelEmitter {
  KernelSchedule plan(exec::KernelOp kernel, const DeviceTable &target) const override;
  LogicalResult emit(KernelContext &context) const override;
  LogicalResult emitFinish(KernelContext &context) const override;
};

/// What both functions of a kernel know.
struct Reduce {
  explicit Reduce(KernelContext &context)
      : context(context), op(cast<graph::ReduceOp>(getRoot(context.kernel))),
        isUnsigned(graph::isUnsigned(cast<RankedTensorType>(op.getInput().getType()).getElementType())),
        type(getCombineType(op)) {}

  Value element(const ReductionPoint &point) {
    Value value = ElementEmitter(context, point.lanes).eval(op.getInput(), point.index);
    return widen(context.builder, context.loc, value, type, isUnsigned);
  }
  Combiner combiner() { return {op.getKind(), isUnsigned}; }
  /// Fetches what comes soon of operands that are read as they lie: those of several streams take turns.
  void fetch(ReductionNest &nest, const ReductionPoint &point) {
    if (!context.target.streamLines)
      return;
    for (auto load : context.kernel.getBody().getOps<exec::LoadOp>())
      if (load.getType() == op.getInput().getType())
        nest.prefetchNextRow(point, load.getResult(), context.target.streamLines);
  }
  void store(ReductionNest &nest, Value value, int64_t count);

  KernelContext &context;
  graph::ReduceOp op;
  bool isUnsigned;
  /// Type in which elements are combined.
  Type type;
};
} // namespace

static ReductionPlan makePlan(exec::KernelOp kernel, const DeviceTable &target) {
  ReducedDims dims(kernel);
  ReductionPlan plan(kernel, target, dims.input, dims.isReduced, dims.accesses, 1);
  plan.split();
  return plan;
}

KernelSchedule ReduceEmitter::plan(exec::KernelOp kernel, const DeviceTable &target) const {
  ReductionPlan plan = makePlan(kernel, target);
  KernelSchedule schedule;
  schedule.units = plan.isSplit() ? plan.parts : plan.loops.units;
  if (plan.isSplit()) {
    auto reduce = cast<graph::ReduceOp>(getRoot(kernel));
    schedule.scratchBytes = ReductionNest::partBytes(plan, {reduce.getKind()}, getCombineType(reduce));
    schedule.finishes = true;
  }
  schedule.grain = chooseGrain(kernel, target, schedule.units);
  schedule.text = "reduce " + plan.describe();
  return schedule;
}

/// Stores what the kernel makes of a combined value.
void Reduce::store(ReductionNest &nest, Value value, int64_t count) {
  value = finishReduce(context.builder, context.loc, op, value, count);
  ElementEmitter result(context, nest.resultLanes());
  result.bind(op.getResult(), value);
  LaneIndex zero = IndexBuilder(context.builder, context.loc).constant(0);
  result.storeResult(toReduceResult<LaneIndex>(op, nest.resultIndex(), zero));
}

LogicalResult ReduceEmitter::emit(KernelContext &context) const {
  Reduce reduce(context);
  ReductionPlan plan = makePlan(context.kernel, context.target);
  ReductionNest::emit(context, plan, [&](ReductionNest &nest) {
    auto element = [&](const ReductionPoint &point) {
      reduce.fetch(nest, point);
      return reduce.element(point);
    };
    if (plan.isSplit())
      return nest.reducePart(reduce.combiner(), reduce.type, element);
    reduce.store(nest, nest.reduce(reduce.combiner(), reduce.type, element), plan.count);
  });
  return success();
}

LogicalResult ReduceEmitter::emitFinish(KernelContext &context) const {
  Reduce reduce(context);
  ReductionPlan plan = makePlan(context.kernel, context.target);
  ReductionNest::emitPoints(context, plan, [&](ReductionNest &nest) {
    auto element = [&](const ReductionPoint &point) { return reduce.element(point); };
    Value value = nest.reduceParts(reduce.combiner(), reduce.type, element);
    reduce.store(nest, value, plan.count);
  });
  return success();
}

std::unique_ptr<KernelEmitter> cpu::createReduceEmitter() { return std::make_unique<ReduceEmitter>(); }
