//===- ConvKernel.cpp - kernels with a convolution at their root ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/ConvPlan.h"
#include "hgc/CodeGen/CPU/Emitters.h"
#include "hgc/CodeGen/CPU/GemmPlan.h"
#include "hgc/CodeGen/CPU/GemmStore.h"
#include "hgc/CodeGen/CPU/Matmul.h"
#include "hgc/CodeGen/Common/ElementEmitter.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

namespace {

struct ConvEmitter final : KernelEmitter {
  KernelSchedule plan(exec::KernelOp kernel, const DeviceTable &target) const override {
    auto op = cast<graph::ConvOp>(getRoot(kernel));
    graph::OpCost cost = op.getCost();
    KernelSchedule schedule;
    switch (chooseConvKind(op)) {
    case ConvKind::Product:
      return scheduleGemm("pointwise convolution", *Matmul::fromConv(op), cost, target);
    case ConvKind::Direct: {
      ConvPlan plan(op, target);
      schedule = {plan.units(), 1, plan.scratchBytes, plan.describe()};
      break;
    }
    case ConvKind::Depthwise:
      schedule = scheduleDepthwiseConv(ConvView(op));
      break;
    case ConvKind::Generic:
      schedule = scheduleGenericConv(ConvView(op));
      break;
    }
    schedule.grain = chooseGrain(schedule.units, estimateContractionPs(cost, target), target);
    return schedule;
  }

  LogicalResult emit(KernelContext &context) const override {
    if (failed(verifyEmittable(context.kernel)) || failed(verifyRootOperands(getRoot(context.kernel))))
      return failure();
    auto op = cast<graph::ConvOp>(getRoot(context.kernel));
    switch (chooseConvKind(op)) {
    case ConvKind::Product:
      emitGemm(context, op.getResult(), *Matmul::fromConv(op), getRootBuffer(context, op.getInput()),
               getRootBuffer(context, op.getFilter()));
      break;
    case ConvKind::Direct:
      emitDirectConv(context, op);
      break;
    case ConvKind::Depthwise:
      emitDepthwiseConv(context, ConvView(op));
      break;
    case ConvKind::Generic:
      emitGenericConv(context, ConvView(op));
      break;
    }
    return success();
  }
};

} // namespace

std::unique_ptr<KernelEmitter> cpu::createConvEmitter() { return std::make_unique<ConvEmitter>(); }
