//===- Invariance.cpp - what is known when the model is loaded ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Analysis/Invariance.h"

#include "dialects/Graph/GraphOps.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

Invariance::Invariance(ModuleOp module) {
  module.walk([&](AssignOp assign) { assigned.insert(assign.getParameterAttr().getAttr()); });
  // Pre-order is program order, so operands come before their users.
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op->getNumResults() != 1 || op->getNumRegions() != 0 || !isa<HGCDialect>(op->getDialect()) || !isPure(op))
      return;
    Value result = op->getResult(0);
    if (auto read = dyn_cast<ReadOp>(op)) {
      loadTime.insert(result);
      if (!isMutable(read.getParameterAttr().getAttr()))
        invariant.insert(result);
      return;
    }
    if (llvm::all_of(op->getOperands(), [&](Value operand) { return loadTime.contains(operand); }))
      loadTime.insert(result);
    if (llvm::all_of(op->getOperands(), [&](Value operand) { return invariant.contains(operand); }))
      invariant.insert(result);
  });
}
