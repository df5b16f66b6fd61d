//===- LoadTimeValues.h - values computed while compiling -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_TRANSFORMS_LOADTIMEVALUES_H
#define HGC_LIB_TRANSFORMS_LOADTIMEVALUES_H

#include "dialects/Graph/Eval/HostTensor.h"
#include "hgc/Support/Parameters.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"
#include <string>

namespace hgc {

/// Evaluates values that depend on constants and parameters' initial values
/// only. Keeps intermediate results until `forget`, so that memory is bounded by
/// one expression.
class LoadTimeValues {
public:
  LoadTimeValues(mlir::ModuleOp module, llvm::StringRef baseDirectory) : symbols(module), loader(baseDirectory) {}

  /// The value, or an error for what cannot be read or evaluated.
  llvm::Expected<HostTensor> evaluate(mlir::Value value);
  void forget() { values.clear(); }

  mlir::SymbolTable &getSymbols() { return symbols; }

private:
  llvm::Expected<HostTensor> compute(mlir::Operation *op);

  mlir::SymbolTable symbols;
  ParameterLoader loader;
  llvm::DenseMap<mlir::Value, HostTensor> values;
};

} // namespace hgc

#endif // HGC_LIB_TRANSFORMS_LOADTIMEVALUES_H
