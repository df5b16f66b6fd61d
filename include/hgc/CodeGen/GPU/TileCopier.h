//===- TileCopier.h - tiles of half precision for tensor cores --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_GPU_TILECOPIER_H
#define HGC_CODEGEN_GPU_TILECOPIER_H

#include "hgc/CodeGen/GPU/TileLoader.h"

namespace hgc::gpu {

/// Elements of the 16 bytes that copies and ldmatrix work with.
inline constexpr int64_t kChunk = 8;

/// How an operand comes into shared memory.
///
/// * `Depth`: chunks along the depth, aligned in memory.
/// * `Rows`: chunks along the rows, aligned in memory; shared memory then holds
///   the tile transposed.
/// * `Gather`: chunks along the depth put together from smaller loads.
enum class CopyMode { Depth, Rows, Gather };

CopyMode chooseCopyMode(const OperandMap &map);

/// Copies tiles of one operand to shared memory: lines of `lineLength` elements
/// whose chunks are permuted so that neither copies nor ldmatrix meet bank
/// conflicts.
class TileCopier {
public:
  TileCopier(codegen::IndexBuilder &index, const OperandMap &map, const TileShape &shape, mlir::Value buffer);

  bool isTransposed() const { return mode == CopyMode::Rows; }
  int64_t lineLength() const { return isTransposed() ? shape.rows : shape.depth; }
  int64_t sharedElements() const { return shape.rows * shape.depth; }

  void begin(mlir::Value thread, mlir::Value firstRow, mlir::Value base);
  /// Starts asynchronous copies of the tile at depth `start` to `shared[to...]`;
  /// not for `Gather`.
  llvm::SmallVector<mlir::Value> copy(mlir::Value start, bool mayBeNegative, mlir::Value shared, mlir::Value to);
  /// The same in two halves, through registers.
  llvm::SmallVector<mlir::Value> load(mlir::Value start, bool mayBeNegative);
  void store(mlir::ValueRange chunks, mlir::Value shared, mlir::Value to);

  /// Place in the tile of chunk number `chunk` of line `line`.
  mlir::Value place(mlir::Value line, mlir::Value chunk);

private:
  struct Slot {
    mlir::Value depth, place;
    MapPart rowPart;
  };
  MapElement elementAt(const Slot &slot, mlir::Value start, int64_t offset, bool mayBeNegative);

  codegen::IndexBuilder &index;
  const OperandMap &map;
  TileShape shape;
  mlir::Value buffer;
  CopyMode mode;
  llvm::SmallVector<Slot> slots;
};

} // namespace hgc::gpu

#endif // HGC_CODEGEN_GPU_TILECOPIER_H
