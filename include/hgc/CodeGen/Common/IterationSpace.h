//===- IterationSpace.h - loops over the points of a tensor -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel iterates over the dims of one tensor. Adjacent dims that every access
// walks as if they were one are merged, so that most kernels have one or two long
// loops whatever the shape.
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_COMMON_ITERATIONSPACE_H
#define HGC_CODEGEN_COMMON_ITERATIONSPACE_H

#include "hgc/CodeGen/Common/ElementEmitter.h"

namespace hgc::codegen {

/// How far an access moves per step of each dim of the iteration space.
using Access = llvm::SmallVector<int64_t>;

/// An index as a linear function of the iteration space's dims; what does not
/// depend on them linearly (a gathered index) counts as not depending.
using LinearForm = llvm::SmallVector<int64_t>;

/// The forms of an index that equals the point of an iteration space.
llvm::SmallVector<LinearForm> identityForms(size_t rank);

/// Adds the accesses that evaluating `tensor` at `index` makes. Values in `stop`
/// are taken as given.
void collectAccesses(mlir::Value tensor, llvm::ArrayRef<LinearForm> index, llvm::ArrayRef<mlir::Value> stop,
                     llvm::SmallVectorImpl<Access> &accesses);

/// Row-major access to a tensor of shape `shape` at `index`.
Access getRowMajorAccess(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<LinearForm> index);

/// Steps along the result's batch dims of an operand with batch extents
/// `extents` (aligned at the end) and matrices of `size` elements.
Access getBatchStrides(llvm::ArrayRef<int64_t> extents, size_t rank, int64_t size);

/// One loop: dims that ended up in it are counted by `dim` alone, which then runs
/// to the product of their extents while the others stay 0.
struct Axis {
  /// Dim of the iteration space that carries the index; -1 for none (rank 0).
  int dim = -1;
  int64_t extent = 1;
  /// Dims of different kinds (reduced or not) are never merged.
  unsigned kind = 0;
};

/// Loops over dims of the given extents, outermost first; at least one.
llvm::SmallVector<Axis> mergeDims(llvm::ArrayRef<int64_t> extents, llvm::ArrayRef<unsigned> kinds,
                                  llvm::ArrayRef<Access> accesses);

/// Index of a space of `rank` dims: zero except on the given axes.
llvm::SmallVector<LaneIndex> makeIndex(IndexBuilder &builder, size_t rank, llvm::ArrayRef<Axis> axes,
                                       llvm::ArrayRef<LaneIndex> positions);

/// Whether `tensor` only says where others are read: most often that is the same
/// for all lanes.
bool isIndexOnly(mlir::Value tensor);

/// Bytes of the widest compute type among the values of the kernel; those that
/// only say where others are read do not count.
int64_t getWidestComputeBytes(exec::KernelOp kernel);

} // namespace hgc::codegen

#endif // HGC_CODEGEN_COMMON_ITERATIONSPACE_H
