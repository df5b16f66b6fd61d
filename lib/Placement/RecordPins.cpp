//===- RecordPins.cpp - note which ops carry a pin ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Placement/Passes.h"
#include "hgc/Placement/Pins.h"

namespace hgc {
#define GEN_PASS_DEF_RECORDPINS
#include "hgc/Placement/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {

struct RecordPins final : hgc::impl::RecordPinsBase<RecordPins> {
  void runOnOperation() override {
    SmallVector<Attribute> pinned;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (takesPin(op) && op->hasAttr(HGCDialect::kDevice))
        pinned.push_back(LocationAttr(op->getLoc()));
    });
    if (!pinned.empty())
      getOperation()->setAttr(kPinnedOpsAttr, ArrayAttr::get(&getContext(), pinned));
    markAllAnalysesPreserved();
  }
};

} // namespace
