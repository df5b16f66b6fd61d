//===- LoadFunction.h - what runs when an instance is created ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_TRANSFORMS_LOADFUNCTION_H
#define HGC_LIB_TRANSFORMS_LOADFUNCTION_H

#include "dialects/Graph/GraphOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

namespace hgc {

/// Builds the function `load` (`hgc.load`) of the GPU plan, which fills
/// parameters that have no bytes in the library. Makes it when it is first
/// needed.
class LoadFunction {
public:
  LoadFunction(mlir::ModuleOp module, mlir::SymbolTable &symbols)
      : module(module), symbols(symbols), builder(module.getContext()) {}

  /// A parameter `<stem><suffix>` of `type` on a GPU only.
  graph::ParameterOp addParameter(mlir::Location loc, llvm::StringRef stem, llvm::StringRef suffix,
                                  mlir::RankedTensorType type);

  /// Lets the function give `parameter` its value.
  void assign(graph::ParameterOp parameter, mlir::Value value, graph::DeviceAttr device);

  /// Copies the expression that ends in `op` into the function, on the host.
  mlir::Value copyToHost(mlir::Operation *op);

  /// Inserts before the end of the function.
  mlir::OpBuilder &getBuilder();

private:
  mlir::Value copyToHost(mlir::Operation *op, mlir::IRMapping &copies);

  mlir::ModuleOp module;
  mlir::SymbolTable &symbols;
  mlir::OpBuilder builder;
  mlir::func::FuncOp function;
};

/// Name of the parameter that the expression ending in `op` reads first, or
/// "constant".
std::string getSourceName(mlir::Operation *op);

} // namespace hgc

#endif // HGC_LIB_TRANSFORMS_LOADFUNCTION_H
