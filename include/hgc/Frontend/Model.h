//===- Model.h - reading model graphs ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_FRONTEND_MODEL_H
#define HGC_FRONTEND_MODEL_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace llvm {
class SourceMgr;
}

namespace hgc {

/// Dialects a model or an intermediate stage may contain.
void registerModelDialects(mlir::DialectRegistry &registry);

/// Parses the main buffer of `sources` (hgc text or MLIR bytecode). Problems are
/// diagnostics. The module is named after `fallbackName` when it has no name.
mlir::OwningOpRef<mlir::ModuleOp> parseHgcText(llvm::SourceMgr &sources, llvm::StringRef fallbackName,
                                               mlir::MLIRContext &context);

/// `name` as a C identifier: other characters become underscores.
std::string toIdentifier(llvm::StringRef name);

} // namespace hgc

#endif // HGC_FRONTEND_MODEL_H
