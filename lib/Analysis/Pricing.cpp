//===- Pricing.cpp - what ops and transfers cost on each device -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Analysis/Pricing.h"

#include "dialects/Graph/ElementTypes.h"
#include "hgc/Analysis/KernelModel.h"
#include "hgc/Target/GpuKernels.h"

#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

static bool isGpu(DeviceAttr device) { return device.getKind() == DeviceKind::GPU; }

Pricing::Pricing(ModuleOp module) : Pricing(getCpuTable(module), getGpuTable(module)) {}

Pricing::Pricing(const DeviceTable &cpu, const GpuTable &gpu) : cpu(cpu), gpu(gpu) {}

int64_t Pricing::priceOp(Operation *op, DeviceAttr device) const {
  if (auto kernel = dyn_cast<KernelOp>(op))
    return priceKernel(kernel, device);
  if (!isComputing(op))
    return 0;
  KernelWork work = describeWork(op);
  return (isGpu(device) ? estimateKernel(gpu, work) : estimateKernel(cpu, work)).totalPs;
}

int64_t Pricing::getSaving(const FusionEdge &edge, DeviceAttr device) const {
  return isGpu(device) ? edge.gpuSavingPs : edge.cpuSavingPs;
}

int64_t Pricing::priceKernel(KernelOp kernel, DeviceAttr device) const { return priceBody(kernel, device); }

int64_t Pricing::priceBody(Operation *kernel, DeviceAttr device) const {
  int64_t price = 0;
  for (Operation &op : kernel->getRegion(0).front())
    price += priceOp(&op, device);
  FusionForest forest(kernel, cpu, &gpu);
  for (const FusionEdge &edge : forest.getEdges())
    price -= getSaving(edge, device);
  return price;
}

int64_t Pricing::priceTransfer(int64_t bytes, DeviceAttr from, DeviceAttr to) const {
  if (from == to)
    return 0;
  // The caches are flushed; the bytes stay where they are.
  if (gpu.unifiedMemory)
    return gpu.linkLatencyPs;
  double copy = std::ceil(static_cast<double>(bytes) / gpu.linkBandwidth * 1e12);
  return gpu.linkLatencyPs + static_cast<int64_t>(std::min(copy, 4e18));
}

bool Pricing::canRun(Operation *op, DeviceAttr device) const {
  auto attention = dyn_cast<AttentionOp>(op);
  if (isa<CheckOp>(op))
    return !isGpu(device);
  if (!attention || !isGpu(device))
    return true;
  auto features = [](Value value) { return cast<ShapedType>(value.getType()).getShape().back(); };
  return !getElementTypeOrSelf(attention.getType()).isF64() &&
         features(attention.getQuery()) <= kMostAttentionFeatures &&
         features(attention.getValue()) <= kMostAttentionFeatures;
}

bool Pricing::hasKernel(Operation *op, DeviceAttr device) const {
  return canRun(op, device) && (isGpu(device) || !isa<AttentionOp>(op));
}

int64_t hgc::getTripWeight(Operation *op) {
  int64_t weight = 1;
  for (Operation *parent = op->getParentOp(); parent; parent = parent->getParentOp()) {
    int64_t trips = 1;
    if (auto scan = dyn_cast<ScanOp>(parent))
      trips = std::max<int64_t>(scan.getTripCount(), 1);
    else if (auto loop = dyn_cast<WhileOp>(parent))
      trips = std::max<int64_t>(loop.getTripHint(), 1);
    if (llvm::MulOverflow(weight, trips, weight))
      return std::numeric_limits<int64_t>::max();
  }
  return weight;
}
