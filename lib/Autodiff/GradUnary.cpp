//===- GradUnary.cpp - gradients of ops of one operand --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a function has a kink its derivative is that of one side or zero, as in
// JAX and PyTorch: abs and relu have the derivative 0 at 0. Where the result gives
// the derivative, it is used instead of the input.
//===----------------------------------------------------------------------===//

#include "GradModels.h"

#include <cmath>

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {

/// `derivative(builder, x, y)` is that of y = op(x).
template <Value (*derivative)(const GradBuilder &, Value, Value), typename OpT>
void multiplyBy(OpT op, const Rule &rule) {
  rule.give(0, rule.mul(rule.gradient, derivative(rule, op.getInput(), op.getResult())));
}

/// `divisor(builder, x, y)` is the reciprocal of the derivative.
template <Value (*divisor)(const GradBuilder &, Value, Value), typename OpT> void divideBy(OpT op, const Rule &rule) {
  rule.give(0, rule.div(rule.gradient, divisor(rule, op.getInput(), op.getResult())));
}

Value ofExpm1(const GradBuilder &b, Value, Value y) { return b.add(y, 1); }
Value ofLog(const GradBuilder &, Value x, Value) { return x; }
Value ofLog1p(const GradBuilder &b, Value x, Value) { return b.add(x, 1); }
Value ofExp(const GradBuilder &, Value, Value y) { return y; }
Value ofAbs(const GradBuilder &b, Value x, Value) { return b.unary<SignOp>(x); }
Value ofSqrt(const GradBuilder &b, Value, Value y) { return b.mul(y, 2); }
Value ofRsqrt(const GradBuilder &b, Value x, Value y) { return b.mul(b.div(y, x), -0.5); }
Value ofSin(const GradBuilder &b, Value x, Value) { return b.unary<CosOp>(x); }
Value ofCos(const GradBuilder &b, Value x, Value) { return b.neg(b.unary<SinOp>(x)); }
Value ofTan(const GradBuilder &b, Value, Value y) { return b.add(b.square(y), 1); }
/// (1 - x) (1 + x) keeps its digits near the ends of the range, 1 - x * x does not.
Value ofOneMinusSquare(const GradBuilder &b, Value x) { return b.mul(b.sub(1, x), b.add(x, 1)); }
Value ofAsin(const GradBuilder &b, Value x, Value) { return b.unary<RsqrtOp>(ofOneMinusSquare(b, x)); }
Value ofAcos(const GradBuilder &b, Value x, Value y) { return b.neg(ofAsin(b, x, y)); }
Value ofAtan(const GradBuilder &b, Value x, Value) { return b.add(b.square(x), 1); }
Value ofSinh(const GradBuilder &b, Value x, Value) { return b.unary<CoshOp>(x); }
Value ofCosh(const GradBuilder &b, Value x, Value) { return b.unary<SinhOp>(x); }
Value ofTanh(const GradBuilder &b, Value, Value y) { return ofOneMinusSquare(b, y); }
Value ofAsinh(const GradBuilder &b, Value x, Value) { return b.unary<RsqrtOp>(b.add(b.square(x), 1)); }
Value ofAcosh(const GradBuilder &b, Value x, Value) { return b.unary<RsqrtOp>(b.mul(b.add(x, -1), b.add(x, 1))); }
Value ofAtanh(const GradBuilder &b, Value x, Value) { return ofOneMinusSquare(b, x); }
Value ofErf(const GradBuilder &b, Value x, Value) {
  return b.mul(b.unary<ExpOp>(b.neg(b.square(x))), 2 / std::sqrt(M_PI));
}
Value ofSigmoid(const GradBuilder &b, Value, Value y) { return b.mul(y, b.sub(1, y)); }

/// y = x s(x) with the logistic function s.
Value ofSilu(const GradBuilder &b, Value x, Value) {
  Value s = b.unary<SigmoidOp>(x);
  return b.add(s, b.mul(x, ofSigmoid(b, {}, s)));
}

/// Distribution function of the normal distribution plus x times its density.
Value ofGelu(const GradBuilder &b, Value x, Value) {
  Value erf = b.unary<ErfOp>(b.mul(x, std::sqrt(0.5)));
  Value density = b.mul(b.unary<ExpOp>(b.mul(b.square(x), -0.5)), 1 / std::sqrt(2 * M_PI));
  return b.add(b.mul(b.add(erf, 1), 0.5), b.mul(x, density));
}

/// y = x s(2 u) with u = a (x + c x^3) and the logistic function s.
Value ofGeluTanh(const GradBuilder &b, Value x, Value) {
  double a = std::sqrt(2 / M_PI), c = 0.044715;
  Value square = b.square(x);
  Value s = b.unary<SigmoidOp>(b.mul(b.mul(x, b.add(b.mul(square, c), 1)), 2 * a));
  Value slope = b.mul(b.add(b.mul(square, 3 * c), 1), 2 * a);
  return b.add(s, b.mul(b.mul(x, slope), ofSigmoid(b, {}, s)));
}

void ruleOfNeg(NegOp, const Rule &rule) { rule.give(0, rule.neg(rule.gradient)); }

void ruleOfRelu(ReluOp op, const Rule &rule) {
  Value zero = rule.scalar(elementOf(op.getResult()), 0);
  rule.give(0, rule.where(rule.compare(ComparePredicate::GT, op.getResult(), zero), rule.gradient));
}

/// Steps: the derivative is zero wherever there is one.
template <typename OpT> void ruleOfSteps(OpT, const Rule &) {}

/// What training has not replaced is the identity.
void ruleOfDropout(DropoutOp, const Rule &rule) { rule.give(0, rule.gradient); }

void ruleOfCast(CastOp op, const Rule &rule) { rule.give(0, rule.cast(rule.gradient, elementOf(op.getInput()))); }

} // namespace

