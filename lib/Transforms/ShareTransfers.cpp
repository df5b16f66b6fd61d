//===- ShareTransfers.cpp - one copy per value and device -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies leave the loops whose body does not change what they copy; then one
// serves all that it dominates. Two that dominate neither one the other are
// joined above both only where one of them would run anyway.
//===----------------------------------------------------------------------===//

#include "TransferUtils.h"

#include "hgc/Placement/Devices.h"
#include "hgc/Transforms/Passes.h"

#include "llvm/ADT/MapVector.h"

namespace hgc {
#define GEN_PASS_DEF_SHARETRANSFERS
#include "hgc/Transforms/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {

struct ShareTransfers final : hgc::impl::ShareTransfersBase<ShareTransfers> {
  void runOnOperation() override {
    for (func::FuncOp function : findGpuEntries(getOperation())) {
      SmallVector<TransferOp> transfers;
      function.walk<WalkOrder::PreOrder>([&](TransferOp op) { transfers.push_back(op); });
      for (TransferOp op : transfers)
        leaveLoops(op);
      // Program order has changed.
      llvm::MapVector<std::pair<Value, Attribute>, SmallVector<TransferOp>> groups;
      function.walk<WalkOrder::PreOrder>([&](TransferOp op) {
        groups[{skipViews(op.getSource()), op.getTo()}].push_back(op);
      });
      DominanceInfo dominance;
      for (auto &[key, group] : groups)
        if (group.size() > 1)
          share(key.first, group, dominance);
    }
  }

private:
  static bool isRepeated(Operation *op) {
    if (auto loop = dyn_cast<WhileOp>(op))
      return loop.getTripHint() > 1;
    auto scan = dyn_cast<ScanOp>(op);
    return scan && scan.getTripCount() > 1;
  }

  static void leaveLoops(TransferOp op) {
    for (Operation *loop = op->getParentOp(); isRepeated(loop); loop = op->getParentOp()) {
      if (loop->isAncestor(op.getSource().getParentBlock()->getParentOp()))
        return;
      op->moveBefore(loop);
    }
  }

  static void replace(TransferOp op, Value copy) {
    OpBuilder builder(op);
    op.replaceAllUsesWith(makeView(builder, op.getLoc(), copy, op.getType()));
    op.erase();
  }

  /// The op above both before which one copy costs no more than the two: one of
  /// them is beside it, or they are the two branches of one `if`.
  static Operation *findMeeting(Operation *first, Operation *second) {
    for (Operation *above = first; above; above = above->getParentOp()) {
      if (above == second || !above->getBlock())
        return nullptr;
      Operation *other = above->getBlock()->findAncestorOpInBlock(*second);
      if (!other)
        continue;
      bool areBranches = other == above && isa<IfOp>(above);
      return areBranches || (other == second && above->isBeforeInBlock(second)) ? above : nullptr;
    }
    return nullptr;
  }

  static void share(Value root, ArrayRef<TransferOp> group, DominanceInfo &dominance) {
    SmallVector<TransferOp> kept;
    for (TransferOp op : group) {
      auto dominating =
          llvm::find_if(kept, [&](TransferOp other) { return dominance.properlyDominates(other.getResult(), op); });
      if (dominating != kept.end()) {
        replace(op, *dominating);
        continue;
      }
      Operation *place = nullptr;
      auto joined = llvm::find_if(kept, [&](TransferOp other) { return (place = findMeeting(other, op)) != nullptr; });
      if (joined == kept.end()) {
        kept.push_back(op);
        continue;
      }
      OpBuilder builder(place);
      Value copy = makeTransfer(builder, op.getLoc(), root, op.getTo());
      replace(*joined, copy);
      replace(op, copy);
      *joined = copy.getDefiningOp<TransferOp>();
    }
  }
};

} // namespace
