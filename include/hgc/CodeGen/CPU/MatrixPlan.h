//===- MatrixPlan.h - blocks of a product by the matrix unit ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plain arithmetic on extents and cache sizes, as in GemmPlan.h.
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_CPU_MATRIXPLAN_H
#define HGC_CODEGEN_CPU_MATRIXPLAN_H

#include "dialects/Graph/Panels.h"
#include "hgc/Target/DeviceTable.h"

#include <algorithm>
#include <string>

namespace hgc::cpu {

/// `batch` products of `rows` rows by panels that are made of tiles.
struct MatrixShape {
  int64_t batch = 1, rows = 1, columns = 1;
  /// Rows of a panel, each for 64 bytes of the depth, and elements behind them that vectors multiply: a last row has
  /// those.
  int64_t groups = 1, rest = 0;
  int64_t interleave = 96, width = 32;
  /// Panels hold f32 as they are: parts of a panel are written to working memory while the one before is multiplied.
  bool isWhole = false;
  /// Parts of an element in tiles, and bytes of one.
  int64_t parts() const { return isWhole ? 3 : graph::countParts(interleave); }
  int64_t unit() const { return 64 / graph::getTileDepth(interleave); }
  /// Rows that blocks do not part, and rows of tiles that they take.
  int64_t line = 1, lineRows = 1;
  /// Bytes of working memory that each row takes where tiles are read from elsewhere; 0: rows are written as tiles.
  int64_t rowBytes = 0;
};

/// The loops of such a product. Rows of a block are first written to where they stay in the second-level cache; then
/// each panel meets all of them. Threads share units: some rows times a block of panels of one batch entry. Blocks of
/// a thread that has all panels of some units join as many of them as there is room for.
struct MatrixPlan {
  MatrixPlan(const MatrixShape &shape, const DeviceTable &target);

  MatrixShape shape;
  int64_t panels;
  /// Rows of a unit and how many times there are so many; most rows of a block, some units of them.
  int64_t rowUnit, rowUnits, rowBlock;
  int64_t panelBlock, panelBlocks;
  /// Steps of the depth that rows are written for at a time; sums wait for the next ones.
  int64_t depthBlock, depthBlocks;
  /// Where tiles, the sums of a pair of them, parts of two panels and sums that wait lie in scratch; where other
  /// working memory may begin.
  int64_t lhsScratch, sumScratch, partScratch, waitScratch, scratchBytes;
  /// Whether rows of the next block become parts beside the products of this one: there is room for both, and for a
  /// vector of what each has written.
  bool writesAhead;
  /// Whether panels are fetched ahead, because they come from farther away than the second-level cache.
  bool fetchesAhead;

  int64_t parts() const { return shape.parts(); }
  /// Bytes of a part of kRows rows for one step of the depth, and of all parts. An odd number of lines, so that the
  /// steps of a row, which are written one after the other, do not all compete for the same sets of the first-level
  /// cache.
  int64_t lhsPart() const { return (kRows + 1) * 64; }
  int64_t lhsStep() const { return parts() * lhsPart(); }
  /// Bytes of all columns of a panel for one step of the depth, as tiles and as they are stored; of a panel, and of its
  /// parts that are written for a block of the depth.
  int64_t rhsStep() const { return parts() * shape.width * 64; }
  int64_t storedStep() const { return shape.isWhole ? 2 * shape.width * 64 : rhsStep(); }
  int64_t panelBytes() const { return (shape.groups + (shape.rest > 0)) * storedStep(); }
  int64_t partBytes() const { return shape.isWhole ? depthBlock * rhsStep() : 0; }
  /// Lines of 32 elements of the next block's rows that a step of a pair of tiles and a panel writes.
  int64_t aheadLines() const {
    return (rowUnit + panels * tilePairs() - 1) / std::max<int64_t>(1, panels * tilePairs());
  }
  int64_t lhsBytes() const { return shape.rowBytes ? 0 : (rowBlock + kRows - 1) / kRows * depthBlock * lhsStep(); }
  /// Pairs of tiles that a block has at most.
  int64_t tilePairs() const { return (rowBlock / shape.line * shape.lineRows + kRows - 1) / kRows; }
  /// Elements of the sums of a pair of tiles of rows and a panel.
  int64_t sumElements() const { return kRows * shape.width; }
  int64_t units() const { return shape.batch * rowUnits * panelBlocks; }
  std::string describe() const;

  /// Rows that are multiplied at a time: two tiles of them, by two tiles of columns.
  static constexpr int64_t kRows = 2 * graph::kTileSide;

private:
  void chooseRows(const DeviceTable &target);
};

} // namespace hgc::cpu

#endif // HGC_CODEGEN_CPU_MATRIXPLAN_H
