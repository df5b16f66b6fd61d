//===- Roi.cpp - RoiAlign, MaxRoiPool -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "../Bounded.h"
#include "Indexing.h"

#include <limits>

using namespace mlir;
using namespace hgc;
using namespace hgc::onnx;
using graph::ComparePredicate;
using graph::ReduceKind;

//===----------------------------------------------------------------------===//
// RoiAlign
//===----------------------------------------------------------------------===//

namespace {
/// Bins of the regions along one spatial dim. Values have shape [R, 1, 1, 1];
/// points have the bins in dim `dim` besides.
struct Bins {
  int64_t dim, extent, count;
  Value start, size, samples;
};

/// A sample's lower and upper neighbour, and how far it is from the lower one.
struct Point {
  Value low, high, fraction, isInside;
};

/// Samples [N, C, H, W] in the bins of regions; the result is [R, C, bins...].
class RoiAligner {
public:
  explicit RoiAligner(Node &node)
      : node(node), data(node.getInput(0)), shape(Node::shapeOf(data)), isMax(node.getString("mode", "avg") == "max"),
        samples(node.getInt("sampling_ratio", 0)) {}

  LogicalResult init();
  Value run();

private:
  Value number(double value) { return node.scalar(type, value); }
  Value whole(Value value) { return node.cast(value, node.getBuilder().getI64Type()); }
  Bins getBins(Value rois, int64_t dim);
  Point getPoint(const Bins &bins, Value step);
  Value read(Value y, Value x);
  /// The value of sample [iy, ix] of every bin.
  Value sample(Value iy, Value ix);
  Value join(Value sum, Value value) { return isMax ? node.max(sum, value) : node.add(sum, value); }
  Value getStart() { return node.splat(type, result, isMax ? -std::numeric_limits<double>::infinity() : 0); }
  Value runFixed();
  Value runAdaptive();
  void buildStep(Block *block, Value width);

  /// Samples of a bin along a dim that are worth ops of their own.
  static constexpr int64_t kMostUnrolled = 4;

  Node &node;
  Value data;
  Extents shape, result;
  bool isMax;
  int64_t samples;
  Type type;
  Value batches;
  Bins rows, columns;
};
} // namespace

LogicalResult RoiAligner::init() {
  Shape rois = Node::shapeOf(node.getInput(1));
  if (shape.size() != 4 || rois.size() != 2 || rois[1] != 4 || Node::shapeOf(node.getInput(2)) != rois.take_front(1))
    return node.invalid("the regions do not fit the data", "data is [N, C, H, W], rois [R, 4], batch_indices [R]");
  type = Node::elementOf(data).isF64() ? Node::elementOf(data) : Type(node.getBuilder().getF32Type());
  result = {rois[0], shape[1], node.getInt("output_height", 1), node.getInt("output_width", 1)};
  batches = node.reshape(asList(node, node.getInput(2)), {rois[0], 1, 1, 1});
  // Regions beyond the actual number are of one point.
  Value regions = fillBeyond(node, node.getInput(1), node.scalar(Node::elementOf(node.getInput(1)), 0), {0});
  Value numbers = node.mul(node.cast(regions, type), number(node.getFloat("spatial_scale", 1)));
  rows = getBins(numbers, 2);
  columns = getBins(numbers, 3);
  return success();
}

Bins RoiAligner::getBins(Value rois, int64_t dim) {
  StringRef transform =
      node.getString("coordinate_transformation_mode", node.getOpset() < 16 ? "output_half_pixel" : "half_pixel");
  bool isShifted = transform == "half_pixel";
  Value shift = number(isShifted ? 0.5 : 0);
  // A region is x1, y1, x2, y2.
  int64_t first = dim == 3 ? 0 : 1;
  Extents flat = {result[0], 1, 1, 1};
  Value start = node.sub(node.reshape(node.sliceAxis(rois, 1, first, 1), flat), shift);
  Value end = node.sub(node.reshape(node.sliceAxis(rois, 1, first + 2, 1), flat), shift);
  Value length = node.sub(end, start);
  if (!isShifted)
    length = node.max(length, number(1));
  Value size = node.div(length, number(static_cast<double>(result[dim])));
  Value taken = samples > 0 ? number(static_cast<double>(samples)) : Value(node.create<graph::CeilOp>(size));
  return {dim, shape[dim], result[dim], start, size, taken};
}

