//===- SinkTransposes.cpp - push permutations towards the results ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dim `i` of a transpose's result is dim `permutation[i]` of its source, so an
// axis `a` of the result is the axis `permutation[a]` of the source.
//===----------------------------------------------------------------------===//

#include "SinkTransposes.h"
#include "Utils.h"

#include "dialects/Graph/GraphOps.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

/// Per-dim values in the source's order.
static SmallVector<int64_t> toSource(ArrayRef<int64_t> values, ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> result(values.size());
  for (auto [i, axis] : llvm::enumerate(permutation))
    result[axis] = values[i];
  return result;
}

static SmallVector<int64_t> invert(ArrayRef<int64_t> permutation) {
  return toSource(llvm::to_vector(llvm::seq<int64_t>(0, permutation.size())), permutation);
}

static RankedTensorType getTensor(Value value) { return cast<RankedTensorType>(value.getType()); }

ArrayRef<int64_t> TransposeSinker::getPermutation(Value value) const {
  auto transpose = value.getDefiningOp<TransposeOp>();
  return transpose && made.contains(transpose) ? transpose.getPermutation() : ArrayRef<int64_t>();
}

Value TransposeSinker::getSource(Value value) const { return value.getDefiningOp<TransposeOp>().getInput(); }

void TransposeSinker::appendTranspose(Operation *op, ArrayRef<int64_t> permutation) {
  Value result = op->getResult(0);
  RankedTensorType type = getTensor(result);
  result.setType(RankedTensorType::get(toSource(type.getShape(), permutation), type.getElementType()));
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  auto transpose = TransposeOp::create(builder, op->getLoc(), result, permutation);
  result.replaceAllUsesExcept(transpose, transpose);
  made.insert(transpose);
}

void TransposeSinker::sinkThrough(Operation *op) {
  if (auto outer = dyn_cast<TransposeOp>(op)) {
    auto inner = outer.getInput().getDefiningOp<TransposeOp>();
    if (inner && !made.contains(outer)) {
      OpBuilder builder(outer);
      outer.getResult().replaceAllUsesWith(
          makeTranspose(builder, outer.getLoc(), outer.getInput(), outer.getPermutation()));
    }
    return;
  }
  auto fusible = dyn_cast<FusibleOp>(op);
  if (!fusible || op->getNumOperands() == 0)
    return;
  if (fusible.getFusionKind() == FusionKind::Pointwise) {
    sinkPointwise(op);
    return;
  }
  SmallVector<int64_t> permutation(getPermutation(op->getOperand(0)));
  if (permutation.empty())
    return;
  if (isa<ReduceOp>(op))
    sinkReduce(op, permutation);
  else if (sinkAxes(op, permutation))
    appendTranspose(op, permutation);
}

bool TransposeSinker::sinkPointwise(Operation *op) {
  SmallVector<int64_t> permutation;
  for (Value operand : op->getOperands())
    if (permutation.empty())
      permutation.assign(getPermutation(operand));
  if (permutation.empty() || getTensor(op->getResult(0)).getRank() != static_cast<int64_t>(permutation.size()))
    return false;
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    Value permuted = permuteOperand(op, operand, permutation);
    if (!permuted)
      return false;
    operands.push_back(permuted);
  }
  op->setOperands(operands);
  appendTranspose(op, permutation);
  return true;
}

Value TransposeSinker::permuteOperand(Operation *op, Value operand, ArrayRef<int64_t> permutation) {
  if (getPermutation(operand) == permutation)
    return getSource(operand);
  RankedTensorType type = getTensor(operand);
  if (type.getRank() == 0)
    return operand;
  int64_t rank = permutation.size();
  SmallVector<int64_t> shape(rank - type.getRank(), 1);
  llvm::append_range(shape, type.getShape());
  OpBuilder builder(op);
  // With one long dim there is nothing to move: the order in memory is the same.
  if (llvm::count_if(shape, [](int64_t extent) { return extent != 1; }) <= 1)
    return makeReshape(builder, op->getLoc(), operand, toSource(shape, permutation));
  if (!invariance.isInvariant(operand))
    return {};
  Value full = makeReshape(builder, op->getLoc(), operand, shape);
  return makeTranspose(builder, op->getLoc(), full, invert(permutation));
}

bool TransposeSinker::sinkAxes(Operation *op, ArrayRef<int64_t> permutation) {
  Value source = getSource(op->getOperand(0));
  if (auto concat = dyn_cast<ConcatOp>(op)) {
    SmallVector<Value> sources;
    for (Value input : concat.getInputs()) {
      if (getPermutation(input) != permutation)
        return false;
      sources.push_back(getSource(input));
    }
    concat->setOperands(sources);
    concat.setAxis(permutation[concat.getAxis()]);
    return true;
  }
  if (auto pad = dyn_cast<PadOp>(op)) {
    pad.setLow(toSource(pad.getLow(), permutation));
    pad.setHigh(toSource(pad.getHigh(), permutation));
  } else if (auto slice = dyn_cast<SliceOp>(op)) {
    if (slice.getOffsets())
      return false;
    slice.setSizes(toSource(slice.getSizes(), permutation));
    if (auto starts = slice.getStarts())
      slice.setStarts(toSource(*starts, permutation));
    if (auto strides = slice.getStrides())
      slice.setStrides(toSource(*strides, permutation));
  } else if (auto softmax = dyn_cast<SoftmaxOp>(op)) {
    softmax.setAxis(permutation[softmax.getAxis()]);
  } else if (auto logSoftmax = dyn_cast<LogSoftmaxOp>(op)) {
    logSoftmax.setAxis(permutation[logSoftmax.getAxis()]);
  } else {
    return false;
  }
  op->setOperand(0, source);
  return true;
}

void TransposeSinker::sinkReduce(Operation *op, ArrayRef<int64_t> permutation) {
  auto reduce = cast<ReduceOp>(op);
  llvm::SmallDenseSet<int64_t> reduced;
  SmallVector<int64_t> axes, kept;
  for (int64_t axis : reduce.getAxes()) {
    reduced.insert(axis);
    axes.push_back(permutation[axis]);
  }
  llvm::sort(axes);
  for (auto [i, axis] : llvm::enumerate(permutation))
    if (!reduced.contains(i))
      kept.push_back(axis);

  SmallVector<int64_t> after(permutation);
  if (!reduce.getKeepdims()) {
    // Ranks of the kept axes among themselves.
    after.clear();
    for (int64_t axis : kept)
      after.push_back(llvm::count_if(kept, [&](int64_t other) { return other < axis; }));
  }
  op->setOperand(0, getSource(op->getOperand(0)));
  reduce.setAxes(axes);
  appendTranspose(op, after);
}

void TransposeSinker::finish() {
  for (Operation *op : made) {
    auto transpose = cast<TransposeOp>(op);
    RankedTensorType type = getTensor(transpose.getInput());
    SmallVector<int64_t> longDims;
    for (int64_t axis : transpose.getPermutation())
      if (type.getDimSize(axis) != 1)
        longDims.push_back(axis);
    if (!llvm::is_sorted(longDims))
      continue;
    OpBuilder builder(op);
    transpose.getResult().replaceAllUsesWith(
        makeReshape(builder, op->getLoc(), transpose.getInput(), getTensor(transpose.getResult()).getShape()));
  }
}
