//===- UnitLoops.h - loops cut into units -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Units, which threads share, are cut out of the merged loops of an iteration
// space; their size follows from the shape only.
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_CPU_UNITLOOPS_H
#define HGC_CODEGEN_CPU_UNITLOOPS_H

#include "hgc/CodeGen/CPU/KernelContext.h"
#include "hgc/CodeGen/Common/IterationSpace.h"

namespace hgc::cpu {

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

/// Tells LLVM to leave the loop that counts with `iteration` as it is: several
/// vectors of work hide the loop, and copies of it only cost space and registers.
void keepRolled(mlir::Value iteration);

/// Lanes of the widest compute type in the kernel that fill `registers` vector
/// registers, at most `extent`.
int64_t chooseLanes(exec::KernelOp kernel, const DeviceTable &target, int64_t extent, int64_t registers);

/// As many lanes, of up to four registers, as keep a last step that overlaps the one
/// before cheap: for loops that wait for the results of earlier steps.
int64_t chooseManyLanes(exec::KernelOp kernel, const DeviceTable &target, int64_t extent);

/// Fewest units worth a thread, by the kernel's cost; all of them when the
/// kernel is too small to be shared.
int64_t chooseGrain(exec::KernelOp kernel, const DeviceTable &target, int64_t units);

} // namespace hgc::cpu

#endif // HGC_CODEGEN_CPU_UNITLOOPS_H
