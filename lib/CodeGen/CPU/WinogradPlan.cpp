//===- WinogradPlan.cpp - blocks of a convolution by squares --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/WinogradPlan.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace hgc;
using namespace hgc::cpu;

/// Elements of a plane of `count` floats: an odd number of cache lines, so that the
/// planes of a square do not meet in the same sets.
static int64_t padPlane(int64_t count) {
  constexpr int64_t line = 16;
  return (llvm::divideCeil(count, line) | 1) * line;
}

/// Squares of a register tile: of those with enough sums to hide their latency and the
/// loads, the largest that leaves the least of the last tile empty.
static int64_t chooseSquares(int64_t squares, int64_t vectors, const DeviceTable &target) {
  constexpr int64_t dividesAll = 27720, leastSums = 10;
  int64_t most = chooseRowTile(dividesAll, vectors, target);
  if (squares <= most)
    return squares;
  auto countEmpty = [&](int64_t tile) { return llvm::alignTo(squares, tile) - squares; };
  int64_t best = most;
  for (int64_t tile = most; tile > most / 2 && tile * vectors >= leastSums; --tile)
    if (countEmpty(tile) < countEmpty(best))
      best = tile;
  return best;
}

WinogradPlan::WinogradPlan(graph::ConvOp op, const DeviceTable &target)
    : shape(op.getShape()), form(getWinogradTile(op)), lanes(std::max<int64_t>(1, target.vectorBytes / 4)),
      width(op.getPacked()->getWidth()), groupPanels(llvm::divideCeil(groupOutputs(), width)),
      tileRows(llvm::divideCeil(shape.spatial[1].output, form.tile)),
      tileColumns(llvm::divideCeil(shape.spatial[2].output, form.tile)), tiles(shape.batch * tileRows * tileColumns) {
  // Every block reads the whole filter: blocks that leave the second-level cache cost
  // less than filters that come from farther away for few squares.
  constexpr int64_t fewest = 24, most = 96, bytes = 4;
  int64_t squareBytes = std::max<int64_t>(1, points() * groupInputs() * bytes);
  int64_t limit = std::clamp<int64_t>(target.l2Bytes * 3 / 4 / squareBytes, fewest, most);
  vectors = llvm::divideCeil(width, lanes);
  TileChoice choice = getTileChoice(op);
  rowTile = choice.rows ? boundRowTile(choice.rows, tiles, vectors, target)
                        : chooseSquares(std::max<int64_t>(tiles, 1), vectors, target);
  if (choice.rowBlock)
    limit = std::clamp<int64_t>(choice.rowBlock, rowTile, 4 * most);
  rowTiles = llvm::divideCeil(tiles, rowTile);
  tileBlocks = llvm::divideCeil(rowTiles, std::max<int64_t>(1, limit / rowTile));
  int64_t inputs = shape.batch * shape.spatial[1].input * shape.spatial[2].input * groupInputs();
  fetchesPixels = inputs * bytes > target.l1Bytes;
  sharesPanels = tileBlocks > 1 && points() * groupInputs() * groupPanels * width > 2 * inputs;
  // Two threads have as much to do if blocks are even in number or share the one in the
  // middle, panel by panel.
  if (!sharesPanels && tileBlocks > 1 && (rowTiles - tileBlocks) % 2)
    ++tileBlocks;
  tileBlock = rowTile * llvm::divideCeil(rowTiles, std::max<int64_t>(1, tileBlocks));
  isCompact = hgc::isCompact(getConvForm(op));
  int64_t sums = rowTile * vectors;
  chains = groupInputs() >= 8 ? (sums <= 2 ? 4 : sums <= 4 ? 2 : 1) : 1;
  chooseScratch(choice, target);
}

void WinogradPlan::chooseScratch(const TileChoice &choice, const DeviceTable &target) {
  constexpr int64_t bytes = 4;
  int64_t panelBytes = std::max<int64_t>(1, points() * tileBlock * width * bytes);
  panelBlock = std::clamp<int64_t>(choice.panelBlock ? choice.panelBlock : target.l2Bytes / 2 / panelBytes, 1,
                                   std::max<int64_t>(1, groupPanels));
  dataStride = groupInputs() > lanes ? llvm::alignTo(groupInputs(), lanes) : groupInputs();
  dataPlane = padPlane(tileBlock * dataStride);
  sumPlane = padPlane(panelBlock * tileBlock * width);
  sumScratch = points() * dataPlane * bytes;
  scratchBytes = sumScratch + points() * sumPlane * bytes;
  int64_t tail = groupOutputs() % width;
  hasDots = takesDots(tail, lanes, groupInputs());
  turnedScratch = scratchBytes;
  if (hasDots)
    scratchBytes += kTailColumns * dataStride * bytes;
  filterScratch = scratchBytes;
  if (isCompact) {
    // Beside the data of a block in the second-level cache.
    int64_t most = std::max<int64_t>(lanes, target.l2Bytes / 3 / (points() * width * bytes));
    depthBlock = llvm::divideCeil(groupInputs(), llvm::divideCeil(groupInputs(), most));
    filterPlane = padPlane(std::max(depthBlock * width, hasDots ? groupInputs() * kTailColumns : 0));
    scratchBytes += points() * filterPlane * bytes;
  }
  // The filter comes from beyond the second-level cache unless it is small.
  int64_t filterBytes = points() * groupInputs() * groupPanels * width * bytes;
  fetchesAhead = chains == 1 && filterBytes > target.l2Bytes / 2;
}

void WinogradPlan::takeRows(int64_t rows, const DeviceTable &target) {
  takesRows = true;
  int64_t squares = llvm::divideCeil(rows, form.tile) * tileColumns;
  rowTile = std::min(rowTile, chooseSquares(squares, vectors, target));
  tileBlock = llvm::alignTo(squares, rowTile);
  tileBlocks = llvm::divideCeil(tiles, squares);
  chooseScratch({}, target);
}

std::string WinogradPlan::describe() const {
  return llvm::formatv("winograd convolution of {0}x{0} results: tile {1}x{2}, blocks of {3} squares and {4} panels{5}",
                       form.tile, rowTile, width, tileBlock, panelBlock,
                       isCompact ? ", filter transformed at the call" : "")
      .str();
}
