//===- ConvGradientKernels.cpp - kernels rooted in a conv's gradient ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/ConvGradients.h"
#include "hgc/CodeGen/CPU/Emitters.h"
#include "hgc/CodeGen/CPU/GemmPlan.h"
#include "hgc/CodeGen/CPU/Matmul.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

static ConvKind chooseKind(graph::ConvTransposeOp op) {
  ConvView view(op);
  if (!view.shape.channelsLast || !view.isHwio)
    return ConvKind::Generic;
  if (Matmul::fromConvTranspose(op))
    return ConvKind::Product;
  if (view.panelWidth)
    return ConvKind::Direct;
  // Only a packed filter has its columns side by side.
  return view.isDepthwise() ? ConvKind::Depthwise : ConvKind::Generic;
}

static ConvKind chooseKind(graph::ConvFilterGradOp op) {
  graph::ConvShape shape = op.getShape();
  if (!shape.channelsLast || op.getFilterLayout() != graph::FilterLayout::HWIO)
    return ConvKind::Generic;
  if (Matmul::fromConvFilterGrad(op))
    return ConvKind::Product;
  bool isDepthwise = shape.groups > 1 && shape.inChannels == shape.groups && shape.outChannels == shape.groups;
  return isDepthwise ? ConvKind::Depthwise : ConvKind::Direct;
}

namespace {

struct ConvTransposeEmitter final : KernelEmitter {
  KernelSchedule plan(exec::KernelOp kernel, const DeviceTable &target) const override {
    auto op = cast<graph::ConvTransposeOp>(getRoot(kernel));
    graph::OpCost cost = op.getCost();
    KernelSchedule schedule;
    switch (chooseKind(op)) {
    case ConvKind::Product:
      return scheduleGemm("pointwise transposed convolution", *Matmul::fromConvTranspose(op), cost, target);
    case ConvKind::Direct: {
      TransposedPlan plan(op, target);
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
    auto op = cast<graph::ConvTransposeOp>(getRoot(context.kernel));
    switch (chooseKind(op)) {
    case ConvKind::Product:
      emitGemm(context, op.getResult(), *Matmul::fromConvTranspose(op), getRootBuffer(context, op.getInput()),
               getRootBuffer(context, op.getFilter()));
      break;
    case ConvKind::Direct:
      emitTransposedConv(context, op);
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

struct ConvFilterGradEmitter final : KernelEmitter {
  KernelSchedule plan(exec::KernelOp kernel, const DeviceTable &target) const override {
    auto op = cast<graph::ConvFilterGradOp>(getRoot(kernel));
    graph::OpCost cost = op.getCost();
    graph::ConvShape shape = op.getShape();
    KernelSchedule schedule;
    switch (chooseKind(op)) {
    case ConvKind::Product:
      return scheduleGemm("pointwise filter gradient", *Matmul::fromConvFilterGrad(op), cost, target);
    case ConvKind::Direct: {
      FilterGradPlan plan(op, target);
      schedule = {plan.units(), 1, plan.scratchBytes, plan.describe()};
      break;
    }
    case ConvKind::Depthwise:
      schedule = {getVolume(shape), 1, 0, "depthwise filter gradient"};
      break;
    case ConvKind::Generic:
      schedule = {getVolume(shape) * shape.outChannels, 1, 0, "filter gradient in any layout"};
      break;
    }
    schedule.grain = chooseGrain(schedule.units, estimateContractionPs(cost, target), target);
    return schedule;
  }

  LogicalResult emit(KernelContext &context) const override {
    if (failed(verifyEmittable(context.kernel)) || failed(verifyRootOperands(getRoot(context.kernel))))
      return failure();
    auto op = cast<graph::ConvFilterGradOp>(getRoot(context.kernel));
    switch (chooseKind(op)) {
    case ConvKind::Product:
      emitGemm(context, op.getResult(), *Matmul::fromConvFilterGrad(op), getRootBuffer(context, op.getInput()),
               getRootBuffer(context, op.getGradient()));
      break;
    case ConvKind::Direct:
      emitFilterGrad(context, op);
      break;
    case ConvKind::Depthwise:
      emitDepthwiseFilterGrad(context, op);
      break;
    case ConvKind::Generic:
      emitGenericFilterGrad(context, op);
      break;
    }
    return success();
  }
};

} // namespace

std::unique_ptr<KernelEmitter> cpu::createConvTransposeEmitter() { return std::make_unique<ConvTransposeEmitter>(); }
std::unique_ptr<KernelEmitter> cpu::createConvFilterGradEmitter() { return std::make_unique<ConvFilterGradEmitter>(); }
