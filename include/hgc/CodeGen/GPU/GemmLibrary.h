//===- GemmLibrary.h - products a library may compute -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_GPU_GEMMLIBRARY_H
#define HGC_CODEGEN_GPU_GEMMLIBRARY_H

#include "dialects/Exec/ExecOps.h"
#include "hgc/Target/GpuTable.h"

namespace hgc::gpu {

/// The kernel as hgc_rt_gpu_gemm_desc (keys are its fields, types still MLIR's)
/// when it is a plain product that is worth handing to cuBLAS; null otherwise.
mlir::DictionaryAttr describeLibraryGemm(exec::KernelOp kernel, const GpuTable &gpu);

} // namespace hgc::gpu

#endif // HGC_CODEGEN_GPU_GEMMLIBRARY_H
