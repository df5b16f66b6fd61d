//===- ApplyPlan.cpp - pins from a plan file ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Placement/Pins.h"
#include "hgc/Report/Collect.h"
#include "hgc/Report/Passes.h"
#include "hgc/Support/Error.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

namespace hgc {
#define GEN_PASS_DEF_APPLYPLAN
#include "hgc/Report/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;
using namespace hgc::plans;

namespace {

constexpr StringLiteral kRemake = "make the plan again with 'hgc compile --emit=plan', or drop --plan";

struct ApplyPlan final : hgc::impl::ApplyPlanBase<ApplyPlan> {
  using Base::Base;

  void runOnOperation() override {
    if (file.empty())
      return;
    llvm::Expected<Plan> plan = readPlanFile(file);
    if (!plan) {
      (void)hgc::emitError(getOperation().getLoc(), plan.takeError());
      return signalPassFailure();
    }
    if (failed(checkModel(*plan)))
      return signalPassFailure();
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (isInGpuPlan(function) && failed(apply(function, *plan)))
        return signalPassFailure();
  }

private:
  LogicalResult fail(Location loc, const Twine &message, const Twine &hint) { return emitWithHint(loc, message, hint); }

  LogicalResult checkModel(const Plan &plan) {
    ModuleOp module = getOperation();
    auto hash = module->getAttrOfType<StringAttr>(kModelHashAttr);
    if (hash && hash.getValue() != plan.modelHash)
      return fail(module.getLoc(),
                  "the plan is of another model: its hash is " + plan.modelHash + ", that of this model is " +
                      hash.getValue(),
                  kRemake);
    bool hasGpus = llvm::any_of(module.getOps<func::FuncOp>(), isInGpuPlan);
    if (!hasGpus && !plan.gpus.empty())
      return fail(module.getLoc(), "the plan is for GPUs, this compilation is not",
                  "add --gpu=" + llvm::join(plan.gpus, ","));
    return success();
  }

  /// The entry of the plan that stands for `function`; null after an error.
  const EntryPlan *find(func::FuncOp function, const Plan &plan) {
    EntryKey key = getEntryKey(function);
    std::string known;
    for (const VariantPlan &variant : plan.variants) {
      if (!variant.dims.empty())
        known += (known.empty() ? "" : "; ") + variant.describeDims();
      if (variant.dims != key.dims)
        continue;
      for (const DevicePlan &device : variant.plans)
        for (const EntryPlan &entry : device.entries)
          if (device.name == key.plan && entry.name == key.entry)
            return &entry;
    }
    std::string dims = VariantPlan{key.dims, {}}.describeDims();
    std::string what = "entry '" + key.entry + "'" + (dims.empty() ? "" : " with " + dims);
    (void)fail(function.getLoc(), "the plan has no GPU plan for " + what,
               known.empty() ? Twine(kRemake) : "its variants are " + known + ": choose with --dim, or " + kRemake);
    return nullptr;
  }

  LogicalResult apply(func::FuncOp function, const Plan &plan) {
    const EntryPlan *entry = find(function, plan);
    if (!entry)
      return failure();
    llvm::StringMap<const OpPlan *> wanted;
    for (const OpPlan &op : entry->ops)
      wanted[op.name] = &op;
    llvm::StringMap<bool> seen;
    UniqueNames names;
    WalkResult walk = function.walk<WalkOrder::PreOrder>([&](Operation *op) -> WalkResult {
      if (!isListed(op))
        return WalkResult::advance();
      std::string name = names.get(op);
      seen[StringRef(name).split('#').first] = true;
      const OpPlan *found = wanted.lookup(name);
      // State and views follow the others.
      return found && takesPin(op) ? pin(op, *found) : WalkResult::advance();
    });
    if (walk.wasInterrupted())
      return failure();
    // Ops that come of others later share their name.
    for (const OpPlan &op : entry->ops)
      if (!seen.contains(StringRef(op.name).split('#').first))
        return fail(function.getLoc(), "the plan names op '" + op.name + "', which entry '" + entry->name + "' has not",
                    kRemake);
    return success();
  }

  WalkResult pin(Operation *op, const OpPlan &wanted) {
    DeviceAttr device = parseDevice(wanted.device, &getContext());
    if (!device) {
      (void)fail(op->getLoc(), "the plan puts '" + wanted.name + "' on '" + wanted.device + "', which is no device",
                 "devices are cpu, gpu:0, gpu:1 and so on");
      return WalkResult::interrupt();
    }
    auto pinned = op->getAttrOfType<DeviceAttr>(kPinAttr);
    if (pinned && pinned != device) {
      (void)fail(op->getLoc(),
                 "the plan puts '" + wanted.name + "' on '" + wanted.device + "', a pin asks for '" + describe(pinned) +
                     "'",
                 "drop the pin or --plan");
      return WalkResult::interrupt();
    }
    op->setAttr(kPinAttr, device);
    return WalkResult::advance();
  }
};

} // namespace
