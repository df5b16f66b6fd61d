//===- GemmModel.cpp - time of a matrix product on a GPU ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a table cannot know is a constant here, fitted together with the tables'
// parameters on half of the measured products; docs/cost-model.md has the errors
// on the other half.
//===----------------------------------------------------------------------===//

#include "hgc/Target/GemmModel.h"

#include <algorithm>
#include <cmath>

using namespace hgc;
using graph::FlopClass;

/// Rows and columns of the blocks a library offers.
static constexpr int64_t kTiles[][2] = {{64, 64}, {128, 64}, {128, 128}, {128, 256}};
/// Steps of depth that filling and draining a block's pipeline takes.
static constexpr double kPrologue = 64;
/// Shortest part of a split depth, and what adding the parts up costs.
static constexpr int64_t kShortestSplit = 256;
static constexpr double kSplitSeconds = 1.7e-6;
/// Part of the memory's bandwidth that is reached.
static constexpr double kTrafficEfficiency = 0.85;

static int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

double hgc::estimateTraffic(const GpuTable &table, double bytes) {
  return bytes / (kTrafficEfficiency * table.memoryBandwidth);
}

double hgc::estimateGemm(const GpuTable &table, const GemmProblem &problem) {
  bool isTf32 = problem.type == FlopClass::F32 && table.useTf32 && table.tensorTf32 > 0;
  bool isHalf = problem.type == FlopClass::F16;
  const GemmFigures &figures = isHalf ? table.gemmF16 : isTf32 ? table.gemmTf32 : table.gemmSimt;
  double peak = isHalf ? table.tensorF16 : isTf32 ? table.tensorTf32 : table.rate(problem.type);
  double rate = peak * figures.efficiency / static_cast<double>(table.sms);
  double results = static_cast<double>(problem.batch) * static_cast<double>(problem.rows * problem.columns);
  double best = std::numeric_limits<double>::max();
  for (const int64_t(&tile)[2] : kTiles) {
    // Few rows have kernels of their own, which do not pad them to a full tile.
    int64_t rows = std::min(tile[0], ceilDiv(problem.rows, 8) * 8);
    int64_t columns = std::min(tile[1], ceilDiv(problem.columns, 8) * 8);
    double overhead = 1 + figures.tileOverhead * (1.0 / static_cast<double>(rows) + 1.0 / static_cast<double>(columns));
    int64_t tiles = problem.batch * ceilDiv(problem.rows, rows) * ceilDiv(problem.columns, columns);
    for (int64_t splits = 1; splits <= 8; splits *= 2) {
      if (splits > 1 && problem.depth / splits < kShortestSplit)
        break;
      double depth = static_cast<double>(problem.depth) / static_cast<double>(splits) + kPrologue;
      double waves = static_cast<double>(ceilDiv(tiles * splits, table.sms));
      double seconds = waves * 2 * static_cast<double>(rows * columns) * depth * overhead / rate;
      if (splits > 1)
        seconds += kSplitSeconds + estimateTraffic(table, 4 * results * static_cast<double>(splits + 1));
      best = std::min(best, seconds);
    }
  }
  return static_cast<double>(figures.latencyPs) * 1e-12 + std::max(best, estimateTraffic(table, problem.bytes));
}
