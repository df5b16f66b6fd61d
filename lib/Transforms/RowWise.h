//===- RowWise.h - ops that can be computed in pieces -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_TRANSFORMS_ROWWISE_H
#define HGC_LIB_TRANSFORMS_ROWWISE_H

#include "dialects/Graph/GraphOps.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace hgc {

/// The dim of the rows of a tensor: the first that is not 1, so that rows lie one
/// behind the other; the rank if there is none.
int64_t getRowDim(mlir::Value value);

/// Extent of that dim; 1 if there is none.
int64_t getRows(mlir::Value value);

/// Ops that give row i of their result from row i of what is split.
class RowWise {
public:
  /// `rows` are two or more.
  RowWise(int64_t rows, llvm::function_ref<bool(mlir::Value)> isSplit) : rows(rows), isSplit(isSplit) {}

  bool check(mlir::Operation *op) const;

private:
  bool onlyFirstIsSplit(mlir::Operation *op) const;
  bool checkMatmul(graph::MatmulOp op) const;
  /// Broadcasting must not stretch what is split, nor need a part of the rest.
  bool isAligned(mlir::Operation *op) const;

  int64_t rows;
  llvm::function_ref<bool(mlir::Value)> isSplit;
};

} // namespace hgc

#endif // HGC_LIB_TRANSFORMS_ROWWISE_H
