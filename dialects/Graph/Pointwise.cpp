//===- Pointwise.cpp - arithmetic of pointwise ops ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bodies are written once, with upstream ops that take scalars and vectors, and
// serve every device. Transcendental functions stay math ops: their expansion
// belongs to the device's code generator.
//===----------------------------------------------------------------------===//

#include "dialects/Graph/ElementTypes.h"
#include "dialects/Graph/PointwiseBuilder.h"

#include "mlir/IR/TypeUtilities.h"

#include <cmath>
#include <iterator>

using namespace mlir;
using namespace hgc::graph;

Type hgc::graph::withShapeOf(Value like, Type element) {
  auto vector = dyn_cast<VectorType>(like.getType());
  return vector ? Type(vector.clone(element)) : element;
}

/// Wraps a scalar attribute in a constant of type `type`.
static Value makeConstant(OpBuilder &builder, Location loc, Type type, TypedAttr scalar) {
  if (auto vector = dyn_cast<VectorType>(type))
    return arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(vector, Attribute(scalar)));
  return arith::ConstantOp::create(builder, loc, scalar);
}

Value hgc::graph::splat(OpBuilder &builder, Location loc, Value like, double value) {
  Type element = getElementTypeOrSelf(like);
  return makeConstant(builder, loc, like.getType(), builder.getFloatAttr(element, value));
}

Value hgc::graph::splatInt(OpBuilder &builder, Location loc, Value like, const APInt &value) {
  Type element = getElementTypeOrSelf(like);
  return makeConstant(builder, loc, like.getType(), builder.getIntegerAttr(element, value));
}

//===----------------------------------------------------------------------===//
// One upstream op
//===----------------------------------------------------------------------===//

#define HGC_UNARY(OP, TARGET)                                                                                          \
  Value OP::buildScalar(OpBuilder &builder, Location loc, ValueRange operands) {                                       \
    return TARGET::create(builder, loc, operands[0]);                                                                  \
  }
HGC_UNARY(ExpOp, math::ExpOp)
HGC_UNARY(Expm1Op, math::ExpM1Op)
HGC_UNARY(LogOp, math::LogOp)
HGC_UNARY(Log1pOp, math::Log1pOp)
HGC_UNARY(SqrtOp, math::SqrtOp)
HGC_UNARY(RsqrtOp, math::RsqrtOp)
HGC_UNARY(SinOp, math::SinOp)
HGC_UNARY(CosOp, math::CosOp)
HGC_UNARY(TanOp, math::TanOp)
HGC_UNARY(AsinOp, math::AsinOp)
HGC_UNARY(AcosOp, math::AcosOp)
HGC_UNARY(AtanOp, math::AtanOp)
HGC_UNARY(SinhOp, math::SinhOp)
HGC_UNARY(CoshOp, math::CoshOp)
HGC_UNARY(TanhOp, math::TanhOp)
HGC_UNARY(AsinhOp, math::AsinhOp)
HGC_UNARY(AcoshOp, math::AcoshOp)
HGC_UNARY(AtanhOp, math::AtanhOp)
HGC_UNARY(ErfOp, math::ErfOp)
HGC_UNARY(FloorOp, math::FloorOp)
HGC_UNARY(CeilOp, math::CeilOp)
HGC_UNARY(RoundOp, math::RoundEvenOp)
HGC_UNARY(TruncOp, math::TruncOp)
#undef HGC_UNARY

#define HGC_BINARY(OP, ...)                                                                                            \
  Value OP::buildScalar(OpBuilder &builder, Location loc, ValueRange operands) {                                       \
    return buildByType<__VA_ARGS__>(builder, loc, elementOf(getLhs()), operands);                                      \
  }
HGC_BINARY(AddOp, arith::AddFOp, arith::AddIOp)
HGC_BINARY(SubOp, arith::SubFOp, arith::SubIOp)
HGC_BINARY(MulOp, arith::MulFOp, arith::MulIOp)
HGC_BINARY(MaxOp, arith::MaximumFOp, arith::MaxSIOp, arith::MaxUIOp)
HGC_BINARY(MinOp, arith::MinimumFOp, arith::MinSIOp, arith::MinUIOp)
#undef HGC_BINARY