Point RoiAligner::getPoint(const Bins &bins, Value step) {
  Value bin = node.cast(count(node, bins.count, 4, bins.dim), type);
  Value within = node.div(node.mul(node.add(step, number(0.5)), bins.size), bins.samples);
  Value x = node.add(node.add(bins.start, node.mul(bin, bins.size)), within);
  double extent = static_cast<double>(bins.extent);
  Point point;
  point.isInside = both(node, node.compare(ComparePredicate::GE, x, number(-1)),
                        node.compare(ComparePredicate::LE, x, number(extent)));
  x = clamp(node, x, number(0), number(extent - 1));
  Value low = node.create<graph::FloorOp>(x);
  point.fraction = node.sub(x, low);
  point.low = whole(low);
  point.high = node.min(node.add(point.low, i64(node, 1)), i64(node, bins.extent - 1));
  return point;
}

Value RoiAligner::read(Value y, Value x) {
  return node.cast(pick(node, data, {batches, count(node, shape[1], 4, 1), y, x}, result), type);
}

Value RoiAligner::sample(Value iy, Value ix) {
  Point y = getPoint(rows, iy), x = getPoint(columns, ix);
  Value value;
  for (bool isBottom : {false, true})
    for (bool isRight : {false, true}) {
      Value weightY = isBottom ? y.fraction : node.sub(number(1), y.fraction);
      Value weightX = isRight ? x.fraction : node.sub(number(1), x.fraction);
      Value term = node.mul(read(isBottom ? y.high : y.low, isRight ? x.high : x.low), node.mul(weightY, weightX));
      value = value ? join(value, term) : term;
    }
  return node.select(both(node, y.isInside, x.isInside), value, number(0));
}

Value RoiAligner::runFixed() {
  Value sum;
  for (int64_t iy = 0; iy < samples; ++iy)
    for (int64_t ix = 0; ix < samples; ++ix) {
      Value value = sample(number(static_cast<double>(iy)), number(static_cast<double>(ix)));
      sum = sum ? join(sum, value) : value;
    }
  return sum;
}

/// One step of the loop over samples: those that a bin does not have are left out.
void RoiAligner::buildStep(Block *block, Value width) {
  Value step = block->getArgument(0), sum = block->getArgument(1);
  Value iy = node.div(step, width), ix = node.create<graph::RemOp>(step, width);
  Value stepY = node.cast(iy, type), stepX = node.cast(ix, type);
  Value isTaken = both(node, node.compare(ComparePredicate::LT, stepY, rows.samples),
                       node.compare(ComparePredicate::LT, stepX, columns.samples));
  Value next = node.select(isTaken, join(sum, sample(stepY, stepX)), sum);
  graph::YieldOp::create(node.getBuilder(), node.getLoc(), ValueRange{node.add(step, i64(node, 1)), next});
}

/// There are many samples, or their number depends on the regions: a loop over those
/// of the largest.
Value RoiAligner::runAdaptive() {
  auto most = [&](const Bins &bins) {
    if (samples > 0)
      return i64(node, samples);
    return whole(node.max(node.reduce(ReduceKind::Max, bins.samples, {0, 1, 2, 3}, false), number(0)));
  };
  Value height = most(rows), width = most(columns), steps = node.mul(height, width);
  Values inits = {i64(node, 0), getStart()};
  OpBuilder &builder = node.getBuilder();
  SmallVector<Type> types(ValueRange(inits).getTypes());
  SmallVector<Location> locs(types.size(), node.getLoc());
  auto loop = graph::WhileOp::create(builder, node.getLoc(), types, inits, 4);
  Block *test = builder.createBlock(&loop.getCondition(), {}, types, locs);
  Value goesOn = node.compare(ComparePredicate::LT, test->getArgument(0), steps);
  graph::YieldOp::create(builder, node.getLoc(), goesOn);
  buildStep(builder.createBlock(&loop.getBody(), {}, types, locs), width);
  builder.setInsertionPointAfter(loop);
  Value hasSamples = node.compare(ComparePredicate::GT, node.mul(rows.samples, columns.samples), number(0));
  return node.select(hasSamples, loop.getResult(1), number(0));
}

