//===- Unary.cpp - functions of one number --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Elementwise.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace hgc;
using namespace hgc::onnx;
using graph::ComparePredicate;

namespace {

template <typename Op> Value buildUnary(Node &node) { return node.create<Op>(node.getInput(0)); }

/// The first input and numbers of its type.
struct Operand {
  explicit Operand(Node &node) : node(node), x(node.getInput(0)) {}

  explicit operator bool() const { return static_cast<bool>(x); }
  Value number(double value) const { return node.scalar(Node::elementOf(x), value); }
  Value isBelow(double value) const { return node.compare(ComparePredicate::LT, x, number(value)); }
  Value isAbove(double value) const { return node.compare(ComparePredicate::GT, x, number(value)); }
  /// `factor * (exp(x / scale) - 1)`
  Value expm1(double factor, double scale = 1) const {
    Value argument = scale == 1 ? x : node.div(x, number(scale));
    return node.mul(node.create<graph::Expm1Op>(argument), number(factor));
  }

  Node &node;
  Value x;
};

/// Import function of an op whose first input `Build` takes.
template <Value (*Build)(const Operand &)> Value withOperand(Node &node) {
  Operand operand(node);
  return operand ? Build(operand) : Value();
}

//===----------------------------------------------------------------------===//
// Mathematics
//===----------------------------------------------------------------------===//

Value buildReciprocal(const Operand &in) { return in.node.div(in.number(1), in.x); }

/// The graph dialect has the error function of floats alone.
Value buildErf(const Operand &in) {
  Type type = Node::elementOf(in.x);
  if (isa<FloatType>(type))
    return in.node.create<graph::ErfOp>(in.x);
  return in.node.cast(in.node.create<graph::ErfOp>(in.node.cast(in.x, in.node.getBuilder().getF32Type())), type);
}

Value buildIsInf(const Operand &in) {
  bool positive = in.node.getInt("detect_positive", 1), negative = in.node.getInt("detect_negative", 1);
  if (positive && negative)
    return in.node.create<graph::IsInfOp>(in.x);
  double infinity = std::numeric_limits<double>::infinity();
  if (!positive && !negative)
    return in.node.splat(in.node.getBuilder().getI1Type(), Node::shapeOf(in.x), 0);
  return in.node.compare(ComparePredicate::EQ, in.x, in.number(positive ? infinity : -infinity));
}

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

Value buildElu(const Operand &in) {
  return in.node.select(in.isBelow(0), in.expm1(in.node.getFloat("alpha", 1)), in.x);
}

Value buildSelu(const Operand &in) {
  // Opset 1 had rounded defaults.
  bool isOld = in.node.getOpset() < 6;
  double alpha = in.node.getFloat("alpha", isOld ? 1.6732 : 1.67326319217681884765625);
  double gamma = in.node.getFloat("gamma", isOld ? 1.0507 : 1.05070102214813232421875);
  return in.node.mul(in.node.select(in.isAbove(0), in.x, in.expm1(alpha)), in.number(gamma));
}

Value buildCelu(const Operand &in) {
  double alpha = in.node.getFloat("alpha", 1);
  return in.node.select(in.isBelow(0), in.expm1(alpha, alpha), in.x);
}

Value buildLeakyRelu(const Operand &in) {
  Value scaled = in.node.mul(in.x, in.number(in.node.getFloat("alpha", 0.01)));
  return in.node.select(in.isBelow(0), scaled, in.x);
}

/// Before opset 7 a slope of one number a channel belonged to dim 1.
Value buildPRelu(const Operand &in) {
  Value slope = in.node.getInput(1);
  if (!slope)
    return {};
  int64_t rank = Node::rankOf(in.x);
  if (in.node.getOpset() < 7 && Node::rankOf(slope) == 1 && Node::shapeOf(slope)[0] != 1 && rank > 2) {
    Extents shape(rank - 1, 1);
    shape[0] = Node::shapeOf(slope)[0];
    slope = in.node.reshape(slope, shape);
  }
  return in.node.select(in.isBelow(0), in.node.mul(in.x, slope), in.x);
}

Value buildThresholdedRelu(const Operand &in) {
  return in.node.select(in.isAbove(in.node.getFloat("alpha", 1)), in.x, in.number(0));
}

Value hardSigmoid(const Operand &in, double alpha, double beta) {
  Value line = in.node.add(in.node.mul(in.x, in.number(alpha)), in.number(beta));
  return in.node.max(in.node.min(line, in.number(1)), in.number(0));
}

Value buildHardSigmoid(const Operand &in) {
  return hardSigmoid(in, in.node.getFloat("alpha", 0.2), in.node.getFloat("beta", 0.5));
}

Value buildHardSwish(const Operand &in) { return in.node.mul(in.x, hardSigmoid(in, 1.0 / 6, 0.5)); }

Value buildShrink(const Operand &in) {
  double bias = in.node.getFloat("bias", 0), limit = in.node.getFloat("lambd", 0.5);
  Type type = Node::elementOf(in.x);
  // The bounds are floats even when the numbers are not.
  Operand wide = in;
  if (isa<IntegerType>(type))
    wide.x = in.node.cast(in.x, in.node.getBuilder().getF64Type());
  Value above = in.node.select(wide.isAbove(limit), in.node.sub(wide.x, wide.number(bias)), wide.number(0));
  Value result = in.node.select(wide.isBelow(-limit), in.node.add(wide.x, wide.number(bias)), above);
  return in.node.cast(result, type);
}

/// log(1 + exp(x)), which does not overflow in this form.
Value buildSoftplus(const Operand &in) {
  Value magnitude = in.node.create<graph::AbsOp>(in.x);
  Value tail = in.node.create<graph::ExpOp>(in.node.create<graph::NegOp>(magnitude));
  return in.node.add(in.node.max(in.x, in.number(0)), in.node.create<graph::Log1pOp>(tail));
}

Value buildSoftsign(const Operand &in) {
  return in.node.div(in.x, in.node.add(in.node.create<graph::AbsOp>(in.x), in.number(1)));
}

Value buildMish(const Operand &in) { return in.node.mul(in.x, in.node.create<graph::TanhOp>(buildSoftplus(in))); }

Value buildSwish(const Operand &in) {
  double alpha = in.node.getFloat("alpha", 1);
  Value argument = alpha == 1 ? in.x : in.node.mul(in.x, in.number(alpha));
  return in.node.mul(in.x, in.node.create<graph::SigmoidOp>(argument));
}

Value buildGelu(const Operand &in) {
  StringRef approximate = in.node.getString("approximate", "none");
  if (approximate == "none")
    return in.node.create<graph::GeluOp>(in.x);
  if (approximate == "tanh")
    return in.node.create<graph::GeluTanhOp>(in.x);
  (void)in.node.invalid("attribute 'approximate' is '" + approximate + "'", "it is none or tanh");
  return {};
}

} // namespace