Value PowOp::buildScalar(OpBuilder &builder, Location loc, ValueRange operands) {
  return math::PowFOp::create(builder, loc, operands[0], operands[1]);
}

Value Atan2Op::buildScalar(OpBuilder &builder, Location loc, ValueRange operands) {
  return math::Atan2Op::create(builder, loc, operands[0], operands[1]);
}

Value SelectOp::buildScalar(OpBuilder &builder, Location loc, ValueRange operands) {
  return arith::SelectOp::create(builder, loc, operands[0], operands[1], operands[2]);
}

//===----------------------------------------------------------------------===//
// Signs and tests
//===----------------------------------------------------------------------===//

Value AbsOp::buildScalar(OpBuilder &builder, Location loc, ValueRange operands) {
  if (isFloat(operands[0]))
    return math::AbsFOp::create(builder, loc, operands[0]);
  if (isUnsigned(elementOf(getInput())))
    return operands[0];
  return math::AbsIOp::create(builder, loc, operands[0]);
}

Value NegOp::buildScalar(OpBuilder &builder, Location loc, ValueRange operands) {
  if (isFloat(operands[0]))
    return arith::NegFOp::create(builder, loc, operands[0]);
  unsigned width = getElementTypeOrSelf(operands[0]).getIntOrFloatBitWidth();
  Value zero = splatInt(builder, loc, operands[0], APInt::getZero(width));
  return arith::SubIOp::create(builder, loc, zero, operands[0]);
}

Value SignOp::buildScalar(OpBuilder &builder, Location loc, ValueRange operands) {
  Value x = operands[0];
  if (!isFloat(x)) {
    // min(max(x, -1), 1); without a sign min(x, 1).
    unsigned width = getElementTypeOrSelf(x).getIntOrFloatBitWidth();
    Value one = splatInt(builder, loc, x, APInt(width, 1));
    if (isUnsigned(elementOf(getInput())))
      return arith::MinUIOp::create(builder, loc, x, one);
    Value minusOne = splatInt(builder, loc, x, APInt::getAllOnes(width));
    Value bounded = arith::MaxSIOp::create(builder, loc, x, minusOne);
    return arith::MinSIOp::create(builder, loc, bounded, one);
  }
  // Zeros and NaN fail both comparisons and stay what they are.
  Value zero = splat(builder, loc, x, 0.0);
  Value isAbove = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OGT, x, zero);
  Value isBelow = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT, x, zero);
  Value rest = arith::SelectOp::create(builder, loc, isBelow, splat(builder, loc, x, -1.0), x);
  return arith::SelectOp::create(builder, loc, isAbove, splat(builder, loc, x, 1.0), rest);
}

Value ReluOp::buildScalar(OpBuilder &builder, Location loc, ValueRange operands) {
  Value x = operands[0];
  if (isFloat(x)) {
    // NaN passes, and this form is one instruction where `maximum` is several.
    Value zero = splat(builder, loc, x, 0.0);
    Value isBelow = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT, x, zero);
    return arith::SelectOp::create(builder, loc, isBelow, zero, x);
  }
  if (isUnsigned(elementOf(getInput())))
    return x;
  unsigned width = getElementTypeOrSelf(x).getIntOrFloatBitWidth();
  return arith::MaxSIOp::create(builder, loc, x, splatInt(builder, loc, x, APInt::getZero(width)));
}

Value IsNanOp::buildScalar(OpBuilder &builder, Location loc, ValueRange operands) {
  return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO, operands[0], operands[0]);
}

Value IsInfOp::buildScalar(OpBuilder &builder, Location loc, ValueRange operands) {
  Value magnitude = math::AbsFOp::create(builder, loc, operands[0]);
  Value infinity = splat(builder, loc, magnitude, std::numeric_limits<double>::infinity());
  return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, magnitude, infinity);
}

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

