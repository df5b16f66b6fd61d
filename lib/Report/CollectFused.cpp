//===- CollectFused.cpp - which ops make a kernel -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "OpFinder.h"

#include "hgc/Analysis/OpNames.h"
#include "hgc/Analysis/Pricing.h"
#include "hgc/Placement/Devices.h"
#include "hgc/Report/Collect.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;
using namespace hgc::plans;

/// A copy that frees memory for a while; it comes after those of placement.
static TransferPlan describeSpill(TransferOp op) {
  TransferPlan transfer;
  transfer.value = getOpName(op).str();
  transfer.from = describe(op.getFrom());
  transfer.to = describe(op.getTo());
  transfer.bytes = getTensorBytes(cast<ShapedType>(op.getType()));
  transfer.times = getTripWeight(op);
  if (auto reason = op->getAttrOfType<StringAttr>("hgc.reason"))
    transfer.reason = reason.str();
  return transfer;
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
    OpFinder ops(entry);
    KernelQueue &queue = kernels[key];
    queue.clear();
    int64_t cost = 0;
    function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto transfer = dyn_cast<TransferOp>(op); transfer && op->hasAttr("hgc.spill"))
        entry.transfers.push_back(describeSpill(transfer));
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
        if (std::string name = ops.take(&inner, result.device); !name.empty())
          result.ops.push_back(name);
      queue[op->getLoc().getAsOpaquePointer()].push_back(entry.kernels.size() - 1);
    });
    // The cut's own figure, where there was one, is certified.
    if (!entry.serialCostPs)
      entry.serialCostPs = cost;
    // Under a memory limit recomputing and spilling have added to it.
    auto certificate = function->getAttrOfType<DictionaryAttr>(kCertificateAttr);
    if (auto serial = certificate ? certificate.getAs<IntegerAttr>("serial_ps") : IntegerAttr())
      entry.serialCostPs = serial.getInt();
    auto isCertified = certificate ? certificate.getAs<BoolAttr>(kCertifiedField) : BoolAttr();
    entry.isUncertified = isCertified && !isCertified.getValue();
    if (entry.isUncertified)
      entry.boundPs.reset();
  }
}
