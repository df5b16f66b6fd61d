//===- GemmPlan.cpp - which kernel computes a contraction -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/GPU/GemmPlan.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace mlir;
using namespace hgc;
using namespace hgc::gpu;

/// Quotient rounded up, signed so that it compares with extents.
static int64_t divideCeil(int64_t a, int64_t b) { return (a + b - 1) / b; }

// Larger tiles read less shared memory for the same arithmetic. The shares are
// those of multiply-adds among the instructions of their main loops.
static constexpr GemmTile kSimtTiles[] = {
    {128, 128, 8, 8, 8, 90}, {128, 64, 8, 8, 8, 86}, {64, 128, 8, 8, 8, 86},
    {64, 64, 16, 8, 4, 76},  {32, 64, 16, 4, 4, 62}, {32, 32, 16, 4, 4, 58},
};
static constexpr GemmTile kDoubleTiles[] = {{64, 64, 8, 4, 4, 80}, {32, 32, 8, 4, 4, 60}};
// Four bytes of depth make one word: steps are four times as deep.
static constexpr GemmTile kByteTiles[] = {{128, 128, 32, 8, 8, 80}, {64, 64, 64, 8, 4, 65}, {32, 32, 64, 4, 4, 50}};
static constexpr GemmTile kTensorTiles[] = {
    {128, 128, 32, 64, 64, 75}, {128, 64, 32, 64, 32, 65}, {64, 64, 32, 32, 32, 50}, {32, 64, 32, 32, 16, 35}};
// Steps of f32 are rounded in registers and stored twice, not three times.
static constexpr GemmTile kRoundedTiles[] = {
    {128, 128, 16, 64, 64, 70}, {128, 64, 32, 64, 32, 60}, {64, 64, 32, 32, 32, 45}, {32, 64, 32, 32, 16, 30}};

/// Most blocks that share the depth of a tile.
static constexpr int64_t kMostSplits = 32;
/// Depth that is too long for one thread: the gradient of a depthwise filter sums
/// over all pixels.
static constexpr int64_t kLeastSharedDepth = 1024;
/// Steps a share of the depth has at least, to be worth its partial sums.
static constexpr int64_t kFewestSteps = 8;

static ArrayRef<GemmTile> getTiles(const Contraction &problem, GemmKind kind) {
  if (kind == GemmKind::TensorCore)
    return problem.element.isF32() ? ArrayRef<GemmTile>(kRoundedTiles) : ArrayRef<GemmTile>(kTensorTiles);
  if (problem.accumulator.isF64())
    return kDoubleTiles;
  return problem.element.isInteger(8) ? ArrayRef<GemmTile>(kByteTiles) : ArrayRef<GemmTile>(kSimtTiles);
}

/// Operations a second that the kind of kernel can reach at best.
static double getPeak(const Contraction &problem, GemmKind kind, const GpuTable &gpu) {
  if (kind == GemmKind::TensorCore)
    return std::max(problem.element.isF32() ? gpu.tensorTf32 : gpu.tensorF16, 1e9);
  if (problem.accumulator.isF64())
    return std::max(gpu.rate(graph::FlopClass::F64), 1e9);
  return std::max(gpu.rate(graph::FlopClass::F32), 1e9);
}

static int64_t getThreads(const GemmTile &tile, GemmKind kind) {
  return tile.parts() * (kind == GemmKind::TensorCore ? 32 : 1);
}

/// Estimated picoseconds of a tiled product.
static double estimate(const Contraction &problem, GemmKind kind, const GemmTile &tile, int64_t splits,
                       const GpuTable &gpu) {
  int64_t blocks =
      divideCeil(problem.rows, tile.rows) * divideCeil(problem.columns, tile.columns) * problem.batch * splits;
  int64_t perSm = divideCeil(blocks, gpu.sms);
  // Fewer than eight warps leave an SM waiting for its own results.
  double warps = std::min<double>(8, static_cast<double>(perSm * getThreads(tile, kind)) / 32);
  double busy = warps >= 8 ? 1 : 0.25 + 0.75 * warps / 8;
  double depth = static_cast<double>(divideCeil(std::max<int64_t>(1, problem.depth), splits * tile.depth) * tile.depth);
  double work = 2.0 * static_cast<double>(tile.rows * tile.columns) * depth * static_cast<double>(perSm);
  double rate = getPeak(problem, kind, gpu) / static_cast<double>(gpu.sms) * static_cast<double>(tile.efficiency) / 100;
  double time = 1e12 * work / (rate * busy);
  if (splits == 1)
    return time;
  double bytes = static_cast<double>(problem.rows * problem.columns * problem.batch) * 4;
  return time + 2 * static_cast<double>(gpu.launchPs) +
         1e12 * bytes * static_cast<double>(2 * splits) / std::max(gpu.memoryBandwidth, 1e9);
}

