//===- TransposeTile.h - pointwise kernels that read across -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where an input is contiguous along another axis than the result, a block loads
// a square tile of it along the input's axis and reads it from shared memory
// along the result's. Rows of the tile are one element longer than the tile, so
// that its columns lie in different banks.
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_GPU_TRANSPOSETILE_H
#define HGC_CODEGEN_GPU_TRANSPOSETILE_H

#include "hgc/CodeGen/GPU/PointSpace.h"

namespace hgc::gpu {

/// Tiles over the last axis of a space and the one along which some inputs are
/// contiguous.
class TransposeTile {
public:
  /// Null when no input is read across, or too little to fill tiles.
  static std::optional<TransposeTile> create(exec::KernelOp kernel, const PointSpace &space);

  Launch getLaunch() const;
  void emit(KernelContext &context) const;
  /// Inputs that go through shared memory.
  size_t inputs() const { return loads.size(); }

private:
  struct Input {
    exec::LoadOp load;
    /// From the result's index to the input's.
    mlir::AffineMap map;
  };
  using Body = llvm::function_ref<void(llvm::ArrayRef<LaneIndex>, mlir::Value)>;

  /// Calls `body` for the thread's points, with neighbouring threads along the
  /// last axis (or along the other), and their places in the tile.
  void forEach(KernelContext &context, bool isAlongLast, Body body) const;

  size_t rank = 0;
  llvm::SmallVector<Axis> axes;
  /// Position in `axes` of the inputs' contiguous axis.
  size_t across = 0;
  llvm::SmallVector<Input> loads;
};

} // namespace hgc::gpu

#endif // HGC_CODEGEN_GPU_TRANSPOSETILE_H
