//===- GemmPlan.cpp - tile and block sizes of a matrix product ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/GemmPlan.h"

#include "hgc/Target/Panel.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace hgc;
using namespace hgc::cpu;

/// Scratch areas start on cache lines.
static int64_t alignScratch(int64_t bytes) { return llvm::alignTo(bytes, 64); }

static int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// Cycles of one depth step, times two: two multiply-adds or loads a cycle, and
/// no step is faster than the latency of an addition.
int64_t cpu::estimateTile(int64_t rows, int64_t vectors) {
  constexpr int64_t latency = 8;
  // Half a cycle stands for the tile's prologue and epilogue.
  return std::max({rows * vectors, rows + vectors, latency}) + 1;
}

/// Rows of the tallest tile. One register for the broadcast and one panel of rhs are live
/// beside the sums.
static int64_t getMostRows(int64_t vectors, int64_t registers) {
  return std::clamp<int64_t>((registers - vectors - 1) / vectors, 1, kMostTileRows);
}

int64_t cpu::chooseRowTile(int64_t rows, int64_t vectors, const DeviceTable &target) {
  int64_t most = getMostRows(vectors, target.vectorRegisters);
  if (rows <= most)
    return std::max<int64_t>(rows, 1);
  int64_t best = most, bestCost = INT64_MAX;
  for (int64_t tile = most; tile > most / 2; --tile) {
    int64_t cost = rows / tile * estimateTile(tile, vectors);
    if (rows % tile)
      cost += estimateTile(rows % tile, vectors);
    if (cost < bestCost)
      best = tile, bestCost = cost;
  }
  return best;
}

bool cpu::fitsRegisters(int64_t rows, int64_t width, const DeviceTable &target) {
  // Beside the sums, a step keeps the shorter of its column and its row, and one more.
  return rows * width + std::min(rows, width) + 1 <= target.vectorRegisters;
}

int64_t cpu::boundRowTile(int64_t wanted, int64_t rows, int64_t vectors, const DeviceTable &target) {
  if (wanted == 0)
    return chooseRowTile(rows, vectors, target);
  int64_t tile = std::clamp<int64_t>(wanted, 1, std::max<int64_t>(rows, 1));
  while (tile > 1 && !fitsRegisters(tile, vectors, target))
    --tile;
  return tile;
}

bool cpu::takesDots(int64_t tail, int64_t lanes, int64_t depth) {
  return tail > 0 && tail <= kTailColumns && lanes >= 4 * kTailColumns && depth >= 4 * lanes;
}

int64_t cpu::shortenTile(int64_t tile, int64_t rows, int64_t depth) {
  constexpr int64_t mostRows = 8;
  if (depth > kShortDepth || tile <= mostRows || (rows <= 2 * tile && rows % mostRows))
    return tile;
  for (int64_t rowTile = mostRows; 4 * rowTile >= 3 * mostRows; --rowTile)
    if (rows % rowTile == 0)
      return rowTile;
  return mostRows;
}

/// Whether panels are many and deep enough for rows that collide to cost more than what avoids it.
static bool suffersCollisions(const GemmShape &shape, const GemmPlan &plan, const DeviceTable &target) {
  return shape.interleave == 1 && !shape.widen && !shape.transposeLhs && plan.panels >= 8 && shape.depth >= 256 &&
         linesCollide(target, plan.rowTile, shape.depth * shape.accumulatorBytes);
}

/// Whether every row is read so often, and in such long pieces, that tiles of it are worth a copy.
static bool isLarge(const GemmShape &shape, const GemmPlan &plan) {
  return plan.panels >= 32 && shape.depth >= 256 && shape.rows >= 256;
}

