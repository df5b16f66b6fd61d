//===- Detection.cpp - NonMaxSuppression ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Boxes of each class are walked from the highest score down; one that is taken
// removes those behind that overlap it. All classes of all images take their steps
// together.
//===----------------------------------------------------------------------===//

#include "../Bounded.h"
#include "Indexing.h"
#include "Regions.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::onnx;
using graph::ComparePredicate;

namespace {

/// Corners of boxes and their areas, each without the last dim.
struct Boxes {
  Value low[2], high[2], area;
};

class Suppression {
public:
  explicit Suppression(Node &node)
      : node(node), boxes(node.getInput(0)), scores(node.getInput(1)), element(Node::elementOf(boxes)) {}

  LogicalResult run();

private:
  LogicalResult checkShapes();
  Value getScalar(unsigned input, Type type, double otherwise);
  Boxes getCorners(Value value);
  /// Flags of the pairs that overlap too much; shapes broadcast.
  Value overlaps(const Boxes &a, const Boxes &b);
  /// Flags of the boxes that are taken, by image, class and rank of the score.
  Value walk(Value order);

  Node &node;
  Value boxes, scores;
  /// The number of boxes where it is known only at run time.
  Value actual;
  Type element;
  int64_t images = 0, classes = 0, count = 0;
};

} // namespace

LogicalResult Suppression::checkShapes() {
  Shape box = Node::shapeOf(boxes), score = Node::shapeOf(scores);
  if (box.size() != 3 || score.size() != 3 || box[2] != 4 || box[0] != score[0] || box[1] != score[2])
    return node.invalid("boxes and scores do not have the shapes [n, boxes, 4] and [n, classes, boxes]",
                        "give each box a score for each class");
  images = box[0], classes = score[1], count = box[1];
  // Only the number of boxes may be known at run time.
  for (auto [value, dim] : {std::pair(boxes, 0), std::pair(boxes, 2), std::pair(scores, 0), std::pair(scores, 1)})
    if (node.getExtent(value, dim))
      return node.unsupported("an extent of its input is known only at run time");
  Value extent = node.getExtent(boxes, 1);
  actual = extent ? extent : node.getExtent(scores, 2);
  return refuseBounded(node, 2);
}

Value Suppression::getScalar(unsigned input, Type type, double otherwise) {
  if (!node.hasInput(input))
    return node.scalar(type, otherwise);
  return node.cast(node.reshape(node.getInput(input), {}), type);
}

Boxes Suppression::getCorners(Value value) {
  int64_t last = Node::rankOf(value) - 1;
  Extents shape(Node::shapeOf(value).drop_back());
  auto part = [&](int64_t i) { return node.reshape(node.sliceAxis(value, last, i, 1), shape); };
  bool isCenter = node.getInt("center_point_box", 0);
  Boxes result;
  for (int i = 0; i < 2; ++i) {
    Value a = part(i), b = part(i + 2);
    if (isCenter) {
      Value half = node.div(b, node.scalar(element, 2));
      result.low[i] = node.sub(a, half);
      result.high[i] = node.add(a, half);
    } else {
      result.low[i] = node.min(a, b);
      result.high[i] = node.max(a, b);
    }
  }
  result.area = node.mul(node.sub(result.high[0], result.low[0]), node.sub(result.high[1], result.low[1]));
  return result;
}

Value Suppression::overlaps(const Boxes &a, const Boxes &b) {
  Value common;
  for (int i = 0; i < 2; ++i) {
    Value length = node.sub(node.min(a.high[i], b.high[i]), node.max(a.low[i], b.low[i]));
    length = node.max(length, node.scalar(element, 0));
    common = common ? node.mul(common, length) : length;
  }
  Value all = node.sub(node.add(a.area, b.area), common);
  // Boxes without an area overlap nothing.
  Value isReal = both(node, node.compare(ComparePredicate::GT, common, node.scalar(element, 0)),
                      node.compare(ComparePredicate::GT, all, node.scalar(element, 0)));
  Value threshold = getScalar(3, element, 0);
  return both(node, isReal, node.compare(ComparePredicate::GT, node.div(common, all), threshold));
}

