//===- Passes.h - passes of GPU code generation -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_GPU_PASSES_H
#define HGC_CODEGEN_GPU_PASSES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/Pass.h"

namespace hgc {

#define GEN_PASS_DECL
#include "hgc/CodeGen/GPU/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "hgc/CodeGen/GPU/Passes.h.inc"

namespace gpu {

/// Name of the module that holds all GPU functions.
inline constexpr llvm::StringLiteral kGpuModuleName = "hgc_gpu";
/// Module attribute with the finished code: an array of {kind, sm, data}.
inline constexpr llvm::StringLiteral kGpuImagesAttr = "exec.gpu_images";
/// Attributes of an exec.kernel on a GPU.
inline constexpr llvm::StringLiteral kLaunchesAttr = "launches";
inline constexpr llvm::StringLiteral kGemmAttr = "gemm";
/// Of a module: products stay with kernels of hgc, cuBLAS needs no memory.
inline constexpr llvm::StringLiteral kOwnKernelsAttr = "hgc.own_kernels";

/// From the bodies of GPU functions (inside a gpu.module) to the NVVM dialect.
void buildLowerToNVVMPipeline(mlir::OpPassManager &pm);

} // namespace gpu
} // namespace hgc

#endif // HGC_CODEGEN_GPU_PASSES_H
