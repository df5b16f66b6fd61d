//===- CpuModel.cpp - modelled time of a kernel on the CPU ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Analysis/KernelModel.h"

#include "dialects/Graph/Panels.h"
#include "hgc/Target/MatrixUnit.h"

#include "llvm/ADT/bit.h"
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
/// Part of the rate that tiles of one vector's columns reach: each of their
/// products waits for a load of its own.
static constexpr double kNarrowRate = 0.7;
/// Elements that starting and combining the partial results of a row stand for.
static constexpr double kRowStart = 64;
/// Elements of a reduction that are worth a part of their own.
static constexpr int64_t kPartElements = 32768;
/// Pixels whose products take as long as loading a row of the panel does.
static constexpr int64_t kLeastPixels = 4;
/// How much longer than its products a depthwise convolution of bytes takes, which makes groups for them.
static constexpr double kGroupWork = 3;
/// Most vectors that sums over outer dims take at a step.
static constexpr int64_t kBlockVectors = 4;

/// Operations that transforming a square of pixels takes for each of its points and
/// channels, and those of transforming the products back.
static constexpr double kDataOps = 10, kResultOps = 8;
/// Seconds that a vector of a filter takes which is transformed at the call: it goes to the second-level cache and
/// comes back. Zen 4 takes 0.86 ns and Zen 5, which multiplies more than twice as fast, 0.66 ns.
static constexpr double kFilterSeconds = 0.75e-9;
/// Squares that share a filter which is transformed at every call.
static constexpr int64_t kFilterSquares = 48;
/// Part of the bandwidth that transformed filters reach which come from memory: few
/// squares meet each of them, so that there is little to hide the wait behind.
static constexpr double kFarFilterRate = 0.55;

/// Operations that writing an element of a row as parts of tiles takes, and copying it there; those of a window are
/// split before they are copied.
static constexpr double kSplitOps = 45, kCopyOps = 12;
/// Steps of depth that starting a tile of the matrix unit and storing its sums takes.
static constexpr double kMatrixSteps = 1;

/// Bytes a second for tensors of `bytes` together, out of the smallest cache that
/// holds them beside other data. Cores have caches of their own and share the memory.
static double getBandwidth(const DeviceTable &table, double bytes, double threads) {
  if (bytes <= static_cast<double>(table.l1Bytes) / 2)
    return threads * table.l1Bandwidth;
  if (bytes <= static_cast<double>(table.l2Bytes))
    return threads * table.l2Bandwidth;
  if (bytes <= static_cast<double>(table.l3Bytes) / 2)
    return threads * table.l3Bandwidth;
  return std::max(table.coreBandwidth, std::min(table.memoryBandwidth, threads * table.coreBandwidth));
}

static int64_t countLanes(const DeviceTable &table) { return std::max<int64_t>(1, table.vectorBytes / 4); }

static double divide(int64_t a, int64_t b) { return static_cast<double>(a) / static_cast<double>(b); }

/// How often columns are visited: those of the last step overlap the ones before.
static double countVisits(const DeviceTable &table, const KernelWork &work) {
  if (work.family != KernelFamily::Columns || work.channels <= 0)
    return 1;
  int64_t step = countLanes(table), widest = kBlockVectors * step;
  while (step < widest && 2 * step <= work.channels)
    step *= 2;
  return divide((work.channels + step - 1) / step * step, work.channels);
}

/// Channels as vectors hold them: what does not fill one takes shorter ones.
static int64_t countVectorLanes(const DeviceTable &table, int64_t channels) {
  int64_t lanes = countLanes(table);
  return (channels / lanes + llvm::popcount(static_cast<uint64_t>(channels % lanes))) * lanes;
}

/// Seconds to move the kernel's tensors out of the cache that holds them. Weights
/// come from the one that holds what a call of the model uses.
static double moveSeconds(const DeviceTable &table, const KernelWork &work, double threads) {
  double bytes = static_cast<double>(work.cost.bytesRead) + kWriteWeight * static_cast<double>(work.cost.bytesWritten);
  bytes *= countVisits(table, work);
  double rate = getBandwidth(table, bytes, threads);
  // Elements change places in registers or one by one, which the first-level cache does not speed up.
  if (work.family == KernelFamily::Moving)
    rate = std::min(rate, threads * table.l2Bandwidth);
  auto weights = static_cast<double>(work.weightBytes);
  double held = std::min(rate, getBandwidth(table, static_cast<double>(work.callBytes), threads));
  if (work.winogradTile && static_cast<double>(work.callBytes) > static_cast<double>(table.l3Bytes) / 2)
    held *= kFarFilterRate;
  return (bytes - weights) / rate + weights / held;
}

