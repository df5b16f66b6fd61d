//===- ExecTasks.cpp - what orders actions, and moving them ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ExecTasks.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace hgc;

bool hgc::isDeclaration(Operation *op) { return isa<exec::ViewOp, exec::WeightOp, exec::AliasOp>(op); }

SmallVector<unsigned, 4> DataDependences::add(Operation *op) {
  SmallVector<Value> reads, writes;
  getAccesses(op, reads, writes);
  unsigned number = count++;
  llvm::SmallSetVector<unsigned, 4> earlier;
  for (Value buffer : reads) {
    History &history = histories[findMemory(buffer)];
    if (history.writer)
      earlier.insert(*history.writer);
    history.readers.push_back(number);
  }
  for (Value buffer : writes) {
    History &history = histories[findMemory(buffer)];
    if (history.writer)
      earlier.insert(*history.writer);
    earlier.insert_range(history.readers);
    history = {number, {}};
  }
  earlier.remove(number);
  return SmallVector<unsigned, 4>(earlier.getArrayRef());
}

void ActionMover::moveDeclarations(ValueRange buffers) {
  for (Value buffer : buffers) {
    Operation *op = buffer.getDefiningOp();
    if (!op || !left.erase(op))
      continue;
    moveDeclarations(op->getOperands());
    op->moveBefore(block, end);
  }
}

void ActionMover::move(Operation *action) {
  moveDeclarations(action->getOperands());
  action->moveBefore(block, end);
}

void ActionMover::finish() {
  for (Operation *op : declarations)
    if (left.erase(op))
      op->moveBefore(block, end);
}
