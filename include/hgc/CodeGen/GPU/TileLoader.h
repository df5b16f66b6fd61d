//===- TileLoader.h - blocks of operands on their way to threads -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_GPU_TILELOADER_H
#define HGC_CODEGEN_GPU_TILELOADER_H

#include "hgc/CodeGen/GPU/Contraction.h"

namespace hgc::gpu {

/// What a thread block copies in one step: `rows` rows of an operand times
/// `depth` elements.
struct TileShape {
  int64_t rows, depth;
  /// Rows of the whole operand.
  int64_t rowBound;
  int64_t threads;
  /// Depth elements in one element of shared memory: 4 for bytes, else 1.
  int64_t unit;
};

/// Copies tiles of one operand from global memory into registers and from there
/// into shared memory, which holds them as [depth / unit][row] with `pitch`
/// elements from line to line. Rows past the end repeat the last one: what they
/// contribute to is never stored.
class TileLoader {
public:
  TileLoader(codegen::IndexBuilder &index, const OperandMap &map, const TileShape &shape, mlir::Value buffer,
             mlir::Type stored);

  /// Elements of shared memory from one depth to the next, and in all.
  int64_t pitch() const;
  int64_t sharedElements() const { return shape.depth / shape.unit * pitch(); }

  /// Computes what stays the same over all steps. `base` is added to every
  /// address.
  void begin(mlir::Value thread, mlir::Value firstRow, mlir::Value base);
  /// This thread's part of the tile that starts at depth `start`. With
  /// `mayBeNegative`, elements before depth 0 are zeros.
  llvm::SmallVector<mlir::Value> load(mlir::Value start, bool mayBeNegative);
  /// Puts what `load` gave into shared memory from `to` on.
  void store(mlir::ValueRange values, mlir::Value shared, mlir::Value to);

private:
  struct Slot {
    /// Row in the tile, depth in the tile (elements).
    mlir::Value row, depth;
    MapPart rowPart;
  };
  /// Depth elements and rows of one slot.
  int64_t slotDepth() const { return alongDepth ? std::max(width, shape.unit) : shape.unit; }
  int64_t slotRows() const { return alongDepth ? 1 : width; }
  mlir::Value loadAt(const MapPart &row, mlir::Value start, mlir::Value inTile, bool mayBeNegative, int64_t lanes);
  mlir::Value loadBytes(const Slot &slot, mlir::Value start, bool mayBeNegative);

  codegen::IndexBuilder &index;
  const OperandMap &map;
  TileShape shape;
  mlir::Value buffer;
  mlir::Type stored;
  /// Whether a slot's elements follow the depth, and how many one access moves.
  bool alongDepth;
  int64_t width;
  llvm::SmallVector<Slot> slots;
};

/// `lanes` elements of a flat buffer; zeros where `exists` (if set) is false. The
/// address is always one of the buffer.
mlir::Value emitGuardedLoad(codegen::IndexBuilder &index, mlir::Value buffer, MapElement element, int64_t lanes);

/// Vector access with its alignment; a scalar for one lane.
mlir::Value emitVectorLoad(codegen::IndexBuilder &index, mlir::Value buffer, mlir::Value offset, int64_t lanes);
void emitVectorStore(codegen::IndexBuilder &index, mlir::Value value, mlir::Value buffer, mlir::Value offset);

/// The scalar in lane `lane` of a vector or scalar, and the other way round.
mlir::Value emitLane(codegen::IndexBuilder &index, mlir::Value value, int64_t lane);
mlir::Value emitLanes(codegen::IndexBuilder &index, llvm::ArrayRef<mlir::Value> scalars);

} // namespace hgc::gpu

#endif // HGC_CODEGEN_GPU_TILELOADER_H