/// `bound` where x lies beyond it, else x; NaN stays.
static Value boundBy(OpBuilder &builder, Location loc, Value x, arith::CmpFPredicate beyond, double bound) {
  Value limit = splat(builder, loc, x, bound);
  Value isBeyond = arith::CmpFOp::create(builder, loc, beyond, x, limit);
  return arith::SelectOp::create(builder, loc, isBeyond, limit, x);
}

/// exp(-|x|).
static Value buildDecay(OpBuilder &builder, Location loc, Value x) {
  Value magnitude = math::AbsFOp::create(builder, loc, x);
  if (!getElementTypeOrSelf(x.getType()).isF32())
    return math::ExpOp::create(builder, loc, arith::NegFOp::create(builder, loc, magnitude));
  // The square of exp(-|x| / 2), which is a normal number where the square is not 0:
  // that takes a third less work.
  Value half = arith::MulFOp::create(builder, loc, magnitude, splat(builder, loc, x, -0.5));
  auto root = math::ExpOp::create(builder, loc, boundBy(builder, loc, half, arith::CmpFPredicate::OLT, -52));
  root->setAttr(kBoundedAttr, builder.getUnitAttr());
  return arith::MulFOp::create(builder, loc, root, root);
}

/// With e = exp(-|x|) <= 1 nothing overflows: 1 / (1 + e) or e / (1 + e).
static Value buildSigmoid(OpBuilder &builder, Location loc, Value x) {
  Value one = splat(builder, loc, x, 1.0);
  Value e = buildDecay(builder, loc, x);
  Value isBelow = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT, x, splat(builder, loc, x, 0.0));
  Value numerator = arith::SelectOp::create(builder, loc, isBelow, e, one);
  return arith::DivFOp::create(builder, loc, numerator, arith::AddFOp::create(builder, loc, one, e));
}

Value SigmoidOp::buildScalar(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildSigmoid(builder, loc, operands[0]);
}

/// x / 2 * (1 + t)
static Value buildHalves(OpBuilder &builder, Location loc, Value x, Value t) {
  Value half = arith::MulFOp::create(builder, loc, x, splat(builder, loc, x, 0.5));
  return arith::MulFOp::create(builder, loc, half, arith::AddFOp::create(builder, loc, splat(builder, loc, x, 1.0), t));
}

/// a * b + c, rounded once where the device can do that.
static Value buildMultiplyAdd(OpBuilder &builder, Location loc, Value a, Value b, Value c) {
  constexpr auto kContract = arith::FastMathFlags::contract;
  Value product = arith::MulFOp::create(builder, loc, a, b, kContract);
  return arith::AddFOp::create(builder, loc, product, c, kContract);
}

/// c[0] + c[1] x + c[2] x^2 ...
static Value buildPolynomial(OpBuilder &builder, Location loc, Value x, ArrayRef<double> coefficients) {
  Value sum = splat(builder, loc, x, coefficients.back());
  for (double c : llvm::reverse(coefficients.drop_back()))
    sum = buildMultiplyAdd(builder, loc, sum, x, splat(builder, loc, x, c));
  return sum;
}

