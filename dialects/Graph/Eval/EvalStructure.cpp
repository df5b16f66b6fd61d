//===- EvalStructure.cpp - state, control flow, kernels, transfers --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Eval/EvalModels.h"

#include <cstring>

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

static LogicalResult evalRead(ReadOp op, Operands, EvalContext &context, Results &results) {
  FailureOr<HostTensor> value = context.readParameter(op, op.getParameter());
  if (failed(value))
    return failure();
  results.push_back(*value);
  return success();
}

static LogicalResult evalAssign(AssignOp op, Operands operands, EvalContext &context, Results &) {
  context.assign(op.getParameter(), operands[0]);
  return success();
}

static LogicalResult evalIdentity(Operation *, Operands operands, EvalContext &, Results &results) {
  results.push_back(operands[0]);
  return success();
}

static LogicalResult evalKernel(KernelOp op, Operands operands, EvalContext &context, Results &results) {
  return context.evaluateRegion(op.getBody(), operands, results);
}

/// Whether a condition holds; it has one element.
static FailureOr<bool> isTrue(Operation *op, const HostTensor &condition, EvalContext &context) {
  if (condition.getNumElements() != 1)
    return context.error(op, "has a condition of " + Twine(condition.getNumElements()) + " elements",
                         "use one i1, for example by hgc.reduce all");
  return condition.getInt(0) != 0;
}

static LogicalResult evalCheck(CheckOp op, Operands operands, EvalContext &context, Results &) {
  FailureOr<bool> condition = isTrue(op, operands[0], context);
  if (failed(condition) || *condition)
    return condition;
  auto [message, hint] = op.getMessage().split("\nhint: ");
  return context.error(op, message, hint.empty() ? "check the inputs of this call" : hint);
}

static LogicalResult evalIf(IfOp op, Operands operands, EvalContext &context, Results &results) {
  FailureOr<bool> condition = isTrue(op, operands[0], context);
  if (failed(condition))
    return failure();
  return context.evaluateRegion(*condition ? op.getThenRegion() : op.getElseRegion(), {}, results);
}

static LogicalResult evalWhile(WhileOp op, Operands operands, EvalContext &context, Results &results) {
  results.assign(operands.begin(), operands.end());
  for (int64_t i = 0;; ++i) {
    SmallVector<HostTensor> yielded;
    if (failed(context.evaluateRegion(op.getCondition(), results, yielded)))
      return failure();
    FailureOr<bool> condition = isTrue(op, yielded.front(), context);
    if (failed(condition))
      return failure();
    if (!*condition)
      return success();
    if (i == context.getOptions().maxIterations)
      return context.error(op, "still runs after " + Twine(i) + " iterations",
                           "make the condition false at some point, or raise the limit");
    if (failed(context.evaluateRegion(op.getBody(), results, yielded)))
      return failure();
    results.assign(yielded.begin(), yielded.end());
  }
}

/// Element `index` along dim 0.
static HostTensor sliceAt(const HostTensor &tensor, int64_t index) {
  ArrayRef<int64_t> shape = tensor.getShape().drop_front();
  HostTensor result(tensor.getElementType(), shape);
  std::memcpy(result.mutableData(), tensor.data() + index * result.getNumBytes(), result.getNumBytes());
  return result;
}

/// A stacked result before its first slice is known: extents of the type, zero
/// where that does not say.
static HostTensor emptyStack(Type type, int64_t trips) {
  auto tensor = cast<RankedTensorType>(type);
  SmallVector<int64_t> shape{trips};
  for (int64_t extent : tensor.getShape().drop_front())
    shape.push_back(ShapedType::isDynamic(extent) ? 0 : extent);
  return HostTensor(tensor.getElementType(), shape);
}

static LogicalResult evalScan(ScanOp op, Operands operands, EvalContext &context, Results &results) {
  size_t states = op.getInits().size(), stacks = op.getNumResults() - states;
  Operands sequences = operands.drop_front(states);
  int64_t trips = sequences.front().getDim(0);
  for (const HostTensor &sequence : sequences)
    if (sequence.getDim(0) != trips)
      return context.error(op, "walks sequences of " + Twine(trips) + " and " + Twine(sequence.getDim(0)) + " elements",
                           "give all sequences the same first extent");
  SmallVector<HostTensor> carried(operands.take_front(states)), stacked(stacks);
  for (int64_t trip = 0; trip < trips; ++trip) {
    int64_t at = op.getReverse() ? trips - 1 - trip : trip;
    SmallVector<HostTensor> arguments(carried), yielded;
    for (const HostTensor &sequence : sequences)
      arguments.push_back(sliceAt(sequence, at));
    if (failed(context.evaluateRegion(op.getBody(), arguments, yielded)))
      return failure();
    carried.assign(yielded.begin(), yielded.begin() + states);
    for (size_t i = 0; i < stacks; ++i) {
      const HostTensor &slice = yielded[states + i];
      if (!stacked[i]) {
        SmallVector<int64_t> shape{trips};
        llvm::append_range(shape, slice.getShape());
        stacked[i] = HostTensor(slice.getElementType(), shape);
      }
      int64_t bytes = stacked[i].getNumBytes() / trips;
      if (slice.getNumBytes() != bytes)
        return context.error(op, "stacks slices of different shapes", "yield the same shape in every iteration");
      std::memcpy(stacked[i].mutableData() + at * bytes, slice.data(), bytes);
    }
  }
  for (size_t i = 0; i < stacks; ++i)
    if (!stacked[i])
      stacked[i] = emptyStack(op.getResult(states + i).getType(), trips);
  results.append(carried.begin(), carried.end());
  results.append(stacked.begin(), stacked.end());
  return success();
}

void hgc::graph::attachStructureModels(MLIRContext *context) {
  attach<ReadOp, evalRead>(context);
  attach<AssignOp, evalAssign>(context);
  attach<TransferOp, evalIdentity>(context);
  attach<StopGradientOp, evalIdentity>(context);
  attach<KernelOp, evalKernel>(context);
  attach<CheckOp, evalCheck>(context);
  attach<IfOp, evalIf>(context);
  attach<WhileOp, evalWhile>(context);
  attach<ScanOp, evalScan>(context);
}
