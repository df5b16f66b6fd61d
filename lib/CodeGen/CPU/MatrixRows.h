//===- MatrixRows.h - elements in three parts -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_CODEGEN_CPU_MATRIXROWS_H
#define HGC_LIB_CODEGEN_CPU_MATRIXROWS_H

#include "hgc/CodeGen/CPU/GemmTile.h"

#include <array>

namespace hgc::cpu {

/// 16 elements of f32 as sums of three whose lower halves are zero.
struct ThreeParts {
  ThreeParts(IndexBuilder &index, mlir::Value vector);
  std::array<mlir::Value, 3> all() const { return {high, middle, low}; }

  mlir::Value high, middle, low;
};

/// Writes the parts of two vectors, neighbours along the depth of 16 columns, as rows of tiles `part` elements apart.
void emitPairs(IndexBuilder &index, mlir::Value first, mlir::Value second, mlir::Value target, mlir::Value at,
               int64_t part);

/// 16 elements of f32 as i32, and the same number in 16 of i32.
mlir::Value toBits(IndexBuilder &index, mlir::Value vector);
mlir::Value constantBits(IndexBuilder &index, uint32_t number);

} // namespace hgc::cpu

#endif // HGC_LIB_CODEGEN_CPU_MATRIXROWS_H
