//===- ResolvePins.cpp - which device each op must be on ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules, attributes of ops, regions and functions become one attribute per op.
// Everything that can be said about pins as such is said here; whether a device
// has a kernel for a pinned op is placement's question.
//===----------------------------------------------------------------------===//

#include "hgc/Analysis/OpNames.h"
#include "hgc/Placement/Passes.h"
#include "hgc/Placement/Pins.h"
#include "hgc/Placement/PlaceRules.h"
#include "hgc/Placement/PlacementProblem.h"
#include "hgc/Support/Error.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

namespace hgc {
#define GEN_PASS_DEF_RESOLVEPINS
#include "hgc/Placement/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {

/// Adds every name in a location: a fused one has those of all its parts.
void collectNames(Location loc, llvm::StringSet<> &names) {
  if (auto name = dyn_cast<NameLoc>(loc))
    names.insert(name.getName());
  else if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations())
      collectNames(part, names);
}

struct ResolvePins final : hgc::impl::ResolvePinsBase<ResolvePins> {
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
    llvm::StringSet<> names;
    for (auto function : module.getOps<func::FuncOp>())
      if (failed(resolve(function, *parsed, names)))
        return signalPassFailure();
    for (auto parameter : module.getOps<ParameterOp>())
      if (Attribute device = parameter->removeAttr(HGCDialect::kDevice); device && hasGpuPlan)
        parameter->setAttr(kPinAttr, device);
    reportFolded(names);
    if (hasGpuPlan)
      return reportUnmatched(*parsed, names);
    // With a GPU plan in the library, that is where pins hold.
    for (auto &[place, device] : voided)
      reportVoid(place, cast<DeviceAttr>(device));
    if (strict && !voided.empty())
      signalPassFailure();
  }

private:
  LogicalResult resolve(func::FuncOp function, const PlaceRules &rules, llvm::StringSet<> &names) {
    SmallVector<std::pair<Operation *, Pin>> pins;
    function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (!takesPin(op))
        return;
      collectNames(op->getLoc(), names);
      DeviceAttr device = rules.find(hgc::getOpName(op));
      if (Pin pin = device ? Pin{device, op} : findPin(op))
        pins.emplace_back(op, pin);
    });
    // Pins of functions and regions become those of their ops.
    function.walk([](Operation *op) { op->removeAttr(HGCDialect::kDevice); });
    for (auto &[op, pin] : pins) {
      if (failed(check(pin)))
        return failure();
      if (isInGpuPlan(function))
        op->setAttr(kPinAttr, pin.device);
      else if (isGpu(pin.device))
        // Variants of an entry share their pins' places.
        voided.insert({pin.source->getLoc(), pin.device});
    }
    return success();
  }

  static LogicalResult check(const Pin &pin) {
    if (!isGpu(pin.device) || pin.device.getIndex() < kMaxGpus)
      return success();
    InFlightDiagnostic diag = pin.source->emitError() << "the pin to '" << describe(pin.device)
                                                      << "' cannot be honoured: a plan has GPUs 0 to " << kMaxGpus - 1;
    diag.attachNote() << "hint: pin the op to a GPU of a lower number";
    return diag;
  }

  void reportVoid(Location loc, DeviceAttr device) {
    InFlightDiagnostic diag = strict ? mlir::emitError(loc) : mlir::emitRemark(loc);
    diag << "the pin to '" << describe(device) << "' is void: this plan has only 'cpu'";
    diag.attachNote() << "hint: compile for that device, or drop the pin";
  }

  void reportFolded(const llvm::StringSet<> &names) {
    auto pinned = dyn_cast_if_present<ArrayAttr>(getOperation()->removeAttr(kPinnedOpsAttr));
    if (!pinned)
      return;
    for (auto place : pinned.getAsRange<LocationAttr>()) {
      StringRef name = hgc::getOpName(Location(place));
      if (name.empty() || names.contains(name))
        continue;
      InFlightDiagnostic diag = mlir::emitRemark(place) << "the pinned op '" << name << "' was folded away";
      diag.attachNote() << "hint: drop the pin; the op is computed while compiling, or another op does its work";
    }
  }

  void reportUnmatched(const PlaceRules &rules, const llvm::StringSet<> &names) {
    SmallVector<StringRef> all = llvm::to_vector(names.keys());
    for (StringRef rule : rules.findUnmatched(all)) {
      InFlightDiagnostic diag = mlir::emitRemark(getOperation().getLoc())
                                << "placement rule '" << rule << "' matches no op";
      diag.attachNote() << "hint: hgc compile --emit=graph --mlir-print-debuginfo shows the names; an op may have been "
                           "folded away";
    }
  }

  llvm::SetVector<std::pair<Location, Attribute>> voided;
};

} // namespace
