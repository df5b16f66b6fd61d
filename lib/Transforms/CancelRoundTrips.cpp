//===- CancelRoundTrips.cpp - drop A -> B -> A transfers ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops decide alone where they run, so a value may be sent away and fetched back
// unchanged. The second copy is the value that was sent. Last copies first: the
// way back of a way back is the first copy.
//===----------------------------------------------------------------------===//

#include "MemoryTargets.h"
#include "TransferUtils.h"
#include "Utils.h"

#include "hgc/Transforms/Passes.h"

namespace hgc {
#define GEN_PASS_DEF_CANCELROUNDTRIPS
#include "hgc/Transforms/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {

struct CancelRoundTrips final : hgc::impl::CancelRoundTripsBase<CancelRoundTrips> {
  void runOnOperation() override {
    for (func::FuncOp function : findGpuEntries(getOperation())) {
      SmallVector<TransferOp> transfers;
      function.walk<WalkOrder::PreOrder>([&](TransferOp op) { transfers.push_back(op); });
      bool changed = false;
      for (TransferOp back : llvm::reverse(transfers)) {
        auto out = skipViews(back.getSource()).getDefiningOp<TransferOp>();
        if (!out || out.getFrom() != back.getTo() || back->hasAttr(kSpillAttr))
          continue;
        OpBuilder builder(back);
        back.replaceAllUsesWith(makeView(builder, back.getLoc(), out.getSource(), back.getType()));
        changed = true;
      }
      if (!changed)
        continue;
      eraseDeadOps(function);
      function->setAttr(kRefinedAttr, UnitAttr::get(&getContext()));
    }
  }
};

} // namespace
