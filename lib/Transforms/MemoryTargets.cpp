//===- MemoryTargets.cpp - entries that a memory limit is about -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "MemoryTargets.h"

#include "DeviceLiveness.h"

#include "hgc/Placement/Devices.h"
#include "hgc/Support/Error.h"
#include "hgc/Support/MemoryLimits.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

LogicalResult hgc::forEachMemoryTarget(ModuleOp module, StringRef limits,
                                       function_ref<int64_t(func::FuncOp, DeviceAttr, int64_t)> relieve) {
  llvm::Expected<MemoryLimits> parsed = MemoryLimits::parse(limits);
  if (!parsed)
    return hgc::emitError(module.getLoc(), parsed.takeError());
  for (auto entry : module.getOps<func::FuncOp>()) {
    // Loading goes weight by weight already.
    if (entry.isExternal() || entry->hasAttr(kLoadAttr))
      continue;
    llvm::SetVector<DeviceAttr> devices;
    entry.walk([&](Operation *op) {
      if (DeviceAttr device = getDevice(op))
        devices.insert(device);
    });
    for (DeviceAttr device : devices) {
      std::optional<int64_t> bytes = isGpu(device) ? parsed->getGpu(device.getIndex()) : parsed->getCpu();
      if (bytes)
        addToCertificate(entry, relieve(entry, device, *bytes));
    }
  }
  return success();
}
