//===- MaterializeTransfers.cpp - make copies between devices explicit ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The naive form: a value is copied where it is made, once per device that reads
// it. Whatever saves a copy is a pass of its own and starts from here.
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphOps.h"
#include "hgc/Analysis/Invariance.h"
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
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (!isInGpuPlan(function))
        continue;
      copies.clear();
      // A rerun shares the transfers of the first run.
      function.walk([&](TransferOp op) { copies.try_emplace({op.getSource(), op.getTo()}, op.getResult()); });
      function.walk([&](Operation *op) {
        for (OpOperand &use : op->getOpOperands()) {
          DeviceAttr device = getDevice(use.get()), required = getRequiredDevice(use);
          if (device && required && device != required)
            use.set(getCopy(use.get(), device, required, invariance));
        }
      });
    }
  }

private:
  /// Whether a second op may stand for the value on another device.
  static bool isDuplicable(Operation *op, const Invariance &invariance) {
    if (isa_and_present<ConstantOp>(op))
      return true;
    auto read = dyn_cast_if_present<ReadOp>(op);
    return read && !invariance.isMutable(read.getParameterAttr().getAttr());
  }

  Value getCopy(Value value, DeviceAttr from, DeviceAttr to, const Invariance &invariance) {
    Value &copy = copies[{value, to}];
    if (copy)
      return copy;
    OpBuilder builder(&getContext());
    builder.setInsertionPointAfterValue(value);
    Operation *source = value.getDefiningOp();
    Operation *made = isDuplicable(source, invariance)
                          ? builder.clone(*source)
                          : TransferOp::create(builder, value.getLoc(), value.getType(), value, from, to);
    made->setAttr(HGCDialect::kDevice, to);
    return copy = made->getResult(0);
  }

  llvm::DenseMap<std::pair<Value, Attribute>, Value> copies;
};

} // namespace