void hgc::attachUnaryRules(MLIRContext *context) {
  attachRule<AbsOp, multiplyBy<ofAbs, AbsOp>>(context);
  attachRule<NegOp, ruleOfNeg>(context);
  attachRule<ReluOp, ruleOfRelu>(context);
  attachRule<DropoutOp, ruleOfDropout>(context);
  attachRule<CastOp, ruleOfCast>(context);
  attachRule<SignOp, ruleOfSteps<SignOp>>(context);
  attachRule<FloorOp, ruleOfSteps<FloorOp>>(context);
  attachRule<CeilOp, ruleOfSteps<CeilOp>>(context);
  attachRule<RoundOp, ruleOfSteps<RoundOp>>(context);
  attachRule<TruncOp, ruleOfSteps<TruncOp>>(context);
  attachRule<ExpOp, multiplyBy<ofExp, ExpOp>>(context);
  attachRule<Expm1Op, multiplyBy<ofExpm1, Expm1Op>>(context);
  attachRule<LogOp, divideBy<ofLog, LogOp>>(context);
  attachRule<Log1pOp, divideBy<ofLog1p, Log1pOp>>(context);
  attachRule<SqrtOp, divideBy<ofSqrt, SqrtOp>>(context);
  attachRule<RsqrtOp, multiplyBy<ofRsqrt, RsqrtOp>>(context);
  attachRule<SinOp, multiplyBy<ofSin, SinOp>>(context);
  attachRule<CosOp, multiplyBy<ofCos, CosOp>>(context);
  attachRule<TanOp, multiplyBy<ofTan, TanOp>>(context);
  attachRule<AsinOp, multiplyBy<ofAsin, AsinOp>>(context);
  attachRule<AcosOp, multiplyBy<ofAcos, AcosOp>>(context);
  attachRule<AtanOp, divideBy<ofAtan, AtanOp>>(context);
  attachRule<SinhOp, multiplyBy<ofSinh, SinhOp>>(context);
  attachRule<CoshOp, multiplyBy<ofCosh, CoshOp>>(context);
  attachRule<TanhOp, multiplyBy<ofTanh, TanhOp>>(context);
  attachRule<AsinhOp, multiplyBy<ofAsinh, AsinhOp>>(context);
  attachRule<AcoshOp, multiplyBy<ofAcosh, AcoshOp>>(context);
  attachRule<AtanhOp, divideBy<ofAtanh, AtanhOp>>(context);
  attachRule<ErfOp, multiplyBy<ofErf, ErfOp>>(context);
  attachRule<SigmoidOp, multiplyBy<ofSigmoid, SigmoidOp>>(context);
  attachRule<SiluOp, multiplyBy<ofSilu, SiluOp>>(context);
  attachRule<GeluOp, multiplyBy<ofGelu, GeluOp>>(context);
  attachRule<GeluTanhOp, multiplyBy<ofGeluTanh, GeluTanhOp>>(context);
}
