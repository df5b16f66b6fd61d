//===- StridedView.h - tensors that are parts of others ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_GRAPH_STRIDEDVIEW_H
#define HGC_GRAPH_STRIDEDVIEW_H

#include "mlir/IR/Value.h"

#include <optional>

namespace hgc::graph {

/// Whether `op` only says which elements of its input its result has, and in which
/// order: a slice at a known place, a transpose or a reshape.
bool isViewOp(mlir::Operation *op);

/// Whether all that reads `op` is `reader`, as it is or through view ops; true of `reader` itself.
bool leadsOnlyTo(mlir::Operation *op, mlir::Operation *reader);

/// Where the elements of a tensor are in a row-major one that it is part of.
struct StridedView {
  mlir::Value source;
  int64_t offset = 0;
  /// Of each dim; a step along a dim of one element is 1.
  llvm::SmallVector<int64_t> shape, strides;

  /// What `tensor` is of the tensor that the view ops before it begin with. Nothing
  /// where a reshape would join dims that lie apart.
  static std::optional<StridedView> trace(mlir::Value tensor);

  /// The same elements in another shape.
  std::optional<StridedView> reshape(llvm::ArrayRef<int64_t> newShape) const;

  /// Where the elements of the source are in a row-major tensor of this view, which has all of them in another order.
  /// Nothing where it has not, or where a dim of the source is cut into pieces that lie apart.
  std::optional<StridedView> invert() const;
};

} // namespace hgc::graph

#endif // HGC_GRAPH_STRIDEDVIEW_H
