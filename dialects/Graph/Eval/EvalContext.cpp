//===- EvalContext.cpp - state of one evaluation --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Eval/EvalContext.h"

#include "dialects/Graph/Infer.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

/// Calls nested deeper than this are taken for a recursion without end.
static constexpr int kMaxCallDepth = 256;

std::optional<Location> EvalContext::getReportLoc(Operation *op) const {
  return options.quiet ? std::nullopt : std::optional<Location>(op->getLoc());
}

LogicalResult EvalContext::error(Operation *op, const Twine &message, const Twine &hint) const {
  if (options.quiet)
    return failure();
  InFlightDiagnostic diag = op->emitOpError() << message;
  diag.attachNote() << "hint: " << hint;
  return diag;
}

FailureOr<HostTensor> EvalContext::readParameter(Operation *op, StringRef name) const {
  if (parameters) {
    auto it = parameters->find(name);
    if (it != parameters->end())
      return it->second;
  }
  return error(op, "reads parameter '" + name + "', which has no value", "give the evaluation all parameters");
}

LogicalResult EvalContext::bindDim(Operation *op, StringRef name, int64_t extent) {
  auto [it, isNew] = dims.try_emplace(name, extent);
  if (isNew || it->second == extent)
    return success();
  return error(op, "binds dim '" + name + "' to both " + Twine(it->second) + " and " + Twine(extent),
               "give inputs whose extents agree");
}

FailureOr<SmallVector<int64_t>> EvalContext::resolveShape(Operation *op, ArrayAttr shape,
                                                          std::optional<int64_t> elements) const {
  SmallVector<int64_t> extents;
  int64_t known = 1;
  std::optional<size_t> open;
  for (Attribute entry : shape) {
    int64_t extent = -1;
    if (auto name = dyn_cast<StringAttr>(entry)) {
      auto it = dims.find(name.getValue());
      if (it == dims.end())
        return error(op, "uses dim '" + name.getValue() + "', which no input binds",
                     "name the dim in the hgc.shape of an argument");
      extent = it->second;
    } else if (auto number = dyn_cast<IntegerAttr>(entry)) {
      extent = number.getInt();
    }
    if (extent < 0)
      open = extents.size();
    else
      known *= extent;
    extents.push_back(extent);
  }
  if (open)
    extents[*open] = known && elements ? *elements / known : 0;
  std::optional<int64_t> count = hgc::countElements(extents, 8);
  if (!count || (elements && *count != *elements))
    return error(op, "cannot give " + Twine(elements.value_or(0)) + " elements the shape " + shapeToString(extents),
                 "make the product of the extents equal to the number of elements");
  return extents;
}

/// Fails unless `value` is one of `type`.
static LogicalResult checkResult(const EvalContext &context, Operation *op, const HostTensor &value, Type type) {
  auto tensor = cast<RankedTensorType>(type);
  if (value.getElementType() == tensor.getElementType() &&
      succeeded(verifyCompatibleShape(value.getShape(), tensor.getShape())))
    return success();
  std::string text;
  llvm::raw_string_ostream(text) << "gives " << value.getType() << " at run time, but declares " << type;
  return context.error(op, text, "correct the declared type, or give inputs of other extents");
}

LogicalResult EvalContext::evaluateCall(func::CallOp call, ArrayRef<HostTensor> operands,
                                        SmallVectorImpl<HostTensor> &results) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
  if (!callee || callee.isExternal())
    return error(call, "calls '" + call.getCallee() + "', which has no body", "define the function in the module");
  if (callDepth >= kMaxCallDepth)
    return error(call, "nests more than " + Twine(kMaxCallDepth) + " calls", "replace the recursion by hgc.while");
  // A function sees nothing of its caller, and may call itself.
  llvm::DenseMap<Value, HostTensor> saved;
  std::swap(values, saved);
  ++callDepth;
  LogicalResult result = evaluateRegion(callee.getBody(), operands, results);
  --callDepth;
  std::swap(values, saved);
  return result;
}

LogicalResult EvalContext::evaluateOp(Operation *op, ArrayRef<HostTensor> operands,
                                      SmallVectorImpl<HostTensor> &results) {
  LogicalResult result = failure();
  if (auto call = dyn_cast<func::CallOp>(op))
    result = evaluateCall(call, operands, results);
  else if (auto eval = dyn_cast<EvalOp>(op))
    result = eval.evaluate(operands, *this, results);
  else
    return error(op, "has no reference semantics", "use ops of the hgc dialect, or lower this one to them first");
  if (failed(result))
    return failure();
  assert(results.size() == op->getNumResults() && "an evaluator yields one tensor per result");
  for (auto [value, type] : llvm::zip_equal(results, op->getResultTypes()))
    if (failed(checkResult(*this, op, value, type)))
      return failure();
  return success();
}

LogicalResult EvalContext::evaluateRegion(Region &region, ArrayRef<HostTensor> arguments,
                                          SmallVectorImpl<HostTensor> &yielded) {
  Block &block = region.front();
  if (!region.hasOneBlock() || block.getNumArguments() != arguments.size())
    return error(region.getParentOp(), "has a region that cannot be evaluated",
                 "use hgc.if and hgc.while instead of branches");
  for (auto [argument, value] : llvm::zip_equal(block.getArguments(), arguments))
    values[argument] = value;
  SmallVector<HostTensor> operands, results;
  for (Operation &op : block) {
    operands.clear();
    for (Value operand : op.getOperands()) {
      auto it = values.find(operand);
      if (it == values.end())
        return error(&op, "uses a value that is not known", "evaluate the op together with what defines its operands");
      operands.push_back(it->second);
    }
    if (op.hasTrait<OpTrait::IsTerminator>()) {
      yielded.assign(operands.begin(), operands.end());
      break;
    }
    results.clear();
    if (failed(evaluateOp(&op, operands, results)))
      return failure();
    for (auto [result, value] : llvm::zip_equal(op.getResults(), results))
      values[result] = value;
  }
  // Values of the region are dead now; large ones must not outlive it.
  for (Operation &op : block)
    for (Value result : op.getResults())
      values.erase(result);
  return success();
}
