//===- ExpressionKey.cpp - equal expressions over parameters --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ExpressionKey.h"

#include "dialects/Graph/GraphOps.h"

#include <map>

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {

/// Distinct values of an expression, operands first: each is its op and the numbers of its operands. One that is
/// read twice counts once, so that keys are as long as expressions, whoever shares what.
class Numbering {
public:
  size_t add(Operation *op) {
    if (auto known = numberOf.find(op); known != numberOf.end())
      return known->second;
    ExpressionKey value = describe(op);
    auto [number, isNew] = numbers.try_emplace(value, numbers.size());
    if (isNew)
      llvm::append_range(key, value);
    return numberOf[op] = number->second;
  }

  ExpressionKey takeKey() { return std::move(key); }

private:
  ExpressionKey describe(Operation *op) {
    // Where the value is wanted, and why there, makes no difference to its bytes.
    NamedAttrList attributes(op->getAttrDictionary());
    for (NamedAttribute note : op->getDiscardableAttrs())
      attributes.erase(note.getName());
    ExpressionKey value{op->getName().getAsOpaquePointer(),
                        attributes.getDictionary(op->getContext()).getAsOpaquePointer(),
                        op->getResult(0).getType().getAsOpaquePointer(), asEntry(op->getNumOperands())};
    for (Value operand : op->getOperands())
      value.push_back(asEntry(add(operand.getDefiningOp())));
    return value;
  }

  static const void *asEntry(size_t number) { return reinterpret_cast<const void *>(number); }

  llvm::DenseMap<Operation *, size_t> numberOf;
  std::map<ExpressionKey, size_t> numbers;
  ExpressionKey key;
};

} // namespace

ExpressionKey hgc::makeExpressionKey(Operation *op) {
  Numbering numbering;
  numbering.add(op);
  return numbering.takeKey();
}
