//===- KernelBodies.h - kernels made of other kernels -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_CONVERSION_KERNELBODIES_H
#define HGC_LIB_CONVERSION_KERNELBODIES_H

#include "dialects/Exec/ExecOps.h"

#include "mlir/IR/BuiltinOps.h"

namespace hgc {

/// The root op of a kernel, or null.
mlir::Operation *findRoot(exec::KernelOp kernel);

/// Whether the CPU's code for this kernel computes every element of the result
/// exactly once, so that it may have several outputs and update them in place.
bool mayUpdateInPlace(exec::KernelOp kernel);

/// Whether two operands of launches are the same buffer under the same type.
bool areSameOperand(mlir::Value a, mlir::Value b);

/// Removes kernels that no program launches.
void eraseUnusedKernels(mlir::ModuleOp module);

} // namespace hgc

#endif // HGC_LIB_CONVERSION_KERNELBODIES_H