/// x * sigmoid(u) for f32, as x / (1 + exp(-u)): a number next to 1 need not be exact where it is small.
static Value buildGated(OpBuilder &builder, Location loc, Value x, Value u) {
  if (!getElementTypeOrSelf(x.getType()).isF32())
    return arith::MulFOp::create(builder, loc, x, buildSigmoid(builder, loc, u));
  // Beyond these bounds exp(-u) is infinite, or nothing beside 1.
  u = boundBy(builder, loc, boundBy(builder, loc, u, arith::CmpFPredicate::OLT, -89.5), arith::CmpFPredicate::OGT,
              87.5);
  // -u / log(2) = n + r with |r| <= 1/2. Adding 1.5 * 2^23 and one less than the bias of exponents leaves their sum
  // with n in the low bits, which are shifted to where the exponent of 2^(n-1) is: 0 and infinity come out where they
  // should.
  Value quotient = arith::MulFOp::create(builder, loc, u, splat(builder, loc, u, -1.4426950408889634));
  Value magic = splat(builder, loc, u, 12582912.0 + 126);
  Value shifted = arith::AddFOp::create(builder, loc, quotient, magic);
  Value r = arith::SubFOp::create(builder, loc, quotient, arith::SubFOp::create(builder, loc, shifted, magic));
  Type code = withShapeOf(u, builder.getI32Type());
  Value bits = arith::BitcastOp::create(builder, loc, code, shifted);
  bits = arith::ShLIOp::create(builder, loc, bits, splatInt(builder, loc, bits, APInt(32, 23)));
  Value power = arith::BitcastOp::create(builder, loc, u.getType(), bits);
  // Twice 2^r, error 9.2e-8, and none at 0.
  Value e =
      buildPolynomial(builder, loc, r, {2, 1.3862939552, 0.4804448418, 0.11101467488, 0.019343025298, 0.002652945414});
  Value one = splat(builder, loc, u, 1.0);
  return arith::DivFOp::create(builder, loc, x,
                               arith::AddFOp::create(builder, loc, one, arith::MulFOp::create(builder, loc, e, power)));
}

Value SiluOp::buildScalar(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildGated(builder, loc, operands[0], operands[0]);
}

/// gelu(x) = max(x, 0) - |x| Q(|x|), where Q(t) = erfc(t / sqrt(2)) / 2 is the eighth power
/// of a polynomial: the root of a function that falls like a Gaussian falls slowly.
static Value buildGelu(OpBuilder &builder, Location loc, Value x) {
  // Chebyshev fit of Q^(1/8) over [0, 8]; what it adds to the error of t Q(t) is 6e-9.
  constexpr double root[] = {0.9170040084,   -0.09145741467,   -0.03192807784,  -0.0006719541203, 0.001504360864,
                             3.42958474e-05, -6.025788978e-05, 7.479594242e-06, -2.958846595e-07};
  Value t = boundBy(builder, loc, math::AbsFOp::create(builder, loc, x), arith::CmpFPredicate::OGT, 8.0);
  Value q = buildPolynomial(builder, loc, t, root);
  for (int i = 0; i < 3; ++i)
    q = arith::MulFOp::create(builder, loc, q, q);
  // max(x, 0) without a comparison, which some processors make where they multiply: -0 and NaN pass, and -infinity
  // becomes NaN as in the formula.
  Value zero = splat(builder, loc, x, 0.0);
  Value isBelow = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT, x, zero);
  Value negative = arith::SelectOp::create(builder, loc, isBelow, x, zero);
  Value linear = arith::SubFOp::create(builder, loc, x, negative);
  return buildMultiplyAdd(builder, loc, arith::NegFOp::create(builder, loc, t), q, linear);
}

Value GeluOp::buildScalar(OpBuilder &builder, Location loc, ValueRange operands) {
  Value x = operands[0];
  if (getElementTypeOrSelf(x.getType()).isF32())
    return buildGelu(builder, loc, x);
  Value scaled = arith::MulFOp::create(builder, loc, x, splat(builder, loc, x, std::sqrt(0.5)));
  return buildHalves(builder, loc, x, math::ErfOp::create(builder, loc, scaled));
}

Value GeluTanhOp::buildScalar(OpBuilder &builder, Location loc, ValueRange operands) {
  // sqrt(2 / pi) * (x + 0.044715 x^3) as x * (a + b x^2): a cube that overflows
  // keeps its sign. (1 + tanh(u)) / 2 is sigmoid(2 u), which loses nothing where
  // tanh is close to -1.
  Value x = operands[0];
  double a = 2 * std::sqrt(2.0 / 3.14159265358979323846);
  Value square = arith::MulFOp::create(builder, loc, x, x);
  Value inner =
      arith::AddFOp::create(builder, loc, splat(builder, loc, x, a),
                            arith::MulFOp::create(builder, loc, splat(builder, loc, x, a * 0.044715), square));
  Value u = arith::MulFOp::create(builder, loc, x, inner);
  return buildGated(builder, loc, x, u);
}
