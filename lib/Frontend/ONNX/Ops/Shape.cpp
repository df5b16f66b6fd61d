//===- Shape.cpp - Reshape, Squeeze, Transpose, Expand, Tile, ... ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A shape that is a run-time input must be the one the model declares for the
// result: the op is imported for that shape and the input is checked at run time.
//===----------------------------------------------------------------------===//

#include "../Bounded.h"
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

/// Replaces -1 by what is left of the elements.
static LogicalResult resolveRest(Node &node, Shape input, Extents &wanted) {
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
  if (isFine && product(wanted) == elements)
    return success();
  return node.invalid("the shape does not fit the input's " + Twine(elements) + " elements",
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

static LogicalResult importReshape(Node &node) {
  Value data = node.getInput(0);
  Shape input = Node::shapeOf(data);
  Extents wanted = node.getIntList("shape");
  if (isRunTime(node, 1) && Node::typeOf(node.getInput(1)).getNumElements() != 0) {
    RankedTensorType type = needType(node, 0, Node::typeOf(node.getInput(1)).getNumElements());
    if (!type)
      return failure();
    requireReshape(node, node.getInput(1), input, type.getShape());
    wanted = Extents(type.getShape());
  } else if (std::optional<Extents> given = node.getInputInts(1)) {
    wanted = *given;
  }
  if (failed(copyExtents(node, input, wanted)) || failed(resolveRest(node, input, wanted)))
    return failure();
  return doneKeeping(node, data, node.reshape(data, wanted));
}

static LogicalResult importFlatten(Node &node) {
  Shape shape = Node::shapeOf(node.getInput(0));
  int64_t axis = node.getInt("axis", 1), rank = shape.size();
  if (axis < -rank || axis > rank)
    return node.invalid("axis " + Twine(axis) + " is out of range",
                        "give an axis from " + Twine(-rank) + " to " + Twine(rank));
  axis += axis < 0 ? rank : 0;
  Value result = node.reshape(node.getInput(0), {product(shape.take_front(axis)), product(shape.drop_front(axis))});
  return doneKeeping(node, node.getInput(0), result);
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
// Transpose, Expand, Tile
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

/// `extents` with leading ones.
static Extents withRank(Shape extents, size_t rank) {
  Extents result(rank - std::min(rank, extents.size()), 1);
  llvm::append_range(result, extents);
  return result;
}

static LogicalResult importExpand(Node &node) {
  Value data = node.getInput(0);
  Shape input = Node::shapeOf(data);
  Extents wanted;
  if (std::optional<Extents> given = node.getInputInts(1)) {
    size_t rank = std::max(input.size(), given->size());
    wanted = withRank(*given, rank);
    for (auto [extent, own] : llvm::zip_equal(wanted, withRank(input, rank)))
      extent = extent == 1 ? own : extent;
  } else {
    Value shape = asList(node, node.getInput(1));
    size_t count = Node::shapeOf(shape)[0], rank = std::max(input.size(), count);
    RankedTensorType type = needType(node, 0, rank);
    if (!type)
      return failure();
    wanted = Extents(type.getShape());
    // The shape may have ones where the input has more.
    Shape last = Shape(wanted).take_back(count);
    Value isEqual = node.compare(ComparePredicate::EQ, shape, node.ints(last));
    Value isOne = node.compare(ComparePredicate::EQ, shape, i64(node, 1));
    Extents own = withRank(input, rank);
    Value fills = node.compare(ComparePredicate::EQ, node.ints(Shape(own).take_back(count)), node.ints(last));
    isEqual = node.create<graph::OrOp>(isEqual, both(node, isOne, fills));
    requireShape(node, node.reduce(graph::ReduceKind::All, isEqual, {0}, false), "shape");
  }
  return node.done(node.broadcast(data, wanted));
}

/// Repeats of the first opset: an axis and a count, both inputs.
static std::optional<Extents> readTiles(Node &node, int64_t rank) {
  std::optional<Extents> tiles = node.getInputInts(1), axis = node.getInputInts(2);
  if (!tiles || !axis || tiles->size() != 1 || axis->size() != 1) {
    (void)node.unsupported("'tiles' and 'axis' of opset 1 must be constants");
    return std::nullopt;
  }
  std::optional<Extents> axes = normalizeAxes(node, *axis, rank);
  if (!axes)
    return std::nullopt;
  Extents repeats(rank, 1);
  repeats[axes->front()] = tiles->front();
  return repeats;
}

static std::optional<Extents> readRepeats(Node &node, Shape input) {
  if (node.getOpset() < 6)
    return readTiles(node, input.size());
  if (std::optional<Extents> given = node.getInputInts(1)) {
    if (given->size() == input.size() && llvm::all_of(*given, [](int64_t count) { return count >= 0; }))
      return given;
    (void)node.invalid("'repeats' does not have one count for each of the " + Twine(input.size()) + " dims",
                       "give a count of 0 or more for each dim");
    return std::nullopt;
  }
  RankedTensorType type = needType(node, 0, input.size());
  if (!type)
    return std::nullopt;
  Extents repeats;
  for (auto [extent, own] : llvm::zip_equal(type.getShape(), input))
    repeats.push_back(own == 0 ? 1 : extent / own);
  requireInts(node, node.getInput(1), repeats, "repeats");
  return repeats;
}

static LogicalResult importTile(Node &node) {
  Value data = node.getInput(0);
  Shape input = Node::shapeOf(data);
  std::optional<Extents> repeats = readRepeats(node, input);
  if (!repeats)
    return failure();
  Extents apart, repeated, result;
  for (auto [count, extent] : llvm::zip_equal(*repeats, input)) {
    apart.append({1, extent});
    repeated.append({count, extent});
    result.push_back(count * extent);
  }
  return node.done(node.reshape(node.broadcast(node.reshape(data, apart), repeated), result));
}

void hgc::onnx::addShapeOps(OpTable &table) {
  table.addBounded("Reshape", withInputs<1, importReshape>);
  table.addBounded("Flatten", withInputs<1, importFlatten>);
  table.addBounded("Squeeze", withInputs<1, importSqueeze>);
  table.addBounded("Unsqueeze", withInputs<1, importUnsqueeze>);
  table.addBounded("Transpose", withInputs<1, importTranspose>);
  table.add("Expand", withInputs<2, importExpand>);
  table.add("Tile", withInputs<2, importTile>);
}
