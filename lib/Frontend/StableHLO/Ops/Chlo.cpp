//===- Chlo.cpp - ops that JAX leaves composed ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Elementwise.h"

#include <cmath>

using namespace mlir;

namespace hgc::stablehlo {

using graph::ComparePredicate;

namespace {

/// Coefficients from the highest power on.
Value polynomial(Node &node, Value x, ArrayRef<double> coefficients) {
  Type type = Node::elementOf(x);
  Value sum = node.scalar(type, coefficients.front());
  for (double coefficient : coefficients.drop_front())
    sum = node.add(node.mul(sum, x), node.scalar(type, coefficient));
  return sum;
}

Value buildSquare(Node &node, Value x) { return node.mul(x, x); }

/// One minus erf loses all digits where erf is nearly one: beyond 1/2 a continued
/// fraction's fit keeps them, `exp(-x^2) * t * p(t)` with `t = 1 / (1 + x / 2)`, to 1.2e-7.
Value buildErfc(Node &node, Value x) {
  Type type = Node::elementOf(x);
  Value near = node.sub(node.scalar(type, 1), node.create<graph::ErfOp>(x));
  // The fit has the digits of f32; in f64 the difference is as good down to 1e-9.
  if (type.isF64())
    return near;
  Value one = node.scalar(type, 1);
  Value t = node.div(one, node.add(one, node.mul(x, node.scalar(type, 0.5))));
  Value exponent = polynomial(node, t,
                              {0.17087277, -0.82215223, 1.48851587, -1.13520398, 0.27886807, -0.18628806, 0.09678418,
                               0.37409196, 1.00002368, -1.26551223});
  Value far = node.mul(t, node.create<graph::ExpOp>(node.sub(exponent, node.mul(x, x))));
  return node.select(node.compare(ComparePredicate::GT, x, node.scalar(type, 2)), far, near);
}

/// Giles' approximation in single precision; in double precision Newton's steps make it exact.
Value buildErfInv(Node &node, Value x) {
  Type type = Node::elementOf(x);
  auto number = [&](double value) { return node.scalar(type, value); };
  Value w = node.create<graph::NegOp>(node.create<graph::Log1pOp>(node.create<graph::NegOp>(node.mul(x, x))));
  Value isSmall = node.compare(ComparePredicate::LT, w, number(5));
  Value small = polynomial(node, node.sub(w, number(2.5)),
                           {2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087,
                            -0.00125372503, -0.00417768164, 0.246640727, 1.50140941});
  Value large = polynomial(node, node.sub(node.create<graph::SqrtOp>(w), number(3)),
                           {-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773,
                            -0.0076224613, 0.00943887047, 1.00167406, 2.83297682});
  Value y = node.mul(node.select(isSmall, small, large), x);
  for (int step = 0; step < (type.isF64() ? 2 : 0); ++step) {
    Value slope =
        node.mul(number(2 / std::sqrt(M_PI)), node.create<graph::ExpOp>(node.create<graph::NegOp>(node.mul(y, y))));
    y = node.sub(y, node.div(node.sub(node.create<graph::ErfOp>(y), x), slope));
  }
  Value isEnd = node.compare(ComparePredicate::EQ, node.create<graph::AbsOp>(x), number(1));
  return node.select(isEnd, node.mul(x, number(std::numeric_limits<double>::infinity())), y);
}

template <int Sign> Value buildIsInf(Node &node, Value x) {
  Value isInf = node.create<graph::IsInfOp>(x);
  if (Sign == 0)
    return isInf;
  Value zero = node.scalar(Node::elementOf(x), 0);
  return both(node, isInf, node.compare(Sign > 0 ? ComparePredicate::GT : ComparePredicate::LT, x, zero));
}

/// The neighbour of `x` in the direction of `y`: one more or less as an integer, since floats are in the order of their
/// bits on either side of zero.
Value buildNextAfter(Node &node, Value x, Value y) {
  auto type = dyn_cast<FloatType>(Node::elementOf(x));
  if (!type)
    return node.create<graph::IsNanOp>(x);
  Type integers = node.getBuilder().getIntegerType(type.getWidth());
  auto number = [&](Type element, double value) { return node.scalar(element, value); };
  Value zero = number(type, 0), isUp = node.compare(ComparePredicate::LT, x, y);
  Value isAway = node.compare(ComparePredicate::EQ, isUp, node.compare(ComparePredicate::GT, x, zero));
  Value step = node.select(isAway, number(integers, 1), number(integers, -1));
  Value next = bitCast(node, node.add(bitCast(node, x, integers), step), type);
  Value least = bitCast(node, number(integers, 1), type);
  Value fromZero = node.select(isUp, least, node.create<graph::NegOp>(least));
  next = node.select(node.compare(ComparePredicate::EQ, x, zero), fromZero, next);
  next = node.select(node.compare(ComparePredicate::EQ, x, y), y, next);
  // A sum with what is no number is none.
  Value isNan = node.create<graph::IsNanOp>(node.add(x, y));
  return node.select(isNan, node.add(x, y), next);
}

/// The first k of a descending order along the last dim, and their positions.
LogicalResult importTopK(Node &node) {
  std::optional<int64_t> k = node.getInt("k");
  if (!k || !node.hasOperands(1))
    return failure();
  Value x = node.getOperand(0);
  int64_t axis = Node::rankOf(x) - 1;
  if (axis < 0 || *k < 0 || *k > Node::shapeOf(x)[axis] || node.getNumResults() != 2)
    return node.invalid("there are no " + Twine(*k) + " elements along the last dim", "k is at most its extent");
  OpBuilder &builder = node.getBuilder();
  Value order = node.create<graph::ArgSortOp>(x, builder.getI64IntegerAttr(axis), builder.getUnitAttr(),
                                              builder.getI64IntegerAttr(*k));
  Value values = node.create<graph::GatherAlongOp>(x, order, builder.getI64IntegerAttr(axis));
  Value positions = node.cast(order, node.getResultType(1).getElementType());
  if (!values || !positions)
    return failure();
  node.setResult(0, values);
  node.setResult(1, positions);
  return success();
}

} // namespace

void addChloOps(OpTable &table) {
  table.addPointwise("chlo.square", importUnary<buildSquare>);
  table.addPointwise("chlo.erf", importUnary<buildUnary<graph::ErfOp>>);
  table.addPointwise("chlo.erfc", importUnary<buildErfc>);
  table.addPointwise("chlo.erf_inv", importUnary<buildErfInv>);
  table.addPointwise("chlo.tan", importUnary<buildUnary<graph::TanOp>>);
  table.addPointwise("chlo.asin", importUnary<buildUnary<graph::AsinOp>>);
  table.addPointwise("chlo.acos", importUnary<buildUnary<graph::AcosOp>>);
  table.addPointwise("chlo.atan", importUnary<buildUnary<graph::AtanOp>>);
  table.addPointwise("chlo.sinh", importUnary<buildUnary<graph::SinhOp>>);
  table.addPointwise("chlo.cosh", importUnary<buildUnary<graph::CoshOp>>);
  table.addPointwise("chlo.asinh", importUnary<buildUnary<graph::AsinhOp>>);
  table.addPointwise("chlo.acosh", importUnary<buildUnary<graph::AcoshOp>>);
  table.addPointwise("chlo.atanh", importUnary<buildUnary<graph::AtanhOp>>);
  table.addPointwise("chlo.is_inf", importUnary<buildIsInf<0>>);
  table.addPointwise("chlo.is_pos_inf", importUnary<buildIsInf<1>>);
  table.addPointwise("chlo.is_neg_inf", importUnary<buildIsInf<-1>>);
  table.addPointwise("chlo.next_after", importBinary<buildNextAfter>);
  table.add("chlo.top_k", importTopK);
}

} // namespace hgc::stablehlo
