//===- VerifyPlaced.cpp - what holds at the end of stage placed -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "StageRules.h"

#include "dialects/Graph/GraphOps.h"
#include "hgc/Placement/Devices.h"
#include "hgc/Placement/Pins.h"
#include "hgc/Transforms/Passes.h"

namespace hgc {
#define GEN_PASS_DEF_VERIFYPLACED
#include "hgc/Transforms/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {

struct VerifyPlaced final : hgc::impl::VerifyPlacedBase<VerifyPlaced> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(checkEntries(module)))
      return signalPassFailure();
    for (auto entry : module.getOps<func::FuncOp>())
      if (failed(checkOps(entry)) || failed(checkAssigns(entry)) || failed(checkDevices(entry)) ||
          failed(checkOperandDevices(entry)))
        return signalPassFailure();
    markAllAnalysesPreserved();
  }

private:
  LogicalResult checkDevices(func::FuncOp entry) {
    WalkResult walk = entry.walk<WalkOrder::PreOrder>([&](Operation *op) -> WalkResult {
      if (isa<KernelOp>(op))
        return failWithHint(op, "a kernel does not belong to stage placed",
                            "start from the stage this module was written at, with --start-from");
      if (!isPlaced(op))
        return WalkResult::advance();
      DeviceAttr device = getDevice(op);
      if (!device)
        return failWithHint(op, "'" + op->getName().getStringRef() + "' has no device", "run hgc-place first");
      if (isGpu(device) && !isInGpuPlan(entry))
        return failWithHint(op,
                            "'" + op->getName().getStringRef() + "' is placed on '" +
                                stringifyDeviceKind(device.getKind()) + "', which this plan does not have",
                            "the plan has only 'cpu'");
      return WalkResult::advance();
    });
    return failure(walk.wasInterrupted());
  }
};

} // namespace