/// Rows of a tile that do not compete for the same sets. More panels make up for it, where
/// enough rows reuse them; copying rows apart takes longer.
static int64_t avoidCollisions(const GemmShape &shape, const GemmPlan &given, const DeviceTable &target) {
  GemmPlan plan = given;
  if (shape.choice.rows || shape.rhs != RhsLayout::Panels || isLarge(shape, plan) || shape.rows <= 2 * plan.rowTile)
    return plan.rowTile;
  while (suffersCollisions(shape, plan, target))
    --plan.rowTile;
  // Two panels of half the rows keep as many sums.
  bool isFull = 2 * plan.rowTile >= given.rowTile && fitsRegisters(plan.rowTile, 2 * plan.vectors, target);
  return isFull ? plan.rowTile : given.rowTile;
}

/// Rows of the tile of a large product. Steps of a lower tile than the tallest lose nothing while its sums are many
/// enough and its operands come from the second-level cache; where the tallest leaves rows over, threads that share
/// units of the same size end together.
static int64_t chooseEvenTile(const GemmShape &shape, const GemmPlan &plan, const DeviceTable &target) {
  constexpr int64_t leastRegisters = 32;
  if (isLarge(shape, plan) && target.vectorRegisters >= leastRegisters)
    for (int64_t tile = plan.rowTile; 3 * tile >= 2 * plan.rowTile; --tile)
      if (shape.rows % tile == 0)
        return tile;
  return plan.rowTile;
}

/// Panels side by side, so that few rows still fill the accumulators.
static int64_t choosePanelTile(const GemmShape &shape, const GemmPlan &plan, const DeviceTable &target) {
  int64_t panels = plan.panels;
  int64_t most = 1;
  while (fitsRegisters(plan.rowTile, (most + 1) * plan.vectors, target))
    ++most;
  if (shape.choice.panels)
    return std::clamp<int64_t>(shape.choice.panels, 1, std::min(most, std::max<int64_t>(panels, 1)));
  // Packed panels are streams a whole panel apart, often a multiple of the first-level
  // cache's way: more of them than half its ways push each other out.
  if (shape.rhs == RhsLayout::Panels)
    most = std::min<int64_t>(most, 4);
  most = std::min(most, std::max<int64_t>(panels, 1));
  // Long panels are worth two units, which threads can share.
  if (shape.rhs == RhsLayout::Panels && shape.depth * shape.columns * shape.accumulatorBytes > target.l2Bytes / 4)
    most = std::min(most, std::max<int64_t>(panels / 2, 1));
  // A divisor leaves no remainder tile; below two thirds latency shows.
  for (int64_t tile = most; 3 * tile >= 2 * most; --tile)
    if (panels % tile == 0)
      return tile;
  return most;
}

/// Depth of a block: a panel of it stays in the first-level cache, or comes from a second-level one that is large.
static int64_t chooseDepthBlock(const GemmShape &shape, const GemmPlan &plan, const DeviceTable &target) {
  // Panels of bytes are short, and start with what their sums begin with.
  if (shape.interleave > 1)
    return std::max<int64_t>(shape.depth, 1);
  // A copied rhs must fit in scratch even where few rows reuse it.
  bool reuses = shape.rows > 2 * plan.rowTile || shape.rhs == RhsLayout::Transposed;
  int64_t most = std::max<int64_t>(64, target.l1Bytes / (plan.width * shape.accumulatorBytes));
  // Blocks that are much longer would make the copies of operands grow.
  if (shape.choice.depthBlock && reuses)
    return std::clamp<int64_t>(shape.choice.depthBlock, std::min<int64_t>(shape.depth, 64),
                               std::min(shape.depth, 4 * most));
  // Splitting costs a round trip of the sums: not for less than two full blocks,
  // nor while a panel takes little of the second-level cache.
  int64_t little = target.l2Bytes / 4 / (plan.width * shape.accumulatorBytes);
  if (!reuses || shape.depth <= std::max(2 * most, little))
    return std::max<int64_t>(shape.depth, 1);
  // A rhs to be copied takes scratch, the less the shallower its blocks are.
  int64_t blocks = ceilDiv(shape.depth, shape.rhs == RhsLayout::Panels ? std::max(most, little) : most);
  return ceilDiv(ceilDiv(shape.depth, blocks), 8) * 8;
}

