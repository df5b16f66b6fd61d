//===- Panels.h - rows of panels that hold several of the depth -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_GRAPH_PANELS_H
#define HGC_GRAPH_PANELS_H

#include "mlir/IR/Types.h"
#include "llvm/ADT/ArrayRef.h"

#include <utility>

namespace hgc::graph {

/// Elements along the depth that lie side by side in panels of `width` columns; the type
/// of the packed operand tells.
int64_t getInterleave(mlir::Type packed, int64_t width);

/// Rows of i32 that panels begin with: what is to be added to each column's sums, because
/// the other operand is taken 128 too large.
inline int64_t countHeadRows(int64_t interleave) { return interleave == 4 ? 1 : 0; }

/// Rows of a panel of `runs` stretches of the depth, each interleaved on its own.
int64_t countPanelRows(int64_t runs, int64_t run, int64_t interleave);

/// Rows, and columns, of the tiles that a matrix unit multiplies.
inline constexpr int64_t kTileSide = 16;

/// Whether panels are made of such tiles: a row of them holds all tiles for 64 bytes of the depth.
inline bool isTiled(int64_t interleave) { return interleave >= 32; }

/// `interleave` of tiled panels of f32 as they are, which become parts where tiles of rows meet them.
inline constexpr int64_t kWholeInterleave = 32;

/// Addends of type bf16 that each element of tiled panels is stored as: all of its bits are in three of them.
inline int64_t countParts(int64_t interleave) { return interleave == 96 ? 3 : 1; }

/// Elements of the depth in a row of tiled panels: 32 of bf16, 64 of i8.
inline int64_t getTileDepth(int64_t interleave) { return interleave / countParts(interleave); }

/// `interleave` of tiled panels for operands of that type; 0 where matrix units do not multiply it.
int64_t getTiledInterleave(mlir::Type element);

/// Stretches of a filter's depth that are interleaved on their own, and their length: the input channels of a
/// pixel, or those of neighbouring pixels where panels are tiled.
std::pair<int64_t, int64_t> getFilterRuns(llvm::ArrayRef<int64_t> hwio, int64_t interleave);

/// Where element (`depth`, `column`) of part `part` is in a row of tiled panels of `width` columns.
inline int64_t locateInTiles(int64_t depth, int64_t column, int64_t part, int64_t width, int64_t interleave) {
  int64_t deep = getTileDepth(interleave), side = deep / kTileSide;
  int64_t tile = (part * width + column / kTileSide * kTileSide) * deep;
  return tile + (depth / side * kTileSide + column % kTileSide) * side + depth % side;
}

/// The same where panels hold f32 as they are: rows of 16 columns, one for each of the depth.
inline int64_t locateInWholeTiles(int64_t depth, int64_t column) {
  return column / kTileSide * kTileSide * kWholeInterleave + depth * kTileSide + column % kTileSide;
}

} // namespace hgc::graph

#endif // HGC_GRAPH_PANELS_H
