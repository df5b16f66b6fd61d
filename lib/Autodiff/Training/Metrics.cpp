//===- Metrics.cpp - what training reports beside the loss ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Metrics.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;
using namespace hgc::training;

FailureOr<std::vector<Metric>> Metric::parseAll(Location loc, StringRef text) {
  std::vector<Metric> metrics;
  SmallVector<StringRef> names;
  text.split(names, ',', -1, /*KeepEmpty=*/false);
  for (StringRef name : names) {
    name = name.trim();
    Metric metric;
    metric.name = name.str();
    StringRef count = name;
    if (name == "accuracy")
      metric.id = Accuracy;
    else if (name == "mse" || name == "mean_squared_error")
      metric.id = MeanSquaredError;
    else if (name == "mae" || name == "mean_absolute_error")
      metric.id = MeanAbsoluteError;
    else if (count.consume_front("top_") && count.consume_back("_accuracy") && !count.getAsInteger(10, metric.k) &&
             metric.k > 0)
      metric.id = TopK;
    else
      return emitWithHint(loc, "unknown metric '" + name + "'",
                          "the known ones are accuracy, top_5_accuracy with any number, mse, mae");
    if (llvm::any_of(metrics, [&](const Metric &other) { return other.name == metric.name; }))
      return emitWithHint(loc, "metric '" + name + "' is given twice", "name each metric once");
    metrics.push_back(std::move(metric));
  }
  return metrics;
}

LogicalResult Metric::check(Location loc, const Loss &loss, RankedTensorType output) const {
  if (id == TopK && !loss.isCategorical())
    return emitWithHint(loc, "metric '" + name + "' needs a loss over classes",
                        "use it with sparse_categorical_crossentropy or categorical_crossentropy");
  if (id == TopK && k >= output.getShape().back())
    return emitWithHint(
        loc, "metric '" + name + "' is always 1: the output has " + Twine(output.getShape().back()) + " classes",
        "use a smaller number");
  if ((id == MeanSquaredError || id == MeanAbsoluteError) && loss.isSparse())
    return emitWithHint(loc, "metric '" + name + "' cannot compare class numbers with an output",
                        "use accuracy, or labels of the output's shape");
  return success();
}

/// Whether the largest of each row is where the labels say; without classes,
/// whether each number falls on the labels' side of one half.
Value Metric::buildAccuracy(const GradBuilder &b, const Loss &loss, Value output, Value labels) const {
  Value hits;
  if (loss.isCategorical()) {
    int64_t last = typeOf(output).getRank() - 1;
    auto best = [&](Value scores) { return b.make<ArgReduceOp>(ArgReduceKind::Max, scores, last); };
    hits = b.equal(best(output), loss.isSparse() ? b.cast(labels, b.getBuilder().getI64Type()) : best(labels));
  } else {
    Type element = elementOf(output);
    Value isAbove =
        b.compare(ComparePredicate::GT, output, b.scalar(element, loss.isFromLogits() && loss.isBinary() ? 0 : 0.5));
    hits = b.equal(b.cast(isAbove, element), labels);
  }
  return b.cast(hits, b.getBuilder().getF32Type());
}

/// Whether fewer than k classes have a higher score than the right one.
Value Metric::buildTopK(const GradBuilder &b, const Loss &loss, Value output, Value labels) const {
  int64_t last = typeOf(output).getRank() - 1;
  Type f32 = b.getBuilder().getF32Type();
  Value right = loss.isSparse() ? makeOneHot(b, labels, output) : labels;
  if (!loss.isSparse())
    right = b.cast(b.equal(right, b.reduce(ReduceKind::Max, right, {last}, /*keepdims=*/true)), elementOf(output));
  Value score = b.sum(b.mul(right, output), {last});
  Value isHigher = b.cast(b.compare(ComparePredicate::GT, output, score), f32);
  Value rank = b.sum(isHigher, {last}, /*keepdims=*/false);
  return b.cast(b.compare(ComparePredicate::LT, rank, b.scalar(f32, k)), f32);
}

Value Metric::build(const GradBuilder &b, const Loss &loss, Value output, Value labels) const {
  switch (id) {
  case Accuracy:
    return makeRowMeans(b, buildAccuracy(b, loss, output, labels));
  case TopK:
    return makeRowMeans(b, buildTopK(b, loss, output, labels));
  case MeanSquaredError:
    return makeRowMeans(b, b.square(b.sub(b.widen(output), b.widen(labels))));
  case MeanAbsoluteError:
    return makeRowMeans(b, b.unary<AbsOp>(b.sub(b.widen(output), b.widen(labels))));
  }
  llvm_unreachable("all metrics are handled");
}
