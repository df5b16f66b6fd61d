//===- Recompute.cpp - compute on both sides instead of copying -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Placement may want an op on two devices: it says so, and the copy of its
// result becomes a copy of the op. Besides, an op all of whose operands are on
// the other side anyway is computed there when that takes less time than the
// copy. Readers come before makers, so that whole chains follow.
//===----------------------------------------------------------------------===//

#include "TransferUtils.h"
#include "Utils.h"

#include "hgc/Analysis/Pricing.h"
#include "hgc/Placement/Devices.h"
#include "hgc/Transforms/Passes.h"

namespace hgc {
#define GEN_PASS_DEF_RECOMPUTE
#include "hgc/Transforms/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {

struct Recompute final : hgc::impl::RecomputeBase<Recompute> {
  void runOnOperation() override {
    const auto &invariance = getAnalysis<Invariance>();
    Pricing pricing(getOperation());
    for (func::FuncOp function : findGpuEntries(getOperation())) {
      SmallVector<Operation *> makers;
      function.walk<WalkOrder::PreOrder>([&](Operation *op) {
        if (op->getNumResults() == 1 && !op->getNumRegions() && isComputing(op))
          makers.push_back(op);
      });
      DeviceCopies copies(function, invariance);
      FusionForest forest(function, mayFuse);
      bool changed = false, refined = false;
      for (Operation *maker : llvm::reverse(makers)) {
        for (TransferOp copy : findCopies(maker)) {
          bool isPlanned = maker->getAttrOfType<DeviceAttr>(kAlsoOnAttr) == copy.getTo();
          if (!isPlanned && (isPlacedToOverlap(function) || !isCheaper(maker, copy, copies, forest, pricing)))
            continue;
          replace(maker, copy, copies);
          changed = true;
          refined |= !isPlanned;
        }
        maker->removeAttr(kAlsoOnAttr);
      }
      if (changed)
        eraseDeadOps(function);
      if (refined)
        function->setAttr(kRefinedAttr, UnitAttr::get(&getContext()));
    }
  }

private:
  static SmallVector<TransferOp> findCopies(Operation *maker) {
    SmallVector<TransferOp> found;
    for (Operation *user : maker->getUsers())
      if (auto copy = dyn_cast<TransferOp>(user))
        found.push_back(copy);
    return found;
  }

  static bool isCheaper(Operation *maker, TransferOp copy, DeviceCopies &copies, const FusionForest &forest,
                        const Pricing &pricing) {
    DeviceAttr to = copy.getTo();
    if (maker->hasAttr(kPinAttr) || !pricing.hasKernel(maker, to))
      return false;
    int64_t copied = pricing.priceTransfer(getBytes(copy.getResult()), copy.getFrom(), to);
    int64_t computed = pricing.priceOp(maker, to);
    for (Value operand : maker->getOperands())
      computed += copies.priceSecondReader(operand, to, maker, forest, pricing);
    return computed * getTripWeight(maker) < copied * getTripWeight(copy) &&
           llvm::all_of(maker->getOperands(), [&](Value operand) { return copies.isFree(operand, to, maker); });
  }

  static void replace(Operation *maker, TransferOp copy, DeviceCopies &copies) {
    OpBuilder builder(maker->getContext());
    builder.setInsertionPointAfter(maker);
    Operation *clone = builder.clone(*maker);
    for (OpOperand &use : clone->getOpOperands())
      use.set(copies.get(use.get(), copy.getTo(), clone));
    clone->setAttr(HGCDialect::kDevice, copy.getTo());
    clone->removeAttr(kAlsoOnAttr);
    clone->removeAttr(kDecisionAttr);
    // The copy is dead now. It goes at the end, since `copies` knows it.
    copy.replaceAllUsesWith(clone->getResult(0));
  }
};

} // namespace
