//===- Passes.h - passes of CPU code generation -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_CPU_PASSES_H
#define HGC_CODEGEN_CPU_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace hgc {

#define GEN_PASS_DECL
#include "hgc/CodeGen/CPU/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "hgc/CodeGen/CPU/Passes.h.inc"

/// From the loops of kernels to the LLVM dialect; `exec` ops are left alone.
void buildLowerToLLVMPipeline(mlir::OpPassManager &pm);

} // namespace hgc

#endif // HGC_CODEGEN_CPU_PASSES_H
