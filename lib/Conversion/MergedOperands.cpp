//===- MergedOperands.cpp - buffers of two launches in one ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "MergedOperands.h"

#include "KernelBodies.h"

using namespace mlir;
using namespace hgc;

int64_t hgc::findIn(ValueRange list, Value buffer) {
  auto it = llvm::find_if(list, [&](Value other) { return areSameOperand(other, buffer); });
  return it == list.end() ? -1 : it - list.begin();
}

int64_t hgc::findWhole(ValueRange list, Value buffer) {
  int64_t at = findIn(list, buffer);
  auto alias = buffer.getDefiningOp<exec::AliasOp>();
  auto bytes = [](Value value) { return graph::getTensorBytes(cast<MemRefType>(value.getType())); };
  bool isWhole = alias && !alias.getIndex() && bytes(alias.getSource()) == bytes(buffer);
  return at < 0 && isWhole ? findWhole(list, alias.getSource()) : at;
}

/// Whether nobody but the two launches uses `buffer`, which may have another shape there.
static bool isUsedBy(Value buffer, Operation *first, Operation *second) {
  return llvm::all_of(buffer.getUsers(), [&](Operation *user) {
    auto alias = dyn_cast<exec::AliasOp>(user);
    bool isPart = alias && alias.getSource() == buffer && alias.getIndex() != buffer;
    return isPart ? isUsedBy(alias, first, second) : user == first || user == second;
  });
}

bool hgc::isUsedElsewhere(Value buffer, Operation *first, Operation *second) {
  return !buffer.getDefiningOp<exec::ViewOp>() || !isUsedBy(buffer, first, second);
}

int64_t MergedOperands::findPlace(Value buffer) const {
  if (int64_t at = findIn(outputs, buffer); at >= 0)
    return static_cast<int64_t>(inputs.size()) + at;
  return findIn(inputs, buffer);
}

MergedOperands::MergedOperands(exec::LaunchOp first, exec::LaunchOp second) {
  ValueRange made = first.getOutputs();
  for (Value output : made)
    if (isUsedElsewhere(output, first, second))
      outputs.push_back(output);
  llvm::append_range(outputs, second.getOutputs());
  auto addInput = [&](Value input) {
    if (findIn(outputs, input) < 0 && findWhole(made, input) < 0 && findIn(inputs, input) < 0)
      inputs.push_back(input);
  };
  for (Value input : first.getInputs())
    addInput(input);
  for (Value input : second.getInputs())
    addInput(input);
  for (Operation *launch : {first.getOperation(), second.getOperation()})
    for (Value operand : launch->getOperands())
      places.push_back(findPlace(operand));
  for (Value operand : second->getOperands())
    links.push_back(findWhole(made, operand));
}
