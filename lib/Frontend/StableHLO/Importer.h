//===- Importer.h - functions of a program as entries -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_FRONTEND_STABLEHLO_IMPORTER_H
#define HGC_FRONTEND_STABLEHLO_IMPORTER_H

#include "Node.h"

#include "hgc/Frontend/StableHLO.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <map>
#include <optional>

namespace hgc::stablehlo {

class Importer {
public:
  Importer(mlir::ModuleOp program, const StableHloOptions &options)
      : program(program), functions(program), options(options) {}

  mlir::OwningOpRef<mlir::ModuleOp> run();

  // For nodes.
  mlir::Value lookup(mlir::Value value) const { return values.lookup(value); }
  void set(mlir::Value value, mlir::Value imported) { values[value] = imported; }
  /// With `lanes`, values may have other shapes than the block declares.
  llvm::FailureOr<llvm::SmallVector<mlir::Value>> importBlock(mlir::Block &block, mlir::ValueRange arguments,
                                                              mlir::OpBuilder &builder, bool lanes);
  llvm::FailureOr<llvm::SmallVector<mlir::Value>> importCall(Node &node, llvm::StringRef callee,
                                                             mlir::ValueRange arguments);
  mlir::Value addTensor(mlir::OpBuilder &builder, mlir::Location loc, mlir::ElementsAttr value);
  void addUnsupported(mlir::Operation *op, const llvm::Twine &reason);

private:
  llvm::LogicalResult importEntry(mlir::func::FuncOp function);
  llvm::LogicalResult importOp(mlir::Operation *op, mlir::OpBuilder &builder, bool lanes);
  llvm::LogicalResult checkResults(Node &node, bool lanes);
  llvm::LogicalResult reportUnsupported();

  struct Refusal {
    mlir::Location loc;
    /// An op is imported each time its function is called.
    llvm::SmallPtrSet<mlir::Operation *, 4> ops;
  };

  mlir::ModuleOp program;
  mlir::SymbolTable functions;
  const StableHloOptions &options;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::optional<mlir::SymbolTable> symbols;
  llvm::DenseMap<mlir::Value, mlir::Value> values;
  llvm::DenseMap<mlir::Attribute, mlir::StringAttr> parameters;
  /// Functions being inlined, the innermost last.
  llvm::SmallVector<mlir::Operation *> calls;
  int64_t opCount = 0, refusedCount = 0;
  /// By op and reason.
  std::map<std::string, Refusal> unsupported;
};

/// Whether hgc has tensors of this type: a static shape of numbers it knows.
bool isTensor(mlir::Type type);

} // namespace hgc::stablehlo

#endif // HGC_FRONTEND_STABLEHLO_IMPORTER_H