/// Whether divisions and roots after the product take long enough to be hidden behind
/// multiply-adds. Every tile of rows reads all of rhs, which must stay in the first-level
/// cache. Of few registers the tile needs all: smaller ones cost more than divisions.
static bool hidesDivisions(const GemmShape &shape, const GemmPlan &plan, const DeviceTable &target) {
  constexpr int64_t leastTiles = 16, leastRegisters = 32;
  bool fits = shape.interleave == 1 && shape.depth * shape.columns * shape.accumulatorBytes <= target.l1Bytes / 2 &&
              chooseDepthBlock(shape, plan, target) >= shape.depth;
  bool hasTiles = shape.rows >= leastTiles * plan.rowTile && shape.columns % plan.width == 0 &&
                  plan.width % plan.lanes == 0 && shape.depth >= plan.rowTile;
  double product = 2 * static_cast<double>(shape.depth) / target.rate(graph::FlopClass::F32);
  double divisions = static_cast<double>(shape.divisions) / target.divisionRate;
  return target.vectorRegisters >= leastRegisters && fits && hasTiles && 32 * divisions >= product;
}

/// Rows of a tile whose steps surround the ops after another one, which take some of the
/// registers. Rows left over would have nothing to hide behind.
static int64_t chooseOverlappedTile(const GemmShape &shape, const GemmPlan &plan, const DeviceTable &target) {
  int64_t most = getMostRows(plan.vectors, target.vectorRegisters - target.vectorRegisters / 4);
  for (int64_t tile = most; 2 * tile > most; --tile)
    if (shape.rows % tile == 0)
      return tile;
  return most;
}

/// Panels that a copied block of lhs is read for at least, where there are as many.
static int64_t leastPanels(const GemmPlan &plan) { return plan.lhsStride ? 8 : 32; }

/// Copying pays when a block is read often enough, or is read badly in place.
static void choosePacking(const GemmShape &shape, GemmPlan &plan, const DeviceTable &target) {
  if (shape.interleave > 1) {
    bool mayCollide = plan.panels >= 8 && shape.depth >= 64 &&
                      linesCollide(target, plan.rowTile, shape.depth * shape.accumulatorBytes);
    // Pairs have 16 bits each.
    plan.packLhs = shape.interleave == 2 || mayCollide;
    int64_t line = 16 * shape.interleave;
    plan.lhsStride = plan.packLhs ? (ceilDiv(shape.depth * shape.interleave, line) | 1) * line : 0;
    return;
  }
  bool fewRows = shape.rows <= 2 * plan.rowTile;
  int64_t rhsRow = (shape.rhsRowStride ? shape.rhsRowStride : shape.columns) * shape.accumulatorBytes;
  bool inPlace = fewRows || plan.overlaps || readsInPlace(target, shape.rows, rhsRow);
  plan.packRhs = shape.rhs == RhsLayout::Transposed || (shape.rhs == RhsLayout::RowMajor && !inPlace);
  int64_t reads = plan.panels;
  plan.packLhs = (shape.widen && reads >= 2) || (shape.transposeLhs && reads >= 4 && !fewRows) || isLarge(shape, plan);
  // A tile of rows that meets all panels at once stays in the first-level cache.
  int64_t lines = shape.transposeLhs ? shape.depth : plan.rowTile;
  int64_t stride = (shape.transposeLhs ? shape.rows : shape.depth) * shape.accumulatorBytes;
  if (plan.overlaps && !shape.widen && !linesCollide(target, lines, stride))
    plan.packLhs = false;
  if (plan.packLhs || !suffersCollisions(shape, plan, target))
    return;
  plan.packLhs = true;
  // Rows keep their order: moving them costs a fraction of transposing tiles. An odd
  // number of lines from row to row spreads them over all sets.
  int64_t line = 64 / shape.accumulatorBytes;
  plan.lhsStride = (ceilDiv(plan.depthBlock, line) | 1) * line;
}

