//===- ScatterShape.h - where the updates of a scatter are ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_COMMON_SCATTERSHAPE_H
#define HGC_CODEGEN_COMMON_SCATTERSHAPE_H

#include "hgc/CodeGen/Common/IterationSpace.h"

namespace hgc::codegen {

/// Extents of one `hgc.scatter`, and its operands at the points of a line along
/// the axis. Updates of a line are counted by their picks.
struct ScatterShape {
  explicit ScatterShape(graph::ScatterOp op);

  /// Index of an update from one of the input: `along` (one entry per dim that
  /// stands for the axis in the updates) replaces the entry of the axis.
  template <typename T> llvm::SmallVector<T> toUpdate(llvm::ArrayRef<T> at, llvm::ArrayRef<T> along) const {
    llvm::SmallVector<T> result(at.take_front(axis));
    result.append(along.begin(), along.end());
    result.append(at.begin() + axis + 1, at.end());
    return result;
  }

  /// Accesses of indices and updates as functions of the input's dims.
  void collectUpdateAccesses(llvm::SmallVectorImpl<Access> &accesses) const;

  /// Position along the axis that update `pick` of the line at `at` goes to; all
  /// lanes of `at` must have the same one.
  mlir::Value getTarget(EmitContext &context, llvm::ArrayRef<LaneIndex> at, mlir::Value pick) const;
  /// Update `pick` of the lines at `at`.
  mlir::Value getUpdate(EmitContext &context, llvm::ArrayRef<LaneIndex> at, mlir::Value pick, int64_t lanes) const;

  mutable graph::ScatterOp op;
  mlir::RankedTensorType input, indices;
  /// Lines along the axis, elements of one, and its updates.
  int64_t axis, lines = 1, extent, picks;
  bool slices;

private:
  /// The dims of the updates that stand for the axis.
  llvm::SmallVector<LaneIndex> getAlong(EmitContext &context, mlir::Value pick) const;
};

} // namespace hgc::codegen

#endif // HGC_CODEGEN_COMMON_SCATTERSHAPE_H
