//===- Activations.cpp - functions of recurrent cells ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Activations.h"

using namespace mlir;

namespace hgc::onnx {

using graph::ComparePredicate;

namespace {

/// A function by its name in lower case, with the factors it takes when none are
/// given; a function without a factor consumes no entry of the list.
struct KnownActivation {
  StringRef name;
  Value (*build)(Node &, Value, double, double);
  std::optional<double> alpha, beta;
};

} // namespace

/// A number of the value's type.
static Value like(Node &node, Value x, double value) { return node.scalar(Node::elementOf(x), value); }

static Value buildTanh(Node &node, Value x, double, double) { return node.create<graph::TanhOp>(x); }
static Value buildSigmoid(Node &node, Value x, double, double) { return node.create<graph::SigmoidOp>(x); }
static Value buildRelu(Node &node, Value x, double, double) { return node.create<graph::ReluOp>(x); }

static Value buildAffine(Node &node, Value x, double alpha, double beta) {
  return node.add(node.mul(x, like(node, x, alpha)), like(node, x, beta));
}

static Value buildLeakyRelu(Node &node, Value x, double alpha, double) {
  return node.select(node.compare(ComparePredicate::LT, x, like(node, x, 0)), node.mul(x, like(node, x, alpha)), x);
}

static Value buildThresholdedRelu(Node &node, Value x, double alpha, double) {
  return node.select(node.compare(ComparePredicate::GT, x, like(node, x, alpha)), x, like(node, x, 0));
}

static Value buildScaledTanh(Node &node, Value x, double alpha, double beta) {
  return node.mul(node.create<graph::TanhOp>(node.mul(x, like(node, x, beta))), like(node, x, alpha));
}

static Value buildHardSigmoid(Node &node, Value x, double alpha, double beta) {
  return node.max(node.min(buildAffine(node, x, alpha, beta), like(node, x, 1)), like(node, x, 0));
}

static Value buildElu(Node &node, Value x, double alpha, double) {
  Value negative = node.mul(node.create<graph::Expm1Op>(x), like(node, x, alpha));
  return node.select(node.compare(ComparePredicate::LT, x, like(node, x, 0)), negative, x);
}

static Value buildSoftsign(Node &node, Value x, double, double) {
  return node.div(x, node.add(node.create<graph::AbsOp>(x), like(node, x, 1)));
}

static Value buildSoftplus(Node &node, Value x, double, double) {
  // Does not overflow: log(1 + e^x) = max(x, 0) + log(1 + e^-|x|).
  Value small = node.create<graph::ExpOp>(node.create<graph::NegOp>(node.create<graph::AbsOp>(x)));
  return node.add(node.max(x, like(node, x, 0)), node.create<graph::Log1pOp>(small));
}

static const KnownActivation *findActivation(StringRef name) {
  static const KnownActivation known[] = {
      {"tanh", buildTanh, {}, {}},
      {"sigmoid", buildSigmoid, {}, {}},
      {"relu", buildRelu, {}, {}},
      {"affine", buildAffine, 1.0, 0.0},
      {"leakyrelu", buildLeakyRelu, 0.01, {}},
      {"thresholdedrelu", buildThresholdedRelu, 1.0, {}},
      {"scaledtanh", buildScaledTanh, 1.0, 1.0},
      {"hardsigmoid", buildHardSigmoid, 0.2, 0.5},
      {"elu", buildElu, 1.0, {}},
      {"softsign", buildSoftsign, {}, {}},
      {"softplus", buildSoftplus, {}, {}},
  };
  std::string lower = name.lower();
  for (const KnownActivation &entry : known)
    if (entry.name == lower)
      return &entry;
  return nullptr;
}

/// The next factor of a list for a function that has one.
static double takeFactor(ArrayRef<double> &list, std::optional<double> otherwise) {
  if (!otherwise || list.empty())
    return otherwise.value_or(0);
  double factor = list.front();
  list = list.drop_front();
  return factor;
}

FailureOr<SmallVector<Activation>> readActivations(Node &node, ArrayRef<StringRef> defaults, size_t directions) {
  SmallVector<std::string> names = node.getStringList("activations");
  for (size_t i = 0; i < directions && !node.hasAttribute("activations"); ++i)
    for (StringRef name : defaults)
      names.push_back(name.str());
  if (names.size() != defaults.size() * directions) {
    (void)node.invalid("'activations' names " + Twine(names.size()) + " functions, expected " +
                           Twine(defaults.size() * directions),
                       "name all functions of one direction, then those of the other");
    return failure();
  }
  SmallVector<double> alphas = node.getFloatList("activation_alpha"), betas = node.getFloatList("activation_beta");
  ArrayRef<double> alphaLeft = alphas, betaLeft = betas;
  SmallVector<Activation> functions;
  for (StringRef name : names) {
    const KnownActivation *entry = findActivation(name);
    if (!entry) {
      (void)node.invalid("'activations' names '" + name + "', which is no function of the specification",
                         "use Tanh, Sigmoid, Relu, Affine, LeakyRelu, ThresholdedRelu, ScaledTanh, HardSigmoid, Elu, "
                         "Softsign or Softplus");
      return failure();
    }
    double alpha = takeFactor(alphaLeft, entry->alpha), beta = takeFactor(betaLeft, entry->beta);
    functions.push_back({entry->build, alpha, beta});
  }
  return functions;
}

} // namespace hgc::onnx