/// Chooses tile and shares of the depth.
static GemmPlan planTiles(const Contraction &problem, GemmKind kind, const GpuTable &gpu) {
  GemmPlan plan;
  plan.kind = kind;
  plan.unit = kind == GemmKind::Simt && problem.element.isInteger(8) ? 4 : 1;
  double best = -1;
  for (const GemmTile &tile : getTiles(problem, kind)) {
    int64_t steps = divideCeil(problem.depth, tile.depth);
    for (int64_t splits = 1; splits <= kMostSplits; splits *= 2) {
      if (splits > 1 && steps < splits * kFewestSteps)
        break;
      double time = estimate(problem, kind, tile, splits, gpu);
      if (best >= 0 && time >= best)
        continue;
      best = time;
      plan.tile = tile;
      plan.steps = steps;
      plan.stepsPerSplit = divideCeil(std::max<int64_t>(1, steps), splits);
      plan.splits = divideCeil(std::max<int64_t>(1, steps), plan.stepsPerSplit);
    }
  }
  plan.threads = getThreads(plan.tile, kind);
  plan.rowBlocks = divideCeil(problem.rows, plan.tile.rows);
  plan.columnBlocks = divideCeil(problem.columns, plan.tile.columns);
  return plan;
}

/// Shares of the depth for few rows: enough blocks to draw all of the memory's
/// bandwidth, where that saves more than the second launch costs.
static int64_t chooseSkinnySplits(const Contraction &problem, const GemmPlan &plan, const GpuTable &gpu) {
  int64_t blocks = std::max<int64_t>(1, plan.columnBlocks * problem.batch);
  double bytes = static_cast<double>(problem.columns) * static_cast<double>(problem.depth) *
                 static_cast<double>(problem.batch * graph::getElementBytes(problem.element));
  double best = 1e12 * bytes / std::max(gpu.memoryBandwidth, 1e9);
  double share = std::min(1.0, static_cast<double>(blocks) / static_cast<double>(gpu.sms));
  if (best / share - best < 2 * static_cast<double>(gpu.launchPs))
    return 1;
  return std::clamp<int64_t>(divideCeil(2 * gpu.sms, blocks), 1,
                             std::max<int64_t>(1, std::min(kMostSplits, plan.steps / 4)));
}

/// Plan for few rows: lanes along the columns or along the depth of the right
/// operand, whichever lie side by side.
static GemmPlan planSkinny(const Contraction &problem, const GpuTable &gpu) {
  GemmPlan plan;
  plan.kind = problem.rhs.runsAlongDepth() || !problem.rhs.runsAlongRows() ? GemmKind::Dots : GemmKind::Columns;
  int64_t bytes = graph::getElementBytes(problem.element);
  int64_t most = std::clamp<int64_t>(16 / bytes, 1, 4), lanes, columns;
  if (plan.kind == GemmKind::Columns) {
    lanes = problem.rhs.contiguousRows(most);
    // Narrow columns rather than idle processors.
    while (lanes > 1 && problem.batch * divideCeil(problem.columns, 32 * lanes) < gpu.sms)
      lanes /= 2;
    columns = 32 * lanes;
    plan.tile = {problem.rows, columns, kColumnsDepth, problem.rows, lanes, 50};
  } else {
    lanes = std::min(problem.rhs.contiguousDepth(most), problem.lhs.contiguousDepth(most));
    columns = std::clamp<int64_t>(16 / problem.rows, 1, 4);
    plan.tile = {problem.rows, columns, 32 * lanes, problem.rows, columns, 50};
  }
  // Warps share the depth; their sums meet in shared memory.
  int64_t perWarp =
      problem.rows * plan.tile.columns * static_cast<int64_t>(graph::getElementBytes(problem.accumulator));
  int64_t warps = std::max<int64_t>(1, divideCeil(problem.depth, plan.tile.depth) / 2);
  warps = std::clamp<int64_t>(llvm::bit_floor(uint64_t(warps)), 1, 8);
  while (warps > 1 && warps * perWarp > (32 << 10))
    warps /= 2;
  plan.threads = 32 * warps;
  plan.tile.depth *= warps;
  plan.columnBlocks = divideCeil(problem.columns, plan.tile.columns);
  plan.steps = divideCeil(problem.depth, plan.tile.depth);
  int64_t splits = chooseSkinnySplits(problem, plan, gpu);
  plan.stepsPerSplit = divideCeil(std::max<int64_t>(1, plan.steps), splits);
  plan.splits = divideCeil(std::max<int64_t>(1, plan.steps), plan.stepsPerSplit);
  return plan;
}

