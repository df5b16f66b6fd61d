//===- TileCopier.h - tiles of operands for tensor cores --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_GPU_TILECOPIER_H
#define HGC_CODEGEN_GPU_TILECOPIER_H

#include "hgc/CodeGen/GPU/TileLoader.h"

namespace hgc::gpu {

/// Bytes that copies and ldmatrix work with at a time: a chunk.
inline constexpr int64_t kChunkBytes = 16;

/// How an operand comes into shared memory.
///
/// * `Depth`: chunks along the depth, aligned in memory.
/// * `Rows`: chunks along the rows, aligned in memory; shared memory then holds
///   the tile transposed.
/// * `Blocks`: the same for f32, which ldmatrix does not transpose: squares of
///   chunks are transposed in registers.
/// * `Gather`: chunks along the depth put together from smaller loads.
enum class CopyMode { Depth, Rows, Blocks, Gather };

/// Copies tiles of one operand to shared memory: lines of `lineLength` elements
/// whose chunks are permuted so that neither copies nor ldmatrix meet bank
/// conflicts. Elements of f32 are rounded to tf32 on their way.
class TileCopier {
public:
  /// `sm` is the GPU's compute capability.
  TileCopier(codegen::IndexBuilder &index, const OperandMap &map, const TileShape &shape, mlir::Value buffer,
             int64_t sm);

  bool isTransposed() const { return mode == CopyMode::Rows; }
  /// Whether `copy` can be used: nothing is put together or rounded.
  bool isAsync() const { return !rounds && mode != CopyMode::Gather && sm >= 80; }
  /// Elements of a chunk.
  int64_t chunkElements() const { return chunk; }
  int64_t lineLength() const { return isTransposed() ? shape.rows : shape.depth; }
  int64_t sharedElements() const { return shape.rows * shape.depth; }

  void begin(mlir::Value thread, mlir::Value firstRow, mlir::Value base);
  /// Starts asynchronous copies of the tile at depth `start` to `shared[to...]`.
  llvm::SmallVector<mlir::Value> copy(mlir::Value start, bool mayBeNegative, mlir::Value shared, mlir::Value to);
  /// The same in two halves, through registers.
  llvm::SmallVector<mlir::Value> load(mlir::Value start, bool mayBeNegative);
  void store(mlir::ValueRange chunks, mlir::Value shared, mlir::Value to);

  /// Place in the tile of chunk number `chunk` of line `line`.
  mlir::Value place(mlir::Value line, mlir::Value chunk);

private:
  struct Slot {
    mlir::Value depth;
    /// Where its chunk goes, or those of its square.
    llvm::SmallVector<mlir::Value, 4> places;
    MapPart rowPart;
  };
  CopyMode chooseMode() const;
  /// Rows and depth elements of a slot.
  int64_t slotRows() const { return isTransposed() || mode == CopyMode::Blocks ? chunk : 1; }
  int64_t slotDepth() const { return isTransposed() ? 1 : chunk; }
  /// Row and depth in the tile, counted in slots, of this thread's slot `number`.
  std::pair<mlir::Value, mlir::Value> findSlot(mlir::Value thread, int64_t number);
  mlir::Value gatherChunk(const Slot &slot, mlir::Value start, bool mayBeNegative);
  mlir::Value round(mlir::Value element);
  MapElement elementAt(const Slot &slot, mlir::Value start, int64_t offset, bool mayBeNegative);

  codegen::IndexBuilder &index;
  const OperandMap &map;
  TileShape shape;
  mlir::Value buffer;
  int64_t sm, chunk;
  bool rounds;
  CopyMode mode;
  llvm::SmallVector<Slot> slots;
};

} // namespace hgc::gpu

#endif // HGC_CODEGEN_GPU_TILECOPIER_H
