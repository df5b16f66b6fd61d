//===- Emitters.h - one factory per kind of GPU kernel ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_GPU_EMITTERS_H
#define HGC_CODEGEN_GPU_EMITTERS_H

#include "hgc/CodeGen/GPU/KernelContext.h"

namespace hgc::gpu {

std::unique_ptr<KernelEmitter> createArgReduceEmitter();
std::unique_ptr<KernelEmitter> createAttentionEmitter();
std::unique_ptr<KernelEmitter> createConcatEmitter();
std::unique_ptr<KernelEmitter> createConvEmitter();
std::unique_ptr<KernelEmitter> createConvFilterGradEmitter();
std::unique_ptr<KernelEmitter> createConvTransposeEmitter();
std::unique_ptr<KernelEmitter> createLayerNormEmitter();
std::unique_ptr<KernelEmitter> createMatmulEmitter();
std::unique_ptr<KernelEmitter> createPackEmitter();
std::unique_ptr<KernelEmitter> createPadEmitter();
std::unique_ptr<KernelEmitter> createPointwiseEmitter();
std::unique_ptr<KernelEmitter> createPoolEmitter();
std::unique_ptr<KernelEmitter> createReduceEmitter();
std::unique_ptr<KernelEmitter> createScatterEmitter();
std::unique_ptr<KernelEmitter> createSoftmaxEmitter();
std::unique_ptr<KernelEmitter> createSortEmitter();

} // namespace hgc::gpu

#endif // HGC_CODEGEN_GPU_EMITTERS_H
