//===- Indices.h - where gathers read and scatters write --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both address boxes of one tensor by vectors of indices. Trailing dims that boxes
// hold whole stay rows; the dims before them are flattened, and a list of row
// numbers is computed from the vectors. Where boxes are all of the other dims at one
// place of a single dim, that dim is indexed as it is.
//===----------------------------------------------------------------------===//

#ifndef HGC_FRONTEND_STABLEHLO_OPS_INDICES_H
#define HGC_FRONTEND_STABLEHLO_OPS_INDICES_H

#include "../Node.h"

namespace hgc::stablehlo {

/// The names of a gather's and a scatter's dimension numbers.
struct IndexingNames {
  llvm::StringRef group, window, collapsed, operandBatch, indexBatch, map;
};

struct Indexing {
  /// Shape of the tensor that is read or written, and of a box in it.
  Extents shape, box;
  mlir::Value indices;
  /// Dims of the boxes' tensor that are inside of a box, in the order of those dims of `shape` that boxes keep.
  Extents window;
  Extents collapsed, operandBatch, indexBatch, map;
  int64_t vectorDim = 0;
  /// Rank of the boxes' tensor.
  int64_t rank = 0;

  /// Dims of `shape` that boxes keep.
  Extents keptDims() const;
  /// Dims of the boxes' tensor that number boxes.
  Extents batchDims() const;
  /// Extents of `indices` without the vectors' dim.
  Extents batchExtents() const;
  /// The dim that alone is indexed, by single elements, while boxes hold all others; -1 if there is none.
  int64_t soleDim() const;
};

/// The dimension numbers of an op on a tensor of this shape; `box` has an extent a dim, or is empty when it follows
/// from the boxes' shape. Nothing (reported) when they do not fit.
std::optional<Indexing> readIndexing(Node &node, const IndexingNames &names, Shape shape, mlir::Value indices,
                                     Shape boxes, Extents box);

/// Component `i` of the vectors, as i64, in the shape of the boxes' batch.
mlir::Value getComponent(Node &node, const Indexing &indexing, int64_t i);

/// First row of each box and row in it, in shape (batch, leading dims of a box): flat indices of the leading dims, of
/// which there are `leading`. With `clamps`, boxes are moved inside; otherwise `isInside` tells which rows are.
mlir::Value buildRows(Node &node, const Indexing &indexing, int64_t leading, bool clamps, mlir::Value &isInside);

/// Number of dims before those that boxes hold whole.
int64_t countLeading(const Indexing &indexing);

/// Order of the boxes' dims that puts batches first, then dims of the box.
Extents batchFirst(const Indexing &indexing);

} // namespace hgc::stablehlo

#endif // HGC_FRONTEND_STABLEHLO_OPS_INDICES_H
