//===- GemmGrain.cpp - how many units a thread is worth -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/GemmPlan.h"

#include <algorithm>

using namespace hgc;

int64_t cpu::chooseGrain(int64_t units, int64_t ps, const DeviceTable &target) {
  // A thread's share must outweigh the hand-over by half.
  int64_t least = target.forkPs + target.forkPs / 2;
  if (ps <= 0 || units <= 1)
    return std::max<int64_t>(1, units);
  int64_t grain = (least * units + ps - 1) / ps;
  return std::clamp<int64_t>(grain, 1, units);
}

int64_t cpu::estimateContractionPs(const graph::OpCost &cost, const DeviceTable &target) {
  double arithmetic = 0;
  for (size_t i = 0; i < graph::kFlopClasses; ++i)
    if (cost.flops[i])
      arithmetic += static_cast<double>(cost.flops[i]) / std::max(target.flops[i], 1e6);
  double memory = static_cast<double>(cost.bytesRead + cost.bytesWritten) / std::max(target.l2Bandwidth, 1e6);
  // As in the cost model, half of the shorter part has nothing to hide behind.
  return static_cast<int64_t>(1e12 * (std::max(arithmetic, memory) + std::min(arithmetic, memory) / 2));
}