/// Operations of the contraction that its tiles do: columns come in whole vectors,
/// and each tile starts and stores.
static double countTiledFlops(const DeviceTable &table, const KernelWork &work) {
  int64_t accumulator = work.gemmClass == FlopClass::F64 ? 8 : 4;
  const GemmDims &dims = work.gemm;
  int64_t vector = std::max<int64_t>(1, table.vectorBytes / accumulator);
  double columns = static_cast<double>((dims.columns + vector - 1) / vector * vector);
  double flops =
      2 * static_cast<double>(dims.batch * dims.rows) * columns * (static_cast<double>(dims.depth) + kTileSteps);
  if (work.lineLength > 0 && work.lineLength < kLeastPixels)
    flops *= divide(kLeastPixels, work.lineLength);
  // A product with one column is made of dot products.
  bool isNarrow = dims.columns <= vector && (dims.columns > 1 || work.family == KernelFamily::Conv);
  return isNarrow ? flops / kNarrowRate : flops;
}

/// What a convolution in Winograd's form does: one product for every point of the
/// squares, and the transforms around them. The products are not among its operations.
static KernelWork describeSquares(const DeviceTable &table, const KernelWork &work) {
  KernelWork squares = work;
  int64_t side = work.winogradTile + 2, points = side * side, taps = 9, lanes = countLanes(table);
  const GemmDims &plain = work.gemm;
  // Tiles narrower than a panel wait for their loads.
  int64_t inputs = plain.depth / taps, outputs = std::max(2 * lanes, (plain.columns + lanes - 1) / lanes * lanes);
  squares.gemm = {plain.batch * points, work.winogradTiles, outputs, inputs};
  squares.lineLength = work.winogradTiles;
  double products =
      2 * static_cast<double>(plain.batch * plain.rows) * static_cast<double>(plain.columns * plain.depth);
  double transforms =
      static_cast<double>(plain.batch * points * work.winogradTiles) *
      (kDataOps * static_cast<double>(countVectorLanes(table, inputs)) + kResultOps * static_cast<double>(outputs));
  int64_t &flops = squares.cost.flops[static_cast<size_t>(work.gemmClass)];
  flops = static_cast<int64_t>(std::max(static_cast<double>(flops) - products, 0.0) + transforms);
  int64_t growth = work.winogradCompact ? 0 : work.weightBytes / taps * (points - taps);
  squares.weightBytes += growth;
  squares.cost.bytesRead += growth;
  return squares;
}

/// What a contraction by the matrix unit does beside its products: rows become tiles. Weights that are not kept whole
/// have as many bytes as all of their parts.
static KernelWork describeTiles(const DeviceTable &table, const KernelWork &work) {
  KernelWork tiles = work;
  const GemmDims &dims = work.gemm;
  bool isSplit = work.matrixParts > 1, hasWindows = dims.depth != work.matrixRun || work.matrixRun != work.channels;
  auto elements = static_cast<double>(dims.batch * dims.rows * dims.depth);
  double products = 2 * elements * static_cast<double>(dims.columns);
  bool isCopied = !isSplit || (work.family == KernelFamily::Conv && hasWindows);
  int64_t &flops = tiles.cost.flops[static_cast<size_t>(work.gemmClass)];
  flops = static_cast<int64_t>(std::max(static_cast<double>(flops) - products, 0.0));
  // Whatever the elements are, moving them takes vectors of the same length.
  tiles.cost.flops[static_cast<size_t>(FlopClass::F32)] +=
      static_cast<int64_t>(elements * (isCopied ? kCopyOps : kSplitOps) +
                           divide(work.matrixRest, std::max<int64_t>(dims.depth, 1)) * products);
  bool isWhole = keepsWhole(table, dims.depth * dims.columns, dims.columns, dims.rows);
  int64_t growth = isSplit && !isWhole ? work.weightBytes / 2 : 0;
  tiles.weightBytes += growth;
  tiles.cost.bytesRead += growth;
  return tiles;
}

/// Seconds of the products of tiles, whole ones of all extents.
static double multiplySeconds(const DeviceTable &table, const KernelWork &work) {
  if (work.matrixParts == 0)
    return 0;
  constexpr int64_t side = kTileSide, stepBytes = 64;
  auto toTiles = [](int64_t extent, int64_t tile) { return static_cast<double>((extent + tile - 1) / tile * tile); };
  const GemmDims &dims = work.gemm;
  int64_t bytes = work.matrixParts > 1 ? 2 : work.gemmBytes, step = stepBytes / std::max<int64_t>(bytes, 1);
  double runs = divide(dims.depth, std::max<int64_t>(work.matrixRun, 1));
  double depth = runs * toTiles(work.matrixRun - work.matrixRest, step) + kMatrixSteps * static_cast<double>(step);
  double products =
      2 * static_cast<double>(dims.batch) * toTiles(work.matrixRows, side) * toTiles(dims.columns, side) * depth;
  double rate = work.gemmClass == FlopClass::I8 ? 2 * table.matrixFlops : table.matrixFlops;
  return products * static_cast<double>(countPartProducts(work.matrixParts)) / std::max(rate, 1e6);
}

