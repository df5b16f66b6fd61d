//===- Scatter.cpp - Scatter, ScatterElements, ScatterND, TensorScatter ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

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

static LogicalResult importScatterElements(Node &node) {
  Value data = node.getInput(0), indices = node.getInput(1), updates = node.getInput(2);
  Shape shape = Node::shapeOf(data), places = Node::shapeOf(indices);
  std::optional<int64_t> axis = node.getAxis(shape.size(), 0);
  std::optional<ScatterKind> kind = readKind(node);
  if (!axis || !kind || failed(checkIndices(node, places == Node::shapeOf(updates) && places.size() == shape.size())))
    return failure();
  Extents reached(shape);
  reached[*axis] = places[*axis];
  if (Shape(reached) == places)
    return node.done(node.create<graph::ScatterOp>(*kind, data, indices, updates, *axis, false));
  // The updates cover a part of the other dims only: positions are row-major ones.
  Values coordinates;
  for (int64_t dim = 0, rank = shape.size(); dim < rank; ++dim)
    coordinates.push_back(count(node, places[dim], rank, dim));
  coordinates[*axis] = fromFront(node, node.cast(indices, node.getBuilder().getI64Type()), shape[*axis]);
  Value positions = node.flatten(node.broadcast(flatIndex(node, coordinates, shape), places));
  Value flat = node.create<graph::ScatterOp>(*kind, node.flatten(data), positions, node.flatten(updates), 0, false);
  return node.done(node.reshape(flat, shape));
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
  Shape indexed = shape.take_front(depth), slice = shape.drop_front(depth);
  Value rows = rowsOf(node, indices, indexed, 1);
  Value table = node.reshape(data, {product(indexed), product(slice)});
  Value news = node.reshape(updates, {product(places.drop_back()), product(slice)});
  return node.done(node.reshape(node.create<graph::ScatterOp>(*kind, table, rows, news, 0, true), shape));
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
  table.add("Scatter", withInputs<3, importScatterElements>);
  table.add("ScatterElements", withInputs<3, importScatterElements>);
  table.add("ScatterND", withInputs<3, importScatterND>);
  table.add("TensorScatter", withInputs<2, importTensorScatter>);
}
