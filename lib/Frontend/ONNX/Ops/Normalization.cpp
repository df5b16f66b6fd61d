//===- Normalization.cpp - batch, instance, layer and other norms ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "../Bounded.h"
#include "Batches.h"
#include "Products.h"
#include "Softmax.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::onnx;

static Extents range(int64_t begin, int64_t end) { return llvm::to_vector(llvm::seq(begin, end)); }

namespace {
/// Mean and biased variance over some axes, which stay with extent 1.
struct Moments {
  Value mean, variance;
};
} // namespace

static Moments getMoments(Node &node, Value value, ArrayRef<int64_t> axes) {
  Value mean = node.reduce(graph::ReduceKind::Mean, value, axes, true);
  Value centered = node.sub(value, mean);
  return {mean, node.reduce(graph::ReduceKind::Mean, node.mul(centered, centered), axes, true)};
}

/// One over the root of `value` plus epsilon.
static Value invertRoot(Node &node, Value value, double epsilon) {
  return value ? node.create<graph::RsqrtOp>(node.add(value, node.scalar(Node::elementOf(value), epsilon))) : Value();
}

/// `(value - mean) / sqrt(variance + epsilon) * scale + bias`; the last two may be
/// null.
static Value normalize(Node &node, Value value, const Moments &moments, double epsilon, Value scale, Value bias) {
  Value result = node.mul(node.sub(value, moments.mean), invertRoot(node, moments.variance, epsilon));
  if (scale)
    result = node.mul(result, scale);
  return bias ? node.add(result, bias) : result;
}

//===----------------------------------------------------------------------===//
// BatchNormalization
//===----------------------------------------------------------------------===//

/// Whether the node computes the statistics of its input.
static bool takesBatchStatistics(Node &node) {
  if (node.getOpset() >= 14)
    return node.getInt("training_mode", 0) != 0;
  return node.getOpset() >= 7 ? node.getNumOutputs() > 1 : node.getInt("is_test", 0) == 0;
}

static LogicalResult importTraining(Node &node, Value data, ArrayRef<Value> operands, ArrayRef<int64_t> axes,
                                    Shape statistics) {
  double epsilon = node.getFloat("epsilon", 1e-5), momentum = node.getFloat("momentum", 0.9);
  Moments moments = getMoments(node, data, axes);
  Type wide = Node::elementOf(data);
  Value blend = node.scalar(wide, momentum), rest = node.scalar(wide, 1 - momentum);
  auto setStatistic = [&](unsigned output, Value current) {
    Type element = Node::elementOf(node.getInput(output + 2));
    current = node.reshape(current, statistics);
    if (node.hasOutput(output)) {
      Value running = node.reshape(operands[output + 1], statistics);
      Value next = node.add(node.mul(running, blend), node.mul(current, rest));
      node.setOutput(output, node.cast(next, element));
    }
    // Opsets before 14 also hand out what this batch has.
    if (node.hasOutput(output + 2))
      node.setOutput(output + 2, node.cast(current, element));
  };
  setStatistic(1, moments.mean);
  setStatistic(2, moments.variance);
  Value input = node.getInput(0);
  Value result = normalize(node, data, moments, epsilon, operands[0], operands[1]);
  return node.done(node.reshape(node.cast(result, Node::elementOf(input)), Node::shapeOf(input)));
}

/// Running statistics are parameters as they are: only the data is converted.
static bool hasTrainedForm(Node &node, bool isSpatial) {
  Type data = Node::elementOf(node.getInput(0)), running = Node::elementOf(node.getInput(3));
  bool isWider = running.getIntOrFloatBitWidth() > data.getIntOrFloatBitWidth();
  return isSpatial && running == Node::elementOf(node.getInput(4)) && (running == data || isWider);
}

