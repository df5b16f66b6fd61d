//===- IterationSpace.h - loops over the points of a tensor -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel iterates over the dims of one tensor. Adjacent dims that every access
// walks as if they were one are merged, so that most kernels have one or two long
// loops whatever the shape. Units, which threads share, are cut out of the merged
// loops; their size follows from the shape only.
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_CPU_ITERATIONSPACE_H
#define HGC_CODEGEN_CPU_ITERATIONSPACE_H

#include "hgc/CodeGen/CPU/ElementEmitter.h"

namespace hgc::cpu {

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

/// Division of nested loops into units of about the same work.
struct UnitLoops {
  llvm::SmallVector<int64_t> extents;
  /// The loop that is cut into `blocks` ranges of `block` iterations; the last
  /// range takes what remains. Loops outside of it have one iteration a unit.
  size_t split = 0;
  int64_t block = 1, blocks = 1, units = 1;

  /// Divides loops of the given extents (outermost first, at least one), whose
  /// innermost iteration costs as much as `pointCost` elements. A range of the
  /// innermost loop is a multiple of `multiple`, except that the last is longer.
  static UnitLoops plan(llvm::ArrayRef<int64_t> extents, int64_t pointCost, int64_t multiple);

  /// Emits the loops over units [begin, end): `body` gets the indices of all loops
  /// but the innermost, and the range of that one.
  void emit(IndexBuilder &builder, mlir::Value begin, mlir::Value end,
            llvm::function_ref<void(llvm::ArrayRef<mlir::Value>, mlir::Value, mlir::Value)> body) const;
};

/// for (i = lower; i < upper; i += lanes) body(i), where the last iteration is
/// moved back to end at `upper` if `extent` (of the whole loop that the range was
/// cut from) is no multiple of `lanes`. Points may be visited twice.
void emitLaneLoop(IndexBuilder &builder, mlir::Value lower, mlir::Value upper, int64_t extent, int64_t lanes,
                  llvm::function_ref<void(mlir::Value)> body);

/// Lanes of the widest compute type in the kernel that fill `registers` vector
/// registers, at most `extent`.
int64_t chooseLanes(exec::KernelOp kernel, const DeviceTable &target, int64_t extent, int64_t registers);

/// Fewest units worth a thread, by the kernel's cost; all of them when the
/// kernel is too small to be shared.
int64_t chooseGrain(exec::KernelOp kernel, const DeviceTable &target, int64_t units);

} // namespace hgc::cpu

#endif // HGC_CODEGEN_CPU_ITERATIONSPACE_H
