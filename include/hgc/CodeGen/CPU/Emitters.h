//===- Emitters.h - one factory per kind of kernel --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_CPU_EMITTERS_H
#define HGC_CODEGEN_CPU_EMITTERS_H

#include "hgc/CodeGen/CPU/KernelContext.h"

namespace hgc::cpu {

#define HGC_KERNEL(NAME, OP) std::unique_ptr<KernelEmitter> create##NAME##Emitter();
#include "hgc/CodeGen/Common/Kernels.def"
std::unique_ptr<KernelEmitter> createStagedConvEmitter();
std::unique_ptr<KernelEmitter> createPooledConvEmitter();
std::unique_ptr<KernelEmitter> createAttentionEmitter();
/// Of kernels without a root.
std::unique_ptr<KernelEmitter> createPointwiseEmitter();

} // namespace hgc::cpu

#endif // HGC_CODEGEN_CPU_EMITTERS_H
