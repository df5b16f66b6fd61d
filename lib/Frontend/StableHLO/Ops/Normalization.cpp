//===- Normalization.cpp - batch normalisation ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "../Node.h"
#include "../OpTable.h"

using namespace mlir;

namespace hgc::stablehlo {

using graph::ReduceKind;

namespace {

struct Channels {
  int64_t axis;
  double epsilon;
};

/// The dim of channels, whose extent all operands but the first have.
std::optional<Channels> readChannels(Node &node, unsigned operands) {
  if (!node.hasOperands(operands))
    return std::nullopt;
  Shape shape = Node::shapeOf(node.getOperand(0));
  std::optional<Extents> axis = node.getDims("feature_index", shape.size());
  auto epsilon = dyn_cast_or_null<FloatAttr>(node.getAttribute("epsilon"));
  if (!axis)
    return std::nullopt;
  bool fits = axis->size() == 1 && epsilon;
  for (unsigned i = 1; fits && i < operands; ++i)
    fits = Node::shapeOf(node.getOperand(i)) == Shape(shape[axis->front()]);
  if (!fits) {
    (void)node.invalid("attributes 'feature_index' and 'epsilon' and the operands do not match",
                       "operands after the first have one element a channel");
    return std::nullopt;
  }
  return Channels{axis->front(), epsilon.getValueAsDouble()};
}

Value normalize(Node &node, const Channels &channels, Value mean, Value variance) {
  OpBuilder &builder = node.getBuilder();
  return node.create<graph::BatchNormOp>(node.getOperand(0), node.getOperand(1), node.getOperand(2), mean, variance,
                                         builder.getI64IntegerAttr(channels.axis),
                                         builder.getF64FloatAttr(channels.epsilon), builder.getF64FloatAttr(0.99));
}

LogicalResult importInference(Node &node) {
  std::optional<Channels> channels = readChannels(node, 5);
  return channels ? node.done(normalize(node, *channels, node.getOperand(3), node.getOperand(4))) : failure();
}

/// The statistics are those of the batch, and results.
LogicalResult importTraining(Node &node) {
  std::optional<Channels> channels = readChannels(node, 3);
  if (!channels)
    return failure();
  if (node.getNumResults() != 3)
    return node.invalid("has other than three results", "they are the output, the mean and the variance");
  Value x = node.getOperand(0);
  Extents others;
  for (int64_t dim = 0; dim < Node::rankOf(x); ++dim)
    if (dim != channels->axis)
      others.push_back(dim);
  Value mean = node.reduce(ReduceKind::Mean, x, others, /*keepdims=*/true), rest = node.sub(x, mean);
  Value variance = node.reduce(ReduceKind::Mean, node.mul(rest, rest), others, /*keepdims=*/false);
  mean = node.flatten(mean);
  Value result = normalize(node, *channels, mean, variance);
  if (!result)
    return failure();
  node.setResult(0, result);
  node.setResult(1, mean);
  node.setResult(2, variance);
  return success();
}

} // namespace

void addNormalizationOps(OpTable &table) {
  table.add("stablehlo.batch_norm_inference", importInference);
  table.add("stablehlo.batch_norm_training", importTraining);
  table.refuse("stablehlo.batch_norm_grad", "JAX writes this gradient as other ops");
}

} // namespace hgc::stablehlo
