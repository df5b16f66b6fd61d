//===- ActionPrices.cpp - what the actions of a program take --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ExecTasks.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace hgc;

static graph::DeviceAttr getDevice(MLIRContext *context, std::optional<unsigned> gpu) {
  return gpu ? graph::DeviceAttr::get(context, graph::DeviceKind::GPU, *gpu)
             : graph::DeviceAttr::get(context, graph::DeviceKind::CPU, 0);
}

/// The device that computes a kernel: that of its output.
static std::optional<unsigned> getKernelGpu(exec::KernelOp kernel) {
  return exec::getGpu(kernel.getBody().getArguments().back().getType());
}

/// Whole picoseconds for `bytes` at `rate` bytes a second.
static int64_t streamBytes(int64_t bytes, double rate) {
  return static_cast<int64_t>(std::ceil(static_cast<double>(bytes) / rate * 1e12));
}

ActionPrices::ActionPrices(ModuleOp module) : pricing(module), context(module.getContext()) {
  for (auto kernel : module.getOps<exec::KernelOp>()) {
    int64_t price = 0;
    if (std::optional<uint64_t> own = kernel.getPricePs())
      price = static_cast<int64_t>(*own);
    else
      for (Operation &op : kernel.getBody().front())
        if (!isa<exec::LoadOp, exec::StoreOp>(op))
          price += pricing.priceOp(&op, getDevice(context, getKernelGpu(kernel)));
    kernels[kernel.getSymName()] = price;
  }
}

int64_t ActionPrices::priceCopy(exec::CopyOp op) const {
  int64_t bytes = graph::getTensorBytes(cast<MemRefType>(op.getSource().getType()));
  std::optional<unsigned> from = exec::getGpu(op.getSource().getType()), to = exec::getGpu(op.getTarget().getType());
  if (from != to)
    return pricing.priceTransfer(bytes, getDevice(context, from), getDevice(context, to));
  // Within one memory every byte is read and written.
  if (!to)
    return streamBytes(2 * bytes, pricing.getCpu().memoryBandwidth);
  return pricing.getGpu().launchPs + streamBytes(2 * bytes, pricing.getGpu().memoryBandwidth);
}

int64_t ActionPrices::priceFill(exec::FillOp op) const {
  int64_t bytes = graph::getTensorBytes(cast<MemRefType>(op.getTarget().getType()));
  if (!exec::getGpu(op.getTarget().getType()))
    return streamBytes(bytes, pricing.getCpu().memoryBandwidth);
  return pricing.getGpu().launchPs + streamBytes(bytes, pricing.getGpu().memoryBandwidth);
}

/// Ten hours: sums of prices stay far from the largest int64.
static constexpr int64_t kMostPs = 1LL << 55;

static int64_t repeat(int64_t count, int64_t ps) {
  bool overflows = false;
  uint64_t total = llvm::SaturatingMultiply<uint64_t>(count, ps, &overflows);
  return static_cast<int64_t>(std::min<uint64_t>(total, kMostPs));
}

/// The makespan of a region that starts and ends with idle streams.
static int64_t priceRegion(Region &region, const ActionPrices &prices) {
  std::vector<TimelineTask> tasks = collectTasks(region, prices);
  return simulateTimeline(tasks).makespanPs;
}

int64_t ActionPrices::priceStructure(Operation *op) const {
  auto price = [&](Region &region) { return priceRegion(region, *this); };
  return llvm::TypeSwitch<Operation *, int64_t>(op)
      .Case([&](exec::ForOp loop) { return repeat(loop.getCount(), price(loop.getBody())); })
      .Case([&](exec::WhileOp loop) {
        int64_t before = price(loop.getBefore());
        return before + repeat(loop.getTripHint(), price(loop.getBody()) + before);
      })
      // A branch, and branches side by side: the longest counts.
      .Default([&](Operation *) {
        int64_t longest = 0;
        for (Region &region : op->getRegions())
          longest = std::max(longest, price(region));
        return longest;
      });
}

int64_t ActionPrices::getPs(Operation *op) const {
  return llvm::TypeSwitch<Operation *, int64_t>(op)
      .Case([&](exec::LaunchOp launch) { return kernels.lookup(launch.getKernel()); })
      .Case([&](exec::CopyOp copy) { return priceCopy(copy); })
      .Case([&](exec::FillOp fill) { return priceFill(fill); })
      .Default([&](Operation *) { return op->getNumRegions() ? priceStructure(op) : 0; });
}