/// The layer of its own, which a training step gives the statistics of its batch.
static LogicalResult importBatchNormLayer(Node &node, Value data) {
  Type element = Node::elementOf(node.getInput(3));
  SmallVector<Value> operands{node.cast(data, element)};
  for (unsigned i = 1; i < 5; ++i)
    operands.push_back(node.cast(node.getInput(i), element));
  Value result = node.create<graph::BatchNormOp>(operands[0], operands[1], operands[2], operands[3], operands[4],
                                                 uint64_t(1), llvm::APFloat(node.getFloat("epsilon", 1e-5)),
                                                 llvm::APFloat(node.getFloat("momentum", 0.9)));
  // What is learnt is state of the instance; the graph reads it as it was.
  for (unsigned output = 1; output < node.getNumOutputs(); ++output)
    node.setOutput(output, node.getInput(output % 2 ? 3 : 4));
  Value input = node.getInput(0);
  return doneBatched(node, node.reshape(node.cast(result, Node::elementOf(input)), Node::shapeOf(input)));
}

static LogicalResult importBatchNormalization(Node &node) {
  Value input = node.getInput(0);
  Shape shape = Node::shapeOf(input);
  int64_t rank = shape.size();
  // Data of one dim has one channel.
  Value data = rank < 2 ? node.reshape(input, {Node::countOf(input), 1}) : input;
  rank = std::max<int64_t>(rank, 2);
  // Opsets before 9 can have statistics for each element of a sample.
  bool isSpatial = node.getOpset() >= 9 || node.getInt("spatial", 1) != 0;
  Extents statistics(Node::shapeOf(data).slice(1, isSpatial ? 1 : rank - 1)), aligned(rank, 1);
  llvm::copy(statistics, aligned.begin() + 1);
  // Types of data, scale and statistics may differ.
  Type wide = getWideType(Node::elementOf(input));
  for (unsigned i = 1; i < 5; ++i) {
    Type other = Node::elementOf(node.getInput(i));
    bool isFit = isa<FloatType>(other) && Node::shapeOf(node.getInput(i)) == Shape(statistics);
    if (!isFit)
      return node.invalid("input " + Twine(i) + " does not fit the channels of the data",
                          "it holds one number per channel");
    wide = other.getIntOrFloatBitWidth() > wide.getIntOrFloatBitWidth() ? other : wide;
  }
  if (node.trains() && !hasTrainedForm(node, isSpatial))
    return node.unsupported("statistics for each element, or of a narrower type than the data, are not trained");
  bool isPlain = isSpatial && llvm::all_of(llvm::seq(1u, 5u), [&](unsigned i) {
                   return Node::elementOf(node.getInput(i)) == Node::elementOf(input);
                 });
  if (node.trains() || (!takesBatchStatistics(node) && isPlain))
    return importBatchNormLayer(node, data);
  if (llvm::any_of(llvm::seq(0u, 5u), [&](unsigned i) { return node.isBounded(node.getInput(i)); }))
    return node.unsupported("an extent of its input is known only at run time");
  data = node.cast(data, wide);
  SmallVector<Value> operands;
  for (unsigned i = 1; i < 5; ++i)
    operands.push_back(node.reshape(node.cast(node.getInput(i), wide), aligned));
  if (takesBatchStatistics(node)) {
    Extents axes = isSpatial ? range(2, rank) : Extents();
    axes.insert(axes.begin(), 0);
    return importTraining(node, data, operands, axes, statistics);
  }
  Value result =
      normalize(node, data, {operands[2], operands[3]}, node.getFloat("epsilon", 1e-5), operands[0], operands[1]);
  return node.done(node.reshape(node.cast(result, Node::elementOf(input)), shape));
}

//===----------------------------------------------------------------------===//
// Instance and group normalization
//===----------------------------------------------------------------------===//

static LogicalResult importInstanceNormalization(Node &node) {
  Value input = node.getInput(0);
  int64_t rank = Node::rankOf(input);
  if (failed(checkChannels(node, input)))
    return failure();
  Type element = Node::elementOf(input), wide = getWideType(element);
  Value data = node.cast(input, wide);
  auto perChannel = [&](unsigned index) { return along(node, node.cast(node.getInput(index), wide), rank, 1); };
  Value result = normalize(node, data, getMoments(node, data, range(2, rank)), node.getFloat("epsilon", 1e-5),
                           perChannel(1), perChannel(2));
  return doneBatched(node, node.cast(result, element));
}

