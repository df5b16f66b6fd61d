//===- Repeat.cpp - Expand, Tile ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "../Bounded.h"
#include "../Ranges.h"
#include "Indexing.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::onnx;
using graph::ComparePredicate;

/// `extents` with leading ones.
static Extents withRank(Shape extents, size_t rank) {
  Extents result(rank - std::min(rank, extents.size()), 1);
  llvm::append_range(result, extents);
  return result;
}

/// Expand where data or shape are bounded.
static LogicalResult expandBounded(Node &node, Value data, const BoundedShape &shape) {
  int64_t rank = std::max<int64_t>(Node::rankOf(data), shape.most.size());
  int64_t ownBehind = rank - Node::rankOf(data), givenBehind = rank - static_cast<int64_t>(shape.most.size());
  Extents wanted;
  Values actual;
  for (int64_t dim = 0; dim < rank; ++dim) {
    int64_t own = dim < ownBehind ? 1 : Node::shapeOf(data)[dim - ownBehind];
    Value ownActual = dim < ownBehind ? Value() : node.getExtent(data, dim - ownBehind);
    int64_t given = dim < givenBehind ? 1 : shape.most[dim - givenBehind];
    Value givenActual = dim < givenBehind ? Value() : shape.actual[dim - givenBehind];
    if (own == 1 && !ownActual) {
      wanted.push_back(given);
      actual.push_back(givenActual);
      continue;
    }
    // The data has the extent, and the shape says so or has a 1.
    wanted.push_back(own);
    actual.push_back(ownActual);
    Value said = givenActual ? givenActual : i64(node, given), has = ownActual ? ownActual : i64(node, own);
    Value isEqual = node.compare(ComparePredicate::EQ, said, has);
    requireShape(node, node.create<graph::OrOp>(isEqual, node.compare(ComparePredicate::EQ, said, i64(node, 1))),
                 "shape");
  }
  if (!hgc::countElements(wanted, 8))
    return refuseUnbounded(node);
  return doneWith(node, node.broadcast(data, wanted), actual);
}

/// The extents in input 1 where the result is bounded: the data is, or the list is
/// a run-time value with bounds and the model does not declare the result.
static std::optional<BoundedShape> readBoundedShape(Node &node) {
  if (!node.isBounded(node.getInput(0)) && (!isRunTime(node, 1) || node.getDeclaredType(0)))
    return std::nullopt;
  return getBoundedShape(node, node.getInput(1));
}

static LogicalResult importExpand(Node &node) {
  Value data = node.getInput(0);
  if (failed(refuseBounded(node, 1)))
    return failure();
  Shape input = Node::shapeOf(data);
  if (std::optional<BoundedShape> shape = readBoundedShape(node))
    return expandBounded(node, data, *shape);
  if (node.isBounded(data))
    return refuseUnbounded(node);
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

/// Tile where data or repeats are bounded: each dim in turn picks its elements in a
/// cycle of the actual extent.
static LogicalResult tileBounded(Node &node, Value data, const BoundedShape &repeats) {
  Value result = data;
  Extents shape(Node::shapeOf(data));
  Values actual;
  for (auto [i, most] : llvm::enumerate(repeats.most)) {
    int64_t dim = static_cast<int64_t>(i);
    Value extent = node.getExtent(data, dim), times = repeats.actual[i];
    actual.push_back(extent);
    if (most == 1 && !times)
      continue;
    Value own = getActualExtent(node, data, dim);
    actual.back() = extent || times ? node.mul(own, times ? times : i64(node, most)) : Value();
    shape[dim] *= most;
    if (!hgc::countElements(shape, 8))
      return refuseUnbounded(node);
    Value place = node.iota({shape[dim]}, 0, node.getBuilder().getI64Type());
    result = node.gather(result, node.create<graph::RemOp>(place, node.max(own, i64(node, 1))), dim);
  }
  return doneWith(node, result, actual);
}

static LogicalResult importTile(Node &node) {
  Value data = node.getInput(0);
  if (failed(refuseBounded(node, 1)))
    return failure();
  Shape input = Node::shapeOf(data);
  if (node.getOpset() >= 6)
    if (std::optional<BoundedShape> repeats = readBoundedShape(node); repeats && repeats->most.size() == input.size())
      return tileBounded(node, data, *repeats);
  if (node.isBounded(data))
    return refuseUnbounded(node);
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

void hgc::onnx::addRepeatOps(OpTable &table) {
  table.addBounded("Expand", withInputs<2, importExpand>);
  table.addBounded("Tile", withInputs<2, importTile>);
}