Value RoiAligner::run() {
  Value value = samples > 0 && samples <= kMostUnrolled ? runFixed() : runAdaptive();
  if (!isMax)
    value = node.div(value, node.max(node.mul(rows.samples, columns.samples), number(1)));
  return node.cast(value, Node::elementOf(data));
}

static LogicalResult importRoiAlign(Node &node) {
  RoiAligner aligner(node);
  if (failed(aligner.init()))
    return failure();
  Value aligned = aligner.run();
  mapExtents(node, node.getInput(1), aligned, {0, -1, -1, -1});
  return node.done(aligned);
}

//===----------------------------------------------------------------------===//
// MaxRoiPool
//===----------------------------------------------------------------------===//

/// Halves away from zero.
static Value roundAway(Node &node, Value value) {
  Value size = node.add(node.create<graph::AbsOp>(value), node.scalar(Node::elementOf(value), 0.5));
  return node.mul(node.create<graph::SignOp>(value), node.create<graph::FloorOp>(size));
}

/// Whether element j (last dim) is in bin i of region r: [R, bins, extent].
static Value isInBin(Node &node, Value first, Value last, int64_t bins, int64_t extent) {
  Type type = Node::elementOf(first);
  Value one = node.scalar(type, 1), bin = node.cast(count(node, bins, 3, 1), type);
  Value place = node.cast(count(node, extent, 3, 2), type);
  Value size =
      node.div(node.max(node.add(node.sub(last, first), one), one), node.scalar(type, static_cast<double>(bins)));
  Value low = node.add(node.create<graph::FloorOp>(node.mul(bin, size)), first);
  Value high = node.add(node.create<graph::CeilOp>(node.mul(node.add(bin, one), size)), first);
  return inRange(node, place, low, high);
}

static LogicalResult importMaxRoiPool(Node &node) {
  Value data = node.getInput(0), rois = node.getInput(1);
  Shape shape = Node::shapeOf(data), regions = Node::shapeOf(rois);
  Extents bins = node.getIntList("pooled_shape");
  if (shape.size() != 4 || regions.size() != 2 || regions[1] != 5 || bins.size() != 2)
    return node.invalid("the regions do not fit the data", "data is [N, C, H, W], rois [R, 5], two pooled extents");
  int64_t count = regions[0];
  Type type = Node::elementOf(data);
  auto column = [&](int64_t i) { return node.reshape(node.sliceAxis(rois, 1, i, 1), {count, 1, 1}); };
  auto corner = [&](int64_t i) {
    return roundAway(node, node.mul(column(i), node.scalar(type, node.getFloat("spatial_scale", 1))));
  };
  Value inColumns = isInBin(node, corner(1), corner(3), bins[1], shape[3]);
  Value inRows = isInBin(node, corner(2), corner(4), bins[0], shape[2]);
  Value least = node.scalar(type, -std::numeric_limits<double>::infinity());
  Value images = node.gather(data, node.reshape(asList(node, column(0)), {count}), 0);
  // Columns first: [R, C, H, bins, W], then rows: [R, C, bins, H, bins].
  Value masked = node.select(node.unsqueeze(inColumns, {1, 2}), node.unsqueeze(images, {3}), least);
  Value wide = node.reduce(ReduceKind::Max, masked, {4}, false);
  masked = node.select(node.unsqueeze(inRows, {1, 4}), node.unsqueeze(wide, {2}), least);
  Value value = node.reduce(ReduceKind::Max, masked, {3}, false);
  // A bin without elements is 0.
  Value hasRows = node.unsqueeze(node.reduce(ReduceKind::Any, inRows, {2}, false), {1, 3});
  Value hasColumns = node.unsqueeze(node.reduce(ReduceKind::Any, inColumns, {2}, false), {1, 2});
  return node.done(node.select(both(node, hasRows, hasColumns), value, node.scalar(type, 0)));
}

void hgc::onnx::addRoiOps(OpTable &table) {
  table.addBounded("RoiAlign", withInputs<3, importRoiAlign>);
  table.add("MaxRoiPool", withInputs<2, importMaxRoiPool>);
}
