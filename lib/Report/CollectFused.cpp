//===- CollectFused.cpp - which ops make a kernel -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Analysis/OpNames.h"
#include "hgc/Analysis/Pricing.h"
#include "hgc/Placement/Devices.h"
#include "hgc/Report/Collect.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;
using namespace hgc::plans;

/// Ops of an entry by their name without number and their kind, to be found in
/// the bodies of kernels.
using OpQueue = std::map<std::pair<std::string, std::string>, std::deque<size_t>>;

static OpQueue queueOps(const EntryPlan &entry) {
  OpQueue queue;
  for (auto [i, op] : llvm::enumerate(entry.ops)) {
    size_t number = op.name.rfind('#');
    queue[{op.name.substr(0, number), op.op}].push_back(i);
  }
  return queue;
}

/// The plan's name of an op in a kernel; packing and the like came later and has
/// none.
static std::string takeOp(Operation *op, OpQueue &queue, EntryPlan &entry) {
  std::deque<size_t> &found = queue[{getOpName(op).str(), op->getName().stripDialect().str()}];
  if (found.empty())
    return "";
  std::string name = entry.ops[found.front()].name;
  found.pop_front();
  return name;
}

void PlanCollector::visitFused(ModuleOp module) {
  if (plan.variants.empty())
    visitTarget(module);
  Pricing pricing(module);
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function->hasAttr(HGCDialect::kEntry) || function->hasAttr(kLoadAttr))
      continue;
    EntryKey key = getEntryKey(function);
    EntryPlan &entry = getEntry(key);
    entry.kernels.clear();
    OpQueue ops = queueOps(entry);
    KernelQueue &queue = kernels[key];
    queue.clear();
    int64_t cost = 0;
    function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto transfer = dyn_cast<TransferOp>(op))
        cost += pricing.priceTransfer(getTensorBytes(cast<ShapedType>(transfer.getType())), transfer.getFrom(),
                                      transfer.getTo()) *
                getTripWeight(op);
      auto kernel = dyn_cast<KernelOp>(op);
      DeviceAttr device = kernel ? getDevice(op) : DeviceAttr();
      if (!device)
        return;
      cost += pricing.priceKernel(kernel, device) * getTripWeight(op);
      plans::KernelPlan &result = entry.kernels.emplace_back();
      result.device = describe(device);
      for (Operation &inner : kernel.getBody().front())
        if (std::string name = takeOp(&inner, ops, entry); !name.empty())
          result.ops.push_back(name);
      queue[op->getLoc().getAsOpaquePointer()].push_back(entry.kernels.size() - 1);
    });
    // The cut's own figure, where there was one, is certified.
    if (!entry.serialCostPs)
      entry.serialCostPs = cost;
  }
}
