//===- GpuPlacement.cpp - devices of the GPU plan -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What computes is decided first, in program order. Parameters, constants and
// views of them cost nothing to have on either side: they follow their readers,
// in reverse order. Mutable parameters come last, for all entries at once.
//===----------------------------------------------------------------------===//

#include "GpuPlacement.h"

#include "hgc/Analysis/Invariance.h"
#include "hgc/Placement/Devices.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

/// The runtime counts GPUs of one model up to this number.
static constexpr unsigned kMaxGpus = 8;

static void setDevice(Operation *op, DeviceAttr device) { op->setAttr(HGCDialect::kDevice, device); }

/// Whether `op` has no work of its own: it lives where it is read.
static bool followsReaders(Operation *op) {
  if (isa<ReadOp, ConstantOp>(op))
    return true;
  auto reshape = dyn_cast<ReshapeOp>(op);
  Operation *source = reshape ? reshape.getInput().getDefiningOp() : nullptr;
  return source && followsReaders(source);
}

/// Whether all that `op` computes is which way control flow takes.
static bool isPredicateOnly(Operation *op) {
  return !op->use_empty() && llvm::all_of(op->getUses(), [](OpOperand &use) { return isPredicate(use); });
}

static LogicalResult checkPin(const Pin &pin) {
  if (!pin || !isGpu(pin.device) || pin.device.getIndex() < kMaxGpus)
    return success();
  InFlightDiagnostic diag = pin.source->emitError() << "the pin to '" << describe(pin.device)
                                                    << "' cannot be honoured: a plan has GPUs 0 to " << kMaxGpus - 1;
  diag.attachNote() << "hint: pin the op to a GPU of a lower number";
  return diag;
}

/// The device of an op that computes, moves or controls.
static DeviceAttr decide(const PinnedOp &pinned) {
  MLIRContext *context = pinned.op->getContext();
  // A view stays where its source is, whoever asks.
  if (auto reshape = dyn_cast<ReshapeOp>(pinned.op))
    return getDevice(reshape.getInput());
  if (pinned.pin)
    return pinned.pin.device;
  if (isPredicateOnly(pinned.op))
    return getHost(context);
  return DeviceAttr::get(context, DeviceKind::GPU, 0);
}

LogicalResult hgc::placeOnGpu(ArrayRef<PinnedOp> ops) {
  for (const PinnedOp &pinned : ops) {
    if (failed(checkPin(pinned.pin)))
      return failure();
    if (!followsReaders(pinned.op))
      setDevice(pinned.op, decide(pinned));
  }
  for (const PinnedOp &pinned : llvm::reverse(ops)) {
    if (!followsReaders(pinned.op))
      continue;
    // Uses are listed last first.
    DeviceAttr device = getHost(pinned.op->getContext());
    for (OpOperand &use : pinned.op->getUses())
      device = getRequiredDevice(use);
    setDevice(pinned.op, device);
  }
  return success();
}

void hgc::placeState(ModuleOp module) {
  Invariance invariance(module);
  llvm::MapVector<StringAttr, SmallVector<Operation *>> uses;
  llvm::DenseMap<StringAttr, DeviceAttr> homes;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!isInGpuPlan(function))
      continue;
    auto add = [&](StringAttr parameter, Operation *op, DeviceAttr device) {
      uses[parameter].push_back(op);
      if (isGpu(device))
        homes.try_emplace(parameter, device);
    };
    function.walk([&](Operation *op) {
      if (auto assign = dyn_cast<AssignOp>(op))
        add(assign.getParameterAttr().getAttr(), op, getDevice(assign.getValue()));
      auto read = dyn_cast<ReadOp>(op);
      if (!read || !invariance.isMutable(read.getParameterAttr().getAttr()))
        return;
      add(read.getParameterAttr().getAttr(), op, getDevice(op));
      for (OpOperand &use : op->getUses())
        add(read.getParameterAttr().getAttr(), op, getRequiredDevice(use));
    });
  }
  for (auto &[parameter, ops] : uses) {
    DeviceAttr home = homes.lookup(parameter);
    for (Operation *op : ops)
      setDevice(op, home ? home : getHost(module.getContext()));
  }
}