static LogicalResult importGroupNormalization(Node &node) {
  Value input = node.getInput(0);
  Shape shape = Node::shapeOf(input);
  int64_t rank = shape.size(), groups = node.getInt("num_groups", 1);
  if (rank < 2 || groups < 1 || shape[1] % groups != 0)
    return node.invalid("'num_groups' does not divide the channels", "data is [batch, channels, ...]");
  Type element = Node::elementOf(input), wide = getWideType(element);
  Extents grouped{shape[0], groups, shape[1] / groups};
  grouped.append(shape.begin() + 2, shape.end());
  Value data = node.reshape(node.cast(input, wide), grouped);
  // Scale and bias are those of groups up to opset 20, then of channels.
  auto factor = [&](unsigned index) -> Value {
    Value value = node.cast(node.getInput(index), wide);
    Extents aligned(rank + 1, 1);
    aligned[1] = groups;
    aligned[2] = Node::countOf(value) / groups;
    return node.reshape(value, aligned);
  };
  Value result = normalize(node, data, getMoments(node, data, range(2, rank + 1)), node.getFloat("epsilon", 1e-5),
                           factor(1), factor(2));
  return doneBatched(node, node.cast(node.reshape(result, shape), element));
}

//===----------------------------------------------------------------------===//
// Layer and RMS normalization
//===----------------------------------------------------------------------===//

/// The type statistics are handed out in; null (reported) when hgc has none.
static Type getStashType(Node &node) { return node.getElementType("stash_type", node.getBuilder().getF32Type()); }

/// The type statistics are computed in: no less precise than the data.
static Type getStageType(Type element, Type stash) { return element.isF64() ? element : getWideType(stash); }

static LogicalResult importLayerNormalization(Node &node) {
  Value input = node.getInput(0), scale = node.getInput(1), bias = node.getInput(2);
  Shape shape = Node::shapeOf(input);
  int64_t rank = shape.size();
  std::optional<int64_t> axis = node.getAxis(rank, -1);
  Type element = Node::elementOf(input), stash = getStashType(node);
  if (!axis || !stash)
    return failure();
  double epsilon = node.getFloat("epsilon", 1e-5);
  Extents axes = range(*axis, rank);
  Value data = node.cast(input, getStageType(element, stash));
  if (node.hasOutput(1) || node.hasOutput(2)) {
    Moments moments = getMoments(node, data, axes);
    Value mean = node.cast(moments.mean, stash);
    Value factor = node.cast(invertRoot(node, moments.variance, epsilon), stash);
    mapExtents(node, input, mean, range(0, *axis));
    mapExtents(node, input, factor, range(0, *axis));
    node.setOutput(1, mean);
    node.setOutput(2, factor);
  }
  Extents normalized(shape.drop_front(*axis));
  auto isWhole = [&](Value value) { return !value || Node::shapeOf(value) == Shape(normalized); };
  if (isWhole(scale) && isWhole(bias)) {
    if (!bias)
      bias = node.splat(element, normalized, 0);
    Value result =
        node.create<graph::LayerNormOp>(input, scale, bias, static_cast<uint64_t>(*axis), llvm::APFloat(epsilon));
    return doneBatched(node, result, *axis);
  }
  Value unit = node.cast(normalize(node, data, getMoments(node, data, axes), epsilon, {}, {}), element);
  Value result = node.mul(unit, scale);
  return doneBatched(node, bias ? node.add(result, bias) : result, *axis);
}

static LogicalResult importRMSNormalization(Node &node) {
  Value input = node.getInput(0), scale = node.getInput(1);
  int64_t rank = Node::rankOf(input);
  std::optional<int64_t> axis = node.getAxis(rank, -1);
  Type stash = getStashType(node);
  if (!axis || !stash)
    return failure();
  Value data = node.cast(input, getStageType(Node::elementOf(input), stash));
  Value square = node.reduce(graph::ReduceKind::Mean, node.mul(data, data), range(*axis, rank), true);
  Value unit = node.mul(data, invertRoot(node, square, node.getFloat("epsilon", 1e-5)));
  return doneBatched(node, node.mul(node.cast(unit, Node::elementOf(scale)), scale), *axis);
}

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

