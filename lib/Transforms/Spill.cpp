//===- Spill.cpp - park tensors in host memory ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tensor that a GPU holds but does not use at its peak goes to the host and
// comes back. What came from the host needs only the way back. This is the one
// pass that may add transferred bytes.
//===----------------------------------------------------------------------===//

#include "DeviceLiveness.h"
#include "MemoryTargets.h"

#include "hgc/Analysis/Pricing.h"
#include "hgc/Placement/Devices.h"
#include "hgc/Transforms/Passes.h"

namespace hgc {
#define GEN_PASS_DEF_SPILL
#include "hgc/Transforms/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {

struct Spill final : hgc::impl::SpillBase<Spill> {
  using SpillBase::SpillBase;

  void runOnOperation() override {
    Pricing pricing(getOperation());
    auto run = [&](func::FuncOp entry, DeviceAttr device, int64_t bytes) -> int64_t {
      if (!isGpu(device))
        return 0;
      auto rate = [&](const DeviceLiveness &liveness, const LiveTensor &tensor) {
        return this->rate(liveness, tensor, device, pricing);
      };
      return relieveMemory(entry.getBody().front(), device, bytes, rate, spill);
    };
    if (failed(forEachMemoryTarget(getOperation(), limits, run)))
      signalPassFailure();
  }

private:
  static bool hasEarlyAccess(const LiveTensor &tensor, int64_t peak) {
    return tensor.getLateAccesses(peak).size() != tensor.accesses.size();
  }

  /// An upload that nobody needs before the peak just comes later.
  static bool isLateUpload(const LiveTensor &tensor, int64_t peak) {
    auto upload = tensor.root.getDefiningOp<TransferOp>();
    return upload && !isGpu(upload.getFrom()) && !hasEarlyAccess(tensor, peak);
  }

  /// The tensor on the host, when it is there before the peak; null otherwise.
  static Value findHostCopy(const LiveTensor &tensor, int64_t peak) {
    auto upload = tensor.root.getDefiningOp<TransferOp>();
    if (upload && !isGpu(upload.getFrom()))
      return upload.getSource();
    for (const LiveTensor::Access &access : tensor.accesses) {
      auto download = dyn_cast<TransferOp>(access.use->getOwner());
      bool isCopy = download && !isGpu(download.getTo()) && access.use->get() == tensor.root;
      if (isCopy && access.time < peak && download->getBlock() == tensor.root.getDefiningOp()->getBlock())
        return download.getResult();
    }
    return nullptr;
  }

  static std::optional<MemoryRelief> rate(const DeviceLiveness &liveness, const LiveTensor &tensor, DeviceAttr device,
                                          const Pricing &pricing) {
    int64_t peak = liveness.getPeakTime(), bytes = getTensorBytes(cast<ShapedType>(tensor.root.getType()));
    DeviceAttr host = getHost(device.getContext());
    MemoryRelief relief{tensor.bytes, pricing.priceTransfer(bytes, host, device)};
    if (!findHostCopy(tensor, peak))
      relief.costPs += pricing.priceTransfer(bytes, device, host);
    else if (isLateUpload(tensor, peak))
      relief.costPs = 0;
    return relief;
  }

  static Value transfer(MemoryEdit &edit, OpBuilder &builder, Value value, DeviceAttr from, DeviceAttr to) {
    auto made = edit.add(TransferOp::create(builder, value.getLoc(), value.getType(), value, from, to));
    made->setAttr(HGCDialect::kDevice, to);
    made->setAttr(kSpillAttr, builder.getUnitAttr());
    made->setAttr("hgc.reason", builder.getStringAttr("spilled under the memory limit"));
    return made.getResult();
  }

  static void spill(MemoryEdit &edit, const DeviceLiveness &liveness, const LiveTensor &tensor) {
    int64_t peak = liveness.getPeakTime(), last = tensor.first;
    DeviceAttr device = getDevice(tensor.root), host = getHost(device.getContext());
    OpBuilder builder(device.getContext());
    Value parked = findHostCopy(tensor, peak);
    if (!parked) {
      for (const LiveTensor::Access &access : tensor.accesses)
        if (access.time < peak)
          last = access.time;
      builder.setInsertionPointAfter(liveness.getOp(last));
      parked = transfer(edit, builder, tensor.root, device, host);
    }
    builder.setInsertionPoint(liveness.getOp(tensor.getLateAccesses(peak).front().time));
    Value back = isLateUpload(tensor, peak) ? edit.add(builder.clone(*tensor.root.getDefiningOp()))->getResult(0)
                                            : transfer(edit, builder, parked, host, device);
    edit.redirect(tensor, peak, back);
  }
};

} // namespace
