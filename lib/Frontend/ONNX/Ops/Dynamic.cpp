//===- Dynamic.cpp - NonZero, Compress, Unique ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops whose result has as many elements as the data says. What is selected is
// brought to the front by a stable sort of flags; the rest follows and is not
// part of the result.
//===----------------------------------------------------------------------===//

#include "../Bounded.h"
#include "Indexing.h"
#include "Regions.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::onnx;
using graph::ComparePredicate;
using graph::ReduceKind;

namespace {

Extents allDims(Value value) { return llvm::to_vector(llvm::seq<int64_t>(0, Node::rankOf(value))); }

/// Positions in sorted order along dim 0 of a list.
Value sortList(hgc::onnx::Builder &b, Value list) {
  return b.create<graph::ArgSortOp>(list, b.getBuilder().getI64IntegerAttr(0), UnitAttr(), IntegerAttr());
}

/// Flags of the first `count` places of a list.
Value firstPlaces(Node &node, int64_t extent, Value count) {
  return node.compare(ComparePredicate::LT, hgc::onnx::count(node, extent, 1, 0), count);
}

LogicalResult importNonZero(Node &node) {
  Value data = node.getInput(0);
  Shape shape = Node::shapeOf(data);
  Value flags = node.compare(ComparePredicate::NE, data, node.scalar(Node::elementOf(data), 0));
  if (Value inside = getInside(node, data, allDims(data)))
    flags = both(node, flags, inside);
  Selection selection = selectFlags(node, node.flatten(flags));
  int64_t elements = product(shape);
  Values rows;
  for (auto [extent, stride] : llvm::zip_equal(shape, stridesOf(shape))) {
    Value coordinate = node.div(selection.positions, i64(node, stride));
    rows.push_back(node.reshape(node.create<graph::RemOp>(coordinate, i64(node, extent)), {1, elements}));
  }
  // A scalar has no coordinates.
  Value result = rows.empty() ? node.splat(node.getBuilder().getI64Type(), {0, 1}, 0) : node.concat(rows, 0);
  setBoundedOutput(node, 0, result, 1, selection.count);
  return success(result && selection.count);
}

LogicalResult importCompress(Node &node) {
  Value data = node.getInput(0), flags = node.getInput(1), length;
  int64_t axis = 0;
  if (node.hasAttribute("axis")) {
    std::optional<int64_t> given = node.getAxis(Node::rankOf(data), 0);
    if (!given)
      return failure();
    axis = *given;
    length = getActualExtent(node, data, axis);
  } else {
    data = flattenActual(node, data, length);
  }
  if (Node::rankOf(flags) != 1 || !Node::elementOf(flags).isInteger(1))
    return node.invalid("the condition is not a list of booleans", "give one boolean an element along the axis");
  int64_t extent = Node::shapeOf(data)[axis], given = Node::shapeOf(flags)[0];
  // A short condition selects nothing behind its end.
  if (given > extent)
    return node.invalid("the condition has more elements than the axis", "give at most one an element");
  Value valid = node.min(length, getActualExtent(node, flags, 0));
  if (node.getConstant(valid) == std::nullopt)
    flags = both(node, flags, firstPlaces(node, given, valid));
  Selection selection = selectFlags(node, flags);
  Value result = node.gather(data, selection.positions, axis);
  mapExtents(node, data, result, allDims(result));
  setBoundedOutput(node, 0, result, axis, selection.count);
  return success(result && selection.count);
}

//===----------------------------------------------------------------------===//
// Unique
//===----------------------------------------------------------------------===//

/// Rows of the same elements lie together once they are sorted; a stable sort puts
/// the first of them in front.
class UniqueRows {
public:
  UniqueRows(Node &node, Value rows, Value rowCount)
      : node(node), rows(rows), rowCount(rowCount), extent(Node::shapeOf(rows)[0]) {}

  LogicalResult compute(bool sorted);

  /// By distinct row: a position of it, and how often it is there. By row: which of
  /// the distinct ones it is.
  Value first, counts, inverse, number;

private:
  Value sortRows();
  Value findStarts(Value order);
  void orderByPosition();
  Value places() { return count(node, extent, 1, 0); }

  Node &node;
  Value rows, rowCount;
  int64_t extent;
};

} // namespace

