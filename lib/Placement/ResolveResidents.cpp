//===- ResolveResidents.cpp - which arguments are on a GPU ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules and attributes become attributes of the GPU plan alone: a caller of the
// CPU plan has no device memory to offer.
//===----------------------------------------------------------------------===//

#include "hgc/Placement/Devices.h"
#include "hgc/Placement/Passes.h"
#include "hgc/Placement/PlacementProblem.h"

#include "llvm/ADT/StringExtras.h"

namespace hgc {
#define GEN_PASS_DEF_RESOLVERESIDENTS
#include "hgc/Placement/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {

/// An argument or a result of an entry.
struct Boundary {
  func::FuncOp entry;
  bool isResult;
  unsigned number;

  /// The name it has in the C header.
  std::string getName() const {
    func::FuncOp function = entry;
    auto name = isResult ? function.getResultAttrOfType<StringAttr>(number, HGCDialect::kName)
                         : function.getArgAttrOfType<StringAttr>(number, HGCDialect::kName);
    return name ? name.str() : ((isResult ? "result" : "arg") + Twine(number)).str();
  }

  DeviceAttr getDevice() const {
    func::FuncOp function = entry;
    return isResult ? function.getResultAttrOfType<DeviceAttr>(number, HGCDialect::kDevice)
                    : function.getArgAttrOfType<DeviceAttr>(number, HGCDialect::kDevice);
  }

  void setDevice(DeviceAttr device) {
    StringAttr name = StringAttr::get(entry.getContext(), HGCDialect::kDevice);
    if (!device && isResult)
      entry.removeResultAttr(number, name);
    else if (!device)
      entry.removeArgAttr(number, name);
    else if (isResult)
      entry.setResultAttr(number, name, device);
    else
      entry.setArgAttr(number, name, device);
  }
};

struct ResolveResidents final : hgc::impl::ResolveResidentsBase<ResolveResidents> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    markAllAnalysesPreserved();
    SmallVector<Boundary> boundaries;
    for (auto entry : module.getOps<func::FuncOp>()) {
      for (unsigned i = 0; i < entry.getNumArguments(); ++i)
        boundaries.push_back({entry, false, i});
      for (unsigned i = 0; i < entry.getNumResults(); ++i)
        boundaries.push_back({entry, true, i});
    }
    if (failed(applyRules(boundaries)) || failed(resolve(boundaries)))
      signalPassFailure();
  }

private:
  LogicalResult fail(Operation *op, const Twine &message, const Twine &hint) {
    InFlightDiagnostic diag = op->emitError() << message;
    diag.attachNote() << "hint: " << hint;
    return diag;
  }

  LogicalResult applyRules(MutableArrayRef<Boundary> boundaries) {
    SmallVector<StringRef> list;
    StringRef(rules).split(list, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    for (StringRef rule : list) {
      auto [name, text] = rule.trim().rsplit('=');
      DeviceAttr device = parseDevice(text.trim(), &getContext());
      if (!device || name.trim().empty())
        return fail(getOperation(), "residence '" + rule.trim() + "' is not of the form name=device",
                    "write x=gpu or y=gpu:0");
      std::vector<std::string> names;
      bool isFound = false;
      for (Boundary &boundary : boundaries) {
        if (std::string quoted = "'" + boundary.getName() + "'"; !llvm::is_contained(names, quoted))
          names.push_back(quoted);
        if (boundary.getName() != name.trim())
          continue;
        boundary.setDevice(device);
        isFound = true;
      }
      if (!isFound)
        return fail(getOperation(), "no entry has an argument or a result '" + name.trim() + "' to be resident",
                    "there are " + llvm::join(names, ", "));
    }
    return success();
  }

  LogicalResult resolve(MutableArrayRef<Boundary> boundaries) {
    bool hasGpuPlan = llvm::any_of(getOperation().getOps<func::FuncOp>(), isInGpuPlan);
    for (Boundary &boundary : boundaries) {
      DeviceAttr device = boundary.getDevice();
      if (!isGpu(device)) {
        boundary.setDevice({});
        continue;
      }
      if (device.getIndex() >= kMaxGpus)
        return fail(boundary.entry,
                    "'" + boundary.getName() + "' cannot be resident on '" + describe(device) +
                        "': a plan has GPUs 0 to " + Twine(kMaxGpus - 1),
                    "name a GPU of a lower number");
      if (isInGpuPlan(boundary.entry))
        continue;
      boundary.setDevice({});
      if (!hasGpuPlan && failed(reportVoid(boundary, device)))
        return failure();
    }
    return success();
  }

  /// Without a GPU plan the caller passes host memory, whatever the model asks for.
  LogicalResult reportVoid(const Boundary &boundary, DeviceAttr device) {
    func::FuncOp entry = boundary.entry;
    InFlightDiagnostic diag = strict ? entry.emitError() : entry.emitRemark();
    diag << "'" << boundary.getName() << "' is not resident on '" << describe(device) << "': this plan has only 'cpu'";
    diag.attachNote() << "hint: add --gpu=sm_80, or drop hgc.device of that argument";
    return failure(strict);
  }
};

} // namespace