/// Whether panels are fetched ahead: weights that take much of the second-level cache have
/// left it since the last call, and come from farther away.
static bool fetchesAhead(const GemmShape &shape, const DeviceTable &target) {
  return shape.interleave == 1 && shape.rhs == RhsLayout::Panels &&
         shape.depth * shape.columns * shape.accumulatorBytes > target.l2Bytes / 2;
}

/// Groups of panels in a block, for `blocks` of them at least. Blocks of the same length
/// are shared evenly among threads.
static int64_t splitGroups(int64_t groups, int64_t blocks) {
  int64_t most = ceilDiv(groups, blocks);
  for (int64_t each = most; 3 * each >= 2 * most; --each)
    if (groups % each == 0)
      return each;
  return most;
}

static void chooseBlocks(const GemmShape &shape, GemmPlan &plan, const DeviceTable &target) {
  constexpr int64_t wantedUnits = 16;
  int64_t bytes = shape.accumulatorBytes;
  int64_t rowTiles = std::max<int64_t>(1, ceilDiv(shape.rows, plan.rowTile));
  int64_t groups = std::max<int64_t>(1, ceilDiv(plan.panels, plan.panelTile));
  // Rows: rhs is fetched once per block of rows. From the last cache that is cheap,
  // and a copied block of lhs that leaves most of the second-level cache to the panels
  // is faster; from memory it is not, nor where rows are read in place and panels are
  // fetched ahead. A copied rhs block is made once a unit, so it wants even more rows.
  int64_t rhsBytes = shape.depth * shape.columns * bytes;
  bool isFar = rhsBytes > target.l3Bytes / 2;
  bool isAhead = rhsBytes > target.l2Bytes && fetchesAhead(shape, target) && !plan.packLhs;
  int64_t share = isFar || isAhead ? target.l2Bytes * 3 / 4 : target.l2Bytes * 3 / 8;
  int64_t rowLimit = std::max<int64_t>(1, share / (plan.depthBlock * bytes * plan.rowTile));
  if (plan.packRhs && !plan.packLhs)
    rowLimit *= 4;
  if (shape.choice.rowBlock)
    rowLimit = std::clamp<int64_t>(shape.choice.rowBlock / plan.rowTile, 1, 4 * rowLimit);
  // Packed panels that all stay in the second-level cache, which is as fast as tiles
  // need them, beside rows and results: one tile of rows meets them all, so that lhs stays in the first-level one,
  // and results are written and other operands read in the order of their addresses.
  int64_t panelBytes = shape.depth * plan.panels * plan.width * bytes;
  bool isNear = panelBytes <= target.l2Bytes / 2 && shape.rhs == RhsLayout::Panels && !plan.packLhs && !plan.overlaps &&
                !shape.choice.rowBlock && shape.batch * rowTiles >= wantedUnits;
  if (isNear)
    rowLimit = 1;
  plan.rowsFirst = isNear;
  // Panels: enough units for threads; copied blocks must fit in scratch.
  int64_t rowBlocks = ceilDiv(rowTiles, rowLimit);
  // Units of single tiles are few and large: an odd one must not be much of a share.
  int64_t wanted = ceilDiv(isNear ? 4 * wantedUnits : wantedUnits, shape.batch * rowBlocks);
  int64_t most = plan.packLhs ? std::max<int64_t>(1, groups * plan.panelTile / leastPanels(plan)) : groups;
  plan.panelBlocks = plan.overlaps ? 1 : std::clamp<int64_t>(wanted, 1, most);
  if (shape.choice.panelBlock)
    plan.panelBlocks = ceilDiv(groups, std::clamp<int64_t>(shape.choice.panelBlock / plan.panelTile, 1, groups));
  int64_t groupBytes = plan.panelTile * plan.width * bytes;
  int64_t groupLimit = groups;
  if (plan.packRhs)
    groupLimit = std::max<int64_t>(1, target.l2Bytes / (plan.depthBlock * groupBytes));
  if (plan.depthBlocks > 1)
    groupLimit =
        std::min(groupLimit, std::max<int64_t>(1, target.l2Bytes * 2 / (rowLimit * plan.rowTile * groupBytes)));
  plan.panelBlocks = std::max(plan.panelBlocks, ceilDiv(groups, groupLimit));
  plan.panelBlock = splitGroups(groups, plan.panelBlocks) * plan.panelTile;
  plan.panelBlocks = ceilDiv(groups * plan.panelTile, plan.panelBlock);
  // Rows again. A range of units is cut into blocks where it runs, so units of one
  // tile share the rows evenly among any number of threads. Where partial sums wait
  // beside copied panels, a unit is a whole block.
  int64_t blockTiles = ceilDiv(rowTiles, rowBlocks);
  int64_t unitTiles = plan.packRhs && !plan.sharesPanels() ? blockTiles : 1;
  plan.rowUnit = unitTiles * plan.rowTile;
  plan.rowUnits = ceilDiv(rowTiles, unitTiles);
  plan.rowBlock = blockTiles * plan.rowTile;
}

