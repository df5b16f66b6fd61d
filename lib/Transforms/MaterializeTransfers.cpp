//===- MaterializeTransfers.cpp - make copies between devices explicit ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The naive form: a value is copied where it is made, once per device that reads
// it. Whatever saves a copy is a pass of its own and starts from here.
//===----------------------------------------------------------------------===//

#include "TransferUtils.h"

#include "hgc/Placement/Devices.h"
#include "hgc/Transforms/Passes.h"

namespace hgc {
#define GEN_PASS_DEF_MATERIALIZETRANSFERS
#include "hgc/Transforms/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {

struct MaterializeTransfers final : hgc::impl::MaterializeTransfersBase<MaterializeTransfers> {
  void runOnOperation() override {
    const auto &invariance = getAnalysis<Invariance>();
    for (func::FuncOp function : findGpuEntries(getOperation())) {
      // A rerun shares the transfers of the first run.
      DeviceCopies copies(function, invariance);
      function.walk([&](Operation *op) {
        for (OpOperand &use : op->getOpOperands()) {
          DeviceAttr device = getDevice(use.get()), required = getRequiredDevice(use);
          if (device && required && device != required)
            use.set(copies.get(use.get(), required, op));
        }
      });
    }
  }
};

} // namespace
