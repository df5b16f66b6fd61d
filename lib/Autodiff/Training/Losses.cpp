//===- Losses.cpp - what training makes small -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Formulas and defaults are those of Keras: a loss reduces the last dim, and the
// mean of what is left is the loss of a row. Cross-entropies take the logits when
// the output ends in softmax or sigmoid, which is exact where probabilities have
// rounded to 0 or 1.
//===----------------------------------------------------------------------===//

#include "Losses.h"

#include <cmath>

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;
using namespace hgc::training;

namespace {

enum LossId {
  SparseCategoricalCrossentropy,
  CategoricalCrossentropy,
  BinaryCrossentropy,
  MeanSquaredError,
  MeanAbsoluteError,
  MeanAbsolutePercentageError,
  MeanSquaredLogarithmicError,
  Huber,
  LogCosh,
  Poisson,
  Hinge,
  SquaredHinge,
  CategoricalHinge,
  KLDivergence,
  CosineSimilarity,
};

/// Probabilities are kept this far from 0 and 1.
constexpr double kEpsilon = 1e-7;

constexpr Argument kLogits[] = {{"from_logits", 0, 0, 1}};
constexpr Argument kSmooth[] = {{"from_logits", 0, 0, 1}, {"label_smoothing", 0, 0, 1}};
constexpr Argument kDelta[] = {{"delta", 1, 1e-30}};

const Kind kLosses[] = {
    {"sparse_categorical_crossentropy", SparseCategoricalCrossentropy, kLogits},
    {"categorical_crossentropy", CategoricalCrossentropy, kSmooth},
    {"binary_crossentropy", BinaryCrossentropy, kSmooth},
    {"mean_squared_error", MeanSquaredError, {}},
    {"mse", MeanSquaredError, {}},
    {"mean_absolute_error", MeanAbsoluteError, {}},
    {"mae", MeanAbsoluteError, {}},
    {"mean_absolute_percentage_error", MeanAbsolutePercentageError, {}},
    {"mape", MeanAbsolutePercentageError, {}},
    {"mean_squared_logarithmic_error", MeanSquaredLogarithmicError, {}},
    {"msle", MeanSquaredLogarithmicError, {}},
    {"huber", Huber, kDelta},
    {"log_cosh", LogCosh, {}},
    {"poisson", Poisson, {}},
    {"hinge", Hinge, {}},
    {"squared_hinge", SquaredHinge, {}},
    {"categorical_hinge", CategoricalHinge, {}},
    {"kl_divergence", KLDivergence, {}},
    {"cosine_similarity", CosineSimilarity, {}},
};

int64_t lastDim(Value value) { return typeOf(value).getRank() - 1; }

Value sumLast(const GradBuilder &b, Value value, bool keepdims = false) {
  return b.sum(value, {lastDim(value)}, keepdims);
}

Value meanLast(const GradBuilder &b, Value value) {
  return b.reduce(ReduceKind::Mean, value, {lastDim(value)}, /*keepdims=*/false);
}

Value logOf(const GradBuilder &b, Value value) { return b.unary<LogOp>(value); }

/// ln(1 + exp(x)); comparisons instead of |x| and relu, whose slopes at 0 would
/// add up to another one than 1/2.
Value softplus(const GradBuilder &b, Value x) {
  Value zero = b.scalar(elementOf(x), 0);
  Value isAbove = b.compare(ComparePredicate::GE, x, zero);
  Value falls = b.select(isAbove, b.neg(x), x);
  return b.add(b.where(isAbove, x), b.unary<Log1pOp>(b.unary<ExpOp>(falls)));
}

/// The op that makes `value`, seen through conversions and views that keep rows.
template <typename OpT> OpT findLast(Value value) {
  while (auto cast = value.getDefiningOp<CastOp>())
    value = cast.getInput();
  return value.getDefiningOp<OpT>();
}

} // namespace

Value training::clamp(const GradBuilder &b, Value value, double least, double most) {
  Type element = elementOf(value);
  return b.make<MinOp>(b.make<MaxOp>(value, b.scalar(element, least)), b.scalar(element, most));
}

Value training::makeOneHot(const GradBuilder &b, Value labels, Value like) {
  SmallVector<int64_t> column(shapeOf(labels));
  column.push_back(1);
  Value classes = b.iota({shapeOf(like).back()}, 0, elementOf(labels));
  Value hits = b.equal(b.reshape(labels, column), classes);
  return b.cast(hits, elementOf(like));
}

