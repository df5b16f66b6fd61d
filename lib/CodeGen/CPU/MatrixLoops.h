//===- MatrixLoops.h - loops of a product by the matrix unit ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_CODEGEN_CPU_MATRIXLOOPS_H
#define HGC_LIB_CODEGEN_CPU_MATRIXLOOPS_H

#include "MatrixTile.h"

#include "hgc/CodeGen/CPU/GemmTile.h"
#include "hgc/CodeGen/CPU/KernelContext.h"

namespace hgc::cpu {

/// Rows, and columns, of a tile.
inline constexpr int64_t kSide = graph::kTileSide;
/// Bytes of a row of a tile, and of a line of the caches.
inline constexpr int64_t kLine = 64;

/// A block of rows of one batch entry, of steps of the depth, and the first and last of the panels that it meets.
struct MatrixBlock {
  mlir::Value entry, row, rows;
  mlir::Value step, stepEnd;
  mlir::Value firstPanel, lastPanel;
};

/// Where tiles of rows lie in scratch, in elements of it: from `start` on, `row` from row to row, `part` from part to
/// part.
struct MatrixRows {
  mlir::Value buffer, start;
  int64_t row, part;
};

/// A run of `count` elements from `offset` of `source` on that goes to `at` of `target`, 64 bytes at a time: steps and
/// parts of each are so many elements apart there. What is missing to a whole last step is zero.
struct MatrixRun {
  mlir::Value source, offset;
  int64_t count;
  mlir::Value target, at;
  int64_t step, part;
};

/// Writes the loops of one product. What is special about a matmul or a convolution is how the rows of a block become
/// tiles of 16, and where results belong.
class MatrixLoops {
public:
  MatrixLoops(KernelContext &context, mlir::Value result, mlir::Value source, int64_t sourceDepth, mlir::Value rhs,
              const MatrixPlan &plan);
  virtual ~MatrixLoops() = default;

  void emit();

protected:
  /// Where a row of a block comes from: `sourceDepth` elements of `source` from there on.
  virtual mlir::Value locateSource(const MatrixBlock &block, mlir::Value row) = 0;
  mlir::Value source;
  int64_t sourceDepth;
  /// Writes the rows of a block once for all of the depth where they do not lie side by side, as `isStaged`. Returns
  /// whether some are not finite, as i1, for elements in parts; else nothing.
  virtual mlir::Value stageRows(const MatrixBlock &) { return {}; }
  virtual bool isStaged() const { return false; }
  /// Tiles that it has, and where one begins.
  virtual mlir::Value countTiles(const MatrixBlock &block);
  virtual mlir::Value locateTile(mlir::Value tile);
  /// From there to a step of the depth, and elements that count in it.
  virtual mlir::Value locateStep(mlir::Value step);
  virtual mlir::Value countElements(mlir::Value step);
  /// First element of the entry's panels.
  virtual mlir::Value locatePanels(mlir::Value entry) = 0;
  /// Index of a row of a tile in the result, without the column; and whether there is such a row, null if so.
  virtual llvm::SmallVector<mlir::Value> locateResult(const MatrixBlock &block, mlir::Value tile, mlir::Value row) = 0;
  /// Element `depth` of a row of the block, for 16 columns: one that no step has.
  virtual mlir::Value loadFactor(const MatrixBlock &, mlir::Value /*row*/, int64_t /*depth*/) { return {}; }
  virtual mlir::Value hasResult(const MatrixBlock &, mlir::Value, mlir::Value) { return {}; }

  /// Where the plan's own rows lie: a tile's lines, all parts of them, one step after the other.
  mlir::Value locateRow(mlir::Value row);
  /// Bytes of an element of a tile.
  int64_t unit() const { return plan.shape.unit(); }

  KernelContext &context;
  mlir::Value result, rhs;
  IndexBuilder index;
  const MatrixPlan &plan;
  MatrixRows rows;

private:
  /// So many units of rows, from `unit` of an entry on, with the panels that the thread has of them.
  void emitRows(mlir::Value entry, mlir::Value unit, mlir::Value count);
  mlir::Value countJoined();
  /// Pairs of tiles of rows, of which the last may be one tile.
  mlir::Value countPairs(const MatrixBlock &block);
  void emitBlock(const MatrixBlock &block, mlir::Value isOdd);
  /// Writes the rows of a block for its part of the depth; as stageRows.
  mlir::Value writeRows(const MatrixBlock &block);
  /// Writes `count` elements of each row from `first` on, and returns sums for emitIsOdd.
  llvm::SmallVector<mlir::Value> writeDepth(const MatrixBlock &block, mlir::Value first, int64_t count);

