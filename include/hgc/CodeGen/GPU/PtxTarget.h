//===- PtxTarget.h - from LLVM IR to PTX ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_GPU_PTXTARGET_H
#define HGC_CODEGEN_GPU_PTXTARGET_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include <string>

namespace hgc::gpu {

/// A compute capability LLVM knows and the oldest PTX version that knows it.
struct PtxTarget {
  /// 80 means sm_80.
  int64_t sm;
  /// 70 means PTX 7.0.
  int64_t version;

  /// The newest known target whose code runs on `sm`. LLVM aborts the process on
  /// pairs it does not know: never hand it others. `sm` is at least kOldestSm.
  static PtxTarget get(int64_t sm);
};

/// Translates a gpu.module in the NVVM dialect to PTX text. Calls of functions
/// that no one defines are errors.
mlir::FailureOr<std::string> translateToPtx(mlir::gpu::GPUModuleOp module, const PtxTarget &target);

} // namespace hgc::gpu

#endif // HGC_CODEGEN_GPU_PTXTARGET_H
