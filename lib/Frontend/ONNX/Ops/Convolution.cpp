//===- Convolution.cpp - Conv, ConvTranspose, ConvInteger, DeformConv -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Batches.h"
#include "Products.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::onnx;

/// `result` of a contraction in `element`, plus one number per channel.
static Value finishConvolution(Node &node, Value result, Type element, Value bias) {
  if (!result)
    return {};
  result = node.cast(result, element);
  return bias ? node.add(result, along(node, bias, Node::rankOf(result), 1)) : result;
}

static LogicalResult importConv(Node &node) {
  Value data = node.getInput(0), filter = node.getInput(1);
  FailureOr<SlidingWindow> window = getFilterWindow(node, data, filter);
  if (failed(window))
    return failure();
  Value result = convolve(node, data, filter, *window, window->getPads(), node.getInt("group", 1));
  return doneBatched(node, finishConvolution(node, result, Node::elementOf(data), node.getInput(2)));
}

static LogicalResult importConvInteger(Node &node) {
  Value data = node.getInput(0), filter = node.getInput(1);
  FailureOr<SlidingWindow> window = getFilterWindow(node, data, filter);
  if (failed(window))
    return failure();
  return node.done(
      convolveIntegers(node, data, filter, node.getInput(2), node.getInput(3), *window, node.getInt("group", 1)));
}

//===----------------------------------------------------------------------===//
// ConvTranspose
//===----------------------------------------------------------------------===//

static LogicalResult importConvTranspose(Node &node) {
  Value data = node.getInput(0), filter = node.getInput(1);
  FailureOr<SlidingWindow> window = getTransposedWindow(node, data, filter);
  if (failed(window))
    return failure();
  // The op computes what the windows reach less the pads; what ONNX wants beyond
  // that no window reaches, so it is zero.
  Extents lowPads, highPads, extents, low{0, 0}, high{0, 0};
  for (int64_t i = 0; i < window->getRank(); ++i) {
    int64_t full = window->getFull(i), begin = window->low[i];
    int64_t end = std::min(begin + window->output[i], full);
    bool isReached = begin < end;
    lowPads.push_back(isReached ? begin : 0);
    highPads.push_back(isReached ? full - end : 0);
    extents.push_back(full - lowPads.back() - highPads.back());
    low.push_back(isReached ? 0 : -begin);
    high.push_back(window->output[i] - extents.back() - low.back());
  }
  lowPads.append(highPads);
  auto list = [&](ArrayRef<int64_t> values) { return node.getBuilder().getDenseI64ArrayAttr(values); };
  Value result = node.create<graph::ConvTransposeOp>(
      data, filter, list(extents), list(window->strides), list(lowPads), list(window->dilations),
      static_cast<uint64_t>(node.getInt("group", 1)), graph::DataLayout::ChannelsFirst, graph::FilterLayout::OIHW,
      graph::PackedAttr());
  if (!result)
    return failure();
  result = node.pad(result, node.scalar(Node::elementOf(result), 0), low, high);
  return doneBatched(node, finishConvolution(node, result, Node::elementOf(data), node.getInput(2)));
}

//===----------------------------------------------------------------------===//
// DeformConv
//===----------------------------------------------------------------------===//

namespace {

/// Samples data at the places a deformable convolution reads: everything has the
/// form [N, offset groups, window elements, output elements].
class Sampler {
public:
  Sampler(Node &node, const SlidingWindow &window, Value data, int64_t groups)
      : node(node), window(window), data(data), groups(groups), wide(getWideType(Node::elementOf(data))) {}

  /// [N, C, window elements, output elements], interpolated linearly.
  Value sample(Value offsets, Value mask);

private:
  int64_t count(Shape extents) const { return ShapedType::getNumElements(extents); }
  Value getPositions(int64_t dim, Value offsets);
  Value gatherCorner(unsigned corner, ArrayRef<Value> floors, ArrayRef<Value> fractions);

  Node &node;
  const SlidingWindow &window;
  Value data;
  int64_t groups;
  Type wide;
};

} // namespace

/// Index along `dim` of each element the window reads, as a number.
Value Sampler::getPositions(int64_t dim, Value offsets) {
  int64_t rank = window.getRank();
  Extents kernelShape(rank, 1), outputShape(rank, 1);
  kernelShape[dim] = window.kernel[dim];
  outputShape[dim] = window.output[dim];
  Type f64 = node.getBuilder().getF64Type();
  auto step = [&](Shape shape, int64_t factor, int64_t start) {
    Value index = node.iota(shape, dim, f64);
    return node.add(node.mul(index, node.scalar(f64, static_cast<double>(factor))),
                    node.scalar(f64, static_cast<double>(start)));
  };
  Value inWindow = node.broadcast(step(kernelShape, window.dilations[dim], 0), window.kernel);
  Value ofWindow = node.broadcast(step(outputShape, window.strides[dim], -window.low[dim]), window.output);
  inWindow = node.reshape(inWindow, {count(window.kernel), 1});
  ofWindow = node.reshape(ofWindow, {1, count(window.output)});
  return node.add(node.cast(node.add(inWindow, ofWindow), wide), offsets);
}

