//===- Indexing.cpp - index arithmetic on run-time values -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Indexing.h"

#include <limits>

using namespace mlir;

namespace hgc::onnx {

using graph::ComparePredicate;

Extents stridesOf(Shape shape) {
  Extents strides(shape.size(), 1);
  for (int64_t i = static_cast<int64_t>(shape.size()) - 2; i >= 0; --i)
    strides[i] = strides[i + 1] * shape[i + 1];
  return strides;
}

int64_t product(Shape extents) {
  int64_t total = 1;
  for (int64_t extent : extents)
    total *= extent;
  return total;
}

//===----------------------------------------------------------------------===//
// Scalars and lists
//===----------------------------------------------------------------------===//

Value i64(Builder &b, int64_t value) { return b.reshape(b.ints({value}), {}); }

Value f32(Builder &b, double value) { return b.scalar(b.getBuilder().getF32Type(), value); }

Value extreme(Builder &b, Type type, bool isGreatest) {
  auto integer = dyn_cast_or_null<IntegerType>(type);
  if (!integer) {
    double infinity = std::numeric_limits<double>::infinity();
    return b.scalar(type, isGreatest ? infinity : -infinity);
  }
  // Bits of a narrow type are wrapped into place.
  unsigned width = integer.getWidth();
  bool isSigned = !integer.isUnsigned() && width > 1;
  APInt least = isSigned ? APInt::getSignedMinValue(width) : APInt::getZero(width);
  APInt bits = isGreatest ? ~least : least;
  return b.constant(HostTensor::fromInts(type, {}, {bits.sextOrTrunc(64).getSExtValue()}));
}

Value asList(Builder &b, Value value) { return b.flatten(b.cast(value, b.getBuilder().getI64Type())); }

Value element(Builder &b, Value list, int64_t index) { return b.reshape(b.slice(list, {index}, {1}), {}); }

Value listOf(Builder &b, ArrayRef<Value> scalars) {
  Values parts;
  for (Value scalar : scalars)
    parts.push_back(b.reshape(scalar, {1}));
  return b.concat(parts, 0);
}

Value both(Builder &b, Value a, Value c) { return b.create<graph::AndOp>(a, c); }

Value inRange(Builder &b, Value value, Value low, Value high) {
  return both(b, b.compare(ComparePredicate::GE, value, low), b.compare(ComparePredicate::LT, value, high));
}

Value clamp(Builder &b, Value value, Value low, Value high) { return b.min(b.max(value, low), high); }

Value fromFront(Builder &b, Value index, int64_t extent) {
  return fromFront(b, index, b.scalar(Builder::elementOf(index), extent));
}

Value fromFront(Builder &b, Value index, Value extent) {
  Type type = Builder::elementOf(index);
  Value isNegative = b.compare(ComparePredicate::LT, index, b.scalar(type, 0));
  return b.select(isNegative, b.add(index, b.cast(extent, type)), index);
}

Value modulo(Builder &b, Value value, Value divisor) {
  Value rest = b.create<graph::RemOp>(value, divisor);
  return b.create<graph::RemOp>(b.add(rest, divisor), divisor);
}

//===----------------------------------------------------------------------===//
// Coordinates
//===----------------------------------------------------------------------===//

Value along(Builder &b, Value list, int64_t rank, int64_t axis) {
  if (!list)
    return {};
  Extents shape(rank, 1);
  shape[axis] = Builder::countOf(list);
  return b.reshape(list, shape);
}

Value count(Builder &b, int64_t extent, int64_t rank, int64_t axis) {
  Extents shape(rank, 1);
  shape[axis] = extent;
  return b.iota(shape, axis, b.getBuilder().getI64Type());
}

Value flatIndex(Builder &b, ArrayRef<Value> coordinates, Shape shape) {
  Value total = i64(b, 0);
  for (auto [coordinate, stride] : llvm::zip_equal(coordinates, stridesOf(shape)))
    total = b.add(total, b.mul(coordinate, i64(b, stride)));
  return total;
}

Value pick(Builder &b, Value value, ArrayRef<Value> coordinates, Shape result) {
  if (!value)
    return {};
  return b.gatherFlat(value, b.broadcast(flatIndex(b, coordinates, Builder::shapeOf(value)), result));
}

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
