//===- Entries.h - what entries of imported models have in common ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_FRONTEND_COMMON_ENTRIES_H
#define HGC_FRONTEND_COMMON_ENTRIES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

namespace hgc::frontend {

/// Names of the entry: `<model>_run` in C, `<model>_predict` beside those that train.
constexpr llvm::StringLiteral kEntryName = "run", kTrainedEntryName = "predict";
/// Weights larger than this are parameters.
constexpr int64_t kMaxConstantBytes = 1024;

/// Erases ops and parameters that no result needs: they are not part of the library.
void dropUnused(mlir::ModuleOp module, mlir::SymbolTable &symbols);

} // namespace hgc::frontend

#endif // HGC_FRONTEND_COMMON_ENTRIES_H
