//===- Matmul.h - a matmul op as a batch of plain products ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_CPU_MATMUL_H
#define HGC_CODEGEN_CPU_MATMUL_H

#include "dialects/Graph/GraphOps.h"
#include "hgc/CodeGen/CPU/GemmPlan.h"

namespace hgc::cpu {

/// Extents and strides (in elements) of a matmul. When the right operand is one
/// matrix, the left operand's batch is nothing but more rows.
struct Matmul {
  explicit Matmul(graph::MatmulOp op);

  GemmShape shape;
  /// Result dims the batch index and the row index stand for.
  llvm::SmallVector<int64_t> batchExtents, rowExtents;
  /// Steps of the operands along each batch dim; 0 where they broadcast.
  llvm::SmallVector<int64_t> lhsBatchStrides, rhsBatchStrides;
  int64_t lhsRowStride, lhsDepthStride;
  /// Steps of the right operand from column to column (RowMajor, Transposed) and
  /// along the depth.
  int64_t rhsColumnStride, rhsDepthStride;
};

} // namespace hgc::cpu

#endif // HGC_CODEGEN_CPU_MATMUL_H
