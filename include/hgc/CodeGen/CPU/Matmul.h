//===- Matmul.h - a matmul op as a batch of plain products ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_CPU_MATMUL_H
#define HGC_CODEGEN_CPU_MATMUL_H

#include "dialects/Graph/GraphOps.h"
#include "hgc/CodeGen/CPU/GemmPlan.h"
#include "hgc/CodeGen/CPU/KernelContext.h"

#include <optional>

namespace hgc::cpu {

/// Extents and strides (in elements) of a matmul. When the right operand is one
/// matrix, the left operand's batch is nothing but more rows (`joinsBatch`).
struct Matmul {
  explicit Matmul(graph::MatmulOp op, bool joinsBatch = true);
  /// A convolution that looks at one pixel at a time is a product over all
  /// pixels; nothing for any other.
  static std::optional<Matmul> fromConv(graph::ConvOp op);
  static std::optional<Matmul> fromConvTranspose(graph::ConvTransposeOp op);
  static std::optional<Matmul> fromConvFilterGrad(graph::ConvFilterGradOp op);

  GemmShape shape;
  /// Result dims the batch index and the row index stand for.
  llvm::SmallVector<int64_t> batchExtents, rowExtents;
  /// Where operands that are parts of larger tensors begin.
  int64_t lhsOffset = 0, rhsOffset = 0;
  /// Steps of the operands along each batch dim; 0 where they broadcast.
  llvm::SmallVector<int64_t> lhsBatchStrides, rhsBatchStrides;
  int64_t lhsRowStride, lhsDepthStride;
  /// Steps of the right operand from column to column (RowMajor, Transposed) and
  /// along the depth.
  int64_t rhsColumnStride, rhsDepthStride;

  /// Elements of a packed panel.
  int64_t panelElements() const;

private:
  Matmul() = default;
  /// Fields that follow from the result's type.
  explicit Matmul(mlir::Operation *root);
};

KernelSchedule scheduleGemm(llvm::StringRef name, const Matmul &problem, const graph::OpCost &cost,
                            const DeviceTable &target);

/// Emits the product of two flat buffers into the kernel's output; `result` is
/// the root's result.
void emitGemm(KernelContext &context, mlir::Value result, Matmul problem, mlir::Value lhs, mlir::Value rhs);

/// The same for plans of dot products.
void emitDotProducts(KernelContext &context, mlir::Value result, const Matmul &problem, const GemmPlan &plan,
                     mlir::Value lhs, mlir::Value rhs);

} // namespace hgc::cpu

#endif // HGC_CODEGEN_CPU_MATMUL_H
