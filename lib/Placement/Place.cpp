//===- Place.cpp - give every op a device ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Three steps that stay apart: collect the ops with their pins, decide, write.
// The CPU plan has nothing to decide but what becomes of the pins; how the GPU
// plan decides is in GpuPlacement, and a solver replaces that alone.
//===----------------------------------------------------------------------===//

#include "GpuPlacement.h"

#include "hgc/Analysis/OpNames.h"
#include "hgc/Placement/Devices.h"
#include "hgc/Placement/Passes.h"
#include "hgc/Placement/PlaceRules.h"
#include "hgc/Support/Error.h"

#include "llvm/ADT/SetVector.h"

namespace hgc {
#define GEN_PASS_DEF_PLACE
#include "hgc/Placement/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {

struct Place final : hgc::impl::PlaceBase<Place> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    markAllAnalysesPreserved();
    llvm::Expected<PlaceRules> parsed = PlaceRules::parse(rules, &getContext());
    if (!parsed) {
      (void)hgc::emitError(module.getLoc(), parsed.takeError());
      return signalPassFailure();
    }
    voided.clear();
    bool hasGpuPlan = llvm::any_of(module.getOps<func::FuncOp>(), isInGpuPlan);
    for (auto function : module.getOps<func::FuncOp>()) {
      SmallVector<PinnedOp> ops = collect(function, *parsed);
      if (!isInGpuPlan(function))
        placeOnHost(ops);
      else if (failed(placeOnGpu(ops)))
        return signalPassFailure();
      // The function's pin has become that of its ops.
      function->removeAttr(HGCDialect::kDevice);
    }
    if (hasGpuPlan)
      return placeState(module);
    // With a GPU plan in the library, that is where pins hold.
    for (auto &[place, device] : voided)
      reportVoid(place, cast<DeviceAttr>(device));
    if (strict && !voided.empty())
      signalPassFailure();
  }

private:
  SmallVector<PinnedOp> collect(func::FuncOp function, const PlaceRules &rules) {
    SmallVector<PinnedOp> ops;
    function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (!isPlaced(op))
        return;
      DeviceAttr device = rules.find(hgc::getOpName(op));
      ops.push_back({op, device ? Pin{device, op} : findPin(op)});
    });
    return ops;
  }

  /// Variants of an entry share their pins' places.
  void placeOnHost(ArrayRef<PinnedOp> ops) {
    DeviceAttr host = getHost(&getContext());
    for (const PinnedOp &pinned : ops)
      if (pinned.pin && pinned.pin.device != host)
        voided.insert({pinned.pin.source->getLoc(), pinned.pin.device});
    for (const PinnedOp &pinned : ops)
      pinned.op->setAttr(HGCDialect::kDevice, host);
  }

  void reportVoid(Location loc, DeviceAttr device) {
    InFlightDiagnostic diag = strict ? mlir::emitError(loc) : mlir::emitRemark(loc);
    diag << "the pin to '" << describe(device) << "' is void: this plan has only 'cpu'";
    diag.attachNote() << "hint: compile for that device, or drop the pin";
  }

  llvm::SetVector<std::pair<Location, Attribute>> voided;
};

} // namespace
