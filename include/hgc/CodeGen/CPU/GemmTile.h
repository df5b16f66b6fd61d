//===- GemmTile.h - the register tile of contractions -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matmul and convolution share one micro-kernel: a block of accumulators that
// stays in registers while the depth is walked. What differs is only how rows,
// panels and depth are laid out in memory, which the descriptor says.
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_CPU_GEMMTILE_H
#define HGC_CODEGEN_CPU_GEMMTILE_H

#include "hgc/CodeGen/Common/IndexBuilder.h"
#include "hgc/Target/DeviceTable.h"

#include "mlir/IR/BuiltinTypes.h"

#include <functional>

namespace hgc::cpu {

using namespace codegen;

/// Columns [offset, offset + lanes) of a panel, in one vector.
struct ColumnPiece {
  int64_t offset, lanes;
};

/// Cuts `columns` into vectors of at most `lanes`, then of falling powers of
/// two, so that no access reaches past the last column.
llvm::SmallVector<ColumnPiece> splitColumns(int64_t columns, int64_t lanes);

/// Whole vectors for `columns`, the last one a half where that is enough: for
/// panels that have zeros past the last column.
llvm::SmallVector<ColumnPiece> coverColumns(int64_t columns, int64_t lanes);

/// An outer loop over the depth: the operands' steps for each iteration. It may run
/// over a part of its `count` iterations only.
struct DepthSegment {
  int64_t count, lhsStep, rhsStep;
  mlir::Value begin = {}, end = {};
};

/// Part of the innermost depth that `rows` rows of a tile take from `row` on, the others
/// not. Offsets are where its operands start, in elements.
struct DepthSpan {
  int64_t row, rows, lhsOffset, rhsOffset, steps;
};

/// One tile of `rowOffsets.size()` rows times `panelOffsets.size()` panels.
struct GemmTile {
  /// Element type of the accumulators.
  mlir::Type accumulator;
  /// Flat buffers; elements are widened to the accumulator type when loaded.
  mlir::Value lhs, rhs;
  /// Where each row and each panel starts.
  llvm::SmallVector<mlir::Value> rowOffsets, panelOffsets;
  /// Vectors of every panel.
  llvm::SmallVector<ColumnPiece> pieces;
  /// Steps of the operands along the innermost depth loop, and its length.
  int64_t lhsStep = 1, rhsStep = 1;
  mlir::Value depth;
  /// Elements of the depth that a step multiplies: more than one where an instruction
  /// takes several of i8 (4) or i16 (2) at once. Steps and offsets still count elements,
  /// `depth` whole steps; `tail` elements are left over behind them.
  int64_t interleave = 1, tail = 0;
  /// Loops around the innermost one.
  llvm::SmallVector<DepthSegment> segments;
  /// Innermost loops one after the other in place of the one over `depth`, where rows do
  /// not all have the same depth. For tiles without tail.
  llvm::SmallVector<DepthSpan> spans;
  /// Independent sums per accumulator, for tiles too small to hide latency.
  /// Needs a constant `depth`.
  int64_t chains = 1;
  /// Steps of one iteration of the innermost loop; for tiles without chains.
  int64_t unroll = 1;
  /// Lines that an iteration of `unroll` steps fetches for later tiles, the first
  /// of them, and how far each step is from the one before. For tiles without chains,
  /// segments and spans. Or, without prefetchStep, the first is `prefetch` elements behind where
  /// the iteration finds the first panel, in loops of any kind.
  int64_t prefetches = 0, prefetchLine = 0;
  mlir::Value prefetch, prefetchStep;
  /// Where they are, if not in rhs.
  mlir::Value prefetchFrom;
  /// Emits what each iteration of `unroll` steps does for the next row, and for the last one again when all are done;
  /// so in every run of the innermost loop. For tiles without chains and spans.
  std::function<void(mlir::Value row)> fetch;
  /// Zero, which LLVM does not know, where the second vector of a row's sums loads the row's factor again.
  mlir::Value hiddenZero;

  /// Accumulators, by row, then panel, then piece.
  size_t count() const { return rowOffsets.size() * panelOffsets.size() * pieces.size(); }
};

/// Vector type of each accumulator.
llvm::SmallVector<mlir::Type> getAccumulatorTypes(const GemmTile &tile);

/// Accumulators all zero.
llvm::SmallVector<mlir::Value> emitZeros(IndexBuilder &index, const GemmTile &tile);

/// Accumulators before the first step: zero, or what panels say.
llvm::SmallVector<mlir::Value> emitStart(IndexBuilder &index, const GemmTile &tile);

/// Makes the second vector of a row's sums load the row's factor again where that pays: a broadcast of one use is part
/// of a multiply-add, one of two uses is as much work as a multiply-add where vectors are taken in halves. `depth` are
/// the steps of the whole tile.
void loadFactorsAgain(IndexBuilder &index, GemmTile &tile, int64_t depth, const DeviceTable &target);

/// Has lines that the tile's end needs fetched while it is computed, by `fetch` for each row: loads and stores that
/// wait for them would hold up the next tile. Rows one after the other, between steps, if that is cheap enough: many
/// lines at once would hold up those of the operands.
void fetchRows(IndexBuilder &index, GemmTile &tile, bool isCheap, const std::function<void(mlir::Value row)> &fetch);

/// Adds lhs * rhs over the depth to the accumulators `init`.
llvm::SmallVector<mlir::Value> emitTile(IndexBuilder &index, const GemmTile &tile, mlir::ValueRange init);

/// The same, with other work between the steps of the depth: `work` is called for each of
/// `parts` parts of the loop, and `pieces` times in each, and must not need the sums. For
/// tiles of constant depth, at least `parts`, without chains and segments.
llvm::SmallVector<mlir::Value> emitTileAround(IndexBuilder &index, const GemmTile &tile, mlir::ValueRange init,
                                              int64_t parts, int64_t pieces,
                                              llvm::function_ref<void(mlir::Value part, int64_t piece)> work);

/// `value` (scalar or vector) widened to element type `element`.
mlir::Value emitWiden(IndexBuilder &index, mlir::Value value, mlir::Type element);

mlir::Value emitAdd(IndexBuilder &index, mlir::Value a, mlir::Value b);

/// a * b + c, fused where the target can.
mlir::Value emitMultiplyAdd(IndexBuilder &index, mlir::Value a, mlir::Value b, mlir::Value c);

/// `lanes` elements of a flat buffer (a scalar for one), and its reverse. Streamed vectors are aligned and go past the
/// caches.
mlir::Value emitLoad(IndexBuilder &index, mlir::Value buffer, mlir::Value offset, int64_t lanes);
/// `lanes` elements, of which only the first `valid` are read; the others are zero.
mlir::Value emitLoadPart(IndexBuilder &index, mlir::Value buffer, mlir::Value offset, int64_t lanes, int64_t valid);
void emitStore(IndexBuilder &index, mlir::Value value, mlir::Value buffer, mlir::Value offset, bool isStreamed = false);

/// Zero of a scalar or vector type.
mlir::Value emitZero(IndexBuilder &index, mlir::Type type);

/// Part of the per-thread scratch memory as a flat buffer.
mlir::Value emitScratch(IndexBuilder &index, mlir::Value scratch, int64_t byteOffset, int64_t elements,
                        mlir::Type element);

} // namespace hgc::cpu

#endif // HGC_CODEGEN_CPU_GEMMTILE_H
