//===- Rematerialize.cpp - compute again instead of keeping ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The uses of a kernel's result behind the peak get a copy of the kernel of
// their own, when what it reads is there anyway.
//===----------------------------------------------------------------------===//

#include "DeviceLiveness.h"
#include "MemoryTargets.h"

#include "hgc/Analysis/Pricing.h"
#include "hgc/Transforms/Passes.h"

namespace hgc {
#define GEN_PASS_DEF_REMATERIALIZE
#include "hgc/Transforms/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {

struct Rematerialize final : hgc::impl::RematerializeBase<Rematerialize> {
  using RematerializeBase::RematerializeBase;

  void runOnOperation() override {
    Pricing pricing(getOperation());
    auto run = [&](func::FuncOp entry, DeviceAttr device, int64_t bytes) {
      auto rate = [&](const DeviceLiveness &liveness, const LiveTensor &tensor) {
        return this->rate(liveness, tensor, device, pricing);
      };
      return relieveMemory(entry.getBody().front(), device, bytes, rate, recompute);
    };
    if (failed(forEachMemoryTarget(getOperation(), limits, run)))
      signalPassFailure();
  }

private:
  /// What the kernel reads is kept until it runs again.
  static std::optional<MemoryRelief> rate(const DeviceLiveness &liveness, const LiveTensor &tensor, DeviceAttr device,
                                          const Pricing &pricing) {
    auto kernel = tensor.root.getDefiningOp<KernelOp>();
    if (!kernel)
      return std::nullopt;
    int64_t peak = liveness.getPeakTime();
    MemoryRelief relief{tensor.bytes, 0};
    llvm::SmallPtrSet<const LiveTensor *, 4> kept;
    for (Value input : kernel.getInputs())
      if (const LiveTensor *source = liveness.find(input); source && source->last < peak && kept.insert(source).second)
        relief.savedBytes -= source->bytes;
    // With no earlier use the kernel just moves.
    if (tensor.getLateAccesses(peak).size() != tensor.accesses.size())
      relief.costPs = pricing.priceKernel(kernel, device);
    return relief;
  }

  static void recompute(MemoryEdit &edit, const DeviceLiveness &liveness, const LiveTensor &tensor) {
    int64_t peak = liveness.getPeakTime();
    OpBuilder builder(liveness.getOp(tensor.getLateAccesses(peak).front().time));
    Operation *again = edit.add(builder.clone(*tensor.root.getDefiningOp()));
    edit.redirect(tensor, peak, again->getResult(0));
  }
};

} // namespace
