//===- GemmDots.h - steps that take several of the depth --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// x86 multiplies groups of neighbouring integers of two vectors and adds each group's
// products to a lane of i32: four of i8 (VNNI), or two of i16. All of it is exact.
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_CODEGEN_CPU_GEMMDOTS_H
#define HGC_LIB_CODEGEN_CPU_GEMMDOTS_H

#include "hgc/CodeGen/CPU/GemmTile.h"

namespace hgc::cpu {

/// A group of each of `lanes` columns.
mlir::Value emitDotColumn(IndexBuilder &index, const GemmTile &tile, mlir::Value offset, int64_t lanes);

/// The first `count` elements of a group of a row as one i32, zeros behind them.
mlir::Value emitDotRow(IndexBuilder &index, const GemmTile &tile, mlir::Value offset, int64_t count);

/// `sum` plus the products of a row's group with that of each column.
mlir::Value emitDot(IndexBuilder &index, const GemmTile &tile, mlir::Value row, mlir::Value column, mlir::Value sum);

/// Type of data that is copied before tiles read it.
mlir::Type getStagedType(mlir::Type accumulator, int64_t interleave);

} // namespace hgc::cpu

#endif // HGC_LIB_CODEGEN_CPU_GEMMDOTS_H
