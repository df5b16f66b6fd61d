//===- LoadTimeValues.cpp - values computed while compiling ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LoadTimeValues.h"

#include "dialects/Graph/Eval/Evaluator.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

llvm::Expected<HostTensor> LoadTimeValues::evaluate(Value value) {
  auto known = values.find(value);
  if (known != values.end())
    return known->second;
  llvm::Expected<HostTensor> result = compute(value.getDefiningOp());
  if (result)
    values[value] = *result;
  return result;
}

llvm::Expected<HostTensor> LoadTimeValues::compute(Operation *op) {
  if (auto constant = dyn_cast<ConstantOp>(op))
    return HostTensor::fromAttr(constant.getValue());
  if (auto read = dyn_cast<ReadOp>(op))
    return loader.load(symbols.lookup<ParameterOp>(read.getParameter()));
  SmallVector<HostTensor> operands;
  for (Value operand : op->getOperands()) {
    llvm::Expected<HostTensor> value = evaluate(operand);
    if (!value)
      return value.takeError();
    operands.push_back(*value);
  }
  FailureOr<SmallVector<HostTensor>> results = evaluateConstantOp(op, operands);
  if (failed(results))
    return llvm::createStringError("cannot evaluate '" + op->getName().getStringRef() + "' at compile time");
  return results->front();
}
