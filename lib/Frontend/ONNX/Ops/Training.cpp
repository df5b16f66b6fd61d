//===- Training.cpp - optimizer steps of ai.onnx.preview.training ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inputs are the rate R, the step T, then for all tensors X the values, the
// gradients and the states; outputs are the new values, then the new states.
//===----------------------------------------------------------------------===//

#include "lib/Frontend/ONNX/Node.h"
#include "lib/Frontend/ONNX/OpTable.h"

using namespace mlir;

namespace hgc::onnx {

namespace {

/// What a step knows about one tensor; the value and the states are replaced.
struct Update {
  Node &node;
  Value rate, step, gradient;
  Value value;
  SmallVector<Value, 2> states;

  /// A number of the tensor's type.
  Value number(double constant) const { return node.scalar(Node::elementOf(value), constant); }
  /// An attribute as a number of the tensor's type.
  Value attribute(StringRef name, double otherwise) const { return number(node.getFloat(name, otherwise)); }
  Value square(Value x) const { return node.mul(x, x); }
  /// `kept` of the first and the rest of the second.
  Value mix(Value kept, Value a, Value b) const {
    return node.add(node.mul(kept, a), node.mul(node.sub(number(1), kept), b));
  }
  Value isFirstStep() const {
    return node.compare(graph::ComparePredicate::LE, step, node.scalar(Node::elementOf(step), 0));
  }
};

} // namespace

/// The gradient with the one of the squared norm of the tensor.
static Value regularize(const Update &u) {
  return u.node.add(u.node.mul(u.attribute("norm_coefficient", 0), u.value), u.gradient);
}

static void stepAdagrad(Update &u) {
  Node &node = u.node;
  Value steps = node.cast(u.step, Node::elementOf(u.value)), gradient = regularize(u);
  Value rate = node.div(u.rate, node.add(u.number(1), node.mul(steps, u.attribute("decay_factor", 0))));
  u.states[0] = node.add(u.states[0], u.square(gradient));
  Value scale = node.add(node.create<graph::SqrtOp>(u.states[0]), u.attribute("epsilon", 1e-6));
  u.value = node.sub(u.value, node.div(node.mul(rate, gradient), scale));
}

static void stepAdam(Update &u) {
  Node &node = u.node;
  Value alpha = u.attribute("alpha", 0.9), beta = u.attribute("beta", 0.999), gradient = regularize(u);
  u.states[0] = u.mix(alpha, u.states[0], gradient);
  u.states[1] = u.mix(beta, u.states[1], u.square(gradient));
  Value steps = node.cast(u.step, Node::elementOf(u.value));
  auto unbias = [&](Value factor) { return node.sub(u.number(1), node.create<graph::PowOp>(factor, steps)); };
  Value corrected = node.div(node.mul(u.rate, node.create<graph::SqrtOp>(unbias(beta))), unbias(alpha));
  Value rate = node.select(u.isFirstStep(), u.rate, corrected);
  Value scale = node.add(node.create<graph::SqrtOp>(u.states[1]), u.attribute("epsilon", 1e-6));
  Value moved = node.sub(u.value, node.div(node.mul(rate, u.states[0]), scale));
  u.value = node.mul(u.number(1 - node.getFloat("norm_coefficient_post", 0)), moved);
}

static void stepMomentum(Update &u) {
  Node &node = u.node;
  Value alpha = u.attribute("alpha", 0), gradient = regularize(u);
  Value beta = node.select(u.isFirstStep(), u.number(1), u.attribute("beta", 0));
  u.states[0] = node.add(node.mul(alpha, u.states[0]), node.mul(beta, gradient));
  Value direction = u.states[0];
  if (node.getString("mode", "standard") == "nesterov")
    direction = node.add(gradient, node.mul(alpha, u.states[0]));
  u.value = node.sub(u.value, node.mul(u.rate, direction));
}

template <void (*Step)(Update &), unsigned StateCount> static LogicalResult importStep(Node &node) {
  unsigned groups = 2 + StateCount, given = node.getNumInputs();
  if (given < 2 + groups || (given - 2) % groups != 0)
    return node.invalid(Twine(given) + " inputs", "give R, T, and as many gradients and states as tensors");
  for (unsigned i = 0; i < given; ++i)
    if (!node.hasInput(i))
      return failure();
  unsigned count = (given - 2) / groups;
  for (unsigned i = 0; i < count; ++i) {
    auto input = [&](unsigned group) { return node.getInput(2 + group * count + i); };
    Update update{node, node.reshape(node.getInput(0), {}), node.reshape(node.getInput(1), {}), input(1), input(0), {}};
    update.rate = node.cast(update.rate, Node::elementOf(update.value));
    for (unsigned state = 0; state < StateCount; ++state)
      update.states.push_back(input(2 + state));
    Step(update);
    if (!update.value)
      return failure();
    node.setOutput(i, update.value);
    for (unsigned state = 0; state < StateCount; ++state)
      node.setOutput((1 + state) * count + i, update.states[state]);
  }
  return success();
}

void addTrainingOps(OpTable &table) {
  table.add("ai.onnx.preview.training::Adagrad", importStep<stepAdagrad, 1>);
  table.add("ai.onnx.preview.training::Adam", importStep<stepAdam, 2>);
  table.add("ai.onnx.preview.training::Momentum", importStep<stepMomentum, 1>);
  table.refuse("ai.onnx.preview.training::Gradient", "gradients of a part of the graph");
}

} // namespace hgc::onnx
