//===- Emitters.h - one factory per kind of GPU kernel ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_GPU_EMITTERS_H
#define HGC_CODEGEN_GPU_EMITTERS_H

#include "hgc/CodeGen/GPU/KernelContext.h"

namespace hgc::gpu {

#define HGC_KERNEL(NAME, OP) std::unique_ptr<KernelEmitter> create##NAME##Emitter();
#include "hgc/CodeGen/Common/Kernels.def"
std::unique_ptr<KernelEmitter> createAttentionEmitter();
/// Of kernels without a root.
std::unique_ptr<KernelEmitter> createPointwiseEmitter();

} // namespace hgc::gpu

#endif // HGC_CODEGEN_GPU_EMITTERS_H
