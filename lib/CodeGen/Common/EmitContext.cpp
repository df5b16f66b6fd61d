//===- EmitContext.cpp - what every emitter knows of its kernel -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/Common/EmitContext.h"

#include "dialects/Graph/ElementTypes.h"
#include "dialects/Graph/StridedView.h"
#include "hgc/Target/ConvForm.h"

using namespace mlir;

namespace hgc::codegen {

bool isGpuKernel(exec::KernelOp kernel) {
  auto device = dyn_cast_or_null<graph::DeviceAttr>(kernel.getDeviceAttr());
  return device && device.getKind() == graph::DeviceKind::GPU;
}

static bool isRoot(Operation &op) {
  auto fusible = dyn_cast<graph::FusibleOp>(op);
  return fusible && fusible.getFusionKind() == graph::FusionKind::Root;
}

/// The first root and the last.
static std::pair<Operation *, Operation *> findRoots(exec::KernelOp kernel) {
  std::pair<Operation *, Operation *> roots = {nullptr, nullptr};
  for (Operation &op : *kernel.getBody().begin())
    if (isRoot(op))
      roots = {roots.first ? roots.first : &op, &op};
  return roots;
}

graph::ConvOp getStagedConv(exec::KernelOp kernel) {
  auto [first, last] = findRoots(kernel);
  auto conv = dyn_cast_or_null<graph::ConvOp>(first);
  if (isGpuKernel(kernel) || !conv || first == last)
    return {};
  auto reader = dyn_cast<graph::ConvOp>(last);
  auto pool = dyn_cast<graph::PoolOp>(last);
  if (!(reader && canStage(conv, reader)) && !(pool && canStage(conv, pool)))
    return {};
  auto isLoaded = [](Value operand) { return operand.getDefiningOp<exec::LoadOp>() != nullptr; };
  bool hasBuffers = isLoaded(conv.getInput()) && isLoaded(conv.getFilter()) && (pool || isLoaded(reader.getFilter()));
  return hasBuffers && !isLoaded(last->getOperand(0)) ? conv : graph::ConvOp();
}

std::optional<AttentionForm> getAttention(exec::KernelOp kernel) {
  return isGpuKernel(kernel) ? std::nullopt : AttentionForm::find(kernel.getBody().front());
}

Operation *getRoot(exec::KernelOp kernel) {
  auto [first, last] = findRoots(kernel);
  return getStagedConv(kernel) || getAttention(kernel) ? last : first;
}

exec::StoreOp getStore(exec::KernelOp kernel) { return cast<exec::StoreOp>(kernel.getBody().front().back()); }

/// The roots of a kernel that has one, or several that its emitter knows, and a store that puts rows in another order.
static SmallVector<Operation *> getStages(exec::KernelOp kernel) {
  if (std::optional<AttentionForm> attention = getAttention(kernel))
    return {attention->scores, attention->softmax, attention->sums, getStore(kernel)};
  return {getRoot(kernel), getStagedConv(kernel)};
}

MemRefType getFlatType(Type buffer) {
  auto memref = cast<MemRefType>(buffer);
  return MemRefType::get({memref.getNumElements()}, graph::getStorageType(memref.getElementType()));
}

bool isEmptyKernel(exec::KernelOp kernel) {
  return cast<MemRefType>(kernel.getBody().getArguments().back().getType()).getNumElements() == 0;
}

/// Several outputs, and those that are updated in place, need code that computes
/// every element once.
static LogicalResult verifyOutputs(exec::KernelOp kernel) {
  Operation *root = getRoot(kernel);
  bool visitsOnce = !isGpuKernel(kernel) && (!root || isa<graph::MatmulOp, graph::ConvFilterGradOp>(root));
  if (visitsOnce || (kernel.getStores().size() == 1 && !kernel.updatesInPlace()))
    return success();
  InFlightDiagnostic diag = kernel.emitError()
                            << "kernel '" << kernel.getSymName() << "' has several outputs or updates one in place";
  diag.attachNote() << "hint: on the CPU, elementwise kernels, products and filter gradients may; split the others";
  return diag;
}

LogicalResult verifyEmittable(exec::KernelOp kernel) {
  if (failed(verifyOutputs(kernel)))
    return failure();
  Operation *root = getRoot(kernel);
  SmallVector<Operation *> stages = getStages(kernel);
  auto isOperandOfStage = [&](Operation &op) {
    return llvm::any_of(stages, [&](Operation *stage) { return stage && graph::leadsOnlyTo(&op, stage); });
  };
  for (Operation &op : kernel.getBody().front()) {
    if (llvm::is_contained(stages, &op) || isa<exec::LoadOp, exec::StoreOp>(op))
      continue;
    if (auto constant = dyn_cast<graph::ConstantOp>(op)) {
      if (isa<SplatElementsAttr>(constant.getValue()))
        continue;
      InFlightDiagnostic diag =
          op.emitOpError("has different elements, a constant inside a kernel must have equal ones");
      diag.attachNote() << "hint: pass it to the kernel as an input";
      return diag;
    }
    if (isa<graph::ReshapeOp>(op) && isOperandOfStage(op))
      continue;
    auto fusible = dyn_cast<graph::FusibleOp>(op);
    graph::FusionKind kind = fusible ? fusible.getFusionKind() : graph::FusionKind::Opaque;
    if (kind == graph::FusionKind::Pointwise || kind == graph::FusionKind::IndexMap)
      continue;
    InFlightDiagnostic diag = op.emitOpError("cannot be evaluated element by element beside root '")
                              << (root ? root->getName().getStringRef() : "none") << "'";
    diag.attachNote() << "hint: give it a kernel of its own";
    return diag;
  }
  return success();
}

/// The loaded tensor that an operand of a root is, or is part of; null if it is computed.
static exec::LoadOp findLoad(Value operand) {
  std::optional<graph::StridedView> view = graph::StridedView::trace(operand);
  return view ? view->source.getDefiningOp<exec::LoadOp>() : exec::LoadOp();
}

LogicalResult verifyRootOperands(Operation *root, Value made) {
  bool mayCut = isa<graph::MatmulOp>(root) && !isGpuKernel(cast<exec::KernelOp>(root->getParentOp()));
  for (auto [number, operand] : llvm::enumerate(root->getOperands())) {
    if (operand == made || (mayCut ? findLoad(operand) : operand.getDefiningOp<exec::LoadOp>()))
      continue;
    InFlightDiagnostic diag = root->emitOpError() << "has operand " << number << " computed inside its kernel";
    diag.attachNote() << "hint: contractions read their operands from buffers; keep the producer out of the kernel";
    return diag;
  }
  return success();
}

Value getRootBuffer(EmitContext &context, Value operand) {
  return context.buffers.lookup(findLoad(operand).getBuffer());
}

} // namespace hgc::codegen
