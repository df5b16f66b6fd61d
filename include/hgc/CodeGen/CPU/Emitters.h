//===- Emitters.h - one factory per kind of kernel --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_CPU_EMITTERS_H
#define HGC_CODEGEN_CPU_EMITTERS_H

#include "hgc/CodeGen/CPU/KernelContext.h"

namespace hgc::cpu {

/// The one root op of a kernel; null when all ops are pointwise or index maps.
mlir::Operation *getRoot(exec::KernelOp kernel);

std::unique_ptr<KernelEmitter> createConvEmitter();
std::unique_ptr<KernelEmitter> createMatmulEmitter();
std::unique_ptr<KernelEmitter> createPackEmitter();

} // namespace hgc::cpu

#endif // HGC_CODEGEN_CPU_EMITTERS_H
