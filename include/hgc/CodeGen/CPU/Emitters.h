//===- Emitters.h - one factory per kind of kernel --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_CPU_EMITTERS_H
#define HGC_CODEGEN_CPU_EMITTERS_H

#include "hgc/CodeGen/CPU/KernelContext.h"

namespace hgc::cpu {

std::unique_ptr<KernelEmitter> createArgReduceEmitter();
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
std::unique_ptr<KernelEmitter> createStagedConvEmitter();

} // namespace hgc::cpu

#endif // HGC_CODEGEN_CPU_EMITTERS_H
