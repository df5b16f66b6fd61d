//===- Indexing.cpp - index arithmetic on run-time values -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Indexing.h"

using namespace mlir;

namespace hgc::onnx {

using graph::ComparePredicate;

//===----------------------------------------------------------------------===//
// Lists by axis
//===----------------------------------------------------------------------===//

/// Element `[i, dim]` tells whether `axes[i]` is `dim`.
static Value matchAxes(Builder &b, Value axes, int64_t rank) {
  return b.compare(ComparePredicate::EQ, b.unsqueeze(fromFront(b, axes, rank), {1}), count(b, rank, 2, 1));
}

Value axisFlags(Builder &b, Value axes, int64_t rank) {
  return b.reduce(graph::ReduceKind::Any, matchAxes(b, axes, rank), {0}, false);
}

Value byAxis(Builder &b, Value axes, Value values, int64_t rank, Value otherwise) {
  if (!values)
    return {};
  if (std::optional<Extents> known = b.getInts(axes)) {
    Values scalars;
    for (int64_t dim = 0; dim < rank; ++dim)
      scalars.push_back(Builder::rankOf(otherwise) == 0 ? otherwise : element(b, otherwise, dim));
    for (auto [i, axis] : llvm::enumerate(*known))
      scalars[*normalizeAxis(axis, rank)] = element(b, values, static_cast<int64_t>(i));
    return scalars.empty() ? b.ints({}) : listOf(b, scalars);
  }
  Value matches = matchAxes(b, axes, rank);
  Value zero = b.scalar(Builder::elementOf(values), 0);
  Value found = b.reduce(graph::ReduceKind::Sum, b.select(matches, b.unsqueeze(values, {1}), zero), {0}, false);
  return b.select(b.reduce(graph::ReduceKind::Any, matches, {0}, false), found, otherwise);
}

//===----------------------------------------------------------------------===//
// What a node must have
//===----------------------------------------------------------------------===//

LogicalResult checkInputs(Node &node, unsigned count) {
  for (unsigned i = 0; i < count; ++i)
    if (!node.hasInput(i))
      return node.invalid("input " + Twine(i) + " is missing", "the op needs its first " + Twine(count) + " inputs");
  return success();
}

std::optional<Extents> normalizeAxes(Node &node, Shape axes, int64_t rank) {
  Extents result;
  for (int64_t axis : axes) {
    std::optional<int64_t> front = normalizeAxis(axis, rank);
    if (!front || llvm::is_contained(result, *front)) {
      (void)node.invalid("axis " + Twine(axis) + (front ? " is given twice" : " is out of range"),
                         "give distinct axes from " + Twine(-rank) + " to " + Twine(rank - 1));
      return std::nullopt;
    }
    result.push_back(*front);
  }
  return result;
}

std::optional<Extents> readAxes(Node &node, unsigned index, int64_t rank, Shape otherwise) {
  if (node.hasAttribute("axes"))
    return normalizeAxes(node, node.getIntList("axes"), rank);
  if (std::optional<Extents> axes = node.getInputInts(index))
    return normalizeAxes(node, *axes, rank);
  return Extents(otherwise);
}

bool isRunTime(Node &node, unsigned index) { return node.hasInput(index) && !node.getConstant(node.getInput(index)); }

RankedTensorType needType(Node &node, unsigned output, std::optional<int64_t> rank) {
  RankedTensorType type = node.getDeclaredType(output);
  if (type && (!rank || type.getRank() == *rank))
    return type;
  (void)node.unsupported("the shape of its result depends on a run-time input and the model does not declare it");
  return {};
}

LogicalResult refuseBounded(Node &node, unsigned first) {
  for (unsigned i = first; i < node.getNumInputs(); ++i)
    if (Value input = node.getInput(i); input && node.isBounded(input))
      return node.unsupported("an extent of its input is known only at run time");
  return success();
}

LogicalResult refuseUnbounded(Node &node) {
  return node.unsupported("the shape of its result depends on a run-time input without bounds");
}

/// Whether a value is an argument of the entry, perhaps in another form.
static bool isArgument(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<graph::ReshapeOp, graph::CastOp, graph::TransposeOp, graph::BroadcastOp>(op))
      return false;
    value = op->getOperand(0);
  }
  return isa<func::FuncOp>(cast<BlockArgument>(value).getOwner()->getParentOp());
}

void requireIndices(Node &node, Value indices, Value extent) {
  if (!indices || !extent || Node::countOf(indices) == 0 || !(node.getConstant(indices) || isArgument(indices)))
    return;
  Value wide = node.cast(indices, node.getBuilder().getI64Type());
  Value isFine = node.flatten(inRange(node, wide, node.create<graph::NegOp>(extent), extent));
  node.require(node.reduce(graph::ReduceKind::All, isFine, {0}, false),
               "an index of '" + node.getName() + "' is out of range");
}

void requireShape(Node &node, Value condition, StringRef what) {
  node.require(condition, "'" + what + "' does not give the shape the model declares");
}

void requireInts(Node &node, Value list, Shape expected, StringRef what) {
  Value isEqual = node.compare(ComparePredicate::EQ, asList(node, list), node.ints(expected));
  requireShape(node, node.reduce(graph::ReduceKind::All, isEqual, {0}, false), what);
}

} // namespace hgc::onnx
