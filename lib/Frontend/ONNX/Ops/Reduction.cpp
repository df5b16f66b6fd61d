//===- Reduction.cpp - Reduce*, ArgMax, ArgMin ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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
/// A reduction over axes that are known, or given by a run-time input. Of the
/// latter most follow from the declared shape of the result.
class Reducer {
public:
  explicit Reducer(Node &node) : node(node), data(node.getInput(0)), keepdims(node.getInt("keepdims", 1)) {}

  LogicalResult init();
  /// Reduced extents are 1, or (dims that may be reduced) as before with equal elements.
  Value keep(ReduceKind kind, Value value);
  /// The same without the dims the node drops.
  Value drop(Value kept);
  /// The node's result from a last reduction.
  Value finish(ReduceKind kind, Value value);
  /// Makes `value` the output, in the element type of the input and with extents.
  LogicalResult done(Value value);

private:
  LogicalResult initRunTime();
  LogicalResult initBounded(int64_t count);
  Value reduce(ReduceKind kind, Value value, bool keeps);
  bool findAxes(int64_t count);
  bool fits(unsigned reduced) const;
  Value isAt(Value places, int64_t dim, int64_t place);
  Value sourceOf(int64_t dim, Value places);

  Node &node;
  Value data;
  bool keepdims;
  /// Dims that are reduced, and those of which only `flags` tells it at run time.
  Extents axes, open;
  /// For each dim whether it is reduced; null when all is known.
  Value flags;
  /// Extents of the result, null where its type tells; empty when that does all.
  Values extents;
  /// Nothing but `flags` tells the shape of the result.
  bool isOpen = false;
  RankedTensorType result;
};
} // namespace

LogicalResult Reducer::init() {
  int64_t rank = Node::rankOf(data);
  if (isRunTime(node, 1) && Node::countOf(node.getInput(1)) != 0)
    return initRunTime();
  std::optional<Extents> given = readAxes(node, 1, rank, {});
  if (!given)
    return failure();
  axes = *given;
  if (axes.empty() && !node.getInt("noop_with_empty_axes", 0))
    axes = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  llvm::sort(axes);
  return success();
}

/// Whether reducing the dims of this set gives the declared shape.
bool Reducer::fits(unsigned reduced) const {
  Extents shape;
  for (auto [dim, extent] : llvm::enumerate(Node::shapeOf(data))) {
    bool isReduced = reduced >> dim & 1;
    if (!isReduced || keepdims)
      shape.push_back(isReduced ? 1 : extent);
  }
  return Shape(shape) == result.getShape();
}

/// Finds the dims that all sets of `count` axes have that give the declared shape,
/// and those that only some have. Gives whether there is such a set.
bool Reducer::findAxes(int64_t count) {
  Shape shape = Node::shapeOf(data);
  unsigned all = ~0u, some = 0;
  for (unsigned set = 0; set < 1u << shape.size(); ++set)
    if (llvm::popcount(set) == count && fits(set)) {
      all &= set;
      some |= set;
    }
  for (auto [dim, extent] : llvm::enumerate(shape))
    if (all & some & 1u << dim)
      axes.push_back(dim);
    // A kept dim of one element is the same either way.
    else if ((some & 1u << dim) && !(keepdims && extent == 1))
      open.push_back(dim);
  return some != 0;
}

LogicalResult Reducer::initRunTime() {
  Shape shape = Node::shapeOf(data);
  Value list = asList(node, node.getInput(1));
  int64_t count = Node::shapeOf(list)[0], rank = shape.size();
  if (node.isBounded(data))
    return node.unsupported("its axes and the shape of its input are known only at run time");
  flags = axisFlags(node, list, rank);
  result = node.getDeclaredType(0);
  if (!result || result.getRank() != (keepdims ? rank : rank - count))
    return initBounded(count);
  if (!findAxes(count))
    return node.invalid("the declared shape of its result does not fit " + Twine(count) + " axes",
                        "correct the declaration, or leave it out where the axes are constants");
  Extents expected(rank, 0), isFree(rank, 0);
  for (int64_t dim = 0; dim < rank; ++dim) {
    expected[dim] = llvm::is_contained(axes, dim);
    isFree[dim] = llvm::is_contained(open, dim) || (keepdims && shape[dim] == 1);
  }
  Type boolean = node.getBuilder().getI1Type();
  Value differs = node.create<graph::XorOp>(flags, node.cast(node.ints(expected), boolean));
  Value isFine = node.create<graph::OrOp>(node.create<graph::NotOp>(differs), node.cast(node.ints(isFree), boolean));
  requireShape(node, node.reduce(ReduceKind::All, isFine, {0}, false), "axes");
  if (open.empty())
    flags = {};
  return success();
}

