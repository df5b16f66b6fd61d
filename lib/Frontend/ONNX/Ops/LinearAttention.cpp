//===- LinearAttention.cpp - LinearAttention, CausalConvWithState ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LinearAttention.h"
#include "Products.h"
#include "Regions.h"

#include <cmath>

using namespace mlir;
using namespace hgc;
using namespace hgc::onnx;

/// [batch, length, ...] as steps [length, batch, ...] of this shape, in `element`.
static Value toSteps(Node &node, Value value, Shape step, Type element) {
  Extents shape{Node::shapeOf(value)[1]};
  llvm::append_range(shape, step);
  return node.reshape(node.transpose(node.cast(value, element), {1, 0, 2}), shape);
}

namespace {
/// Extents of a linear attention.
struct LinearShape {
  int64_t batch = 0, length = 0, queryHeads = 0, heads = 0, keySize = 0, valueSize = 0;
};
} // namespace

static FailureOr<LinearShape> readLinearShape(Node &node, bool isGated, bool isDelta) {
  LinearShape shape;
  shape.queryHeads = node.getInt("q_num_heads", 0);
  shape.heads = node.getInt("kv_num_heads", 0);
  bool isFit = shape.queryHeads > 0 && shape.heads > 0 && shape.queryHeads % shape.heads == 0 &&
               node.hasInput(4) == isGated && node.hasInput(5) == isDelta;
  for (unsigned i : {0, 1, 2, 4, 5})
    isFit &= !node.hasInput(i) || Node::rankOf(node.getInput(i)) == 3;
  if (isFit) {
    Shape query = Node::shapeOf(node.getInput(0));
    shape.batch = query[0];
    shape.length = query[1];
    shape.keySize = query[2] / shape.queryHeads;
    shape.valueSize = Node::shapeOf(node.getInput(2))[2] / shape.heads;
    int64_t decay = isGated ? Node::shapeOf(node.getInput(4))[2] : shape.heads;
    int64_t beta = isDelta ? Node::shapeOf(node.getInput(5))[2] : 1;
    Value past = node.getInput(3);
    Extents state{shape.batch, shape.heads, shape.keySize, shape.valueSize};
    isFit = !past || Node::shapeOf(past) == Shape(state);
    isFit &= (decay == shape.heads || decay == shape.heads * shape.keySize) && (beta == 1 || beta == shape.heads);
  }
  if (isFit)
    return shape;
  return node.invalid("inputs and heads do not fit each other",
                      "inputs are [batch, length, heads * size]; 'gated' needs a decay, 'delta' a beta, others none");
}

static LogicalResult importLinearAttention(Node &node) {
  StringRef rule = node.getString("update_rule", "gated_delta");
  bool isGated = rule.starts_with("gated"), isDelta = rule.ends_with("delta");
  if (rule != "linear" && rule != "gated" && rule != "delta" && rule != "gated_delta")
    return node.invalid("'" + rule + "' is no value of attribute 'update_rule'",
                        "use linear, gated, delta or gated_delta");
  FailureOr<LinearShape> read = readLinearShape(node, isGated, isDelta);
  if (failed(read))
    return failure();
  LinearShape s = *read;
  Type element = Node::elementOf(node.getInput(0)), wide = getWideType(element);
  int64_t sharing = s.queryHeads / s.heads;
  auto steps = [&](unsigned index, Shape step) { return toSteps(node, node.getInput(index), step, wide); };
  // Keys are columns, values rows, so that products are matrix products.
  SmallVector<Value> sequences{steps(0, {s.batch, s.heads, sharing, s.keySize}),
                               steps(1, {s.batch, s.heads, s.keySize, 1}),
                               steps(2, {s.batch, s.heads, 1, s.valueSize})};
  if (isGated)
    sequences.push_back(steps(4, {s.batch, s.heads, Node::shapeOf(node.getInput(4))[2] / s.heads, 1}));
  if (isDelta)
    sequences.push_back(steps(5, {s.batch, Node::shapeOf(node.getInput(5))[2], 1, 1}));
  Value past = node.getInput(3);
  Value state = past ? node.cast(past, wide) : node.splat(wide, {s.batch, s.heads, s.keySize, s.valueSize}, 0);
  auto step = [&](ValueRange states, ValueRange slices) -> FailureOr<Values> {
    Value memory = states[0], query = slices[0], key = slices[1], value = slices[2];
    if (isGated)
      memory = node.mul(memory, node.create<graph::ExpOp>(slices[3]));
    if (isDelta)
      value = node.mul(slices.back(), node.sub(value, multiplyMatrices(node, key, memory, true)));
    memory = node.add(memory, node.mul(key, value));
    return Values{memory, multiplyMatrices(node, query, memory)};
  };
  FailureOr<Values> results = buildScan(node, {state}, sequences, false, step);
  if (failed(results))
    return failure();
  node.setOutput(1, node.cast(results->front(), past ? Node::elementOf(past) : element));
  double scale = node.getFloat("scale", 0);
  scale = scale != 0 ? scale : 1 / std::sqrt(static_cast<double>(s.keySize));
  Value output = node.mul(results->back(), node.scalar(wide, scale));
  output = node.reshape(output, {s.length, s.batch, s.queryHeads * s.valueSize});
  return node.done(node.cast(node.transpose(output, {1, 0, 2}), element));
}

static LogicalResult importCausalConvWithState(Node &node) {
  Value input = node.getInput(0), filter = node.getInput(1), past = node.getInput(3);
  Shape shape = Node::shapeOf(input), window = Node::shapeOf(filter);
  StringRef activation = node.getString("activation", "none");
  bool isFit = shape.size() == 3 && window.size() == 3 && window[0] == shape[1] && window[1] == 1 && window[2] > 0;
  if (!isFit)
    return node.invalid("data and filter do not fit each other",
                        "data is [batch, channels, length], the filter [channels, 1, window]");
  if (activation != "none" && activation != "silu" && activation != "swish")
    return node.invalid("'" + activation + "' is no value of attribute 'activation'", "use none, silu or swish");
  Type element = Node::elementOf(input);
  int64_t carried = window[2] - 1;
  Value before = past ? past : node.splat(element, {shape[0], shape[1], carried}, 0);
  Value all = carried ? node.concat({before, input}, 2) : input;
  if (!all)
    return failure();
  FailureOr<SlidingWindow> sliding = getFilterWindow(node, all, filter);
  if (failed(sliding))
    return failure();
  node.setOutput(1, node.sliceAxis(all, 2, shape[2], carried));
  Value result = convolve(node, all, filter, *sliding, {0, 0}, shape[1]);
  if (Value bias = node.getInput(2); bias && result)
    result = node.add(result, along(node, node.cast(bias, Node::elementOf(result)), 3, 1));
  if (activation != "none" && result)
    result = node.mul(result, node.create<graph::SigmoidOp>(result));
  return node.done(node.cast(result, element));
}

void hgc::onnx::addLinearAttentionOps(OpTable &table) {
  table.add("LinearAttention", withInputs<3, importLinearAttention>, 27);
  table.add("CausalConvWithState", withInputs<2, importCausalConvWithState>, 27);
}
