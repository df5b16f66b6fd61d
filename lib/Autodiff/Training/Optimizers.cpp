//===- Optimizers.cpp - how parameters follow gradients -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Formulas, defaults and the place of epsilon are those of Keras. Corrections of
// the bias are numbers of the whole step: 1 - b^t is -expm1(t ln b), which keeps
// its digits where b^t is close to 1.
//===----------------------------------------------------------------------===//

#include "Optimizers.h"

#include <cmath>

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;
using namespace hgc::training;

namespace {

enum OptimizerId { Sgd, Adam, Rmsprop, Adagrad, Adadelta, Adamax, Lion };

constexpr Argument kDecay = {"weight_decay", 0}, kClipValue = {"clipvalue", 0}, kClipNorm = {"clipnorm", 0},
                   kGlobalNorm = {"global_clipnorm", 0}, kEpsilonArgument = {"epsilon", 1e-7};
constexpr double kBelowOne = 1 - 1e-12;

constexpr Argument kSgd[] = {{"lr", 0.01}, {"momentum", 0, 0, 1}, {"nesterov", 0, 0, 1}, kDecay, kClipValue, kClipNorm,
                             kGlobalNorm};
constexpr Argument kAdam[] = {{"lr", 1e-3},
                              {"beta_1", 0.9, 0, kBelowOne},
                              {"beta_2", 0.999, 0, kBelowOne},
                              kEpsilonArgument,
                              {"amsgrad", 0, 0, 1},
                              kDecay,
                              kClipValue,
                              kClipNorm,
                              kGlobalNorm};
constexpr Argument kAdamW[] = {{"lr", 1e-3},
                               {"beta_1", 0.9, 0, kBelowOne},
                               {"beta_2", 0.999, 0, kBelowOne},
                               kEpsilonArgument,
                               {"amsgrad", 0, 0, 1},
                               {"weight_decay", 0.004},
                               kClipValue,
                               kClipNorm,
                               kGlobalNorm};
constexpr Argument kRmsprop[] = {{"lr", 1e-3},
                                 {"rho", 0.9, 0, 1},
                                 {"momentum", 0, 0, 1},
                                 kEpsilonArgument,
                                 {"centered", 0, 0, 1},
                                 kDecay,
                                 kClipValue,
                                 kClipNorm,
                                 kGlobalNorm};
constexpr Argument kAdagrad[] = {
    {"lr", 1e-3}, {"initial_accumulator_value", 0.1}, kEpsilonArgument, kDecay, kClipValue, kClipNorm, kGlobalNorm};
constexpr Argument kAdadelta[] = {{"lr", 1e-3}, {"rho", 0.95, 0, 1}, kEpsilonArgument, kDecay,
                                  kClipValue,   kClipNorm,           kGlobalNorm};
constexpr Argument kAdamax[] = {{"lr", 1e-3},
                                {"beta_1", 0.9, 0, kBelowOne},
                                {"beta_2", 0.999, 0, 1},
                                kEpsilonArgument,
                                kDecay,
                                kClipValue,
                                kClipNorm,
                                kGlobalNorm};
constexpr Argument kLion[] = {
    {"lr", 1e-3}, {"beta_1", 0.9, 0, 1}, {"beta_2", 0.99, 0, 1}, kDecay, kClipValue, kClipNorm, kGlobalNorm};

const Kind kOptimizers[] = {
    {"sgd", Sgd, kSgd},
    {"adam", Adam, kAdam},
    {"adamw", Adam, kAdamW},
    {"rmsprop", Rmsprop, kRmsprop},
    {"adagrad", Adagrad, kAdagrad},
    {"adadelta", Adadelta, kAdadelta},
    {"adamax", Adamax, kAdamax},
    {"lion", Lion, kLion},
};

/// `slot` rounded to a multiple of a number so small that nobody sees it. Averages
/// of gradients that stay 0 would shrink until they are denormal and remain so; each
/// operation on such a number takes as long as a hundred others.
Value settle(const GradBuilder &b, Value slot) {
  Value offset = b.scalar(elementOf(slot), std::ldexp(1.0, elementOf(slot).isF64() ? -900 : -85));
  return b.sub(b.add(slot, offset), offset);
}

/// old + (next - old) * (1 - keep), as a moving average.
Value average(const GradBuilder &b, Value old, Value next, double keep) {
  return b.add(old, b.mul(b.sub(next, old), 1 - keep));
}

/// 1 - base^t
Value oneMinusPower(const GradBuilder &b, double base, Value t) {
  if (base == 0)
    return b.scalar(elementOf(t), 1);
  return b.neg(b.unary<Expm1Op>(b.mul(t, std::log(base))));
}

Value sumOfSquares(const GradBuilder &b, Value value) {
  auto axes = llvm::to_vector(llvm::seq<int64_t>(0, typeOf(value).getRank()));
  return b.sum(b.square(b.cast(value, b.getBuilder().getF32Type())), axes, /*keepdims=*/false);
}

/// Scales `values` so that the norm of `squares` is at most `limit`.
Value makeClipFactor(const GradBuilder &b, Value squares, double limit) {
  Value norm = b.unary<SqrtOp>(squares), most = b.scalar(elementOf(squares), limit);
  return b.div(most, b.make<MaxOp>(norm, most));
}

} // namespace