static GemmPlan planDirect(const Contraction &problem) {
  GemmPlan plan;
  plan.kind = GemmKind::Direct;
  plan.threads = 256;
  plan.tile = {1, 1, 1, 1, 1, 30};
  plan.steps = problem.depth;
  plan.rowBlocks = 1;
  plan.columnBlocks = divideCeil(problem.batch * problem.rows * problem.columns, plan.threads);
  return plan;
}

static GemmPlan choosePlan(Contraction &problem, const GpuTable &gpu) {
  // Groups of few channels: no tile would be full.
  bool isGrouped = problem.batch > 1 && !(problem.lhs.isMatrix() && problem.rhs.isMatrix());
  bool isShallow = problem.depth < kLeastSharedDepth;
  if (problem.depth == 0 || (isGrouped && isShallow && std::min(problem.rows, problem.columns) < 8))
    return planDirect(problem);
  if (std::min(problem.rows, problem.columns) <= kFewRows) {
    if (problem.columns < problem.rows)
      problem.transpose();
    return planSkinny(problem, gpu);
  }
  bool isNarrow = problem.element.isF16() || problem.element.isBF16() || problem.isTf32();
  bool hasTensorCores = problem.element.isF16() ? gpu.sm >= 75 : gpu.sm >= kOldestTf32Sm;
  bool isDeep = problem.depth >= 16;
  return planTiles(problem, isNarrow && hasTensorCores && isDeep ? GemmKind::TensorCore : GemmKind::Simt, gpu);
}

GemmPlan hgc::gpu::planGemm(Contraction &problem, const GpuTable &gpu) {
  GemmPlan plan = choosePlan(problem, gpu);
  plan.isTf32 = plan.kind == GemmKind::TensorCore && problem.element.isF32();
  if (plan.splits > 1)
    plan.scratchBytes = plan.splits * problem.batch * problem.rows * problem.columns *
                        static_cast<int64_t>(graph::getElementBytes(problem.accumulator));
  return plan;
}

std::string GemmPlan::describe() const {
  std::string text;
  switch (kind) {
  case GemmKind::Simt:
    text = llvm::formatv("tile {0}x{1}x{2}, {3}x{4} a thread", tile.rows, tile.columns, tile.depth, tile.partRows,
                         tile.partColumns);
    break;
  case GemmKind::TensorCore:
    text = llvm::formatv("{5}tensor cores, tile {0}x{1}x{2}, {3}x{4} a warp", tile.rows, tile.columns, tile.depth,
                         tile.partRows, tile.partColumns, isTf32 ? "tf32 " : "");
    break;
  case GemmKind::Columns:
    text = llvm::formatv("{0} rows, lanes along columns, {1} warps share the depth", tile.rows, threads / 32);
    break;
  case GemmKind::Dots:
    text = llvm::formatv("{0} rows, dot products of {1} columns, {2} warps share the depth", tile.rows, tile.columns,
                         threads / 32);
    break;
  case GemmKind::Direct:
    return "one element a thread";
  }
  return splits > 1 ? llvm::formatv("{0}, depth in {1} shares", text, splits).str() : text;
}
