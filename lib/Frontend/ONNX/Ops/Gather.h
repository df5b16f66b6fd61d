//===- Gather.h - indices of gathers and scatters ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_FRONTEND_ONNX_OPS_GATHER_H
#define HGC_FRONTEND_ONNX_OPS_GATHER_H

#include "Indexing.h"

namespace hgc::onnx {

/// Each list along the last dim of `indices` points into dims of `data` from `first`
/// on: gives the row-major positions, as one list. The dims in front are batches: the
/// lists are in as many equal groups, each for its own block of positions.
mlir::Value rowsOf(Node &node, mlir::Value indices, mlir::Value data, int64_t first);

/// The part of the data that indices of this shape along `axis` can reach.
mlir::Value cropTo(Node &node, mlir::Value data, Shape indices, int64_t axis);

/// Reports indices of a wrong shape.
llvm::LogicalResult checkIndices(Node &node, bool isFine);

} // namespace hgc::onnx

#endif // HGC_FRONTEND_ONNX_OPS_GATHER_H