static LogicalResult importLRN(Node &node) {
  Value input = node.getInput(0);
  Shape shape = Node::shapeOf(input);
  int64_t size = node.getInt("size", 1);
  if (shape.size() < 2 || size < 1)
    return node.invalid("'size' or the rank of the data is too small",
                        "data is [batch, channels, ...], 'size' above 0");
  Type element = Node::elementOf(input), wide = getWideType(element);
  Value data = node.cast(input, wide);
  auto number = [&](double value) { return node.scalar(wide, value); };
  auto list = [&](ArrayRef<int64_t> values) { return node.getBuilder().getDenseI64ArrayAttr(values); };
  // Channels become a spatial dim that a window slides along.
  Value squares =
      node.reshape(node.mul(data, data), {shape[0], 1, shape[1], ShapedType::getNumElements(shape.drop_front(2))});
  Value sum = node.create<graph::PoolOp>(graph::PoolKind::Sum, squares, Shape({size, 1}), list({1, 1}),
                                         list({(size - 1) / 2, 0, size / 2, 0}), list({1, 1}), false,
                                         graph::DataLayout::ChannelsFirst);
  if (!sum)
    return failure();
  Value base = node.add(number(node.getFloat("bias", 1)),
                        node.mul(number(node.getFloat("alpha", 1e-4) / static_cast<double>(size)), sum));
  Value factor = node.create<graph::PowOp>(base, number(node.getFloat("beta", 0.75)));
  return node.done(node.cast(node.div(data, node.reshape(factor, shape)), element));
}

static LogicalResult importLpNormalization(Node &node) {
  Value input = node.getInput(0);
  std::optional<int64_t> axis = node.getAxis(Node::rankOf(input), -1);
  int64_t power = node.getInt("p", 2);
  if (!axis)
    return failure();
  if (power != 1 && power != 2)
    return node.invalid("'p' is " + Twine(power), "LpNormalization has norms 1 and 2");
  Type element = Node::elementOf(input), wide = getWideType(element);
  Value data = node.cast(input, wide);
  Value part = power == 1 ? node.create<graph::AbsOp>(data) : node.mul(data, data);
  Value norm = node.reduce(graph::ReduceKind::Sum, part, {*axis}, true);
  if (power == 2)
    norm = node.create<graph::SqrtOp>(norm);
  Value zero = node.scalar(wide, 0);
  Value isZero = node.compare(graph::ComparePredicate::EQ, norm, zero);
  return node.done(node.cast(node.select(isZero, zero, node.div(data, norm)), element));
}

static LogicalResult importMeanVarianceNormalization(Node &node) {
  Value input = node.getInput(0);
  std::optional<Extents> axes = normalizeAxes(node, node.getIntList("axes", {0, 2, 3}), Node::rankOf(input));
  if (!axes)
    return failure();
  Type element = Node::elementOf(input), wide = getWideType(element);
  Value data = node.cast(input, wide);
  Moments moments = getMoments(node, data, *axes);
  Value deviation = node.add(node.create<graph::SqrtOp>(moments.variance), node.scalar(wide, 1e-9));
  return node.done(node.cast(node.div(node.sub(data, moments.mean), deviation), element));
}

void hgc::onnx::addNormalizationOps(OpTable &table) {
  table.addBounded("BatchNormalization", withInputs<5, importBatchNormalization>);
  table.addBounded("InstanceNormalization", withInputs<3, importInstanceNormalization>);
  table.addBounded("GroupNormalization", withInputs<3, importGroupNormalization>, 18);
  table.addBounded("LayerNormalization", withInputs<2, importLayerNormalization>, 17);
  table.addBounded("RMSNormalization", withInputs<2, importRMSNormalization>, 23);
  table.add("LRN", withInputs<1, importLRN>);
  table.add("LpNormalization", withInputs<1, importLpNormalization>);
  table.add("MeanVarianceNormalization", withInputs<1, importMeanVarianceNormalization>, 9);
  addSoftmaxOps(table);
}