  // Rows of the next block beside the products of this one: MatrixAhead.cpp.
  MatrixBlock getUnit(mlir::Value number);
  void startAhead(mlir::Value number);
  mlir::Value finishAhead(const MatrixBlock &block);
  mlir::Value countAhead();
  void writeAhead(mlir::Value line);
  void writeNext(const MatrixBlock &block, mlir::Value panel, mlir::Value tile, MatrixTile &product);
  void writeRest(const MatrixBlock &block, mlir::Value panels);

  void emitPanel(const MatrixBlock &block, mlir::Value panel, mlir::Value isOdd, int64_t columns);
  void emitTiles(const MatrixBlock &block, mlir::Value panel, mlir::Value isOdd, mlir::Value tile, int64_t count,
                 int64_t columns);
  void emitPlainSums(const MatrixBlock &block, mlir::Value tile, int64_t count, mlir::Value panel, mlir::Value wait,
                     int64_t columnTiles);
  mlir::Value emitPlainSum(const MatrixBlock &block, mlir::Value lhs, mlir::Value rhs, mlir::Value start);
  /// 16 columns of a panel, the first or second of two along the depth, as f32.
  mlir::Value loadColumns(mlir::Value at, mlir::Value isSecond);
  void storeTiles(const MatrixBlock &block, mlir::Value panel, mlir::Value tile, int64_t count, int64_t columns);
  /// Factors of the depth that no step has, by piece of the columns; adds their products to the sums of a row.
  using RestFactors = llvm::SmallVector<llvm::SmallVector<mlir::Value>>;
  RestFactors loadRest(mlir::Value panel, int64_t pieces);
  void addRest(const MatrixBlock &block, mlir::Value row, const RestFactors &factors,
               llvm::MutableArrayRef<mlir::Value> values);
  /// First element of a panel, and elements of a step of it.
  mlir::Value locatePanel(const MatrixBlock &block, mlir::Value panel);
  int64_t stepElements() const;
  /// Where the tiles of a panel lie: address of those of the first step of the depth.
  mlir::Value locateTiles(const MatrixBlock &block, mlir::Value panel);
  /// Where parts of a panel lie in working memory: those of neighbours are there at a time, for the block's steps only.
  mlir::Value locateParts(mlir::Value panel);
  /// Work on lines that the pairs of tiles of a block share, beside their products.
  struct Share;
  Share getShare(const MatrixBlock &block, int64_t extent);
  /// Lines that are done after so many pairs of tiles.
  mlir::Value countDone(const Share &share, mlir::Value times);
  void forShare(const Share &share, int64_t i, int64_t count, llvm::function_ref<void(int64_t)> body);
  /// Lines of 32 elements of a panel in the block's steps. One of them becomes parts; all, from `line` on; some of the
  /// next panel's beside the products of a pair of tiles; and those that all pairs of the block have left.
  mlir::Value countLines(const MatrixBlock &block);
  void splitLine(const MatrixBlock &block, mlir::Value panel, mlir::Value line);
  void splitPanel(const MatrixBlock &block, mlir::Value panel, mlir::Value line);
  void splitNext(const MatrixBlock &block, mlir::Value panel, mlir::Value tile, MatrixTile &product);
  mlir::Value getNextPanel(const MatrixBlock &block, mlir::Value panel);
  void splitRest(const MatrixBlock &block, mlir::Value panel);
  /// Where the sums of a pair of tiles wait for the rest of the depth; null if they need not.
  mlir::Value locateWaiting(mlir::Value panel, mlir::Value tile);
  mlir::Value isFirstOdd(int64_t columnTiles);
  void fetchNext(const MatrixBlock &block, mlir::Value tile, MatrixTile &product);

  mlir::Value sums, waiting, parts;
  /// The block whose rows are written ahead, where they begin, and sums of what was written for this one and for it.
  MatrixBlock next;
  mlir::Value nextStart, stickies, sticky, nextSticky;
};

/// Writes 32 elements of f32, step `step` of a run, in three parts, and returns the sums of the last ones.
mlir::Value emitSplitStep(IndexBuilder &index, const MatrixRun &run, mlir::Value step);

/// Writes a run of f32 in three parts, and returns `sticky` plus the last parts: no number if an element was not
/// finite.
mlir::Value emitSplitRun(IndexBuilder &index, const MatrixRun &run, mlir::Value sticky);

/// Copies a run of elements that are whole.
void emitCopyRun(IndexBuilder &index, const MatrixRun &run);

/// Writes a run of one or the other kind; `sticky` is empty for elements that are whole.
llvm::SmallVector<mlir::Value> emitRun(IndexBuilder &index, const MatrixRun &run, mlir::ValueRange sticky);

/// Sums to be given to emitSplitRun first, and whether those that came out are no numbers.
mlir::Value emitStickyStart(IndexBuilder &index);
mlir::Value emitIsOdd(IndexBuilder &index, mlir::Value sticky);

} // namespace hgc::cpu

#endif // HGC_LIB_CODEGEN_CPU_MATRIXLOOPS_H
