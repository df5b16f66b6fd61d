//===- GradBinary.cpp - gradients of ops that broadcast -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gradient by an operand that was broadcast is the sum over its copies. Equal
// operands of max and min share the gradient by halves, as in JAX and PyTorch.
//===----------------------------------------------------------------------===//

#include "GradModels.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {

/// Gives an operand its gradient, summed over the dims it was broadcast along.
void giveSum(const Rule &rule, unsigned number, Value operand, Value gradient) {
  rule.give(number, rule.sumTo(gradient, shapeOf(operand)));
}

void ruleOfAdd(AddOp op, const Rule &rule) {
  for (unsigned i : {0, 1})
    if (rule.needs(i))
      giveSum(rule, i, op->getOperand(i), rule.gradient);
}

void ruleOfSub(SubOp op, const Rule &rule) {
  if (rule.needs(0))
    giveSum(rule, 0, op.getLhs(), rule.gradient);
  // Negated behind the sum: there are fewer elements.
  if (rule.needs(1))
    rule.give(1, rule.neg(rule.sumTo(rule.gradient, shapeOf(op.getRhs()))));
}

void ruleOfMul(MulOp op, const Rule &rule) {
  for (unsigned i : {0, 1})
    if (rule.needs(i))
      giveSum(rule, i, op->getOperand(i), rule.mul(rule.gradient, op->getOperand(1 - i)));
}

void ruleOfDiv(DivOp op, const Rule &rule) {
  if (!rule.needs(0) && !rule.needs(1))
    return;
  Value quotient = rule.div(rule.gradient, op.getRhs());
  if (rule.needs(0))
    giveSum(rule, 0, op.getLhs(), quotient);
  if (rule.needs(1))
    rule.give(1, rule.neg(rule.sumTo(rule.mul(quotient, op.getResult()), shapeOf(op.getRhs()))));
}

/// x rem y is x - y trunc(x / y).
void ruleOfRem(RemOp op, const Rule &rule) {
  if (rule.needs(0))
    giveSum(rule, 0, op.getLhs(), rule.gradient);
  if (!rule.needs(1))
    return;
  Value times = rule.unary<TruncOp>(rule.div(op.getLhs(), op.getRhs()));
  rule.give(1, rule.neg(rule.sumTo(rule.mul(rule.gradient, times), shapeOf(op.getRhs()))));
}

/// The exponent if it is the same known number for all elements.
std::optional<double> getExponent(PowOp op) {
  DenseElementsAttr attr;
  if (!matchPattern(op.getRhs(), m_Constant(&attr)) || !attr.isSplat())
    return std::nullopt;
  return attr.getSplatValue<APFloat>().convertToDouble();
}

/// y x^(y - 1), which is 0 for y = 0 also where x^-1 is not finite.
Value slopeOfPow(PowOp op, const Rule &rule) {
  Value base = op.getLhs(), exponent = op.getRhs();
  if (std::optional<double> known = getExponent(op)) {
    if (*known == 0)
      return rule.scalar(elementOf(base), 0);
    Value power = *known == 1   ? rule.scalar(elementOf(base), 1)
                  : *known == 2 ? base
                                : rule.make<PowOp>(base, rule.scalar(elementOf(base), *known - 1));
    return rule.mul(power, *known);
  }
  Value isZero = rule.equal(exponent, rule.scalar(elementOf(base), 0));
  Value less = rule.select(isZero, rule.scalar(elementOf(base), 1), rule.add(exponent, -1));
  return rule.mul(exponent, rule.make<PowOp>(base, less));
}

void ruleOfPow(PowOp op, const Rule &rule) {
  if (rule.needs(0))
    giveSum(rule, 0, op.getLhs(), rule.mul(rule.gradient, slopeOfPow(op, rule)));
  if (!rule.needs(1))
    return;
  // 0^y is constant for y > 0: its logarithm must not be seen.
  Value base = op.getLhs(), isZero = rule.equal(base, rule.scalar(elementOf(base), 0));
  Value log = rule.unary<LogOp>(rule.select(isZero, rule.scalar(elementOf(base), 1), base));
  giveSum(rule, 1, op.getRhs(), rule.mul(rule.gradient, rule.mul(op.getResult(), log)));
}

template <typename OpT> void ruleOfExtreme(OpT op, const Rule &rule) {
  Type element = elementOf(op.getResult());
  Value isEqual = rule.equal(op.getLhs(), op.getRhs()), half = rule.mul(rule.gradient, 0.5);
  bool isMax = std::is_same_v<OpT, MaxOp>;
  for (unsigned i : {0, 1}) {
    if (!rule.needs(i))
      continue;
    ComparePredicate wins = isMax ? ComparePredicate::GT : ComparePredicate::LT;
    Value isMine = rule.compare(wins, op->getOperand(i), op->getOperand(1 - i));
    Value whole = rule.select(isMine, rule.gradient, rule.scalar(element, 0));
    giveSum(rule, i, op->getOperand(i), rule.select(isEqual, half, whole));
  }
}

void ruleOfAtan2(Atan2Op op, const Rule &rule) {
  Value y = op.getLhs(), x = op.getRhs();
  Value scaled = rule.div(rule.gradient, rule.add(rule.square(x), rule.square(y)));
  if (rule.needs(0))
    giveSum(rule, 0, y, rule.mul(scaled, x));
  if (rule.needs(1))
    rule.give(1, rule.neg(rule.sumTo(rule.mul(scaled, y), shapeOf(x))));
}

void ruleOfSelect(SelectOp op, const Rule &rule) {
  Value zero = rule.scalar(elementOf(op.getResult()), 0);
  if (rule.needs(1))
    giveSum(rule, 1, op.getOnTrue(), rule.select(op.getCondition(), rule.gradient, zero));
  if (rule.needs(2))
    giveSum(rule, 2, op.getOnFalse(), rule.select(op.getCondition(), zero, rule.gradient));
}

} // namespace

void hgc::attachBinaryRules(MLIRContext *context) {
  attachRule<AddOp, ruleOfAdd>(context);
  attachRule<SubOp, ruleOfSub>(context);
  attachRule<MulOp, ruleOfMul>(context);
  attachRule<DivOp, ruleOfDiv>(context);
  attachRule<RemOp, ruleOfRem>(context);
  attachRule<PowOp, ruleOfPow>(context);
  attachRule<MaxOp, ruleOfExtreme<MaxOp>>(context);
  attachRule<MinOp, ruleOfExtreme<MinOp>>(context);
  attachRule<Atan2Op, ruleOfAtan2>(context);
  attachRule<SelectOp, ruleOfSelect>(context);
}