/// Nothing tells the shape: each dim of the result has room for all that it may be.
LogicalResult Reducer::initBounded(int64_t count) {
  Shape shape = Node::shapeOf(data);
  int64_t rank = shape.size();
  if (count > rank)
    return node.invalid("it has " + Twine(count) + " axes for " + Twine(rank) + " dims", "give distinct axes");
  isOpen = true;
  open = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  Extents room(shape);
  for (int64_t place = 0; !keepdims && place < rank - count; ++place)
    room[place] = *llvm::max_element(shape.slice(place, count + 1));
  room.resize(keepdims ? rank : rank - count);
  result = RankedTensorType::get(room, Node::elementOf(data));
  for (int64_t dim = 0; keepdims && dim < rank; ++dim)
    extents.push_back(node.select(element(node, flags, dim), i64(node, 1), i64(node, shape[dim])));
  return success();
}

/// What is beyond the actual extents of the input does not change the result.
static Value getNeutral(Node &node, ReduceKind kind, Type type) {
  if (kind == ReduceKind::Max || kind == ReduceKind::Min)
    return extreme(node, type, kind == ReduceKind::Min);
  return node.scalar(type, kind == ReduceKind::Prod || kind == ReduceKind::All);
}

Value Reducer::reduce(ReduceKind kind, Value value, bool keeps) {
  Value inside = axes.empty() || !value ? Value() : getInside(node, data, axes);
  if (!inside)
    return axes.empty() ? value : node.reduce(kind, value, axes, keeps);
  Type type = Node::elementOf(value);
  value = node.select(inside, value, getNeutral(node, kind, type));
  if (kind != ReduceKind::Mean)
    return node.reduce(kind, value, axes, keeps);
  Value number = i64(node, 1);
  for (int64_t axis : axes)
    number = node.mul(number, getActualExtent(node, data, axis));
  return node.div(node.reduce(ReduceKind::Sum, value, axes, keeps), node.cast(number, type));
}

LogicalResult Reducer::done(Value value) {
  value = node.cast(value, Node::elementOf(data));
  if (!value)
    return failure();
  Extents dims;
  for (int64_t dim = 0; dim < Node::rankOf(data); ++dim)
    if (keepdims || !llvm::is_contained(axes, dim))
      dims.push_back(llvm::is_contained(axes, dim) ? -1 : dim);
  mapExtents(node, data, value, dims);
  for (auto [dim, extent] : llvm::enumerate(extents))
    node.setExtent(value, static_cast<int64_t>(dim), extent);
  return node.done(value);
}

Value Reducer::keep(ReduceKind kind, Value value) {
  value = reduce(kind, value, true);
  for (int64_t dim : open) {
    Value reduced = node.reduce(kind, value, {dim}, true);
    // Without elements there is only what a reduction of none gives.
    bool isEmpty = isOpen && Node::shapeOf(data)[dim] == 0;
    value = isEmpty ? reduced : node.select(element(node, flags, dim), reduced, value);
  }
  return value;
}

Value Reducer::finish(ReduceKind kind, Value value) {
  if (flags)
    return drop(keep(kind, value));
  return reduce(kind, value, keepdims);
}

/// Whether kept dim `dim` is dim `place` of the result.
Value Reducer::isAt(Value places, int64_t dim, int64_t place) {
  Value isThere = node.compare(ComparePredicate::EQ, element(node, places, dim), i64(node, place));
  return both(node, isThere, node.create<graph::NotOp>(element(node, flags, dim)));
}

/// Coordinate along `dim` of the reduced value for each element of the result.
Value Reducer::sourceOf(int64_t dim, Value places) {
  Value coordinate = i64(node, 0);
  for (int64_t place = 0; place < result.getRank(); ++place)
    coordinate = node.select(isAt(places, dim, place), count(node, result.getDimSize(place), result.getRank(), place),
                             coordinate);
  return coordinate;
}