/// What one of the 2^n neighbours of each place adds.
Value Sampler::gatherCorner(unsigned corner, ArrayRef<Value> floors, ArrayRef<Value> fractions) {
  Type i64 = node.getBuilder().getI64Type();
  Shape shape = Node::shapeOf(data);
  int64_t batch = shape[0], channels = shape[1] / groups, pixels = count(window.input);
  Value weight, flat, isInside;
  for (int64_t i = 0; i < window.getRank(); ++i) {
    bool isUpper = corner >> i & 1;
    Value one = node.scalar(wide, 1);
    Value index = isUpper ? node.add(floors[i], one) : floors[i];
    Value part = isUpper ? fractions[i] : node.sub(one, fractions[i]);
    Value last = node.scalar(wide, static_cast<double>(window.input[i] - 1));
    Value isOn = node.create<graph::AndOp>(node.compare(graph::ComparePredicate::GE, index, node.scalar(wide, 0)),
                                           node.compare(graph::ComparePredicate::LE, index, last));
    Value integer = node.cast(node.max(node.min(index, last), node.scalar(wide, 0)), i64);
    Value extent = node.scalar(i64, static_cast<double>(window.input[i]));
    weight = weight ? node.mul(weight, part) : part;
    flat = flat ? node.add(node.mul(flat, extent), integer) : integer;
    isInside = isInside ? node.create<graph::AndOp>(isInside, isOn) : isOn;
  }
  weight = node.select(isInside, weight, node.scalar(wide, 0));
  if (!weight)
    return {};
  Shape places = Node::shapeOf(weight);
  int64_t reads = places[2] * places[3];
  Value table = node.reshape(node.cast(data, wide), {batch, groups, channels, pixels});
  Value indices = node.broadcast(node.reshape(flat, {batch, groups, 1, reads}), {batch, groups, channels, reads});
  Value read = node.create<graph::GatherAlongOp>(table, indices, uint64_t(3));
  return node.mul(read, node.reshape(weight, {batch, groups, 1, reads}));
}

Value Sampler::sample(Value offsets, Value mask) {
  int64_t rank = window.getRank(), batch = Node::shapeOf(data)[0];
  int64_t taps = count(window.kernel), outputs = count(window.output);
  offsets = node.reshape(node.cast(offsets, wide), {batch, groups, taps, rank, outputs});
  SmallVector<Value> floors, fractions;
  for (int64_t i = 0; i < rank; ++i) {
    Value position = getPositions(i, node.squeeze(node.sliceAxis(offsets, 3, i, 1), {3}));
    floors.push_back(node.create<graph::FloorOp>(position));
    fractions.push_back(node.sub(position, floors.back()));
  }
  Value sum;
  for (unsigned corner = 0; corner < 1u << rank; ++corner) {
    Value part = gatherCorner(corner, floors, fractions);
    sum = sum ? node.add(sum, part) : part;
  }
  if (mask)
    sum = node.mul(sum, node.reshape(node.cast(mask, wide), {batch, groups, 1, taps * outputs}));
  return node.reshape(sum, {batch, Node::shapeOf(data)[1], taps, outputs});
}

static LogicalResult importDeformConv(Node &node) {
  Value data = node.getInput(0), filter = node.getInput(1), offsets = node.getInput(2);
  FailureOr<SlidingWindow> window = getFilterWindow(node, data, filter);
  if (failed(window))
    return failure();
  int64_t groups = node.getInt("group", 1), offsetGroups = node.getInt("offset_group", 1);
  Shape shape = Node::shapeOf(data), filterShape = Node::shapeOf(filter);
  int64_t taps = ShapedType::getNumElements(window->kernel), outputs = ShapedType::getNumElements(window->output);
  Extents places{shape[0], offsetGroups * taps * window->getRank()};
  places.append(window->output);
  bool isFit = groups > 0 && offsetGroups > 0 && shape[1] % offsetGroups == 0 && shape[1] == filterShape[1] * groups &&
               filterShape[0] % groups == 0 && Node::shapeOf(offsets) == Shape(places);
  if (!isFit)
    return node.invalid("channels, groups and offsets do not fit each other",
                        "the offsets are [batch, offset groups * window elements * spatial dims, output...]");
  Value patches = Sampler(node, *window, data, offsetGroups).sample(offsets, node.getInput(4));
  int64_t inputs = filterShape[1], perGroup = filterShape[0] / groups;
  Value columns = node.reshape(patches, {shape[0], groups, inputs * taps, outputs});
  Value rows = node.reshape(node.cast(filter, getWideType(Node::elementOf(filter))), {groups, perGroup, inputs * taps});
  Extents resultShape{shape[0], filterShape[0]};
  resultShape.append(window->output);
  Value result = node.reshape(multiplyMatrices(node, rows, columns), resultShape);
  return node.done(finishConvolution(node, result, Node::elementOf(data), node.getInput(3)));
}

void hgc::onnx::addConvolutionOps(OpTable &table) {
  table.addBounded("Conv", withInputs<2, importConv>);
  table.add("ConvInteger", withInputs<2, importConvInteger>, 10);
  table.addBounded("ConvTranspose", withInputs<2, importConvTranspose>);
  table.add("DeformConv", withInputs<3, importDeformConv>, 19);
}
