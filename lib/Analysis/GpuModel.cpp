//===- GpuModel.cpp - modelled time of a kernel on a GPU ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Analysis/KernelModel.h"
#include "hgc/Target/GemmModel.h"

#include <algorithm>
#include <cmath>

using namespace hgc;
using namespace hgc::graph;

/// Threads of an SM that keep its units and its memory busy.
static constexpr double kBusyThreads = 512;
/// Most threads that share one row of a reduction.
static constexpr double kTeam = 1024;
/// Part of the tensor cores' rate that attention in one kernel reaches.
static constexpr double kAttentionRate = 0.4;

/// Threads that work at the same time.
static double countThreads(const KernelWork &work) {
  double width = static_cast<double>(std::max<int64_t>(work.cost.parallelWidth, 1));
  switch (work.family) {
  case KernelFamily::Reduction:
  case KernelFamily::Columns:
  case KernelFamily::Rows:
  case KernelFamily::Ordering:
    return width * std::min(kTeam, static_cast<double>(work.rowLength));
  case KernelFamily::Attention:
    return width * 32;
  default:
    return width;
  }
}

int64_t hgc::getFixedPs(const GpuTable &table, int64_t) { return table.launchPs; }

KernelTime hgc::estimateKernel(const GpuTable &table, const KernelWork &work) {
  bool isGemm = work.family == KernelFamily::Gemm || work.family == KernelFamily::Conv;
  double busy = std::clamp(countThreads(work) / (static_cast<double>(table.sms) * kBusyThreads), 1e-4, 1.0);
  double compute = 0;
  for (size_t i = 0; i < kFlopClasses; ++i) {
    auto type = static_cast<FlopClass>(i);
    // The product itself is estimated as a whole; epilogues run at full width.
    if (work.cost.flops[i] <= 0 || (isGemm && type == work.gemmClass))
      continue;
    bool onTensorCores = work.family == KernelFamily::Attention && type == FlopClass::F16;
    double rate = onTensorCores ? kAttentionRate * table.tensorF16 : table.flops[i];
    compute += static_cast<double>(work.cost.flops[i]) / (isGemm ? rate : rate * busy);
  }
  double bytes = static_cast<double>(work.cost.bytesRead) + static_cast<double>(work.cost.bytesWritten);
  double memory = estimateTraffic(table, bytes) / (isGemm ? 1 : busy);
  double seconds = static_cast<double>(table.launchPs) * 1e-12 + std::max(compute, memory);
  if (isGemm) {
    const GemmDims &dims = work.gemm;
    seconds = compute + estimateGemm(table, {dims.batch, dims.rows, dims.columns, dims.depth, work.gemmClass, bytes});
  }
  auto toPicoseconds = [](double value) { return static_cast<int64_t>(std::min(std::ceil(value * 1e12), 4e18)); };
  return {toPicoseconds(seconds), toPicoseconds(memory)};
}
