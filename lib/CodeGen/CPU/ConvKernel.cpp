//===- ConvKernel.cpp - kernels rooted in a convolution or its gradient ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/ConvGradients.h"
#include "hgc/CodeGen/CPU/Emitters.h"
#include "hgc/CodeGen/CPU/GemmPlan.h"
#include "hgc/CodeGen/CPU/Matmul.h"
#include "hgc/CodeGen/CPU/MatrixProducts.h"
#include "hgc/CodeGen/CPU/WinogradPlan.h"
#include "hgc/CodeGen/Common/ElementEmitter.h"
#include "hgc/Target/MatrixUnit.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

namespace {

/// Emits a product over all pixels, where the root is one, or loops of its own.
template <typename OpT> struct WindowEmitter : KernelEmitter {
  explicit WindowEmitter(StringRef name) : productName("pointwise " + name.str()) {}

  virtual std::optional<Matmul> getProduct(OpT op) const = 0;
  /// Units, scratch and text of the loops.
  virtual KernelSchedule scheduleLoops(OpT op, const DeviceTable &target) const = 0;
  virtual void emitLoops(KernelContext &context, OpT op) const = 0;

  KernelSchedule plan(exec::KernelOp kernel, const DeviceTable &target) const final {
    auto op = cast<OpT>(getRoot(kernel));
    graph::OpCost cost = op.getCost();
    if (auto product = getProduct(op))
      return scheduleGemm(productName, *product, cost, target);
    KernelSchedule schedule = scheduleLoops(op, target);
    int64_t ps = usesMatrixUnit(op) ? estimateMatrixPs(cost, target) : estimateContractionPs(cost, target);
    schedule.grain = chooseGrain(schedule.units, ps, target);
    return schedule;
  }

  LogicalResult emit(KernelContext &context) const final {
    auto op = cast<OpT>(getRoot(context.kernel));
    if (failed(verifyEmittable(context.kernel)) || failed(verifyRootOperands(op)) ||
        failed(verifyMatrixUnit(op, context.target)))
      return failure();
    if (auto product = getProduct(op))
      emitGemm(context, op.getResult(), *product, getRootBuffer(context, op->getOperand(0)),
               getRootBuffer(context, op->getOperand(1)));
    else
      emitLoops(context, op);
    return success();
  }

  std::string productName;
};

/// Loops of a convolution and of its transpose.
template <typename OpT, typename Plan> struct DataEmitter : WindowEmitter<OpT> {
  using WindowEmitter<OpT>::WindowEmitter;

  virtual void emitDirect(KernelContext &context, OpT op) const = 0;

  KernelSchedule scheduleLoops(OpT op, const DeviceTable &target) const final {
    switch (chooseConvKind(ConvView(op))) {
    case ConvKind::Direct: {
      Plan plan(op, target);
      return {plan.units(), 1, plan.scratchBytes, plan.describe()};
    }
    case ConvKind::Depthwise:
      return scheduleDepthwiseConv(ConvView(op), target);
    case ConvKind::Winograd:
      if constexpr (std::is_same_v<OpT, graph::ConvOp>) {
        WinogradPlan plan(op, target);
        return {plan.units(), 1, plan.scratchBytes, plan.describe()};
      }
      break;
    case ConvKind::Matrix:
      if constexpr (std::is_same_v<OpT, graph::ConvOp>)
        return scheduleMatrixConv(op, target);
      break;
    case ConvKind::Generic:
      break;
    }
    return scheduleGenericConv(ConvView(op));
  }

  void emitLoops(KernelContext &context, OpT op) const final {
    switch (chooseConvKind(ConvView(op))) {
    case ConvKind::Direct:
      return emitDirect(context, op);
    case ConvKind::Depthwise:
      return emitDepthwiseConv(context, ConvView(op));
    case ConvKind::Winograd:
      if constexpr (std::is_same_v<OpT, graph::ConvOp>)
        return emitWinogradConv(context, op);
      break;
    case ConvKind::Matrix:
      if constexpr (std::is_same_v<OpT, graph::ConvOp>)
        return emitMatrixConv(context, op);
      break;
    case ConvKind::Generic:
      break;
    }
    emitGenericConv(context, ConvView(op));
  }
};

struct ConvEmitter final : DataEmitter<graph::ConvOp, ConvPlan> {
  ConvEmitter() : DataEmitter("convolution") {}
  std::optional<Matmul> getProduct(graph::ConvOp op) const override {
    ConvForm form = getConvForm(op);
    return form == ConvForm::Gemm || form == ConvForm::Matrix ? Matmul::fromConv(op) : std::nullopt;
  }
  void emitDirect(KernelContext &context, graph::ConvOp op) const override { emitDirectConv(context, op); }
};

struct ConvTransposeEmitter final : DataEmitter<graph::ConvTransposeOp, TransposedPlan> {
  ConvTransposeEmitter() : DataEmitter("transposed convolution") {}
  std::optional<Matmul> getProduct(graph::ConvTransposeOp op) const override { return Matmul::fromConvTranspose(op); }
  void emitDirect(KernelContext &context, graph::ConvTransposeOp op) const override { emitTransposedConv(context, op); }
};

struct ConvFilterGradEmitter final : WindowEmitter<graph::ConvFilterGradOp> {
  ConvFilterGradEmitter() : WindowEmitter("filter gradient") {}

  std::optional<Matmul> getProduct(graph::ConvFilterGradOp op) const override { return Matmul::fromConvFilterGrad(op); }

  KernelSchedule scheduleLoops(graph::ConvFilterGradOp op, const DeviceTable &target) const override {
    graph::ConvShape shape = op.getShape();
    switch (chooseConvKind(op)) {
    case ConvKind::Direct: {
      FilterGradPlan plan(op, target);
      return {plan.units(), 1, plan.scratchBytes, plan.describe()};
    }
    case ConvKind::Depthwise:
      return {getVolume(shape), 1, 0, "depthwise filter gradient"};
    case ConvKind::Winograd:
    case ConvKind::Matrix:
    case ConvKind::Generic:
      break;
    }
    return {getVolume(shape) * shape.outChannels, 1, 0, "filter gradient in any layout"};
  }

  void emitLoops(KernelContext &context, graph::ConvFilterGradOp op) const override {
    switch (chooseConvKind(op)) {
    case ConvKind::Direct:
      return emitFilterGrad(context, op);
    case ConvKind::Depthwise:
      return emitDepthwiseFilterGrad(context, op);
    case ConvKind::Winograd:
    case ConvKind::Matrix:
    case ConvKind::Generic:
      return emitGenericFilterGrad(context, op);
    }
  }
};

} // namespace

std::unique_ptr<KernelEmitter> cpu::createConvEmitter() { return std::make_unique<ConvEmitter>(); }
std::unique_ptr<KernelEmitter> cpu::createConvTransposeEmitter() { return std::make_unique<ConvTransposeEmitter>(); }
std::unique_ptr<KernelEmitter> cpu::createConvFilterGradEmitter() { return std::make_unique<ConvFilterGradEmitter>(); }
