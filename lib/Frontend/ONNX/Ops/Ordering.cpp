//===- Ordering.cpp - TopK, CumSum, CumProd -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "../Bounded.h"
#include "Indexing.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::onnx;
using graph::ComparePredicate;

//===----------------------------------------------------------------------===//
// TopK
//===----------------------------------------------------------------------===//

namespace {
/// How many elements TopK gives: `count` of them, of which the run-time value
/// `actual` (if any) says how many are real.
struct TopCount {
  int64_t count;
  Value actual;
};
} // namespace

/// The number must not exceed an extent that is known only at run time.
static void requireCount(Node &node, Value number, Value extent) {
  node.require(inRange(node, number, i64(node, 0), node.add(extent, i64(node, 1))),
               "'K' is not between 0 and the extent of the axis");
}

static std::optional<TopCount> readCount(Node &node, int64_t axis) {
  Value data = node.getInput(0), extent = getActualExtent(node, data, axis);
  std::optional<int64_t> known;
  if (node.getOpset() < 10)
    known = node.getInt("k", 1);
  else if (failed(checkInputs(node, 2)))
    return std::nullopt;
  else if (std::optional<Extents> given = node.getInputInts(1); given && given->size() == 1)
    known = given->front();
  if (known) {
    if (node.getExtent(data, axis))
      requireCount(node, i64(node, *known), extent);
    return TopCount{*known, {}};
  }
  Value k = asList(node, node.getInput(1)), actual = element(node, k, 0);
  requireCount(node, actual, extent);
  RankedTensorType type = node.getDeclaredType(0);
  if (!type || type.getRank() != Node::rankOf(data))
    return TopCount{Node::shapeOf(data)[axis], actual};
  requireInts(node, k, {type.getDimSize(axis)}, "K");
  return TopCount{type.getDimSize(axis), {}};
}

static LogicalResult importTopK(Node &node) {
  Value data = node.getInput(0);
  Shape shape = Node::shapeOf(data);
  std::optional<int64_t> axis = node.getAxis(shape.size(), -1);
  if (!axis)
    return failure();
  std::optional<TopCount> top = readCount(node, *axis);
  if (!top)
    return failure();
  if (top->count < 0 || top->count > shape[*axis])
    return node.invalid("K is " + Twine(top->count) + " for an axis of extent " + Twine(shape[*axis]),
                        "K is between 0 and the extent");
  OpBuilder &builder = node.getBuilder();
  bool isLargest = node.getInt("largest", 1);
  // What is beyond the actual extent comes last.
  Value keys = fillBeyond(node, data, extreme(node, Node::elementOf(data), !isLargest), {*axis});
  Value positions = node.create<graph::ArgSortOp>(keys, builder.getI64IntegerAttr(*axis),
                                                  isLargest ? builder.getUnitAttr() : UnitAttr(),
                                                  builder.getI64IntegerAttr(top->count));
  Value values = node.create<graph::GatherAlongOp>(data, positions, *axis);
  if (!values)
    return failure();
  Extents dims = llvm::to_vector(llvm::seq<int64_t>(0, shape.size()));
  dims[*axis] = -1;
  for (auto [output, value] : llvm::enumerate(Values{values, positions})) {
    mapExtents(node, data, value, dims);
    if (top->actual)
      node.setExtent(value, *axis, top->actual);
    node.setOutput(output, value);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// CumSum and CumProd
//===----------------------------------------------------------------------===//

namespace {
/// Running sums or products along one dim, in log2(extent) steps that each join
/// an element with the one 1, 2, 4, ... places away.
class Accumulator {
public:
  Accumulator(Node &node, bool isProduct)
      : node(node), isProduct(isProduct), isExclusive(node.getInt("exclusive", 0)),
        isReverse(node.getInt("reverse", 0)) {}

  Value run(Value value, int64_t axis);

private:
  Value shift(Value value, int64_t axis, int64_t places);

  Node &node;
  bool isProduct, isExclusive, isReverse;
};
} // namespace

/// Moves the elements so many places on; the neutral element comes in.
Value Accumulator::shift(Value value, int64_t axis, int64_t places) {
  if (!value)
    return {};
  Extents low(Node::rankOf(value), 0), high = low;
  low[axis] = isReverse ? -places : places;
  high[axis] = -low[axis];
  return node.pad(value, node.scalar(Node::elementOf(value), isProduct ? 1 : 0), low, high);
}

Value Accumulator::run(Value value, int64_t axis) {
  // Sums from the end begin at the actual one.
  if (Value isInside = getInside(node, node.getInput(0), {axis}))
    value = node.select(isInside, value, node.scalar(Node::elementOf(value), isProduct ? 1 : 0));
  int64_t extent = Node::shapeOf(value)[axis];
  if (isExclusive && extent > 0)
    value = shift(value, axis, 1);
  for (int64_t places = 1; places < extent; places *= 2) {
    Value moved = shift(value, axis, places);
    value = isProduct ? node.mul(value, moved) : node.add(value, moved);
  }
  return value;
}

/// Half precision is summed in f32.
static Type getSumType(Node &node, Type element) {
  auto type = dyn_cast<FloatType>(element);
  return type && type.getWidth() < 32 ? node.getBuilder().getF32Type() : element;
}

template <bool IsProduct> static LogicalResult importCumulative(Node &node) {
  Value data = node.getInput(0);
  int64_t rank = Node::rankOf(data);
  Type element = Node::elementOf(data);
  Value wide = node.cast(data, getSumType(node, element));
  Accumulator accumulator(node, IsProduct);
  if (std::optional<Extents> given = node.getInputInts(1); given && given->size() == 1) {
    std::optional<Extents> axes = normalizeAxes(node, *given, rank);
    if (!axes)
      return failure();
    return doneKeeping(node, data, node.cast(accumulator.run(wide, axes->front()), element));
  }
  Value axis = fromFront(node, hgc::onnx::element(node, asList(node, node.getInput(1)), 0), rank);
  node.require(inRange(node, axis, i64(node, 0), i64(node, rank)), "'axis' is out of range");
  Value result = wide;
  for (int64_t dim = 0; dim < rank; ++dim)
    result = node.select(node.compare(ComparePredicate::EQ, axis, i64(node, dim)), accumulator.run(wide, dim), result);
  return doneKeeping(node, data, node.cast(result, element));
}

void hgc::onnx::addOrderingOps(OpTable &table) {
  table.addBounded("TopK", withInputs<1, importTopK>);
  table.addBounded("CumSum", withInputs<2, importCumulative<false>>);
  table.addBounded("CumProd", withInputs<2, importCumulative<true>>);
}
