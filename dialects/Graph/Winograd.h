//===- Winograd.h - 3x3 convolutions with fewer products --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// F(m x m, 3x3) makes a square of m x m results from a square of m + 2 pixels: with
// the transforms A, B and G below, result = A [(G filter G^T) * (B data B^T)] A^T,
// where * multiplies element by element and sums over channels. (m + 2)^2 products
// take the place of 9 m^2; docs/numerics.md says what that does to errors.
//===----------------------------------------------------------------------===//

#ifndef HGC_GRAPH_WINOGRAD_H
#define HGC_GRAPH_WINOGRAD_H

#include "dialects/Graph/GraphOps.h"

namespace hgc::graph {

/// Matrices for squares of `tile` results, 2 or 4.
struct Winograd {
  explicit Winograd(int64_t tile);

  /// Pixels that a square of results sees, along one dim.
  int64_t extent() const { return tile + 2; }

  int64_t tile;
  /// G: extent x 3. Its left inverse: 3 x extent. B: extent x extent. A: tile x extent.
  llvm::ArrayRef<double> filter, inverse, data, result;
};

/// Transforms both dims at once: the Kronecker square of a matrix with `columns` columns.
llvm::SmallVector<double> squareTransform(llvm::ArrayRef<double> matrix, int64_t columns);

/// Whether the form can be used for such a convolution, whatever its layout.
bool isWinogradShape(const ConvShape &shape);

/// Squares of results along both dims, of all images.
int64_t countWinogradTiles(const ConvShape &shape, int64_t tile);

/// 2 or 4 when panels hold a transformed filter, which shows in their rows; else 0.
int64_t getPackedTile(PackedAttr packed, mlir::RankedTensorType filter);

/// Error that is expected at most, relative to the largest result, for sums over
/// `channels` channels.
double boundWinogradError(int64_t tile, int64_t channels);

/// Results may be off by that much without `--exact-conv`.
inline constexpr double kMostWinogradError = 5e-5;

} // namespace hgc::graph

#endif // HGC_GRAPH_WINOGRAD_H