FailureOr<Optimizer> Optimizer::parse(Location loc, StringRef text) {
  FailureOr<Settings> settings = parseSpec(loc, "optimizer", text, kOptimizers);
  if (failed(settings))
    return failure();
  return Optimizer(std::move(*settings));
}

SmallVector<Slot> Optimizer::getSlots() const {
  switch (settings.id) {
  case Sgd:
    return settings.get("momentum") != 0 ? SmallVector<Slot>{{"sgd_momentum"}} : SmallVector<Slot>();
  case Adam: {
    SmallVector<Slot> slots{{"adam_m"}, {"adam_v"}};
    if (settings.get("amsgrad") != 0)
      slots.push_back({"adam_v_max"});
    return slots;
  }
  case Rmsprop: {
    SmallVector<Slot> slots{{"rmsprop_v"}};
    if (settings.get("momentum") != 0)
      slots.push_back({"rmsprop_momentum"});
    if (settings.get("centered") != 0)
      slots.push_back({"rmsprop_mean"});
    return slots;
  }
  case Adagrad:
    return {{"adagrad_sum", settings.get("initial_accumulator_value")}};
  case Adadelta:
    return {{"adadelta_g"}, {"adadelta_delta"}};
  case Adamax:
    return {{"adamax_m"}, {"adamax_u"}};
  default:
    return {{"lion_m"}};
  }
}

Optimizer::StepNumbers Optimizer::buildStep(const GradBuilder &b, const Schedule &schedule, Value step) const {
  StepNumbers numbers;
  numbers.rate = schedule.build(b, step, settings.get("lr"));
  if (settings.id != Adam && settings.id != Adamax)
    return numbers;
  Value t = b.cast(step, b.getBuilder().getF32Type());
  Value first = oneMinusPower(b, settings.get("beta_1"), t);
  numbers.corrected = b.div(numbers.rate, first);
  if (settings.id == Adam)
    numbers.corrected = b.mul(numbers.corrected, b.unary<SqrtOp>(oneMinusPower(b, settings.get("beta_2"), t)));
  return numbers;
}

void Optimizer::clip(const GradBuilder &b, MutableArrayRef<Value> gradients) const {
  if (double limit = settings.get("global_clipnorm")) {
    Value squares;
    for (Value gradient : gradients) {
      Value own = sumOfSquares(b, gradient);
      squares = squares ? b.add(squares, own) : own;
    }
    Value factor = makeClipFactor(b, squares, limit);
    for (Value &gradient : gradients)
      gradient = b.mul(gradient, b.cast(factor, elementOf(gradient)));
  }
  for (Value &gradient : gradients) {
    if (double limit = settings.get("clipnorm"))
      gradient = b.mul(gradient, b.cast(makeClipFactor(b, sumOfSquares(b, gradient), limit), elementOf(gradient)));
    if (double limit = settings.get("clipvalue")) {
      Value most = b.scalar(elementOf(gradient), limit), least = b.scalar(elementOf(gradient), -limit);
      gradient = b.make<MinOp>(b.make<MaxOp>(gradient, least), most);
    }
  }
}

Value Optimizer::updateSgd(const GradBuilder &b, Value rate, Value p, Value g, MutableArrayRef<Value> slots) const {
  Value step = b.mul(g, rate);
  if (slots.empty())
    return b.sub(p, step);
  double momentum = settings.get("momentum");
  slots[0] = settle(b, b.sub(b.mul(slots[0], momentum), step));
  if (settings.get("nesterov") == 0)
    return b.add(p, slots[0]);
  return b.add(p, b.sub(b.mul(slots[0], momentum), step));
}

