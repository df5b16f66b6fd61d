//===- Loss.cpp - cross entropy and negative log likelihood ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Products.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::onnx;

/// Loss of the logarithms of probabilities [N, C, ...] for the classes in input 1:
/// weighted by input 2, reduced as the node says.
static LogicalResult importLikelihood(Node &node, Value logs, Type element) {
  Value target = node.getInput(1), weights = node.getInput(2);
  Extents places(Node::shapeOf(logs));
  places.erase(places.begin() + 1);
  if (Node::shapeOf(target) != Shape(places))
    return node.invalid("the classes do not have the shape of the data without its channels",
                        "data is [batch, classes, ...], the target [batch, ...]");
  Type wide = Node::elementOf(logs);
  Value zero = node.scalar(wide, 0), index = node.cast(target, node.getBuilder().getI64Type()), isIgnored;
  if (node.hasAttribute("ignore_index")) {
    Value ignored = i64(node, node.getInt("ignore_index", 0));
    isIgnored = node.compare(graph::ComparePredicate::EQ, index, ignored);
    index = node.select(isIgnored, i64(node, 0), index);
  }
  auto drop = [&](Value value) { return isIgnored ? node.select(isIgnored, zero, value) : value; };
  Value picked = node.create<graph::GatherAlongOp>(logs, node.unsqueeze(index, {1}), uint64_t(1));
  Value loss = drop(node.create<graph::NegOp>(node.squeeze(picked, {1})));
  Value weight = weights ? node.gather(node.cast(weights, wide), index, 0) : node.splat(wide, places, 1);
  weight = drop(weight);
  loss = weights ? node.mul(loss, weight) : loss;
  StringRef reduction = node.getString("reduction", "mean");
  if (reduction == "none")
    return node.done(node.cast(loss, element));
  if (reduction != "sum" && reduction != "mean")
    return node.invalid("'" + reduction + "' is no value of attribute 'reduction'", "use none, sum or mean");
  Value total = node.reduce(graph::ReduceKind::Sum, node.flatten(loss), {0}, false);
  if (reduction == "mean")
    total = node.div(total, node.reduce(graph::ReduceKind::Sum, node.flatten(weight), {0}, false));
  return node.done(node.cast(total, element));
}

static LogicalResult checkData(Node &node) {
  int64_t rank = Node::rankOf(node.getInput(0));
  if (rank >= 2)
    return success();
  return node.invalid("data of rank " + Twine(rank) + " has no classes", "data is [batch, classes, ...]");
}

static LogicalResult importNegativeLogLikelihoodLoss(Node &node) {
  if (failed(checkData(node)))
    return failure();
  Type element = Node::elementOf(node.getInput(0));
  return importLikelihood(node, node.cast(node.getInput(0), getWideType(element)), element);
}

static LogicalResult importSoftmaxCrossEntropyLoss(Node &node) {
  if (failed(checkData(node)))
    return failure();
  Type element = Node::elementOf(node.getInput(0));
  Value logs = node.create<graph::LogSoftmaxOp>(node.cast(node.getInput(0), getWideType(element)), uint64_t(1));
  if (!logs)
    return failure();
  node.setOutput(1, node.cast(logs, element));
  return importLikelihood(node, logs, element);
}

void hgc::onnx::addLossOps(OpTable &table) {
  table.add("NegativeLogLikelihoodLoss", withInputs<2, importNegativeLogLikelihoodLoss>, 12);
  table.add("SoftmaxCrossEntropyLoss", withInputs<2, importSoftmaxCrossEntropyLoss>, 12);
}