Value Suppression::walk(Value order) {
  Type i64Type = node.getBuilder().getI64Type(), flag = node.getBuilder().getI1Type();
  Value sorted = node.create<graph::GatherAlongOp>(scores, order, node.getBuilder().getI64IntegerAttr(2));
  Value image = hgc::onnx::count(node, images, 3, 0);
  Value index = node.add(node.mul(image, i64(node, count)), order);
  Value ordered = node.gather(node.reshape(boxes, {images * count, 4}), index, 0);
  if (!sorted || !ordered)
    return {};
  Value candidates = node.splat(flag, {images, classes, count}, 1);
  if (node.hasInput(4))
    candidates = node.compare(ComparePredicate::GT, sorted, getScalar(4, Node::elementOf(scores), 0));
  if (actual)
    candidates = both(node, candidates, node.compare(ComparePredicate::LT, order, actual));
  Boxes all = getCorners(ordered);
  Value most = getScalar(2, i64Type, 0);
  Value place = hgc::onnx::count(node, count, 3, 2);
  auto step = [&](ValueRange states, ValueRange slices) -> FailureOr<Values> {
    Value alive = states[0], taken = states[1], at = states[2];
    Value isHere = both(node, alive, node.compare(ComparePredicate::EQ, place, at));
    Value takes = both(node, node.reduce(graph::ReduceKind::Any, isHere, {2}, false),
                       node.compare(ComparePredicate::LT, taken, most));
    Boxes one = getCorners(node.unsqueeze(slices[0], {2}));
    Value removed = both(node, node.unsqueeze(takes, {2}), overlaps(one, all));
    Value left = both(node, alive, node.create<graph::NotOp>(removed));
    return Values{left, node.add(taken, node.cast(takes, i64Type)), node.add(at, i64(node, 1)), takes};
  };
  Values inits = {candidates, node.splat(i64Type, {images, classes}, 0), i64(node, 0)};
  FailureOr<Values> results = buildScan(node, inits, {node.transpose(ordered, {2, 0, 1, 3})}, /*reverse=*/false, step);
  return failed(results) ? Value() : node.transpose(results->back(), {1, 2, 0});
}

LogicalResult Suppression::run() {
  if (failed(checkShapes()))
    return failure();
  OpBuilder &builder = node.getBuilder();
  std::optional<Extents> limit = node.hasInput(2) ? node.getInputInts(2) : Extents{0};
  int64_t most = limit && !limit->empty() ? std::clamp<int64_t>(limit->front(), 0, count) : count;
  if (most == 0 || images * classes == 0)
    return node.done(node.splat(builder.getI64Type(), {0, 3}, 0));
  Value order =
      node.create<graph::ArgSortOp>(scores, builder.getI64IntegerAttr(2), builder.getUnitAttr(), IntegerAttr());
  Value taken = order ? walk(order) : Value();
  if (!taken)
    return failure();
  Selection selection = selectFlags(node, node.flatten(taken));
  Value places = node.slice(selection.positions, {0}, {images * classes * most});
  Value column[3] = {node.div(places, i64(node, classes * count)),
                     node.create<graph::RemOp>(node.div(places, i64(node, count)), i64(node, classes)),
                     node.gatherFlat(order, places)};
  Value result =
      node.concat({node.unsqueeze(column[0], {1}), node.unsqueeze(column[1], {1}), node.unsqueeze(column[2], {1})}, 1);
  setBoundedOutput(node, 0, result, 0, selection.count);
  return success(result);
}

static LogicalResult importNonMaxSuppression(Node &node) { return Suppression(node).run(); }

void hgc::onnx::addDetectionOps(OpTable &table) {
  table.addBounded("NonMaxSuppression", withInputs<2, importNonMaxSuppression>, 10);
}
