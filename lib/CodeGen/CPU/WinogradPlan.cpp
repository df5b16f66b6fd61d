//===- WinogradPlan.cpp - blocks of a convolution by squares --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/WinogradPlan.h"

#include "hgc/CodeGen/CPU/GemmPlan.h"

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

WinogradPlan::WinogradPlan(graph::ConvOp op, const DeviceTable &target)
    : shape(op.getShape()), form(graph::getPackedTile(*op.getPacked(), op.getFilter().getType())),
      lanes(std::max<int64_t>(1, target.vectorBytes / 4)), width(op.getPacked()->getWidth()),
      groupPanels(llvm::divideCeil(groupOutputs(), width)),
      tileRows(llvm::divideCeil(shape.spatial[1].output, form.tile)),
      tileColumns(llvm::divideCeil(shape.spatial[2].output, form.tile)), tiles(shape.batch * tileRows * tileColumns) {
  // Every block reads the whole filter: blocks that leave the second-level cache cost
  // less than filters that come from farther away for few squares.
  constexpr int64_t fewest = 24, most = 96, bytes = 4;
  int64_t squareBytes = std::max<int64_t>(1, points() * groupInputs() * bytes);
  int64_t limit = std::clamp<int64_t>(target.l2Bytes * 3 / 4 / squareBytes, fewest, most);
  int64_t vectors = llvm::divideCeil(width, lanes);
  rowTile = chooseRowTile(std::min(limit, tiles), vectors, target);
  rowTiles = llvm::divideCeil(tiles, rowTile);
  tileBlocks = llvm::divideCeil(rowTiles, std::max<int64_t>(1, limit / rowTile));
  tileBlock = rowTile * llvm::divideCeil(rowTiles, std::max<int64_t>(1, tileBlocks));
  int64_t sums = rowTile * vectors;
  chains = groupInputs() >= 8 ? (sums <= 2 ? 4 : sums <= 4 ? 2 : 1) : 1;

  int64_t panelBytes = std::max<int64_t>(1, points() * tileBlock * width * bytes);
  panelBlock = std::clamp<int64_t>(target.l2Bytes / 2 / panelBytes, 1, std::max<int64_t>(1, groupPanels));
  dataPlane = padPlane(tileBlock * groupInputs());
  sumPlane = padPlane(panelBlock * tileBlock * width);
  sumScratch = points() * dataPlane * bytes;
  scratchBytes = sumScratch + points() * sumPlane * bytes;
}

std::string WinogradPlan::describe() const {
  return llvm::formatv("winograd convolution of {0}x{0} results: tile {1}x{2}, blocks of {3} squares and {4} panels",
                       form.tile, rowTile, width, tileBlock, panelBlock)
      .str();
}