/// Units of dot products: ranges of columns.
static void planDots(const GemmShape &shape, GemmPlan &plan) {
  constexpr int64_t wantedUnits = 16;
  plan.isDot = true;
  plan.panelTile = plan.chains = plan.rowUnits = plan.depthBlocks = 1;
  plan.depthBlock = std::max<int64_t>(shape.depth, 1);
  plan.rowBlock = plan.rowUnit = ceilDiv(shape.rows, plan.rowTile) * plan.rowTile;
  int64_t blocks = std::clamp<int64_t>(ceilDiv(wantedUnits, std::max<int64_t>(shape.batch, 1)), 1,
                                       std::max<int64_t>(plan.panels, 1));
  // Whole groups of dot products belong to one unit.
  int64_t group = std::max<int64_t>(1, kDotColumns / plan.width);
  plan.panelBlock = llvm::alignTo(std::max<int64_t>(1, ceilDiv(plan.panels, blocks)), group);
  plan.panelBlocks = ceilDiv(plan.panels, plan.panelBlock);
}

/// Whether the last panel, which has a tile of its own, is made of dot products: of rows as they are in memory, many
/// enough to be worth turning its columns.
static bool hasTailDots(const GemmShape &shape, const GemmPlan &plan) {
  bool isPlain = shape.rhs == RhsLayout::Panels && shape.interleave == 1 && !shape.widen && !shape.transposeLhs;
  return isPlain && shape.batch == 1 && shape.accumulatorBytes == 4 && !plan.packLhs && plan.depthBlocks == 1 &&
         plan.panelTile == 1 && shape.rows >= 4 * plan.rowTile &&
         takesDots(shape.columns % plan.width, plan.lanes, shape.depth);
}

/// What a plan sees of groups that steps multiply at once: elements of four bytes.
static GemmShape joinGroups(GemmShape shape) {
  if (shape.interleave == 1)
    return shape;
  shape.depth = ceilDiv(shape.depth, shape.interleave);
  shape.widen = false;
  return shape;
}

