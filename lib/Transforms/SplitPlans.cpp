//===- SplitPlans.cpp - one library, two plans ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library with a GPU plan also runs where no GPU is: it holds every entry
// twice. Both copies are made here, before anything depends on a device.
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphOps.h"
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

struct SplitPlans final : hgc::impl::SplitPlansBase<SplitPlans> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
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
