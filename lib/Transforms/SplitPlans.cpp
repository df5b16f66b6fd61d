//===- SplitPlans.cpp - one library, two plans ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library with a GPU plan also runs where no GPU is: it holds every entry
// twice. Both copies are made here, before anything depends on a device, and what
// a call uses is counted, which no later pass changes.
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphOps.h"
#include "hgc/Analysis/FusionForest.h"
#include "hgc/Analysis/KernelModel.h"
#include "hgc/Placement/Devices.h"
#include "hgc/Target/GpuTable.h"
#include "hgc/Transforms/Passes.h"

namespace hgc {
#define GEN_PASS_DEF_SPLITPLANS
#include "hgc/Transforms/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {

/// Bytes of the weights that one call of `entry` reads and of the largest op's other
/// tensors; 0 without weights.
int64_t countCallBytes(func::FuncOp entry) {
  int64_t weights = 0, largest = 0;
  llvm::SmallPtrSet<Value, 32> seen;
  entry.walk([&](Operation *op) {
    if (!isComputing(op))
      return;
    KernelWork work = describeWork(op);
    largest = std::max(largest, work.cost.bytesRead - work.weightBytes + work.cost.bytesWritten);
    if (work.weightBytes > 0 && seen.insert(op->getOperand(1)).second)
      weights += work.weightBytes;
  });
  return weights ? weights + largest : 0;
}

struct SplitPlans final : hgc::impl::SplitPlansBase<SplitPlans> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    int64_t callBytes = 0;
    for (auto function : module.getOps<func::FuncOp>())
      callBytes = std::max(callBytes, countCallBytes(function));
    if (callBytes)
      module->setAttr(kCallBytesAttr, Builder(&getContext()).getI64IntegerAttr(callBytes));
    if (!module->hasAttr(kTargetGpuAttr))
      return;
    SymbolTable symbols(module);
    for (func::FuncOp entry : llvm::to_vector(module.getOps<func::FuncOp>())) {
      if (!entry->hasAttr(HGCDialect::kEntry) || entry->hasAttr(kPlanAttr))
        continue;
      func::FuncOp clone = entry.clone();
      clone.setName((entry.getName() + ".gpu").str());
      entry->setAttr(kPlanAttr, StringAttr::get(&getContext(), "cpu"));
      clone->setAttr(kPlanAttr, StringAttr::get(&getContext(), "gpu"));
      symbols.insert(clone, std::next(entry->getIterator()));
    }
  }
};

} // namespace
