//===- MatrixProducts.h - contractions by the matrix unit -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_CPU_MATRIXPRODUCTS_H
#define HGC_CODEGEN_CPU_MATRIXPRODUCTS_H

#include "hgc/CodeGen/CPU/Matmul.h"
#include "hgc/CodeGen/Common/IndexBuilder.h"

namespace hgc::cpu {

/// Schedules and emits a product whose right operand is packed in tiles. Schedules leave the grain to the caller.
KernelSchedule scheduleMatrixMatmul(const Matmul &problem, const DeviceTable &target);
void emitMatrixMatmul(KernelContext &context, mlir::Value result, const Matmul &problem, mlir::Value lhs,
                      mlir::Value rhs);

/// The same for a convolution that is not such a product.
KernelSchedule scheduleMatrixConv(graph::ConvOp op, const DeviceTable &target);
void emitMatrixConv(KernelContext &context, graph::ConvOp op);

/// A panel of tiles to be made from `columns` columns of a row-major matrix of f32 that begins at `from` of `source`.
struct TilePanel {
  mlir::Value source, from;
  int64_t rowStride, depth, columns;
  mlir::Value target, to;
  int64_t width;
};
void emitTilePanel(IndexBuilder &index, const TilePanel &panel);

/// Time of a contraction on a matrix unit, for the grain.
int64_t estimateMatrixPs(const graph::OpCost &cost, const DeviceTable &target);

/// Reports a contraction for a matrix unit that the target does not have.
mlir::LogicalResult verifyMatrixUnit(mlir::Operation *root, const DeviceTable &target);

} // namespace hgc::cpu

#endif // HGC_CODEGEN_CPU_MATRIXPRODUCTS_H
