//===- Convolution.h - convolutions with any order of dims ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_FRONTEND_STABLEHLO_OPS_CONVOLUTION_H
#define HGC_FRONTEND_STABLEHLO_OPS_CONVOLUTION_H

#include "../Node.h"

namespace hgc::stablehlo {

/// Where the dims of one tensor of a convolution are: batch and features of data, inputs and outputs of a filter.
struct ConvDims {
  int64_t first = -1, second = -1;
  Extents spatial;

  /// `first`, spatial dims, `second`, and the like.
  Extents order(llvm::StringRef form) const;
};

struct Convolution {
  mlir::Value input, filter;
  /// Data is (batch, features), the filter (inputs, outputs).
  ConvDims data, weights, result;
  Extents strides, low, high, inputDilation, filterDilation, reversal;
  int64_t groups = 1, batchGroups = 1;
  /// Declared by the op.
  mlir::RankedTensorType type;

  int64_t rank() const { return static_cast<int64_t>(strides.size()); }
  int64_t inputExtent(int64_t i) const { return Node::shapeOf(input)[data.spatial[i]]; }
  int64_t filterExtent(int64_t i) const { return Node::shapeOf(filter)[weights.spatial[i]]; }
  int64_t resultExtent(int64_t i) const { return type.getShape()[result.spatial[i]]; }
};

/// Whether dims in this order are where they are.
bool isInPlace(llvm::ArrayRef<int64_t> order);
/// A tensor with its dims in an order a layout wants: (N, spatial, C) or (N, C, spatial).
mlir::Value arrange(Node &node, mlir::Value value, llvm::ArrayRef<int64_t> order);
/// The dims of `value`, which are in this order, at their places.
mlir::Value restore(Node &node, mlir::Value value, llvm::ArrayRef<int64_t> order);

/// Each form gives a null value when it does not apply, or after reporting.
bool isFilterGradient(const Convolution &conv);
mlir::Value buildFilterGradient(Node &node, const Convolution &conv);
/// Whether elements of the input are spread, as gradients by the input do.
bool isTransposed(const Convolution &conv);
mlir::Value buildTransposed(Node &node, const Convolution &conv);

} // namespace hgc::stablehlo

#endif // HGC_FRONTEND_STABLEHLO_OPS_CONVOLUTION_H
