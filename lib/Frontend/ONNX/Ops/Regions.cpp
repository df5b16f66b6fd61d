//===- Regions.cpp - loops and branches built by import functions ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Result types follow from what a region yields, so an op is created without
// results first, filled, and then created again around the same region.
//===----------------------------------------------------------------------===//

#include "Regions.h"

#include <numeric>

using namespace mlir;

namespace hgc::onnx {

using graph::IfOp;
using graph::ScanOp;
using graph::YieldOp;

static bool hasNull(ArrayRef<Value> values) {
  return llvm::any_of(values, [](Value value) { return !value; });
}

/// Sequences whose slices the body of a scan reads, at least one of them; the
/// arguments of the others are erased.
static Values dropUnread(Block *block, size_t states, ArrayRef<Value> sequences) {
  Values read(sequences);
  for (size_t i = read.size(); i-- > 0 && read.size() > 1;) {
    if (!block->getArgument(states + i).use_empty())
      continue;
    block->eraseArgument(states + i);
    read.erase(read.begin() + i);
  }
  return read;
}

FailureOr<Values> buildScan(Builder &b, ArrayRef<Value> inits, ArrayRef<Value> sequences, bool reverse, StepFn step) {
  if (hasNull(inits) || hasNull(sequences))
    return failure();
  OpBuilder &builder = b.getBuilder();
  ScanOp draft = ScanOp::create(builder, b.getLoc(), TypeRange(), inits, sequences, reverse);
  SmallVector<Type> arguments(ValueRange(inits).getTypes());
  for (Value sequence : sequences)
    arguments.push_back(RankedTensorType::get(Builder::shapeOf(sequence).drop_front(), Builder::elementOf(sequence)));
  Block *block =
      builder.createBlock(&draft.getBody(), {}, arguments, SmallVector<Location>(arguments.size(), b.getLoc()));
  ValueRange all = block->getArguments();
  FailureOr<Values> yielded = step(all.take_front(inits.size()), all.drop_front(inits.size()));
  if (failed(yielded) || hasNull(*yielded)) {
    builder.setInsertionPointAfter(draft);
    draft.erase();
    return failure();
  }
  YieldOp::create(builder, b.getLoc(), *yielded);
  int64_t trips = Builder::shapeOf(sequences.front()).front();
  Values read = dropUnread(block, inits.size(), sequences);
  SmallVector<Type> results(ValueRange(inits).getTypes());
  for (Value value : ArrayRef<Value>(*yielded).drop_front(inits.size())) {
    Extents shape{trips};
    llvm::append_range(shape, Builder::shapeOf(value));
    results.push_back(RankedTensorType::get(shape, Builder::elementOf(value)));
  }
  builder.setInsertionPointAfter(draft);
  ScanOp op = ScanOp::create(builder, b.getLoc(), results, inits, read, reverse);
  op.getBody().takeBody(draft.getBody());
  draft.erase();
  return Values(op.getResults());
}

FailureOr<Values> buildIf(Builder &b, Value condition, BranchFn thenBranch, BranchFn elseBranch,
                          function_ref<LogicalResult(Block *, Values &, Block *, Values &)> finish) {
  condition = b.reshape(condition, {});
  if (!condition)
    return failure();
  OpBuilder &builder = b.getBuilder();
  IfOp draft = IfOp::create(builder, b.getLoc(), TypeRange(), condition);
  Block *thenBlock = builder.createBlock(&draft.getThenRegion());
  FailureOr<Values> first = thenBranch();
  Block *elseBlock = builder.createBlock(&draft.getElseRegion());
  FailureOr<Values> second = elseBranch();
  if (failed(first) || failed(second) || hasNull(*first) || hasNull(*second) ||
      (finish && failed(finish(thenBlock, *first, elseBlock, *second)))) {
    builder.setInsertionPointAfter(draft);
    draft.erase();
    return failure();
  }
  builder.setInsertionPointToEnd(thenBlock);
  YieldOp::create(builder, b.getLoc(), *first);
  builder.setInsertionPointToEnd(elseBlock);
  YieldOp::create(builder, b.getLoc(), *second);
  builder.setInsertionPointAfter(draft);
  IfOp op = IfOp::create(builder, b.getLoc(), ValueRange(*first).getTypes(), draft.getCondition());
  op.getThenRegion().takeBody(draft.getThenRegion());
  op.getElseRegion().takeBody(draft.getElseRegion());
  draft.erase();
  return Values(op.getResults());
}

Value toIndex(Builder &b, Value value) {
  if (!value)
    return {};
  return b.cast(b.reshape(value, {}), b.getBuilder().getI64Type());
}

Value flip(Builder &b, Value value, int64_t axis) {
  if (!value)
    return {};
  Shape shape = Builder::shapeOf(value);
  if (shape[axis] < 2)
    return value;
  Extents starts(shape.size(), 0), strides(shape.size(), 1);
  starts[axis] = shape[axis] - 1;
  strides[axis] = -1;
  return b.slice(value, starts, shape, strides);
}

Value moveDim(Builder &b, Value value, int64_t from, int64_t to) {
  if (!value || from == to)
    return value;
  Extents order(Builder::rankOf(value));
  std::iota(order.begin(), order.end(), 0);
  order.erase(order.begin() + from);
  order.insert(order.begin() + to, from);
  return b.transpose(value, order);
}

Values getLoopSteps(Builder &b) {
  Values steps;
  for (Block *block = b.getBuilder().getInsertionBlock(); block && !isa<func::FuncOp>(block->getParentOp());
       block = block->getParentOp()->getBlock()) {
    if (isa<graph::WhileOp>(block->getParentOp()))
      steps.push_back(block->getArguments().front());
    else if (isa<ScanOp>(block->getParentOp()))
      steps.push_back(block->getArguments().back());
  }
  return steps;
}

/// Whether the value's extents may be those of the type.
static bool mayHaveType(Node &node, Value value, RankedTensorType expected) {
  RankedTensorType type = Node::typeOf(value);
  if (type.getElementType() != expected.getElementType() || type.getRank() != expected.getRank())
    return false;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    int64_t have = type.getDimSize(dim), want = expected.getDimSize(dim);
    if (node.getExtent(value, dim) ? have < want : have != want)
      return false;
  }
  return true;
}

Value fitCarried(Node &node, Value value, RankedTensorType expected, Value &valid) {
  if (!value)
    return {};
  if (!mayHaveType(node, value, expected)) {
    (void)node.unsupported("the loop's body hands on a tensor of another shape or type than it takes");
    return {};
  }
  if (!node.isBounded(value))
    return value;
  for (int64_t dim = 0; dim < expected.getRank(); ++dim) {
    Value extent = node.getExtent(value, dim);
    if (!extent)
      continue;
    double want = static_cast<double>(expected.getDimSize(dim));
    Value same = node.compare(graph::ComparePredicate::EQ, extent, node.scalar(Node::elementOf(extent), want));
    valid = valid ? node.create<graph::AndOp>(valid, same) : same;
  }
  return node.slice(value, Extents(expected.getRank(), 0), expected.getShape());
}

LogicalResult checkCarried(Node &node, ValueRange before, ValueRange after) {
  for (auto [first, next] : llvm::zip_equal(before, after)) {
    Value valid;
    if (!fitCarried(node, next, Node::typeOf(first), valid))
      return failure();
    if (valid)
      return node.unsupported("the body hands on a tensor whose shape is known only at run time");
  }
  return success();
}

} // namespace hgc::onnx
