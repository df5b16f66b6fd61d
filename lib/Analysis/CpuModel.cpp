//===- CpuModel.cpp - modelled time of a kernel on the CPU ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Analysis/KernelModel.h"

#include <algorithm>
#include <cmath>

using namespace hgc;
using namespace hgc::graph;

/// Times the cost of a hand-over that a kernel must take for threads to share it.
static constexpr double kWorthForks = 4;

static int64_t toPicoseconds(double seconds) { return static_cast<int64_t>(std::min(std::ceil(seconds * 1e12), 4e18)); }

KernelTime hgc::estimateKernel(const DeviceTable &table, const KernelWork &work) {
  double compute = 0;
  for (size_t i = 0; i < kFlopClasses; ++i)
    if (work.cost.flops[i] > 0)
      compute += static_cast<double>(work.cost.flops[i]) / table.flops[i];
  double bytes = static_cast<double>(work.cost.bytesRead) + static_cast<double>(work.cost.bytesWritten);
  double memory = bytes / table.memoryBandwidth;
  double seconds = std::max(compute, memory);
  double fork = static_cast<double>(table.forkPs) * 1e-12;
  int64_t threads = std::clamp<int64_t>(work.cost.parallelWidth, 1, table.cores);
  if (threads > 1 && seconds > kWorthForks * fork)
    seconds = std::min(seconds, fork + std::max(compute / static_cast<double>(threads), memory));
  return {table.launchPs + toPicoseconds(seconds), toPicoseconds(std::min(memory, seconds))};
}
