//===- Lanes.h - elements in memory and in registers ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emitters work on scalars (one lane) or one-dimensional vectors. These helpers
// hide the difference, and that between storage and compute types.
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_COMMON_LANES_H
#define HGC_CODEGEN_COMMON_LANES_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"

namespace hgc::codegen {

/// `element` itself for one lane, else a vector of it.
mlir::Type getLaneType(mlir::Type element, int64_t lanes);

/// Lanes of a scalar or vector value.
int64_t getLanes(mlir::Value value);

/// A scalar in each of `lanes` lanes; a value that has them already stays.
mlir::Value spread(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, int64_t lanes);

/// The attribute's number in each lane of `type` (a scalar or vector type).
mlir::Value createConstant(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type, double value);

/// Value of compute type from one of storage type, for graph element `element`.
mlir::Value toCompute(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value stored, mlir::Type element);

/// Value of storage type from one of compute type; rounds half precision.
mlir::Value toStorage(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, mlir::Type element);

/// A compute value with the precision of `element`: what a store and a load
/// would give.
mlir::Value roundTo(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, mlir::Type element);

/// Lanes [begin, begin + count) of a vector; a scalar when count is 1.
mlir::Value slice(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value vector, int64_t begin, int64_t count);

/// One vector of the lanes of `parts`, which are vectors of one type.
mlir::Value joinLanes(mlir::OpBuilder &builder, mlir::Location loc, llvm::ArrayRef<mlir::Value> parts);

/// bf16 values, scalar or vector, as integers and back; others stay. The backend
/// rounds bf16 scalars through f32 with a library call when it moves them about.
mlir::Value hideBF16(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value);
mlir::Value showBF16(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, mlir::Type storage);

/// As many lanes of `vectors`, which are of one type, as each of them has: pick p is
/// lane p % lanes of vector p / lanes.
mlir::Value pickLanes(mlir::OpBuilder &builder, mlir::Location loc, llvm::ArrayRef<mlir::Value> vectors,
                      llvm::ArrayRef<int64_t> picks);

/// Vectors with the first lane of each of `streams`, then the second of each, and so
/// on; as many as there are streams.
llvm::SmallVector<mlir::Value> interleaveLanes(mlir::OpBuilder &builder, mlir::Location loc,
                                               llvm::ArrayRef<mlir::Value> streams);

/// Largest power of two that is at most `extent` and at most `limit`; 1 for an
/// extent of 0.
int64_t fitLanes(int64_t extent, int64_t limit);

} // namespace hgc::codegen

#endif // HGC_CODEGEN_COMMON_LANES_H
