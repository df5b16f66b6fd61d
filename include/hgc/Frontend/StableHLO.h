//===- StableHLO.h - models as JAX writes them ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_FRONTEND_STABLEHLO_H
#define HGC_FRONTEND_STABLEHLO_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <string>
#include <vector>

namespace llvm {
class SourceMgr;
}

namespace hgc {

/// What a program's text does not say.
struct StableHloOptions {
  /// Name of the module.
  std::string name = "model";
  /// The function `main` becomes the entry `predict`, and constants of floats parameters: they are to be trained.
  bool trains = false;
};

/// Whether `bytes` are to be read as a StableHLO program: text with ops of `stablehlo` or `chlo`, or marks of JAX, and
/// no op of hgc; or bytecode of such a program.
bool isStableHloModel(llvm::StringRef bytes);

/// Imports the main buffer of `sources`: the function `main` as the entry `run`, other public functions as entries of
/// their names. Problems are diagnostics; the module is null then.
mlir::OwningOpRef<mlir::ModuleOp> importStableHlo(llvm::SourceMgr &sources, const StableHloOptions &options,
                                                  mlir::MLIRContext &context);

/// One row of the table of StableHLO ops.
struct StableHloOpInfo {
  std::string name;
  bool isImported;
  /// What is not imported, or why nothing is.
  std::string note;
};

/// All ops hgc knows, by name.
std::vector<StableHloOpInfo> listStableHloOps();

} // namespace hgc

#endif // HGC_FRONTEND_STABLEHLO_H