Value training::makeRowMeans(const GradBuilder &b, Value values) {
  auto axes = llvm::to_vector(llvm::seq<int64_t>(1, typeOf(values).getRank()));
  return axes.empty() ? values : b.reduce(ReduceKind::Mean, values, axes, /*keepdims=*/false);
}

bool Loss::isSparse() const { return settings.id == SparseCategoricalCrossentropy; }
bool Loss::isBinary() const { return settings.id == BinaryCrossentropy; }
bool Loss::isCategorical() const {
  return isSparse() || settings.id == CategoricalCrossentropy || settings.id == CategoricalHinge;
}

FailureOr<Loss> Loss::parse(Location loc, StringRef text) {
  FailureOr<Settings> settings = parseSpec(loc, "loss", text, kLosses);
  if (failed(settings))
    return failure();
  return Loss(std::move(*settings));
}

FailureOr<RankedTensorType> Loss::getLabelsType(Location loc, RankedTensorType output) const {
  auto fail = [&](const Twine &problem, const Twine &hint) {
    std::string text;
    llvm::raw_string_ostream(text) << "the output of type " << output << " does not fit the loss '" << settings.name
                                   << "': " << problem;
    return emitWithHint(loc, text, hint);
  };
  if (!isa<FloatType>(output.getElementType()))
    return fail("it holds no floats", "let the first result be the prediction, before arg_reduce or casts");
  if (output.getRank() == 0)
    return fail("it has no rows", "let the first dim of the first result be the batch");
  if (isCategorical() && (output.getRank() < 2 || output.getShape().back() < 2))
    return fail("its last dim holds no classes", "use binary_crossentropy for a single probability");
  if (!isSparse())
    return output;
  return RankedTensorType::get(output.getShape().drop_back(), IntegerType::get(output.getContext(), 32));
}

Value Loss::buildCategorical(const GradBuilder &b, Value output, Value labels) const {
  Value logProbabilities;
  auto softmax = findLast<SoftmaxOp>(output);
  auto logSoftmax = findLast<LogSoftmaxOp>(output);
  int64_t last = lastDim(output);
  if (softmax && static_cast<int64_t>(softmax.getAxis()) == last)
    logProbabilities = b.make<LogSoftmaxOp>(b.widen(softmax.getInput()), last);
  else if (logSoftmax && static_cast<int64_t>(logSoftmax.getAxis()) == last)
    logProbabilities = b.widen(logSoftmax.getResult());
  else if (isFromLogits())
    logProbabilities = b.make<LogSoftmaxOp>(b.widen(output), last);
  else {
    Value values = b.widen(output);
    Value normalized = b.div(values, sumLast(b, values, /*keepdims=*/true));
    logProbabilities = logOf(b, clamp(b, normalized, kEpsilon, 1 - kEpsilon));
  }
  Value weights = isSparse() ? makeOneHot(b, labels, logProbabilities) : b.cast(labels, elementOf(logProbabilities));
  if (double smoothing = isSparse() ? 0 : settings.get("label_smoothing"))
    weights = b.add(b.mul(weights, 1 - smoothing), smoothing / shapeOf(output).back());
  return b.neg(sumLast(b, b.mul(weights, logProbabilities)));
}

Value Loss::buildBinary(const GradBuilder &b, Value output, Value labels) const {
  auto sigmoid = findLast<SigmoidOp>(output);
  Value y = b.widen(labels);
  if (double smoothing = settings.get("label_smoothing"))
    y = b.add(b.mul(y, 1 - smoothing), smoothing / 2);
  if (sigmoid || isFromLogits()) {
    Value z = b.widen(sigmoid ? sigmoid.getInput() : output);
    return meanLast(b, b.sub(softplus(b, z), b.mul(z, y)));
  }
  Value p = clamp(b, b.widen(output), kEpsilon, 1 - kEpsilon);
  Value hit = b.mul(y, logOf(b, p));
  Value miss = b.mul(b.sub(1, y), logOf(b, b.sub(1, p)));
  return meanLast(b, b.neg(b.add(hit, miss)));
}

