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
};
} // namespace

static ReductionPlan makePlan(exec::KernelOp kernel, const DeviceTable &target) {
  ReducedDims dims(kernel);
  return ReductionPlan(kernel, target, dims.input, dims.isReduced, dims.accesses, 1);
}

KernelSchedule ReduceEmitter::plan(exec::KernelOp kernel, const DeviceTable &target) const {
  ReductionPlan plan = makePlan(kernel, target);
  KernelSchedule schedule;
  schedule.units = plan.loops.units;
  schedule.grain = chooseGrain(kernel, target, schedule.units);
  schedule.text = "reduce " + plan.describe();
  return schedule;
}

LogicalResult ReduceEmitter::emit(KernelContext &context) const {
  auto reduce = cast<graph::ReduceOp>(getRoot(context.kernel));
  ReductionPlan plan = makePlan(context.kernel, context.target);
  bool isUnsigned = graph::isUnsigned(cast<RankedTensorType>(reduce.getInput().getType()).getElementType());
  Type type = getCombineType(reduce);
  OpBuilder &b = context.builder;
  ReductionNest::emit(context, plan, [&](ReductionNest &nest) {
    Value value = nest.reduce(reduce.getKind(), isUnsigned, type, [&](const ReductionPoint &point) {
      Value element = ElementEmitter(context, point.lanes).eval(reduce.getInput(), point.index);
      return widen(b, context.loc, element, type, isUnsigned);
    });
    value = finishReduce(b, context.loc, reduce, value, plan.count);
    ElementEmitter result(context, nest.resultLanes());
    result.bind(reduce.getResult(), value);
    LaneIndex zero = IndexBuilder(b, context.loc).constant(0);
    result.storeResult(toReduceResult<LaneIndex>(reduce, nest.resultIndex(), zero));
  });
  return success();
}

std::unique_ptr<KernelEmitter> cpu::createReduceEmitter() { return std::make_unique<ReduceEmitter>(); }
