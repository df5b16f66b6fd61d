//===- Place.cpp - give every op a device ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Three steps that stay apart: collect the ops with their pins, decide, write.
// The plan of one device has nothing to decide but what becomes of the pins; a
// solver for several devices replaces `decide` only.
//===----------------------------------------------------------------------===//

#include "hgc/Placement/Passes.h"
#include "hgc/Placement/Pins.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace hgc {
#define GEN_PASS_DEF_PLACE
#include "hgc/Placement/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {

/// An op that needs a device.
struct PlacedOp {
  Operation *op;
  Pin pin;
  DeviceAttr device;
};

struct Place final : hgc::impl::PlaceBase<Place> {
  using Base::Base;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      SmallVector<PlacedOp> ops = collect(function);
      if (failed(decide(ops)))
        return signalPassFailure();
      for (PlacedOp &placed : ops)
        placed.op->setAttr(HGCDialect::kDevice, placed.device);
      // The function's pin has become that of its ops.
      function->removeAttr(HGCDialect::kDevice);
    }
    markAllAnalysesPreserved();
  }

private:
  SmallVector<PlacedOp> collect(func::FuncOp function) {
    SmallVector<PlacedOp> ops;
    function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isPlaced(op))
        ops.push_back({op, findPin(op), {}});
    });
    return ops;
  }

  LogicalResult decide(MutableArrayRef<PlacedOp> ops) {
    auto cpu = DeviceAttr::get(&getContext(), DeviceKind::CPU, 0);
    llvm::SetVector<Operation *> voided;
    for (PlacedOp &placed : ops) {
      placed.device = cpu;
      if (placed.pin && placed.pin.device != cpu)
        voided.insert(placed.pin.source);
    }
    for (Operation *source : voided)
      reportVoid(source);
    return failure(strict && !voided.empty());
  }

  void reportVoid(Operation *source) {
    auto device = source->getAttrOfType<DeviceAttr>(HGCDialect::kDevice);
    InFlightDiagnostic diag = strict ? source->emitError() : source->emitRemark();
    diag << "the pin to '" << stringifyDeviceKind(device.getKind()) << ":" << device.getIndex()
         << "' is void: this plan has only 'cpu'";
    diag.attachNote() << "hint: compile for that device, or drop the pin";
  }
};

} // namespace
