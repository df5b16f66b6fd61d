//===- Schedules.cpp - the learning rate of a step ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As in Keras the first step counts as 0. A warm-up rises from 0 to the rate in
// equal parts; the schedule begins behind it.
//===----------------------------------------------------------------------===//

#include "Schedules.h"

#include <cmath>

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;
using namespace hgc::training;

namespace {

enum ScheduleId { Constant, Exponential, Cosine, Step, InverseTime, Polynomial };

constexpr Argument kWarmup = {"warmup_steps", 0, 0};
constexpr Argument kConstantArguments[] = {kWarmup};
constexpr Argument kExponentialArguments[] = {
    {"decay_steps", 1000, 1}, {"decay_rate", 0.96, 0}, {"staircase", 0, 0, 1}, kWarmup};
constexpr Argument kCosineArguments[] = {{"decay_steps", 1000, 1}, {"alpha", 0, 0, 1}, kWarmup};
constexpr Argument kStepArguments[] = {{"every", 1000, 1}, {"factor", 0.1, 0}, kWarmup};
constexpr Argument kPolynomialArguments[] = {{"decay_steps", 1000, 1}, {"end_lr", 1e-4, 0}, {"power", 1, 0}, kWarmup};

const Kind kSchedules[] = {
    {"constant", Constant, kConstantArguments},
    {"exponential", Exponential, kExponentialArguments},
    {"cosine", Cosine, kCosineArguments},
    {"step", Step, kStepArguments},
    {"inverse_time", InverseTime, kExponentialArguments},
    {"polynomial", Polynomial, kPolynomialArguments},
};

} // namespace

FailureOr<Schedule> Schedule::parse(Location loc, StringRef text) {
  FailureOr<Settings> settings = parseSpec(loc, "schedule", text.empty() ? "constant" : text, kSchedules);
  if (failed(settings))
    return failure();
  return Schedule(std::move(*settings));
}

Value Schedule::buildFactor(const GradBuilder &b, Value done, double learningRate) const {
  auto capped = [&] {
    Value steps = b.scalar(elementOf(done), settings.get("decay_steps"));
    return b.mul(b.make<MinOp>(done, steps), 1 / settings.get("decay_steps"));
  };
  switch (settings.id) {
  case Exponential:
  case InverseTime: {
    Value part = b.mul(done, 1 / settings.get("decay_steps"));
    if (settings.get("staircase") != 0)
      part = b.unary<FloorOp>(b.div(done, b.scalar(elementOf(done), settings.get("decay_steps"))));
    double rate = settings.get("decay_rate");
    if (settings.id == InverseTime)
      return b.div(b.scalar(elementOf(done), 1), b.add(b.mul(part, rate), 1));
    return b.make<PowOp>(b.scalar(elementOf(done), rate), part);
  }
  case Cosine: {
    double alpha = settings.get("alpha");
    Value wave = b.add(b.unary<CosOp>(b.mul(capped(), M_PI)), 1);
    return b.add(b.mul(wave, 0.5 * (1 - alpha)), alpha);
  }
  case Step: {
    Value count = b.unary<FloorOp>(b.div(done, b.scalar(elementOf(done), settings.get("every"))));
    return b.make<PowOp>(b.scalar(elementOf(done), settings.get("factor")), count);
  }
  case Polynomial: {
    double end = settings.get("end_lr") / learningRate, power = settings.get("power");
    Value left = b.sub(1, capped());
    if (power != 1)
      left = b.make<PowOp>(left, b.scalar(elementOf(done), power));
    return b.add(b.mul(left, 1 - end), end);
  }
  default:
    return b.scalar(elementOf(done), 1);
  }
}

Value Schedule::build(const GradBuilder &b, Value step, double learningRate) const {
  Type f32 = b.getBuilder().getF32Type();
  double warmup = settings.get("warmup_steps");
  if (settings.id == Constant && warmup == 0)
    return b.scalar(f32, learningRate);
  Value done = b.add(b.cast(step, f32), -1);
  if (warmup == 0)
    return b.mul(buildFactor(b, done, learningRate), learningRate);
  // Nothing decays before the warm-up ends.
  Value behind = b.make<MaxOp>(b.add(done, -warmup), b.scalar(f32, 0));
  Value isWarm = b.compare(ComparePredicate::GE, done, b.scalar(f32, warmup));
  Value factor = b.select(isWarm, buildFactor(b, behind, learningRate), b.mul(done, 1 / warmup));
  return b.mul(factor, learningRate);
}
