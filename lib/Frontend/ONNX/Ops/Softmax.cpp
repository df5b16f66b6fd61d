//===- Softmax.cpp - Softmax, LogSoftmax, Hardmax -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Softmax.h"
#include "../Bounded.h"
#include "Windows.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::onnx;

/// Ones at the first maximum along the axis.
static Value hardmax(Node &node, Value value, int64_t axis) {
  Type element = Node::elementOf(value), position = node.getBuilder().getI64Type();
  Value best = node.create<graph::ArgReduceOp>(graph::ArgReduceKind::Max, value, static_cast<uint64_t>(axis), true);
  Extents shape(Node::rankOf(value), 1);
  shape[axis] = Node::shapeOf(value)[axis];
  Value isBest = node.compare(graph::ComparePredicate::EQ, node.iota(shape, axis, position), best);
  return node.select(isBest, node.scalar(element, 1), node.scalar(element, 0));
}

static Value softmax(Node &node, Value value, int64_t axis) {
  return node.create<graph::SoftmaxOp>(value, static_cast<uint64_t>(axis));
}

static Value logSoftmax(Node &node, Value value, int64_t axis) {
  return node.create<graph::LogSoftmaxOp>(value, static_cast<uint64_t>(axis));
}

/// Applies `along` to one axis; before opset 13 to all from the axis on, as one.
template <Value (*along)(Node &, Value, int64_t)> static LogicalResult importAlong(Node &node) {
  Value value = node.getInput(0);
  Shape shape = Node::shapeOf(value);
  int64_t rank = shape.size();
  bool isFlat = node.getOpset() < 13;
  if (rank == 0)
    return node.done(node.reshape(along(node, node.reshape(value, {1}), 0), {}));
  std::optional<int64_t> axis = node.getAxis(isFlat ? rank + 1 : rank, isFlat ? 1 : -1);
  if (isFlat && node.getInt("axis", 1) < 0)
    axis = node.getAxis(rank, 1);
  if (!axis)
    return failure();
  // Elements beyond the actual extents weigh nothing.
  Extents axes = llvm::to_vector(llvm::seq<int64_t>(*axis, isFlat ? rank : *axis + 1));
  Value filled = fillBeyond(node, value, lowest(node, Node::elementOf(value)), axes);
  if (!isFlat)
    return doneKeeping(node, value, along(node, filled, *axis));
  Value matrix = node.reshape(filled, {product(shape.take_front(*axis)), product(shape.drop_front(*axis))});
  return doneKeeping(node, value, node.reshape(along(node, matrix, 1), shape));
}

void hgc::onnx::addSoftmaxOps(OpTable &table) {
  table.addBounded("Softmax", withInputs<1, importAlong<softmax>>);
  table.addBounded("LogSoftmax", withInputs<1, importAlong<logSoftmax>>);
  table.addBounded("Hardmax", withInputs<1, importAlong<hardmax>>);
}
