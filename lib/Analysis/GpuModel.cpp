//===- GpuModel.cpp - modelled time of a kernel on a GPU ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Analysis/KernelModel.h"

#include <algorithm>
#include <cmath>

using namespace hgc;
using namespace hgc::graph;

/// Threads of an SM that keep its units and its memory busy.
static constexpr double kBusyThreads = 512;
/// Most threads that share one row of a reduction.
static constexpr double kTeam = 1024;
/// Rows and columns of a block of a matrix product.
static constexpr double kTile = 128;

static int64_t toGpuPicoseconds(double seconds) { return static_cast<int64_t>(std::min(std::ceil(seconds * 1e12), 4e18)); }

/// Threads that work at the same time.
static double countThreads(const KernelWork &work) {
  double width = static_cast<double>(std::max<int64_t>(work.cost.parallelWidth, 1));
  switch (work.family) {
  case KernelFamily::Reduction:
  case KernelFamily::Rows:
  case KernelFamily::Ordering:
  case KernelFamily::Attention:
    return width * std::min(kTeam, static_cast<double>(work.rowLength));
  default:
    return width;
  }
}

/// The part of the GPU's rate a contraction reaches: whole tiles, whole waves.
static double getTileEfficiency(const GpuTable &table, const GemmDims &dims) {
  double rows = static_cast<double>(dims.rows), columns = static_cast<double>(dims.columns);
  double tileRows = std::min(kTile, rows), tileColumns = std::min(kTile, columns);
  double tiles = static_cast<double>(dims.batch) * std::ceil(rows / tileRows) * std::ceil(columns / tileColumns);
  double sms = static_cast<double>(table.sms);
  double waves = std::ceil(tiles / sms);
  double useful = static_cast<double>(dims.batch) * rows * columns;
  double done = waves * sms * tileRows * tileColumns;
  return std::clamp(useful / done, 1e-3, 1.0);
}

KernelTime hgc::estimateKernel(const GpuTable &table, const KernelWork &work) {
  double busy = std::clamp(countThreads(work) / (static_cast<double>(table.sms) * kBusyThreads), 1e-4, 1.0);
  bool isContraction = work.family == KernelFamily::Gemm || work.family == KernelFamily::Conv;
  double compute = 0;
  for (size_t i = 0; i < kFlopClasses; ++i) {
    if (work.cost.flops[i] <= 0)
      continue;
    double rate = table.flops[i] * busy;
    if (isContraction && static_cast<FlopClass>(i) == work.gemmClass)
      rate =
          (work.gemmClass == FlopClass::F16 ? table.tensorF16 : table.flops[i]) * getTileEfficiency(table, work.gemm);
    compute += static_cast<double>(work.cost.flops[i]) / rate;
  }
  double bytes = static_cast<double>(work.cost.bytesRead) + static_cast<double>(work.cost.bytesWritten);
  double memory = bytes / (table.memoryBandwidth * busy);
  double seconds = std::max(compute, memory);
  return {table.launchPs + toGpuPicoseconds(seconds), toGpuPicoseconds(memory)};
}
