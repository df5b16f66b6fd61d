//===- Scatter.cpp - updates at run-time places ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Boxes that are not wholly inside are left out: their updates change nothing, or,
// where an update replaces what is there, go to a row that is cut off afterwards.
//===----------------------------------------------------------------------===//

#include "../OpTable.h"
#include "Bodies.h"
#include "Indices.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace hgc::stablehlo {

using graph::ScatterKind;

namespace {

std::optional<ScatterKind> getScatterKind(StringRef combiner) {
  return llvm::StringSwitch<std::optional<ScatterKind>>(combiner)
      .Case("second", ScatterKind::Set)
      .Case("add", ScatterKind::Add)
      .Case("multiply", ScatterKind::Mul)
      .Case("maximum", ScatterKind::Max)
      .Case("minimum", ScatterKind::Min)
      .Default(std::nullopt);
}

/// An update that changes nothing.
Value getNeutral(Node &node, ScatterKind kind, Type element) {
  if (kind == ScatterKind::Max || kind == ScatterKind::Min)
    return extreme(node, element, kind == ScatterKind::Min);
  return node.scalar(element, kind == ScatterKind::Mul ? 1 : 0);
}

/// `updates` (indices, rest of the rows) into `table` along `axis`.
Value scatterRows(Node &node, ScatterKind kind, Value table, Value rows, Value updates, Value isInside, int64_t axis) {
  if (!table || !rows || !updates)
    return {};
  Type element = Node::elementOf(table);
  int64_t extent = Node::shapeOf(table)[axis];
  std::optional<HostTensor> known = isInside ? node.getConstant(isInside) : std::nullopt;
  bool isSure = !isInside || (known && llvm::all_of(known->toInts(), [](int64_t flag) { return flag; }));
  bool grows = !isSure && kind == ScatterKind::Set;
  if (!isSure)
    rows = node.select(isInside, rows, i64(node, grows ? extent : 0));
  if (grows) {
    Extents low(Node::rankOf(table), 0), high(low);
    high[axis] = 1;
    table = node.pad(table, node.scalar(element, 0), low, high);
  } else if (!isSure) {
    // Flags of the indices, which are dims of the updates from `axis` on.
    Extents shape(Node::rankOf(updates), 1);
    for (auto [i, size] : llvm::enumerate(Node::shapeOf(rows)))
      shape[axis + i] = size;
    Value flags = node.reshape(node.broadcast(isInside, Node::shapeOf(rows)), shape);
    updates = node.select(flags, updates, getNeutral(node, kind, element));
  }
  OpBuilder &builder = node.getBuilder();
  Value result = node.create<graph::ScatterOp>(graph::ScatterKindAttr::get(builder.getContext(), kind), table, rows,
                                               updates, builder.getI64IntegerAttr(axis), builder.getUnitAttr());
  return grows ? node.sliceAxis(result, axis, 0, extent) : result;
}

/// Along the one dim that is indexed.
Value scatterAlong(Node &node, ScatterKind kind, Value operand, Value updates, const Indexing &indexing, int64_t dim) {
  Value index = getComponent(node, indexing, 0),
        isInside = inRange(node, index, i64(node, 0), i64(node, indexing.shape[dim]));
  // Window dims before the indexed one, then batches, then the other window dims.
  Extents order(Shape(indexing.window).take_front(dim)), batch = indexing.batchDims();
  llvm::append_range(order, batch);
  llvm::append_range(order, Shape(indexing.window).drop_front(dim));
  return scatterRows(node, kind, operand, index, node.transpose(updates, order), isInside, dim);
}

Value scatterFlat(Node &node, ScatterKind kind, Value operand, Value updates, const Indexing &indexing) {
  int64_t leading = countLeading(indexing);
  Value isInside;
  Value rows = buildRows(node, indexing, leading, /*clamps=*/false, isInside);
  if (!rows)
    return {};
  Extents table = {product(Shape(indexing.shape).take_front(leading))}, list = {Node::countOf(rows)};
  llvm::append_range(table, Shape(indexing.shape).drop_front(leading));
  Extents flat(list);
  llvm::append_range(flat, Shape(indexing.shape).drop_front(leading));
  if (isInside)
    isInside = node.reshape(node.broadcast(isInside, Node::shapeOf(rows)), list);
  updates = node.reshape(node.transpose(updates, batchFirst(indexing)), flat);
  Value result = scatterRows(node, kind, node.reshape(operand, table), node.reshape(rows, list), updates, isInside, 0);
  return node.reshape(result, indexing.shape);
}

LogicalResult importScatter(Node &node) {
  if (node.getNumResults() != 1)
    return node.unsupported("several operands at once");
  if (!node.hasOperands(3))
    return failure();
  Value operand = node.getOperand(0), updates = node.getOperand(2);
  Block *body = node.getBody(0, 2);
  if (!body)
    return failure();
  if (Node::elementOf(operand) != Node::elementOf(updates))
    return node.invalid("updates have another type than the operand", "the program is damaged: export it again");
  IndexingNames names{"scatter_dimension_numbers",     "update_window_dims",
                      "inserted_window_dims",          "input_batching_dims",
                      "scatter_indices_batching_dims", "scatter_dims_to_operand_dims"};
  std::optional<Indexing> indexing =
      readIndexing(node, names, Node::shapeOf(operand), node.getOperand(1), Node::shapeOf(updates), {});
  if (!indexing)
    return failure();
  if (Node::countOf(updates) == 0 || Node::countOf(operand) == 0)
    return node.done(operand);
  bool isBool = Node::elementOf(operand).isInteger(1);
  StringRef combiner = getCombiner(*body);
  // Logic on booleans is a maximum or minimum of bytes.
  if (isBool && combiner != "second") {
    combiner = llvm::StringSwitch<StringRef>(combiner)
                   .Cases({"or", "add", "maximum"}, "maximum")
                   .Cases({"and", "multiply", "minimum"}, "minimum")
                   .Default("");
    operand = node.cast(operand, node.getBuilder().getI8Type());
    updates = node.cast(updates, node.getBuilder().getI8Type());
  }
  std::optional<ScatterKind> kind = getScatterKind(combiner);
  if (!kind)
    return node.unsupported("a body that neither replaces, adds, multiplies, nor takes the maximum or minimum");
  int64_t dim = indexing->soleDim();
  Value result = dim >= 0 ? scatterAlong(node, *kind, operand, updates, *indexing, dim)
                          : scatterFlat(node, *kind, operand, updates, *indexing);
  return node.done(node.cast(result, node.getResultType(0).getElementType()));
}

} // namespace

void addScatterOps(OpTable &table) {
  table.add("stablehlo.scatter", importScatter,
            "one operand; bodies that replace, add, multiply, or take the maximum or minimum");
}

} // namespace hgc::stablehlo
