//===- KernelBuffers.cpp - what a kernel does with its buffers ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "dialects/Exec/ExecOps.h"

#include "dialects/Graph/GraphOps.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::exec;

SmallVector<StoreOp, 4> KernelOp::getStores() {
  SmallVector<StoreOp, 4> stores;
  for (Operation &op : llvm::reverse(getBody().front())) {
    auto store = dyn_cast<StoreOp>(op);
    if (!store)
      break;
    stores.push_back(store);
  }
  std::reverse(stores.begin(), stores.end());
  return stores;
}

bool KernelOp::updatesInPlace() {
  return llvm::any_of(getBody().front().getOps<LoadOp>(), [&](LoadOp load) {
    return cast<BlockArgument>(load.getBuffer()).getArgNumber() >= getInputCount();
  });
}

/// Whether `use` needs an element only where the result has the same place.
static bool isElementwise(OpOperand &use) {
  auto fusible = dyn_cast<graph::FusibleOp>(use.getOwner());
  if (!fusible || fusible.getFusionKind() != graph::FusionKind::Pointwise)
    return false;
  auto shapeOf = [](Value value) { return cast<ShapedType>(value.getType()).getShape(); };
  return fusible.getIndexingMap(use.getOperandNumber()).isIdentity() &&
         shapeOf(use.getOwner()->getResult(0)) == shapeOf(use.get());
}

bool KernelOp::readsElementwise(BlockArgument buffer) {
  llvm::SetVector<Value> tensors;
  for (Operation *user : buffer.getUsers())
    if (auto load = dyn_cast<LoadOp>(user))
      tensors.insert(load.getResult());
  for (size_t i = 0; i < tensors.size(); ++i)
    for (OpOperand &use : tensors[i].getUses()) {
      if (isa<StoreOp>(use.getOwner()))
        continue;
      if (!isElementwise(use))
        return false;
      tensors.insert(use.getOwner()->getResult(0));
    }
  return true;
}