void hgc::onnx::addUnaryOps(OpTable &table) {
  addElementwise<buildUnary<graph::AbsOp>>(table, "Abs");
  addElementwise<buildUnary<graph::NegOp>>(table, "Neg");
  addElementwise<buildUnary<graph::SignOp>>(table, "Sign");
  addElementwise<buildUnary<graph::ExpOp>>(table, "Exp");
  addElementwise<buildUnary<graph::LogOp>>(table, "Log");
  addElementwise<buildUnary<graph::SqrtOp>>(table, "Sqrt");
  addElementwise<buildUnary<graph::SinOp>>(table, "Sin");
  addElementwise<buildUnary<graph::CosOp>>(table, "Cos");
  addElementwise<buildUnary<graph::TanOp>>(table, "Tan");
  addElementwise<buildUnary<graph::AsinOp>>(table, "Asin");
  addElementwise<buildUnary<graph::AcosOp>>(table, "Acos");
  addElementwise<buildUnary<graph::AtanOp>>(table, "Atan");
  addElementwise<buildUnary<graph::SinhOp>>(table, "Sinh");
  addElementwise<buildUnary<graph::CoshOp>>(table, "Cosh");
  addElementwise<buildUnary<graph::TanhOp>>(table, "Tanh");
  addElementwise<buildUnary<graph::AsinhOp>>(table, "Asinh");
  addElementwise<buildUnary<graph::AcoshOp>>(table, "Acosh");
  addElementwise<buildUnary<graph::AtanhOp>>(table, "Atanh");
  addElementwise<buildUnary<graph::FloorOp>>(table, "Floor");
  addElementwise<buildUnary<graph::CeilOp>>(table, "Ceil");
  addElementwise<buildUnary<graph::RoundOp>>(table, "Round");
  addElementwise<buildUnary<graph::ReluOp>>(table, "Relu");
  addElementwise<buildUnary<graph::SigmoidOp>>(table, "Sigmoid");
  addElementwise<buildUnary<graph::NotOp>>(table, "Not");
  addElementwise<buildUnary<graph::NotOp>>(table, "BitwiseNot");
  addElementwise<buildUnary<graph::IsNanOp>>(table, "IsNaN");
  addElementwise<withOperand<buildIsInf>>(table, "IsInf");
  addElementwise<withOperand<buildErf>>(table, "Erf");
  addElementwise<withOperand<buildReciprocal>>(table, "Reciprocal");
  addElementwise<withOperand<buildElu>>(table, "Elu");
  addElementwise<withOperand<buildSelu>>(table, "Selu");
  addElementwise<withOperand<buildCelu>>(table, "Celu");
  addElementwise<withOperand<buildLeakyRelu>>(table, "LeakyRelu");
  addElementwise<withOperand<buildPRelu>>(table, "PRelu");
  addElementwise<withOperand<buildThresholdedRelu>>(table, "ThresholdedRelu");
  addElementwise<withOperand<buildHardSigmoid>>(table, "HardSigmoid");
  addElementwise<withOperand<buildHardSwish>>(table, "HardSwish");
  addElementwise<withOperand<buildShrink>>(table, "Shrink");
  addElementwise<withOperand<buildSoftplus>>(table, "Softplus");
  addElementwise<withOperand<buildSoftsign>>(table, "Softsign");
  addElementwise<withOperand<buildMish>>(table, "Mish");
  addElementwise<withOperand<buildSwish>>(table, "Swish");
  addElementwise<withOperand<buildGelu>>(table, "Gelu");
}
