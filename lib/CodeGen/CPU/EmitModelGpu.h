//===- EmitModelGpu.h - the GPU plan's descriptor ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_CODEGEN_CPU_EMITMODELGPU_H
#define HGC_LIB_CODEGEN_CPU_EMITMODELGPU_H

#include "EmitModelConstants.h"

#include "hgc/CodeGen/CPU/ModelInfo.h"

namespace hgc::cpu {

/// The constant hgc_rt_gpu_plan; a null pointer when there is no GPU plan.
Field emitGpuPlan(mlir::ModuleOp module, const ModelInfo &info, ConstantBuilder &constants);

/// A JSON object that lists the GPU kernels, for the library's description of
/// itself; a null pointer when there is no GPU plan.
Field emitGpuKernelList(mlir::ModuleOp module, ConstantBuilder &constants);

} // namespace hgc::cpu

#endif // HGC_LIB_CODEGEN_CPU_EMITMODELGPU_H
