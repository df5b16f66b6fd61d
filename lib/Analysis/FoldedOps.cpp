//===- FoldedOps.cpp - what is evaluated while compiling ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Users before producers: an op all of whose users are evaluated needs no value
// at run time, so a chain such as pack(transpose(read)) is one parameter.
//===----------------------------------------------------------------------===//

#include "hgc/Analysis/FoldedOps.h"

#include "dialects/Graph/GraphOps.h"

#include "mlir/IR/Iterators.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

int64_t FoldedOps::collectSources(Operation *op, llvm::SetVector<Operation *> &leaves) {
  SmallVector<Operation *> worklist{op};
  llvm::DenseSet<Operation *> seen;
  int64_t bytes = 0;
  while (!worklist.empty()) {
    Operation *next = worklist.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    if (isa<ReadOp, ConstantOp>(next)) {
      leaves.insert(next);
      bytes += getTensorBytes(cast<ShapedType>(next->getResult(0).getType()));
    }
    for (Value operand : llvm::reverse(next->getOperands()))
      worklist.push_back(operand.getDefiningOp());
  }
  return bytes;
}

/// Padding is the price of packing; anything else must not make weights grow.
/// What is made from constants alone is hgc-fold-constants' business.
static bool isWorthIt(Operation *op) {
  if (isa<ReshapeOp>(op) && isa<ReadOp, ConstantOp>(op->getOperand(0).getDefiningOp()))
    return false;
  llvm::SetVector<Operation *> leaves;
  int64_t bytes = FoldedOps::collectSources(op, leaves);
  if (llvm::none_of(leaves, llvm::IsaPred<ReadOp>))
    return isa<PackOp>(op);
  return isa<PackOp>(op) || getTensorBytes(cast<ShapedType>(op->getResult(0).getType())) <= bytes;
}

FoldedOps::FoldedOps(func::FuncOp function, const Invariance &invariance, bool packsOnly) {
  function.walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
    if (op->getNumResults() != 1 || !invariance.isInvariant(op->getResult(0)) || isa<ReadOp, ConstantOp>(op))
      return;
    bool isNeeded = llvm::any_of(op->getUsers(), [&](Operation *user) { return !absorbed.contains(user); });
    if (isNeeded && (!isWorthIt(op) || (packsOnly && !isa<PackOp>(op))))
      return;
    absorbed.insert(op);
    if (isNeeded)
      needed.push_back(op);
  });
}