/// Seconds of transforming a filter at the call, of squares as describeSquares has them.
static double transformSeconds(const DeviceTable &table, const KernelWork &work) {
  if (!work.winogradCompact)
    return 0;
  int64_t blocks = (work.winogradTiles + kFilterSquares - 1) / kFilterSquares;
  const GemmDims &dims = work.gemm;
  double vectors = divide(dims.batch * blocks * dims.depth * dims.columns, countLanes(table));
  return kFilterSeconds * vectors;
}

static double computeSeconds(const DeviceTable &table, const KernelWork &work) {
  // Products of the matrix unit are counted apart.
  bool isTiled = (work.family == KernelFamily::Gemm || work.family == KernelFamily::Conv) && !work.matrixParts;
  double seconds = 0;
  for (size_t i = 0; i < kFlopClasses; ++i) {
    if (work.cost.flops[i] <= 0)
      continue;
    double flops = static_cast<double>(work.cost.flops[i]);
    if (isTiled && static_cast<FlopClass>(i) == work.gemmClass)
      flops = work.winogradTile ? flops + countTiledFlops(table, work) : std::max(flops, countTiledFlops(table, work));
    else if (work.family == KernelFamily::Depthwise && static_cast<FlopClass>(i) == work.gemmClass)
      flops *= work.channels > 0 ? divide(countVectorLanes(table, work.channels), work.channels) : 1;
    else if (work.family == KernelFamily::Columns)
      flops *= countVisits(table, work);
    else if (work.family == KernelFamily::Rows)
      flops *= 1 + kRowStart / static_cast<double>(work.rowLength);
    // Depthwise convolutions of bytes make groups of rows for every product of groups, or multiply wider integers.
    bool isGrouped = work.family == KernelFamily::Depthwise && static_cast<FlopClass>(i) == FlopClass::I8;
    seconds += flops / (isGrouped ? std::max(table.rate(FlopClass::Int), table.flops[i] / kGroupWork) : table.flops[i]);
  }
  return seconds + multiplySeconds(table, work) + transformSeconds(table, work) +
         static_cast<double>(work.divisions) / table.divisionRate;
}

/// How many threads could have a share of the kernel. A long reduction is cut into
/// parts.
static int64_t countShares(const KernelWork &work) {
  int64_t width = work.cost.parallelWidth;
  bool isReduction = work.family == KernelFamily::Reduction || work.family == KernelFamily::Columns;
  return isReduction ? std::max(width, std::max<int64_t>(width, 1) * (work.rowLength / kPartElements)) : width;
}

/// Kernels are short: half of the shorter part has nothing to hide behind.
static double overlap(double compute, double memory) {
  return std::max(compute, memory) + std::min(compute, memory) / 2;
}

int64_t hgc::getFixedPs(const DeviceTable &table, int64_t tensors) { return table.launchPs + tensors * table.tensorPs; }

KernelTime hgc::estimateKernel(const DeviceTable &table, const KernelWork &plain) {
  const KernelWork work = plain.winogradTile  ? describeSquares(table, plain)
                          : plain.matrixParts ? describeTiles(table, plain)
                                              : plain;
  double efficiency = table.efficiency[static_cast<size_t>(work.family)];
  double compute = computeSeconds(table, work) / efficiency +
                   static_cast<double>(work.lines) * static_cast<double>(table.linePs) * 1e-12;
  double memory = moveSeconds(table, work, 1) / efficiency;
  double seconds = overlap(compute, memory);
  double fork = static_cast<double>(table.forkPs) * 1e-12;
  double threads = static_cast<double>(std::clamp<int64_t>(countShares(work), 1, table.cores));
  if (threads > 1 && seconds > kWorthForks * fork) {
    double shared = overlap(compute / threads, moveSeconds(table, work, threads) / efficiency);
    seconds = std::min(seconds, fork + shared);
  }
  auto toPicoseconds = [](double value) { return static_cast<int64_t>(std::min(std::ceil(value * 1e12), 4e18)); };
  return {getFixedPs(table, work.tensors) + toPicoseconds(seconds), toPicoseconds(std::min(memory, seconds)),
          kWriteWeight};
}

void hgc::ThreadTimes::add(const DeviceTable &table, Operation *op) {
  KernelWork work = describeWork(op);
  DeviceTable single = table;
  single.cores = 1;
  one += static_cast<double>(estimateKernel(single, work).totalPs) * 1e-12;
  all += static_cast<double>(estimateKernel(table, work).totalPs) * 1e-12;
}
