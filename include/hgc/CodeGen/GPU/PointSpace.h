//===- PointSpace.h - one thread for some points of a tensor ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_GPU_POINTSPACE_H
#define HGC_CODEGEN_GPU_POINTSPACE_H

#include "hgc/CodeGen/Common/IterationSpace.h"
#include "hgc/CodeGen/GPU/KernelContext.h"

namespace hgc::gpu {

/// Threads over the points of a tensor, `lanes` neighbours each. Points that do
/// not fill the lanes of one thread get a thread each.
struct PointSpace {
  /// Over the points of `tensor`, whose elements are made by evaluating it; values
  /// in `stop` are taken as given. `unit` divides the lanes: the longest run of
  /// points that need the same code. Further accesses may be given.
  PointSpace(exec::KernelOp kernel, const GpuTable &target, mlir::Value tensor, llvm::ArrayRef<mlir::Value> stop = {},
             llvm::ArrayRef<Access> more = {}, int64_t unit = 0);

  size_t rank;
  llvm::SmallVector<Axis> axes;
  int64_t lanes = 1;
  /// Threads with all lanes, and those with one.
  int64_t groups = 0, singles = 0;

  Launch getLaunch() const;
  /// Calls `body` with the index of the thread's points and their number.
  void emit(KernelContext &context, llvm::function_ref<void(llvm::ArrayRef<LaneIndex>, int64_t)> body) const;
};

/// Bytes of the widest element type that a kernel has in memory; indices do not
/// count.
int64_t getWidestStorageBytes(exec::KernelOp kernel);

} // namespace hgc::gpu

#endif // HGC_CODEGEN_GPU_POINTSPACE_H
