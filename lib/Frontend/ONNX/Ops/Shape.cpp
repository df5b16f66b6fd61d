//===- Shape.cpp - Reshape, Flatten, Squeeze, Unsqueeze, Transpose --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A shape that is a run-time input must be the one the model declares for the
// result: the op is imported for that shape and the input is checked at run time.
// Without a declaration it must have bounds, as shapes of bounded values have.
//===----------------------------------------------------------------------===//

#include "../Bounded.h"
#include "../Ranges.h"
#include "Indexing.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::onnx;
using graph::ComparePredicate;

//===----------------------------------------------------------------------===//
// Reshape
//===----------------------------------------------------------------------===//

/// `wanted` with zeros replaced by extents of the input; -1 is left.
static LogicalResult copyExtents(Node &node, Shape input, Extents &wanted) {
  if (node.getInt("allowzero", 0))
    return success();
  for (auto [i, extent] : llvm::enumerate(wanted)) {
    if (extent != 0)
      continue;
    if (i >= input.size())
      return node.invalid("0 at place " + Twine(i) + " of the shape copies a dim the input does not have",
                          "write the extent");
    extent = input[i];
  }
  return success();
}

/// Replaces -1 by what is left of the elements; fails when it does not fit.
static LogicalResult resolveQuietly(Shape input, Extents &wanted) {
  int64_t elements = product(input), known = 1;
  int64_t *rest = nullptr;
  bool isFine = true;
  for (int64_t &extent : wanted) {
    isFine &= extent >= -1 && (extent != -1 || !rest);
    if (extent == -1)
      rest = &extent;
    else
      known *= extent;
  }
  if (isFine && rest) {
    isFine = known != 0 && elements % known == 0;
    *rest = isFine ? elements / known : 0;
  }
  return success(isFine && product(wanted) == elements);
}

static LogicalResult resolveRest(Node &node, Shape input, Extents &wanted) {
  if (succeeded(resolveQuietly(input, wanted)))
    return success();
  return node.invalid("the shape does not fit the input's " + Twine(product(input)) + " elements",
                      "the extents must multiply to that number; one may be -1");
}

/// Checks a run-time shape against the declared one.
static void requireReshape(Node &node, Value shape, Shape input, Shape declared) {
  Value wanted = asList(node, shape), expected = node.ints(declared);
  Value isEqual = node.compare(ComparePredicate::EQ, wanted, expected);
  auto accept = [&](int64_t special, Value where) {
    Value isSpecial = node.compare(ComparePredicate::EQ, wanted, i64(node, special));
    isEqual = node.create<graph::OrOp>(isEqual, both(node, isSpecial, where));
  };
  accept(-1, node.splat(node.getBuilder().getI1Type(), {}, 1));
  if (!node.getInt("allowzero", 0)) {
    Extents copied(declared.size(), -1);
    for (size_t i = 0; i < std::min(input.size(), declared.size()); ++i)
      copied[i] = input[i];
    accept(0, node.compare(ComparePredicate::EQ, expected, node.ints(copied)));
  }
  requireShape(node, node.reduce(graph::ReduceKind::All, isEqual, {0}, false), "shape");
}

/// Replaces the entry at `rest`, which is -1, by the actual number of elements for
/// each of the other entries together.
static void resolveActualRest(Node &node, Value data, BoundedShape &shape, size_t rest) {
  Value elements = i64(node, 1), others = i64(node, 1);
  for (int64_t dim = 0; dim < Node::rankOf(data); ++dim)
    elements = node.mul(elements, getActualExtent(node, data, dim));
  int64_t known = 1;
  for (auto [i, most] : llvm::enumerate(shape.most)) {
    if (i == rest)
      continue;
    known = shape.actual[i] ? known : known * most;
    others = node.mul(others, shape.actual[i] ? shape.actual[i] : i64(node, most));
  }
  shape.most[rest] = Node::countOf(data) / std::max<int64_t>(known, 1);
  shape.actual[rest] = node.div(elements, node.max(others, i64(node, 1)));
}

/// Reshape of bounded data, or to a shape that has bounds.
static LogicalResult reshapeBounded(Node &node, Value data, Value list) {
  std::optional<SmallVector<Bounds>> ranges = getRanges(node, list);
  if (!ranges)
    return refuseUnbounded(node);
  BoundedShape shape;
  std::optional<size_t> rest;
  bool isFine = true;
  for (auto [i, range] : llvm::enumerate(*ranges)) {
    int64_t dim = static_cast<int64_t>(i);
    bool isRest = range.isExact() && range.most == -1;
    bool isCopy = range.isExact() && range.most == 0 && !node.getInt("allowzero", 0);
    isFine &= range.most >= (isRest ? -1 : 0) && !(isRest && rest) && !(isCopy && dim >= Node::rankOf(data));
    if (!isFine)
      break;
    rest = isRest ? i : rest;
    shape.most.push_back(isCopy ? Node::shapeOf(data)[dim] : range.most);
    shape.actual.push_back(isCopy            ? node.getExtent(data, dim)
                           : range.isExact() ? Value()
                                             : element(node, asList(node, list), dim));
  }
  if (!isFine)
    return node.invalid("the shape does not fit the input's dims", "one extent may be -1, 0 copies that of the input");
  if (rest)
    resolveActualRest(node, data, shape, *rest);
  if (!hgc::countElements(shape.most, 8))
    return refuseUnbounded(node);
  return node.done(reshapeActual(node, data, shape.most, shape.actual));
}

