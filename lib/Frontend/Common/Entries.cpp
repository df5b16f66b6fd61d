//===- Entries.cpp - what entries of imported models have in common -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Entries.h"

#include "dialects/Graph/GraphOps.h"

#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

void hgc::frontend::dropUnused(ModuleOp module, SymbolTable &symbols) {
  llvm::DenseSet<StringAttr> used;
  module.walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
    if (isOpTriviallyDead(op))
      return op->erase();
    if (auto read = dyn_cast<graph::ReadOp>(op))
      used.insert(read.getParameterAttr().getAttr());
    if (auto assign = dyn_cast<graph::AssignOp>(op))
      used.insert(assign.getParameterAttr().getAttr());
  });
  for (auto parameter : llvm::make_early_inc_range(module.getOps<graph::ParameterOp>()))
    if (!used.contains(parameter.getSymNameAttr()))
      symbols.erase(parameter);
}
