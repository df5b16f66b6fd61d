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
/// Steps of depth that starting and storing a tile of a product takes.
static constexpr double kTileSteps = 2;
/// Bytes read that a written byte stands for: its line is fetched first.
static constexpr double kWriteWeight = 2.5;
/// Elements that starting and combining the partial results of a row stand for.
static constexpr double kRowStart = 64;

/// Bytes a second of one core for tensors of `bytes` together: those of the
/// smallest cache that holds them beside other data.
static double getBandwidth(const DeviceTable &table, double bytes) {
  if (bytes <= static_cast<double>(table.l1Bytes) / 2)
    return table.l1Bandwidth;
  if (bytes <= static_cast<double>(table.l2Bytes))
    return table.l2Bandwidth;
  return bytes <= static_cast<double>(table.l3Bytes) / 2 ? table.l3Bandwidth : table.coreBandwidth;
}

/// Operations of the contraction that its tiles do: columns come in whole panels,
/// and each tile starts and stores.
static double countTiledFlops(const DeviceTable &table, const KernelWork &work) {
  int64_t accumulator = work.gemmClass == FlopClass::F64 ? 8 : 4;
  const GemmDims &dims = work.gemm;
  // Panels have two vectors; fewer columns than one has still take it whole.
  int64_t width = std::max<int64_t>(1, table.vectorBytes / accumulator);
  if (dims.columns > width)
    width *= 2;
  double columns = static_cast<double>((dims.columns + width - 1) / width * width);
  return 2 * static_cast<double>(dims.batch * dims.rows) * columns * (static_cast<double>(dims.depth) + kTileSteps);
}

static double computeSeconds(const DeviceTable &table, const KernelWork &work) {
  bool isTiled = work.family == KernelFamily::Gemm || work.family == KernelFamily::Conv;
  double seconds = 0;
  for (size_t i = 0; i < kFlopClasses; ++i) {
    if (work.cost.flops[i] <= 0)
      continue;
    double flops = static_cast<double>(work.cost.flops[i]);
    if (isTiled && static_cast<FlopClass>(i) == work.gemmClass)
      flops = std::max(flops, countTiledFlops(table, work));
    else if (work.family == KernelFamily::Rows)
      flops *= 1 + kRowStart / static_cast<double>(work.rowLength);
    seconds += flops / table.flops[i];
  }
  return seconds;
}

/// Kernels are short: half of the shorter part has nothing to hide behind.
static double overlap(double compute, double memory) {
  return std::max(compute, memory) + std::min(compute, memory) / 2;
}

KernelTime hgc::estimateKernel(const DeviceTable &table, const KernelWork &work) {
  double efficiency = table.efficiency[static_cast<size_t>(work.family)];
  double bytes = static_cast<double>(work.cost.bytesRead) + kWriteWeight * static_cast<double>(work.cost.bytesWritten);
  double compute = computeSeconds(table, work) / efficiency;
  double bandwidth = getBandwidth(table, bytes);
  double memory = bytes / bandwidth / efficiency;
  double seconds = overlap(compute, memory);
  double fork = static_cast<double>(table.forkPs) * 1e-12;
  double threads = static_cast<double>(std::clamp<int64_t>(work.cost.parallelWidth, 1, table.cores));
  if (threads > 1 && seconds > kWorthForks * fork) {
    // Cores have caches of their own and share the memory.
    bool isMemory = bandwidth == table.coreBandwidth;
    double most = isMemory ? std::min(table.memoryBandwidth, threads * bandwidth) : threads * bandwidth;
    double shared = overlap(compute / threads, bytes / std::max(most, bandwidth) / efficiency);
    seconds = std::min(seconds, fork + shared);
  }
  auto toPicoseconds = [](double value) { return static_cast<int64_t>(std::min(std::ceil(value * 1e12), 4e18)); };
  return {table.launchPs + toPicoseconds(seconds), toPicoseconds(std::min(memory, seconds))};
}
