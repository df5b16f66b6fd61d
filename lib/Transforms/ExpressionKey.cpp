//===- ExpressionKey.cpp - equal expressions over parameters --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ExpressionKey.h"

#include "dialects/Graph/GraphOps.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

static void appendKey(Operation *op, ExpressionKey &key) {
  key.push_back(op->getName().getAsOpaquePointer());
  // Where the value is wanted, and why there, makes no difference to its bytes.
  NamedAttrList attributes(op->getAttrDictionary());
  for (NamedAttribute note : op->getDiscardableAttrs())
    attributes.erase(note.getName());
  key.push_back(attributes.getDictionary(op->getContext()).getAsOpaquePointer());
  key.push_back(op->getResult(0).getType().getAsOpaquePointer());
  for (Value operand : op->getOperands())
    appendKey(operand.getDefiningOp(), key);
}

ExpressionKey hgc::makeExpressionKey(Operation *op) {
  ExpressionKey key;
  appendKey(op, key);
  return key;
}
