//===- MemoryTargets.h - entries that a memory limit is about ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_TRANSFORMS_MEMORYTARGETS_H
#define HGC_LIB_TRANSFORMS_MEMORYTARGETS_H

#include "dialects/Graph/GraphOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace hgc {

/// On transfers that hgc-spill made: going there and back is what they are for.
inline constexpr llvm::StringLiteral kSpillAttr = "hgc.spill";

/// Calls `relieve` for every entry and every device of it that `limits` (`gpu=N`)
/// names, and adds the time it returns to the certified cost of the entry's plan.
/// Reports limits that cannot be read.
llvm::LogicalResult
forEachMemoryTarget(mlir::ModuleOp module, llvm::StringRef limits,
                    llvm::function_ref<int64_t(mlir::func::FuncOp, graph::DeviceAttr, int64_t)> relieve);

} // namespace hgc

#endif // HGC_LIB_TRANSFORMS_MEMORYTARGETS_H
