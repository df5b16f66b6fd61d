//===- MatrixTile.h - instructions of the matrix unit -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_CODEGEN_CPU_MATRIXTILE_H
#define HGC_LIB_CODEGEN_CPU_MATRIXTILE_H

#include "hgc/CodeGen/CPU/MatrixPlan.h"
#include "hgc/CodeGen/Common/IndexBuilder.h"

#include <functional>

namespace hgc::cpu {

using namespace codegen;

/// Which tiles multiply, and where the operands are: addresses of their first bytes, as indices.
struct MatrixTile {
  /// One or two tiles of rows, and how far their rows and parts are apart.
  llvm::SmallVector<mlir::Value, 2> lhs;
  int64_t lhsRow = 64, lhsPart = 0;
  /// Bytes from a tile of rows to that of a step of the depth.
  std::function<mlir::Value(mlir::Value step)> locateStep;
  /// Steps of the depth [begin, end).
  mlir::Value begin, end;
  /// Where sums lie that are added to; null for none.
  mlir::Value start;
  /// One or two tiles of columns.
  mlir::Value rhs;
  int64_t columnTiles = 2;
  /// Elements are i8, not bf16.
  bool isByte = false;
  /// Writes what else is done in a step, the `i`-th of `count` parts of it: vectors work while tiles are multiplied.
  std::function<void(mlir::Value step, int64_t i, int64_t count)> workBeside = [](mlir::Value, int64_t, int64_t) {};
};

/// An address as a pointer.
mlir::Value toPointer(IndexBuilder &index, mlir::Value address);

/// Address of an element of a flat buffer.
mlir::Value emitAddress(IndexBuilder &index, mlir::Value buffer, mlir::Value offset);

/// Gives the calling thread its tiles, 16 rows of 64 bytes each; `buffer` is 64 bytes of working memory. Release them
/// in the end: a thread without tiles is cheaper to switch to.
void emitConfigure(IndexBuilder &index, mlir::Value buffer);
void emitRelease(IndexBuilder &index);

/// Multiplies over the steps and stores the sums, rows `4 * width` bytes apart, from address `sums` on.
void emitMatrixTile(IndexBuilder &index, const MatrixPlan &plan, const MatrixTile &tile, mlir::Value sums);

} // namespace hgc::cpu

#endif // HGC_LIB_CODEGEN_CPU_MATRIXTILE_H