/// Elements along a reduced dim are all equal, so any one will do.
Value Reducer::drop(Value kept) {
  if (!flags)
    return keepdims ? kept : node.squeeze(kept, axes);
  if (isOpen && keepdims)
    return kept;
  Shape shape = Node::shapeOf(data);
  int64_t rank = shape.size();
  Value isKept = node.sub(i64(node, 1), node.cast(flags, node.getBuilder().getI64Type()));
  // Place of each kept dim in the result: how many kept dims are before it.
  Value isBefore = node.compare(ComparePredicate::LT, count(node, rank, 2, 1), count(node, rank, 2, 0));
  Value places = node.reduce(ReduceKind::Sum, node.select(isBefore, isKept, i64(node, 0)), {1}, false);
  Values coordinates, actual;
  for (int64_t dim = 0; dim < rank; ++dim)
    coordinates.push_back(sourceOf(dim, places));
  for (int64_t place = 0; place < result.getRank(); ++place) {
    Value extent = i64(node, -1);
    for (int64_t dim = 0; dim < rank; ++dim)
      extent = node.select(isAt(places, dim, place), i64(node, shape[dim]), extent);
    actual.push_back(extent);
  }
  if (isOpen)
    extents = actual;
  else
    requireInts(node, listOf(node, actual), result.getShape(), "axes");
  return pick(node, kept, coordinates, result.getShape());
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

template <ReduceKind Kind> static LogicalResult importReduce(Node &node) {
  Reducer reducer(node);
  if (failed(reducer.init()))
    return failure();
  Value data = node.getInput(0);
  if (!Node::elementOf(data).isInteger(1))
    return reducer.done(reducer.finish(Kind, data));
  return reducer.done(reducer.finish(Kind == ReduceKind::Max ? ReduceKind::Any : ReduceKind::All, data));
}

/// Roots and logarithms of integers are taken in f64.
static Value asFloat(Node &node, Value value) {
  return isa<FloatType>(Node::elementOf(value)) ? value : node.cast(value, node.getBuilder().getF64Type());
}

static LogicalResult importL1(Node &node) {
  Reducer reducer(node);
  if (failed(reducer.init()))
    return failure();
  return reducer.done(reducer.finish(ReduceKind::Sum, node.create<graph::AbsOp>(node.getInput(0))));
}

static LogicalResult importL2(Node &node) {
  Reducer reducer(node);
  if (failed(reducer.init()))
    return failure();
  Value data = asFloat(node, node.getInput(0));
  return reducer.done(node.create<graph::SqrtOp>(reducer.finish(ReduceKind::Sum, node.mul(data, data))));
}

static LogicalResult importSumSquare(Node &node) {
  Reducer reducer(node);
  if (failed(reducer.init()))
    return failure();
  Value data = node.getInput(0);
  return reducer.done(reducer.finish(ReduceKind::Sum, node.mul(data, data)));
}

static LogicalResult importLogSum(Node &node) {
  Reducer reducer(node);
  if (failed(reducer.init()))
    return failure();
  return reducer.done(node.create<graph::LogOp>(reducer.finish(ReduceKind::Sum, asFloat(node, node.getInput(0)))));
}

/// The greatest term is taken out, so that no exponential overflows.
static LogicalResult importLogSumExp(Node &node) {
  Reducer reducer(node);
  if (failed(reducer.init()))
    return failure();
  Value data = asFloat(node, node.getInput(0));
  Value greatest = reducer.keep(ReduceKind::Max, data);
  Value zero = node.scalar(Node::elementOf(data), 0);
  greatest = node.select(node.create<graph::IsInfOp>(greatest), zero, greatest);
  Value sum = reducer.finish(ReduceKind::Sum, node.create<graph::ExpOp>(node.sub(data, greatest)));
  return reducer.done(node.add(node.create<graph::LogOp>(sum), reducer.drop(greatest)));
}

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

template <graph::ArgReduceKind Kind> static LogicalResult importArgReduce(Node &node) {
  Value data = node.getInput(0);
  Shape shape = Node::shapeOf(data);
  std::optional<int64_t> axis = node.getAxis(shape.size(), 0);
  if (!axis)
    return failure();
  // What is beyond the actual extent is never the extreme before others.
  bool isMax = Kind == graph::ArgReduceKind::Max, takesLast = node.getInt("select_last_index", 0);
  data = fillBeyond(node, data, extreme(node, Node::elementOf(data), !isMax), {*axis});
  if (takesLast)
    data = flip(node, data, *axis);
  bool keepdims = node.getInt("keepdims", 1);
  Value position = node.create<graph::ArgReduceOp>(Kind, data, *axis, keepdims);
  if (takesLast)
    position = node.sub(i64(node, shape[*axis] - 1), position);
  Extents dims;
  for (int64_t dim = 0, rank = shape.size(); dim < rank; ++dim)
    if (dim != *axis || keepdims)
      dims.push_back(dim == *axis ? -1 : dim);
  mapExtents(node, node.getInput(0), position, dims);
  return node.done(position);
}

void hgc::onnx::addReductionOps(OpTable &table) {
  table.addBounded("ReduceSum", withInputs<1, importReduce<ReduceKind::Sum>>);
  table.addBounded("ReduceMean", withInputs<1, importReduce<ReduceKind::Mean>>);
  table.addBounded("ReduceProd", withInputs<1, importReduce<ReduceKind::Prod>>);
  table.addBounded("ReduceMax", withInputs<1, importReduce<ReduceKind::Max>>);
  table.addBounded("ReduceMin", withInputs<1, importReduce<ReduceKind::Min>>);
  table.addBounded("ReduceL1", withInputs<1, importL1>);
  table.addBounded("ReduceL2", withInputs<1, importL2>);
  table.addBounded("ReduceSumSquare", withInputs<1, importSumSquare>);
  table.addBounded("ReduceLogSum", withInputs<1, importLogSum>);
  table.addBounded("ReduceLogSumExp", withInputs<1, importLogSumExp>);
  table.addBounded("ArgMax", withInputs<1, importArgReduce<graph::ArgReduceKind::Max>>);
  table.addBounded("ArgMin", withInputs<1, importArgReduce<graph::ArgReduceKind::Min>>);
}
