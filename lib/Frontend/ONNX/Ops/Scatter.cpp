//===- Scatter.cpp - Scatter, ScatterElements, ScatterND, TensorScatter ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "../Bounded.h"
#include "Gather.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::onnx;
using graph::ScatterKind;

/// How the attribute `reduction` joins updates with what is there.
static std::optional<ScatterKind> readKind(Node &node) {
  StringRef name = node.getString("reduction", "none");
  auto kind = llvm::StringSwitch<std::optional<ScatterKind>>(name)
                  .Case("none", ScatterKind::Set)
                  .Case("add", ScatterKind::Add)
                  .Case("mul", ScatterKind::Mul)
                  .Case("max", ScatterKind::Max)
                  .Case("min", ScatterKind::Min)
                  .Default(std::nullopt);
  if (!kind)
    (void)node.invalid("reduction '" + name + "' is unknown", "use none, add, mul, max or min");
  return kind;
}

/// Scatters along dim 0, elements or rows. Updates that are not flagged as `inside`
/// (null: all are) go to a place behind the data, which is cut off again.
static Value scatterInside(Node &node, ScatterKind kind, Value data, Value places, Value updates, Value inside,
                           bool rows) {
  int64_t extent = Node::shapeOf(data)[0];
  if (inside) {
    Extents low(Node::rankOf(data), 0), high(low);
    high[0] = 1;
    data = node.pad(data, node.scalar(Node::elementOf(data), 0), low, high);
    places = node.select(inside, places, i64(node, extent));
  }
  Value result = node.create<graph::ScatterOp>(kind, data, places, updates, 0, rows);
  return inside ? node.sliceAxis(result, 0, 0, extent) : result;
}

/// Flags, as a list, of the places of indices and updates that are within the actual
/// extents of their first `dims` dims; null when all are.
static Value findInside(Node &node, Value indices, Value updates, int64_t dims, Shape places) {
  Extents axes = llvm::to_vector(llvm::seq<int64_t>(0, dims));
  Value inside;
  for (Value value : {indices, updates}) {
    Value flags = node.isBounded(value) ? getInside(node, value, axes) : Value();
    // Dims behind those have extent 1.
    Extents shape(flags ? Node::shapeOf(flags).take_front(dims) : Shape());
    flags = flags ? node.reshape(flags, shape) : flags;
    inside = inside && flags ? both(node, inside, flags) : inside ? inside : flags;
  }
  return inside ? node.flatten(node.broadcast(inside, places)) : inside;
}

static LogicalResult doneScatter(Node &node, Value data, Value result) {
  mapExtents(node, data, result, llvm::to_vector(llvm::seq<int64_t>(0, Node::rankOf(data))));
  return node.done(result);
}

static LogicalResult importScatterElements(Node &node) {
  Value data = node.getInput(0), indices = node.getInput(1), updates = node.getInput(2);
  Shape shape = Node::shapeOf(data), places = Node::shapeOf(indices);
  std::optional<int64_t> axis = node.getAxis(shape.size(), 0);
  std::optional<ScatterKind> kind = readKind(node);
  if (!axis || !kind || failed(checkIndices(node, places == Node::shapeOf(updates) && places.size() == shape.size())))
    return failure();
  Value extent = getActualExtent(node, data, *axis);
  requireIndices(node, indices, extent);
  Value inside = findInside(node, indices, updates, places.size(), places);
  Extents reached(shape);
  reached[*axis] = places[*axis];
  if (Shape(reached) == places && !inside && !node.isBounded(data))
    return node.done(node.create<graph::ScatterOp>(*kind, data, indices, updates, *axis, false));
  // The updates cover a part of the other dims only: positions are row-major ones.
  Values coordinates;
  for (int64_t dim = 0, rank = shape.size(); dim < rank; ++dim)
    coordinates.push_back(count(node, places[dim], rank, dim));
  coordinates[*axis] = fromFront(node, node.cast(indices, node.getBuilder().getI64Type()), extent);
  Value positions = node.flatten(node.broadcast(flatIndex(node, coordinates, shape), places));
  Value flat = scatterInside(node, *kind, node.flatten(data), positions, node.flatten(updates), inside, false);
  return doneScatter(node, data, node.reshape(flat, shape));
}

static LogicalResult importScatterND(Node &node) {
  Value data = node.getInput(0), indices = node.getInput(1), updates = node.getInput(2);
  Shape shape = Node::shapeOf(data), places = Node::shapeOf(indices);
  std::optional<ScatterKind> kind = readKind(node);
  if (!kind)
    return failure();
  int64_t depth = places.empty() ? 0 : places.back();
  bool isFine = depth > 0 && depth <= static_cast<int64_t>(shape.size());
  Extents wanted(places.empty() ? places : places.drop_back());
  if (isFine)
    llvm::append_range(wanted, shape.drop_front(depth));
  if (failed(checkIndices(node, isFine && Shape(wanted) == Node::shapeOf(updates))))
    return failure();
  // Dims of the updates behind the places are dims of the data.
  int64_t dims = places.size() - 1;
  bool isOpen = node.getExtent(indices, dims) != nullptr;
  for (int64_t dim = dims; dim < Node::rankOf(updates); ++dim)
    isOpen |= node.getExtent(updates, dim) && !node.getExtent(data, dim - dims + depth);
  if (isOpen)
    return node.unsupported("an extent of its input is known only at run time");
  Shape indexed = shape.take_front(depth), slice = shape.drop_front(depth);
  Value rows = rowsOf(node, indices, data, 0);
  Value inside = findInside(node, indices, updates, dims, places.drop_back());
  Value table = node.reshape(data, {product(indexed), product(slice)});
  Value news = node.reshape(updates, {product(places.drop_back()), product(slice)});
  Value result = scatterInside(node, *kind, table, rows, news, inside, true);
  return doneScatter(node, data, node.reshape(result, shape));
}

static LogicalResult importTensorScatter(Node &node) {
  Value cache = node.getInput(0), update = node.getInput(1);
  Shape shape = Node::shapeOf(cache), news = Node::shapeOf(update);
  int64_t rank = shape.size();
  std::optional<int64_t> axis = node.getAxis(rank, -2);
  if (!axis)
    return failure();
  Value places = count(node, news[*axis], rank, *axis);
  if (node.hasInput(2))
    places = node.add(places, along(node, asList(node, node.getInput(2)), rank, 0));
  if (node.getString("mode", "linear") == "circular")
    places = modulo(node, places, i64(node, shape[*axis]));
  return node.done(
      node.create<graph::ScatterOp>(ScatterKind::Set, cache, node.broadcast(places, news), update, *axis, false));
}

void hgc::onnx::addScatterOps(OpTable &table) {
  table.addBounded("Scatter", withInputs<3, importScatterElements>);
  table.addBounded("ScatterElements", withInputs<3, importScatterElements>);
  table.addBounded("ScatterND", withInputs<3, importScatterND>);
  table.add("TensorScatter", withInputs<2, importTensorScatter>);
}
