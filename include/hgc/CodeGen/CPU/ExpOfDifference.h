//===- ExpOfDifference.h - the exponentials of a softmax --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_CPU_EXPOFDIFFERENCE_H
#define HGC_CODEGEN_CPU_EXPOFDIFFERENCE_H

#include "hgc/CodeGen/CPU/KernelContext.h"

namespace hgc::cpu {

/// codegen::createExpOfDifference with what the target has for it: exp(x) of a scalar or vector
/// of numbers that are at most 0, or exp(factor x) of f32.
mlir::Value emitExpOfDifference(KernelContext &context, mlir::Value x, double factor = 1);

} // namespace hgc::cpu

#endif // HGC_CODEGEN_CPU_EXPOFDIFFERENCE_H
