//===- GemmPlan.h - tile and block sizes of a matrix product ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plain arithmetic on extents and cache sizes; nothing here depends on the
// number of threads, so results do not either.
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_CPU_GEMMPLAN_H
#define HGC_CODEGEN_CPU_GEMMPLAN_H

#include "hgc/Target/DeviceTable.h"
#include "hgc/Target/TileChoice.h"

#include <string>

namespace hgc::cpu {

/// How the right operand lies in memory.
enum class RhsLayout { Panels, RowMajor, Transposed };

/// Extents of `batch` products of [rows, depth] by [depth, columns].
struct GemmShape {
  int64_t batch = 1, rows = 1, columns = 1, depth = 1;
  RhsLayout rhs = RhsLayout::Panels;
  bool transposeLhs = false;
  /// Columns of a panel; 0 leaves the choice to the plan.
  int64_t width = 0;
  /// Bytes of an accumulator, and whether operands are narrower.
  int64_t accumulatorBytes = 4;
  bool widen = false;
  /// Elements from row to row of a RowMajor right operand that is part of a larger one; 0 otherwise.
  int64_t rhsRowStride = 0;
  /// Divisions and roots of the ops after the product, for each result.
  int64_t divisions = 0;
  /// Elements of the depth that panels have side by side.
  int64_t interleave = 1;
  /// Sizes that were measured.
  TileChoice choice = {};
};

/// The loops of a product. Threads share units: some rows times one block of panels
/// of one batch entry. Neighbouring units that one thread computes make up a block.
/// Tiles and blocks are in rows and panels.
struct GemmPlan {
  /// Lanes of an accumulator, columns and vectors of a panel.
  int64_t lanes, width, vectors;
  int64_t panels;
  /// Register tile.
  int64_t rowTile, panelTile, chains;
  /// Cache blocks: multiples of the tile.
  int64_t rowBlock, panelBlock, depthBlock;
  int64_t panelBlocks, depthBlocks;
  /// Rows of a unit, a multiple of the tile, and how many there are. A block is a
  /// multiple of it.
  int64_t rowUnit, rowUnits;
  /// Few rows against a transposed right operand: no tile, but dot products of
  /// contiguous rows. Blocks still say which columns a unit computes.
  bool isDot;
  /// Which operands are copied to scratch, block by block.
  bool packLhs, packRhs;
  /// Unless 0, the copied lhs consists of rows that far apart, not of packed tiles.
  int64_t lhsStride;
  /// Whether a panel's tiles fetch the next panel into the second-level cache.
  bool prefetchRhs;
  /// Whether units may run one by one at no cost, and their panels are too many to
  /// stay in the second-level cache.
  bool turns;
  /// Whether units are numbered by rows before blocks of panels. Then threads share rows, as kernels
  /// of images do, and find most of what these read and wrote in their own caches.
  bool rowsFirst;
  /// Whether the ops after the product of one tile run between the steps of the next
  /// one, whose multiply-adds hide divisions and roots; sums wait in scratch. A tile of
  /// rows meets all panels before the next one.
  bool overlaps;
  /// Whether the columns of the last panel are dot products, and how far apart they are in scratch then.
  bool tailDots;
  int64_t turnedStride;
  /// Where the copies, partial sums and such columns lie in scratch, and their total.
  int64_t rhsScratch, sumScratch, turnedScratch, scratchBytes;

  /// Whether all row blocks of a thread use the panels that it has copied once.
  bool sharesPanels() const { return packRhs && depthBlocks == 1; }
  /// Elements of a copied block of lhs.
  int64_t lhsElements() const { return rowBlock * (lhsStride ? lhsStride : depthBlock); }
  int64_t units(const GemmShape &shape) const { return shape.batch * rowUnits * panelBlocks; }
  std::string describe() const;
};

/// Dot products side by side: enough to hide the latency of their sums.
inline constexpr int64_t kDotColumns = 8;

/// Most columns of a last panel that are dot products along the depth: they leave most lanes of a vector of columns
/// empty.
inline constexpr int64_t kTailColumns = 4;

/// Whether a last panel of `tail` columns is made of dot products. Short vectors lose less with a few columns, and
/// folding them takes as long.
bool takesDots(int64_t tail, int64_t lanes, int64_t depth);

GemmPlan planGemm(const GemmShape &shape, const DeviceTable &target);

/// For a product that is computed some rows at a time, each against all panels: nothing is cut
/// but rows, nothing of the left operand is copied, and sums never wait. A transposed right
/// operand is copied as a whole.
GemmPlan planSomeRows(const GemmShape &shape, const DeviceTable &target);

/// Rows of the register tile for `rows` rows in runs of that length.
int64_t chooseRowTile(int64_t rows, int64_t vectors, const DeviceTable &target);

/// `wanted` rows as far as rows and registers allow; for 0 what chooseRowTile says.
int64_t boundRowTile(int64_t wanted, int64_t rows, int64_t vectors, const DeviceTable &target);

/// Most steps of a tile whose end counts.
inline constexpr int64_t kShortDepth = 32;

/// Rows of a tile of `depth` steps, `tile` of which fit the registers. The end of a short tile takes as long as many
/// of its steps, and only that of a small one runs beside the start of the next.
int64_t shortenTile(int64_t tile, int64_t rows, int64_t depth);

/// Cycles of one depth step of a register tile, times two.
int64_t estimateTile(int64_t rows, int64_t vectors);

/// Whether the sums and operands of a register tile of `rows` rows by `width` vectors fit in registers.
bool fitsRegisters(int64_t rows, int64_t width, const DeviceTable &target);

/// Fewest of `units` equal units, together `ps` long, worth another thread.
int64_t chooseGrain(int64_t units, int64_t ps, const DeviceTable &target);

/// Time of a contraction whose operands mostly come from a cache.
int64_t estimateContractionPs(const graph::OpCost &cost, const DeviceTable &target);

} // namespace hgc::cpu

#endif // HGC_CODEGEN_CPU_GEMMPLAN_H
