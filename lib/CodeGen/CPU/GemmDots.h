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

/// `sum` plus the products of a row's group of `interleave` elements, or a vector of such groups, with that of each
/// column. Groups of four are taken 128 too large.
mlir::Value emitDot(IndexBuilder &index, int64_t interleave, mlir::Value row, mlir::Value column, mlir::Value sum);

/// Groups of 1 to `interleave` elements of i8, one from each of `parts` in every lane, as a vector of i32. What is
/// missing is arbitrary.
mlir::Value emitGroups(IndexBuilder &index, int64_t interleave, llvm::ArrayRef<mlir::Value> parts);

/// `vector` as one of `lanes` elements of another type.
mlir::Value reinterpret(IndexBuilder &index, mlir::Value vector, mlir::Type element, int64_t lanes);

/// Type of data that is copied before tiles read it.
mlir::Type getStagedType(mlir::Type accumulator, int64_t interleave);

} // namespace hgc::cpu

#endif // HGC_LIB_CODEGEN_CPU_GEMMDOTS_H