GemmPlan cpu::planGemm(const GemmShape &given, const DeviceTable &target) {
  GemmShape shape = joinGroups(given);
  GemmPlan plan{};
  int64_t bytes = shape.accumulatorBytes;
  plan.lanes = std::max<int64_t>(1, target.vectorBytes / bytes);
  plan.width = shape.width ? shape.width : 2 * plan.lanes;
  plan.vectors = ceilDiv(plan.width, plan.lanes);
  plan.panels = ceilDiv(shape.columns, plan.width);
  plan.rowTile = chooseRowTile(shape.rows, plan.vectors, target);
  // Copying panels takes longer than using them for a few rows.
  bool hasRows = !shape.transposeLhs || shape.rows == 1;
  if (shape.rhs == RhsLayout::Transposed && hasRows && shape.rows <= 2 * plan.rowTile) {
    planDots(shape, plan);
    return plan;
  }
  plan.rowTile = boundRowTile(shape.choice.rows, shape.rows, plan.vectors, target);
  if (shape.choice.rows == 0)
    plan.rowTile = shortenTile(chooseEvenTile(shape, plan, target), shape.rows, shape.depth);
  plan.overlaps = shape.choice.isEmpty() && hidesDivisions(shape, plan, target);
  if (plan.overlaps)
    plan.rowTile = chooseOverlappedTile(shape, plan, target);
  else
    plan.rowTile = avoidCollisions(shape, plan, target);
  plan.panelTile = plan.overlaps ? 1 : choosePanelTile(shape, plan, target);
  plan.depthBlock = chooseDepthBlock(shape, plan, target);
  plan.depthBlocks = std::max<int64_t>(1, ceilDiv(shape.depth, plan.depthBlock));
  choosePacking(shape, plan, target);
  chooseBlocks(shape, plan, target);
  plan.prefetchRhs = fetchesAhead(shape, target) && plan.rowBlock >= 4 * plan.rowTile;
  plan.turns = shape.rhs == RhsLayout::Panels && plan.rowUnits == 1 && !plan.packLhs && plan.panelBlocks > 1 &&
               shape.batch * shape.depth * shape.columns * bytes > target.l2Bytes / 2;
  // Eight sums hide the latency of an addition.
  int64_t sums = plan.rowTile * plan.panelTile * plan.vectors;
  plan.chains = plan.depthBlocks == 1 && shape.depth >= 8 ? (sums <= 2 ? 4 : sums <= 4 ? 2 : 1) : 1;
  int64_t end = plan.packLhs ? alignScratch(plan.lhsElements() * bytes) : 0;
  plan.rhsScratch = end;
  end += plan.packRhs ? alignScratch(plan.panelBlock * plan.width * plan.depthBlock * bytes) : 0;
  plan.sumScratch = end;
  end += plan.depthBlocks > 1 ? alignScratch(plan.rowBlock * plan.panelBlock * plan.width * bytes) : 0;
  end += plan.overlaps ? alignScratch(plan.rowTile * plan.width * bytes) : 0;
  plan.tailDots = hasTailDots(shape, plan);
  plan.turnedStride = llvm::alignTo(shape.depth, plan.lanes);
  plan.turnedScratch = end;
  end += plan.tailDots ? alignScratch(kTailColumns * plan.turnedStride * bytes) : 0;
  plan.scratchBytes = end;
  if (shape.interleave > 1)
    plan.depthBlock = std::max<int64_t>(given.depth, 1);
  return plan;
}

GemmPlan cpu::planSomeRows(const GemmShape &shape, const DeviceTable &target) {
  GemmPlan plan = planGemm(shape, target);
  plan.isDot = plan.packLhs = plan.prefetchRhs = plan.overlaps = plan.tailDots = false;
  plan.packRhs = shape.rhs == RhsLayout::Transposed;
  plan.lhsStride = 0;
  plan.depthBlock = std::max<int64_t>(1, shape.depth), plan.depthBlocks = 1;
  plan.panelBlock = llvm::alignTo(plan.panels, plan.panelTile), plan.panelBlocks = 1;
  return plan;
}

std::string GemmPlan::describe() const {
  if (isDot)
    return llvm::formatv("dot products, blocks of {0} columns", panelBlock * width).str();
  const char *left = lhsStride ? ", lhs copied" : packLhs ? ", lhs packed" : "";
  return llvm::formatv("tile {0}x{1}, blocks {2}x{3}x{4}{5}{6}{7}", rowTile, panelTile * width, rowBlock,
                       panelBlock * width, depthBlock, left, packRhs ? ", rhs packed" : "",
                       overlaps ? ", stores overlap" : "")
      .str();
}
