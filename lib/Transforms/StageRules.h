//===- StageRules.h - rules several stage verifiers share -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_TRANSFORMS_STAGERULES_H
#define HGC_LIB_TRANSFORMS_STAGERULES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace hgc {

/// There is an entry; every function is one, and names its variant.
llvm::LogicalResult checkEntries(mlir::ModuleOp module);

/// Only graph ops and returns, all shapes static.
llvm::LogicalResult checkOps(mlir::func::FuncOp entry);

/// One assignment per parameter and entry.
llvm::LogicalResult checkAssigns(mlir::func::FuncOp entry);

/// Every operand is on the device its reader expects.
llvm::LogicalResult checkOperandDevices(mlir::func::FuncOp entry);

/// Emits an error at `op` with a note `hint: <hint>`.
llvm::LogicalResult failWithHint(mlir::Operation *op, const llvm::Twine &message, const llvm::Twine &hint);

} // namespace hgc

#endif // HGC_LIB_TRANSFORMS_STAGERULES_H