Value Optimizer::updateAdam(const GradBuilder &b, Value corrected, Value p, Value g,
                            MutableArrayRef<Value> slots) const {
  slots[0] = settle(b, average(b, slots[0], g, settings.get("beta_1")));
  Value size;
  if (settings.id == Adamax) {
    slots[1] = b.make<MaxOp>(settle(b, b.mul(slots[1], settings.get("beta_2"))), b.unary<AbsOp>(g));
    size = slots[1];
  } else {
    slots[1] = settle(b, average(b, slots[1], b.square(g), settings.get("beta_2")));
    if (slots.size() > 2)
      slots[2] = b.make<MaxOp>(slots[2], slots[1]);
    size = b.unary<SqrtOp>(slots.size() > 2 ? slots[2] : slots[1]);
  }
  return b.sub(p, b.div(b.mul(slots[0], corrected), b.add(size, settings.get("epsilon"))));
}

Value Optimizer::updateRmsprop(const GradBuilder &b, Value rate, Value p, Value g, MutableArrayRef<Value> slots) const {
  double rho = settings.get("rho");
  slots[0] = settle(b, b.add(b.mul(slots[0], rho), b.mul(b.square(g), 1 - rho)));
  Value spread = slots[0];
  if (settings.get("centered") != 0) {
    Value &mean = slots.back();
    mean = settle(b, b.add(b.mul(mean, rho), b.mul(g, 1 - rho)));
    spread = b.sub(spread, b.square(mean));
  }
  Value step = b.div(b.mul(g, rate), b.unary<SqrtOp>(b.add(spread, settings.get("epsilon"))));
  if (settings.get("momentum") == 0)
    return b.sub(p, step);
  slots[1] = settle(b, b.add(b.mul(slots[1], settings.get("momentum")), step));
  return b.sub(p, slots[1]);
}

Value Optimizer::updateAdadelta(const GradBuilder &b, Value rate, Value p, Value g,
                                MutableArrayRef<Value> slots) const {
  double rho = settings.get("rho"), epsilon = settings.get("epsilon");
  auto blend = [&](Value old, Value next) { return settle(b, b.add(b.mul(old, rho), b.mul(b.square(next), 1 - rho))); };
  slots[0] = blend(slots[0], g);
  Value delta = b.div(b.mul(g, b.unary<SqrtOp>(b.add(slots[1], epsilon))), b.unary<SqrtOp>(b.add(slots[0], epsilon)));
  slots[1] = blend(slots[1], delta);
  return b.sub(p, b.mul(delta, rate));
}

Value Optimizer::updateLion(const GradBuilder &b, Value rate, Value p, Value g, MutableArrayRef<Value> slots) const {
  Value direction = b.unary<SignOp>(average(b, slots[0], g, settings.get("beta_1")));
  slots[0] = settle(b, average(b, slots[0], g, settings.get("beta_2")));
  return b.sub(p, b.mul(direction, rate));
}

Value Optimizer::update(const GradBuilder &b, const StepNumbers &numbers, Value parameter, Value gradient,
                        MutableArrayRef<Value> slots) const {
  Value p = b.widen(parameter), g = b.widen(gradient);
  Type element = elementOf(p);
  Value rate = b.cast(numbers.rate, element);
  if (double decay = settings.get("weight_decay"))
    p = b.sub(p, b.mul(p, b.mul(rate, decay)));
  Value next;
  switch (settings.id) {
  case Sgd:
    next = updateSgd(b, rate, p, g, slots);
    break;
  case Adam:
  case Adamax:
    next = updateAdam(b, b.cast(numbers.corrected, element), p, g, slots);
    break;
  case Rmsprop:
    next = updateRmsprop(b, rate, p, g, slots);
    break;
  case Adagrad:
    slots[0] = b.add(slots[0], b.square(g));
    next = b.sub(p, b.div(b.mul(g, rate), b.unary<SqrtOp>(b.add(slots[0], settings.get("epsilon")))));
    break;
  case Adadelta:
    next = updateAdadelta(b, rate, p, g, slots);
    break;
  default:
    next = updateLion(b, rate, p, g, slots);
    break;
  }
  return b.cast(next, elementOf(parameter));
}