static LogicalResult importReshape(Node &node) {
  Value data = node.getInput(0);
  if (failed(refuseBounded(node, 1)))
    return failure();
  Shape input = Node::shapeOf(data);
  Extents wanted = node.getIntList("shape");
  if (isRunTime(node, 1) && Node::countOf(node.getInput(1)) != 0) {
    if (!node.getDeclaredType(0) && getRanges(node, node.getInput(1)))
      return reshapeBounded(node, data, node.getInput(1));
    RankedTensorType type = needType(node, 0, Node::countOf(node.getInput(1)));
    if (!type)
      return failure();
    requireReshape(node, node.getInput(1), input, type.getShape());
    wanted = Extents(type.getShape());
  } else if (std::optional<Extents> given = node.getInputInts(1)) {
    wanted = *given;
  }
  Extents given(wanted);
  if (failed(copyExtents(node, input, wanted)))
    return failure();
  // What holds all elements of the largest input may hold those of any.
  if (node.isBounded(data) && failed(resolveQuietly(input, wanted)))
    return reshapeBounded(node, data, node.ints(given));
  if (failed(resolveRest(node, input, wanted)))
    return failure();
  Value result = node.reshape(data, wanted);
  if (!tryKeepExtents(node, data, result))
    return reshapeBounded(node, data, node.ints(given));
  return node.done(result);
}

static LogicalResult importFlatten(Node &node) {
  Shape shape = Node::shapeOf(node.getInput(0));
  int64_t axis = node.getInt("axis", 1), rank = shape.size();
  if (axis < -rank || axis > rank)
    return node.invalid("axis " + Twine(axis) + " is out of range",
                        "give an axis from " + Twine(-rank) + " to " + Twine(rank));
  axis += axis < 0 ? rank : 0;
  Value data = node.getInput(0);
  Value result = node.reshape(data, {product(shape.take_front(axis)), product(shape.drop_front(axis))});
  if (tryKeepExtents(node, data, result))
    return node.done(result);
  Value sides[2] = {i64(node, 1), i64(node, 1)};
  for (int64_t dim = 0; dim < rank; ++dim)
    sides[dim >= axis] = node.mul(sides[dim >= axis], getActualExtent(node, data, dim));
  return node.done(reshapeActual(node, data, Extents(Node::shapeOf(result)), sides));
}

//===----------------------------------------------------------------------===//
// Squeeze and Unsqueeze
//===----------------------------------------------------------------------===//

static LogicalResult importSqueeze(Node &node) {
  Value data = node.getInput(0);
  Shape shape = Node::shapeOf(data);
  if (isRunTime(node, 1)) {
    Value axes = asList(node, node.getInput(1));
    RankedTensorType type = needType(node, 0, shape.size() - Node::shapeOf(axes)[0]);
    if (!type)
      return failure();
    // Whichever dims of extent 1 go, what stays is the same.
    Value isOne = node.compare(ComparePredicate::EQ, node.ints(shape), i64(node, 1));
    Value isKept = node.create<graph::NotOp>(axisFlags(node, axes, shape.size()));
    requireShape(node, node.reduce(graph::ReduceKind::All, node.create<graph::OrOp>(isOne, isKept), {0}, false),
                 "axes");
    return node.done(node.reshape(data, type.getShape()));
  }
  Extents ones;
  for (auto [i, extent] : llvm::enumerate(shape))
    if (extent == 1)
      ones.push_back(i);
  std::optional<Extents> axes = readAxes(node, 1, shape.size(), ones);
  if (!axes)
    return failure();
  for (int64_t axis : *axes)
    if (shape[axis] != 1)
      return node.invalid("dim " + Twine(axis) + " to be removed has extent " + Twine(shape[axis]),
                          "only dims of extent 1 can be removed");
  return doneKeeping(node, data, node.squeeze(data, *axes));
}

static LogicalResult importUnsqueeze(Node &node) {
  Value data = node.getInput(0);
  Shape shape = Node::shapeOf(data);
  if (isRunTime(node, 1)) {
    Value axes = asList(node, node.getInput(1));
    int64_t rank = shape.size() + Node::shapeOf(axes)[0];
    RankedTensorType type = needType(node, 0, rank);
    if (!type)
      return failure();
    Value isOne = node.compare(ComparePredicate::EQ, node.ints(type.getShape()), i64(node, 1));
    Value isOld = node.create<graph::NotOp>(axisFlags(node, axes, rank));
    requireShape(node, node.reduce(graph::ReduceKind::All, node.create<graph::OrOp>(isOne, isOld), {0}, false), "axes");
    return node.done(node.reshape(data, type.getShape()));
  }
  size_t count =
      node.hasAttribute("axes") ? node.getIntList("axes").size() : node.getInputInts(1).value_or(Extents()).size();
  std::optional<Extents> axes = readAxes(node, 1, shape.size() + count, {});
  if (!axes)
    return failure();
  llvm::sort(*axes);
  return doneKeeping(node, data, node.unsqueeze(data, *axes));
}

//===----------------------------------------------------------------------===//
// Transpose
//===----------------------------------------------------------------------===//

static LogicalResult importTranspose(Node &node) {
  int64_t rank = Node::rankOf(node.getInput(0));
  Extents permutation = llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(0, rank)));
  if (node.hasAttribute("perm")) {
    std::optional<Extents> given = normalizeAxes(node, node.getIntList("perm"), rank);
    if (!given)
      return failure();
    permutation = *given;
  }
  Value result = node.transpose(node.getInput(0), permutation);
  mapExtents(node, node.getInput(0), result, permutation);
  return node.done(result);
}

void hgc::onnx::addShapeOps(OpTable &table) {
  table.addBounded("Reshape", withInputs<1, importReshape>);
  table.addBounded("Flatten", withInputs<1, importFlatten>);
  table.addBounded("Squeeze", withInputs<1, importSqueeze>);
  table.addBounded("Unsqueeze", withInputs<1, importUnsqueeze>);
  table.addBounded("Transpose", withInputs<1, importTranspose>);
}