/// Losses that are the mean of what each element is off.
Value Loss::buildElements(const GradBuilder &b, Value output, Value labels) const {
  Value error = b.sub(output, labels);
  Type element = elementOf(error);
  auto logOnePlus = [&](Value v) { return b.unary<Log1pOp>(b.make<MaxOp>(v, b.scalar(element, kEpsilon))); };
  switch (settings.id) {
  case MeanAbsoluteError:
    return b.unary<AbsOp>(error);
  case MeanAbsolutePercentageError: {
    Value size = b.make<MaxOp>(b.unary<AbsOp>(labels), b.scalar(element, kEpsilon));
    return b.mul(b.unary<AbsOp>(b.div(error, size)), 100);
  }
  case MeanSquaredLogarithmicError:
    return b.square(b.sub(logOnePlus(output), logOnePlus(labels)));
  case Huber: {
    double delta = settings.get("delta");
    Value size = b.unary<AbsOp>(error);
    Value isSmall = b.compare(ComparePredicate::LE, size, b.scalar(element, delta));
    return b.select(isSmall, b.mul(b.square(error), 0.5), b.add(b.mul(size, delta), -0.5 * delta * delta));
  }
  case LogCosh:
    return b.add(b.add(error, softplus(b, b.mul(error, -2))), -std::log(2.0));
  case Poisson:
    return b.sub(output, b.mul(labels, logOf(b, b.add(output, kEpsilon))));
  default:
    return b.square(error);
  }
}

/// Losses about the margin between right and wrong; labels 0 and 1 stand for -1
/// and 1.
Value Loss::buildMargin(const GradBuilder &b, Value output, Value labels) const {
  Type element = elementOf(output);
  Value zero = b.scalar(element, 0);
  if (settings.id == CategoricalHinge) {
    Value right = sumLast(b, b.mul(labels, output));
    Value wrong = b.reduce(ReduceKind::Max, b.mul(b.sub(1, labels), output), {lastDim(output)}, /*keepdims=*/false);
    return b.make<MaxOp>(b.add(b.sub(wrong, right), 1), zero);
  }
  Value isBit = b.make<OrOp>(b.equal(labels, zero), b.equal(labels, b.scalar(element, 1)));
  auto axes = llvm::to_vector(llvm::seq<int64_t>(0, typeOf(labels).getRank()));
  Value areBits = b.reduce(ReduceKind::All, isBit, axes, /*keepdims=*/false);
  Value signs = b.select(areBits, b.add(b.mul(labels, 2), -1), labels);
  Value margin = b.make<MaxOp>(b.sub(1, b.mul(signs, output)), zero);
  return meanLast(b, settings.id == SquaredHinge ? b.square(margin) : margin);
}

Value Loss::buildLast(const GradBuilder &b, Value output, Value labels) const {
  switch (settings.id) {
  case Hinge:
  case SquaredHinge:
  case CategoricalHinge:
    return buildMargin(b, output, labels);
  case KLDivergence: {
    Value y = clamp(b, labels, kEpsilon, 1), p = clamp(b, output, kEpsilon, 1);
    return sumLast(b, b.mul(y, logOf(b, b.div(y, p))));
  }
  case CosineSimilarity: {
    auto normalize = [&](Value v) {
      Value squares = sumLast(b, b.square(v), /*keepdims=*/true);
      return b.mul(v, b.unary<RsqrtOp>(b.make<MaxOp>(squares, b.scalar(elementOf(v), 1e-12))));
    };
    return b.neg(sumLast(b, b.mul(normalize(labels), normalize(output))));
  }
  default:
    return meanLast(b, buildElements(b, output, labels));
  }
}

Value Loss::build(const GradBuilder &b, Value output, Value labels) const {
  // A vector is one number a row.
  if (typeOf(output).getRank() == 1 && !isSparse()) {
    SmallVector<int64_t> column{shapeOf(output)[0], 1};
    auto sigmoid = findLast<SigmoidOp>(output);
    // The reshape must not hide the op that cross-entropy looks for.
    if (isBinary() && sigmoid)
      output = b.make<SigmoidOp>(b.reshape(sigmoid.getInput(), column));
    else
      output = b.reshape(output, column);
    labels = b.reshape(labels, column);
  }
  Value values;
  if (isSparse() || settings.id == CategoricalCrossentropy)
    values = buildCategorical(b, output, labels);
  else if (isBinary())
    values = buildBinary(b, output, labels);
  else
    values = buildLast(b, b.widen(output), b.widen(labels));
  return makeRowMeans(b, values);
}