/// Positions of the rows in lexicographic order: sorted by the last column first.
Value UniqueRows::sortRows() {
  // Rows beyond the actual ones go to the end.
  Value beyond = node.compare(ComparePredicate::GE, places(), rowCount);
  bool isKnown = node.getConstant(rowCount).has_value();
  if (Node::shapeOf(rows)[1] == 1 && isKnown)
    return sortList(node, node.flatten(rows));
  auto step = [&](ValueRange states, ValueRange slices) -> FailureOr<Values> {
    Value order = sortList(node, node.gather(slices[0], states[0], 0));
    return Values{node.gather(states[0], order, 0)};
  };
  FailureOr<Values> order = buildScan(node, {places()}, {node.transpose(rows, {1, 0})}, /*reverse=*/true, step);
  if (failed(order) || isKnown)
    return failed(order) ? Value() : order->front();
  return node.gather(order->front(), sortList(node, node.gather(beyond, order->front(), 0)), 0);
}

/// Flags of the rows, in sorted order, that differ from the one in front.
Value UniqueRows::findStarts(Value order) {
  Value sorted = node.gather(rows, order, 0);
  if (!sorted)
    return {};
  Extents shape(Node::shapeOf(sorted));
  Value before = node.slice(sorted, {0, 0}, {shape[0] - 1, shape[1]}),
        after = node.sliceAxis(sorted, 0, 1, shape[0] - 1);
  Value differs = node.compare(ComparePredicate::NE, before, after);
  // All NaNs are one value.
  if (isa<FloatType>(Node::elementOf(rows))) {
    Value areNan = both(node, node.create<graph::IsNanOp>(before), node.create<graph::IsNanOp>(after));
    differs = both(node, differs, node.create<graph::NotOp>(areNan));
  }
  Type flag = node.getBuilder().getI1Type();
  Value starts = node.reduce(ReduceKind::Any, differs, {1}, false);
  starts = node.concat({node.splat(flag, {1}, 1), starts}, 0);
  return both(node, starts, firstPlaces(node, extent, rowCount));
}

/// Distinct rows in the order in which they are first seen.
void UniqueRows::orderByPosition() {
  Value isOne = firstPlaces(node, extent, number);
  Value order = sortList(node, node.select(isOne, first, i64(node, extent)));
  first = node.gather(first, order, 0);
  counts = node.gather(counts, order, 0);
  inverse = node.gather(sortList(node, order), inverse, 0);
}

LogicalResult UniqueRows::compute(bool sorted) {
  Value order = sortRows(), starts = order ? findStarts(order) : Value();
  if (!starts)
    return failure();
  Selection selection = selectFlags(node, starts);
  number = selection.count;
  Value groups = node.sub(prefixSum(node, node.cast(starts, node.getBuilder().getI64Type())), i64(node, 1));
  inverse = node.gather(groups, sortList(node, order), 0);
  first = node.gather(order, selection.positions, 0);
  // A group ends where the next one starts, the last one behind all rows.
  Value end = node.pad(node.slice(selection.positions, {1}, {extent - 1}), i64(node, 0), {0}, {1});
  Value isLast = node.compare(ComparePredicate::EQ, places(), node.sub(number, i64(node, 1)));
  counts = node.sub(node.select(isLast, rowCount, end), selection.positions);
  if (!sorted)
    orderByPosition();
  return success(first && counts && inverse);
}

static LogicalResult importUnique(Node &node) {
  Value data = node.getInput(0), rowCount;
  std::optional<int64_t> axis;
  if (node.hasAttribute("axis")) {
    axis = node.getAxis(Node::rankOf(data), 0);
    if (!axis)
      return failure();
    rowCount = getActualExtent(node, data, *axis);
    for (int64_t dim : allDims(data))
      if (dim != *axis && node.getExtent(data, dim))
        return node.unsupported("it compares slices whose extents are known only at run time");
  } else {
    data = flattenActual(node, data, rowCount);
  }
  Value rows = moveDim(node, data, axis.value_or(0), 0);
  int64_t extent = Node::shapeOf(data)[axis.value_or(0)];
  if (extent == 0)
    return node.unsupported("its input has no elements");
  rows = node.reshape(rows, {extent, Node::countOf(data) / extent});
  UniqueRows unique(node, rows, rowCount);
  if (failed(unique.compute(node.getInt("sorted", 1))))
    return failure();
  Value result = node.gather(data, unique.first, axis.value_or(0));
  setBoundedOutput(node, 0, result, axis.value_or(0), unique.number);
  setBoundedOutput(node, 1, unique.first, 0, unique.number);
  setBoundedOutput(node, 2, unique.inverse, 0, rowCount);
  setBoundedOutput(node, 3, unique.counts, 0, unique.number);
  return success(result);
}

void hgc::onnx::addDynamicOps(OpTable &table) {
  table.addBounded("NonZero", withInputs<1, importNonZero>, 9);
  table.addBounded("Compress", withInputs<2, importCompress>, 9);
  table.addBounded("Unique", withInputs<1, importUnique>, 11);
}
