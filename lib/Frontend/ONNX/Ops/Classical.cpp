//===- Classical.cpp - numeric ops of ai.onnx.ml --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Classical.h"
#include "lib/Frontend/ONNX/OpTable.h"

using namespace mlir;

namespace hgc::onnx {

using graph::ComparePredicate;

Value transformScores(Node &node, Value scores, StringRef name) {
  if (!scores || name == "NONE")
    return scores;
  if (name == "SOFTMAX")
    return node.create<graph::SoftmaxOp>(scores, Node::rankOf(scores) - 1);
  if (name == "LOGISTIC")
    return node.create<graph::SigmoidOp>(scores);
  (void)node.unsupported("'post_transform' is '" + name + "'");
  return {};
}

/// A list of floats as numbers along the last dim.
static Value getRow(Node &node, StringRef name, double otherwise) {
  SmallVector<double> values = node.getFloatList(name);
  if (values.empty())
    values.push_back(otherwise);
  return node.constant(
      HostTensor::fromDoubles(node.getBuilder().getF32Type(), {static_cast<int64_t>(values.size())}, values));
}

static Value getFloats(Node &node) { return node.cast(node.getInput(0), node.getBuilder().getF32Type()); }

static LogicalResult importBinarizer(Node &node) {
  Value x = node.getInput(0);
  Type element = Node::elementOf(x);
  Value above = node.compare(ComparePredicate::GT, x, node.scalar(element, node.getFloat("threshold", 0)));
  return node.done(node.cast(above, element));
}

static LogicalResult importScaler(Node &node) {
  return node.done(node.mul(node.sub(getFloats(node), getRow(node, "offset", 0)), getRow(node, "scale", 1)));
}

static LogicalResult importNormalizer(Node &node) {
  Value x = getFloats(node), size = node.create<graph::AbsOp>(x), length;
  if (!size || Node::rankOf(x) == 0)
    return failure();
  int64_t last = Node::rankOf(x) - 1;
  StringRef norm = node.getString("norm", "MAX");
  if (norm == "L2")
    length = node.create<graph::SqrtOp>(node.reduce(graph::ReduceKind::Sum, node.mul(x, x), {last}, true));
  else
    length = node.reduce(norm == "L1" ? graph::ReduceKind::Sum : graph::ReduceKind::Max, size, {last}, true);
  Value zero = node.scalar(node.getBuilder().getF32Type(), 0), one = node.scalar(node.getBuilder().getF32Type(), 1);
  return node.done(node.div(x, node.select(node.compare(ComparePredicate::EQ, length, zero), one, length)));
}

static LogicalResult importFeatureExtractor(Node &node) {
  Value x = node.getInput(0), indices = node.flatten(node.getInput(1));
  if (!indices)
    return failure();
  if (Node::rankOf(x) == 1)
    x = node.unsqueeze(x, {0});
  return node.done(node.gather(x, indices, Node::rankOf(x) - 1));
}

static LogicalResult importFeatureVectorizer(Node &node) {
  Values parts;
  for (unsigned i = 0; i < node.getNumInputs(); ++i) {
    Value x = node.getInput(i);
    if (!x)
      return failure();
    int64_t rows = Node::rankOf(x) > 1 ? Node::shapeOf(x)[0] : 1;
    int64_t width = rows == 0 ? 0 : Node::countOf(x) / rows;
    parts.push_back(node.cast(node.reshape(x, {rows, width}), node.getBuilder().getF32Type()));
  }
  return node.done(node.concat(parts, 1));
}

static LogicalResult importImputer(Node &node) {
  Value x = node.getInput(0);
  Type element = Node::elementOf(x);
  bool isFloat = isa<FloatType>(element);
  SmallVector<double> values = node.getFloatList("imputed_value_floats");
  if (!isFloat)
    for (int64_t value : node.getIntList("imputed_value_int64s"))
      values.push_back(static_cast<double>(value));
  if (values.empty())
    return node.invalid("no values for what is missing", "give 'imputed_value_floats' or 'imputed_value_int64s'");
  double wanted =
      isFloat ? node.getFloat("replaced_value_float", 0) : static_cast<double>(node.getInt("replaced_value_int64", 0));
  Value missing = wanted != wanted ? node.create<graph::IsNanOp>(x)
                                   : node.compare(ComparePredicate::EQ, x, node.scalar(element, wanted));
  Value row = node.constant(HostTensor::fromDoubles(element, {static_cast<int64_t>(values.size())}, values));
  return node.done(node.select(missing, row, x));
}

static LogicalResult importLinearRegressor(Node &node) {
  Value x = getFloats(node), weights = getRow(node, "coefficients", 0);
  if (!x || Node::rankOf(x) == 0)
    return failure();
  if (Node::rankOf(x) == 1)
    x = node.unsqueeze(x, {0});
  int64_t targets = node.getInt("targets", 1), features = Node::shapeOf(x).back();
  Value scores = node.matmul(x, node.reshape(weights, {targets, features}), false, true);
  if (node.hasAttribute("intercepts"))
    scores = node.add(scores, getRow(node, "intercepts", 0));
  scores = transformScores(node, scores, node.getString("post_transform", "NONE"));
  return scores ? node.done(scores) : failure();
}

/// The value is an optional one that is there, or a tensor.
static LogicalResult importPresent(Node &node) {
  if (!node.hasInput(0))
    return node.unsupported("hgc has no optional values");
  return node.done(node.getInput(0));
}

static LogicalResult importHasElement(Node &node) {
  return node.done(node.scalar(node.getBuilder().getI1Type(), node.hasInput(0)));
}

void addClassicalOps(OpTable &table) {
  table.add("TfIdfVectorizer", importVectorizer, 9, "no strings");
  table.add("Optional", importPresent, 15, "with a tensor only");
  table.add("OptionalGetElement", importPresent, 15, "of tensors only");
  table.add("OptionalHasElement", importHasElement, 15, "of tensors only");
  table.add("ai.onnx.ml::ArrayFeatureExtractor", importFeatureExtractor);
  table.add("ai.onnx.ml::Binarizer", importBinarizer);
  table.add("ai.onnx.ml::FeatureVectorizer", importFeatureVectorizer);
  table.add("ai.onnx.ml::Imputer", importImputer);
  table.add("ai.onnx.ml::LinearRegressor", importLinearRegressor, 1, "post_transform NONE, SOFTMAX and LOGISTIC");
  table.add("ai.onnx.ml::Normalizer", importNormalizer);
  table.add("ai.onnx.ml::Scaler", importScaler);
  table.add("ai.onnx.ml::TreeEnsemble", importTrees, 5, "post_transform NONE, SOFTMAX and LOGISTIC");
  table.add("ai.onnx.ml::TreeEnsembleRegressor", importTreeRegressor, 1, "post_transform NONE, SOFTMAX and LOGISTIC");
}

} // namespace hgc::onnx
