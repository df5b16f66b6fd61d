//===- MathTrigExpansion.cpp - trigonometric functions, pow ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where f32 would lose too much (reduction of large angles, y * log(x)), the
// intermediate steps are in f64. Coefficients are Chebyshev fits.
//===----------------------------------------------------------------------===//

#include "MathFunctions.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <limits>

using namespace mlir;

namespace hgc::codegen {

using Compare = MathBuilder::Compare;
static constexpr double kPi = 3.14159265358979323846;
static constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

static Value extend(MathBuilder &m, Value x) {
  return arith::ExtFOp::create(m.builder, m.loc, m.typeOf(m.builder.getF64Type()), x);
}
static Value truncate(MathBuilder &m, Value x) {
  return arith::TruncFOp::create(m.builder, m.loc, m.typeOf(m.builder.getF32Type()), x);
}

//===----------------------------------------------------------------------===//
// Sine, cosine, tangent
//===----------------------------------------------------------------------===//

namespace {
/// x = quadrant * pi / 2 + r with |r| <= pi / 4.
struct Angle {
  Value sine, cosine;
  /// As i32; the low two bits count.
  Value quadrant;
};
} // namespace

static Angle reduceAngle(MathBuilder &m, Value x) {
  // Adding 1.5 * 2^52 leaves the multiple, rounded to nearest, in the low bits.
  constexpr double kMagic = 6755399441055744.0;
  Value wide = extend(m, x);
  Value shifted = m.fma(wide, m.f64(2 / kPi), m.f64(kMagic));
  Value n = m.sub(shifted, m.f64(kMagic));
  // pi / 2 in two parts, the first of 33 bits: its products with n are exact.
  Value rest = m.fma(n, m.f64(-1.57079632673412561417), wide);
  rest = m.fma(n, m.f64(-6.07710050650619224932e-11), rest);
  Value r = truncate(m, rest);
  Value z = m.mul(r, r);
  // (sin(r) / r - 1) / r^2 and (cos(r) - 1 + r^2 / 2) / r^4, errors 2e-8, 2e-9.
  Value s = m.polynomial(z, {-0.166666646, 0.008332736559, -0.0001958537321});
  Value c = m.polynomial(z, {0.0416666646, -0.00138882913, 2.454541908e-5});
  Value sine = m.fma(m.mul(r, z), s, r);
  Value cosine = m.fma(m.mul(z, z), c, m.fma(z, m.f32(-0.5), m.f32(1)));
  Value code = m.bits(shifted, m.builder.getI64Type());
  Value quadrant = arith::TruncIOp::create(m.builder, m.loc, m.typeOf(m.builder.getI32Type()), code);
  return {sine, cosine, quadrant};
}

/// Whether `bit` of `quadrant` is set.
static Value hasBit(MathBuilder &m, Value quadrant, int64_t bit) {
  Value masked = arith::AndIOp::create(m.builder, m.loc, quadrant, m.i32(bit));
  return arith::CmpIOp::create(m.builder, m.loc, arith::CmpIPredicate::ne, masked, m.i32(0));
}

/// The sine at the angle moved by `quarters` quarter turns.
static Value buildSine(MathBuilder &m, Value x, int64_t quarters) {
  Angle angle = reduceAngle(m, x);
  Value quadrant = arith::AddIOp::create(m.builder, m.loc, angle.quadrant, m.i32(quarters));
  Value value = m.select(hasBit(m, quadrant, 1), angle.cosine, angle.sine);
  Value negated = arith::NegFOp::create(m.builder, m.loc, value);
  return m.select(hasBit(m, quadrant, 2), negated, value);
}

static Value buildTangent(MathBuilder &m, Value x) {
  Angle angle = reduceAngle(m, x);
  Value isOdd = hasBit(m, angle.quadrant, 1);
  Value negated = arith::NegFOp::create(m.builder, m.loc, angle.cosine);
  return m.div(m.select(isOdd, negated, angle.sine), m.select(isOdd, angle.sine, angle.cosine));
}

/// `fast` for ordinary angles; `Op` in f64, hence libm, or else `huge` when any
/// lane holds a finite angle too large for the reduction.
template <typename Op>
static Value orExact(MathBuilder &m, Value x, function_ref<Value()> fast, function_ref<Value(Value)> huge) {
  OpBuilder &b = m.builder;
  Value magnitude = m.abs(x);
  Value isHuge = m.compare(Compare::OGT, magnitude, m.f32(1e6));
  Value isFinite = m.compare(Compare::OLT, magnitude, m.f32(std::numeric_limits<double>::infinity()));
  Value any = arith::AndIOp::create(b, m.loc, isHuge, isFinite);
  if (isa<VectorType>(any.getType()))
    any = vector::ReductionOp::create(b, m.loc, vector::CombiningKind::OR, any);
  auto branch = scf::IfOp::create(b, m.loc, TypeRange{x.getType()}, any, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(branch.thenBlock());
  // Without a library, lanes of any size must do: the ordinary ones stay.
  Value exact = m.hasLibm ? truncate(m, Op::create(b, m.loc, extend(m, x)))
                          : m.select(isHuge, truncate(m, huge(extend(m, x))), fast());
  scf::YieldOp::create(b, m.loc, exact);
  b.setInsertionPointToEnd(branch.elseBlock());
  scf::YieldOp::create(b, m.loc, fast());
  return branch.getResult(0);
}

Value expandSin(MathBuilder &m, Value x) {
  if (m.isDouble())
    return doubleSine(m, x, 0);
  return orExact<math::SinOp>(
      m, x, [&]() { return buildSine(m, x, 0); }, [&](Value wide) { return hugeSine(m, wide, 0); });
}
Value expandCos(MathBuilder &m, Value x) {
  if (m.isDouble())
    return doubleSine(m, x, 1);
  return orExact<math::CosOp>(
      m, x, [&]() { return buildSine(m, x, 1); }, [&](Value wide) { return hugeSine(m, wide, 1); });
}
Value expandTan(MathBuilder &m, Value x) {
  if (m.isDouble())
    return doubleTangent(m, x);
  return orExact<math::TanOp>(
      m, x, [&]() { return buildTangent(m, x); }, [&](Value wide) { return hugeTangent(m, wide); });
}

//===----------------------------------------------------------------------===//
// Inverse functions
//===----------------------------------------------------------------------===//

namespace {
/// asin of |x| up to 1/2, or of sqrt((1 - |x|) / 2).
struct HalfAsin {
  Value isLarge, value;
};
} // namespace

static HalfAsin buildAsin(MathBuilder &m, Value x) {
  Value a = m.abs(x);
  Value isLarge = m.compare(Compare::OGT, a, m.num(0.5));
  Value z = m.select(isLarge, m.mul(m.sub(m.num(1), a), m.num(0.5)), m.mul(a, a));
  Value s = m.select(isLarge, m.sqrt(z), a);
  // (asin(s) / s - 1) / s^2, error 7e-8 or 1e-17.
  Value p =
      m.isDouble()
          ? m.polynomial(z, {0.16666666666666666, 0.075000000000001177, 0.044642857142551895, 0.03038194447553234,
                             0.022372157443507221, 0.017352816540325496, 0.01396378001220357, 0.011566459612121669,
                             0.0096218429701002816, 0.0093195607947674456, 0.0030448799094556773, 0.019554513336123378,
                             -0.019241671746743041, 0.029612011264955121})
          : m.polynomial(z, {0.1666667241, 0.07498855073, 0.04500138007, 0.02655454221, 0.03808502356});
  return {isLarge, m.fma(m.mul(s, z), p, s)};
}

Value expandAsin(MathBuilder &m, Value x) {
  HalfAsin half = buildAsin(m, x);
  Value large = m.fma(half.value, m.num(-2), m.num(kPi / 2));
  return m.copySign(m.select(half.isLarge, large, half.value), x);
}

Value expandAcos(MathBuilder &m, Value x) {
  HalfAsin half = buildAsin(m, x);
  Value twice = m.add(half.value, half.value);
  Value isNegative = m.compare(Compare::OLT, x, m.num(0));
  Value large = m.select(isNegative, m.sub(m.num(kPi), twice), twice);
  Value small = m.sub(m.num(kPi / 2), m.copySign(half.value, x));
  return m.select(half.isLarge, large, small);
}

/// atan(a / c) for 0 <= a <= c, 0 for 0 / 0.
static Value buildAtan(MathBuilder &m, Value a, Value c) {
  // Above tan(pi / 8) turn by pi / 4: (a - c) / (a + c), halved against overflow.
  Value isHigh = m.compare(Compare::OGT, a, m.mul(c, m.num(0.41421356237309503)));
  Value halfA = m.mul(a, m.num(0.5)), halfC = m.mul(c, m.num(0.5));
  Value t = m.div(m.select(isHigh, m.sub(halfA, halfC), a), m.select(isHigh, m.add(halfA, halfC), c));
  t = m.select(m.compare(Compare::OEQ, c, m.num(0)), c, t);
  Value z = m.mul(t, t);
  // (atan(t) / t - 1) / t^2, error 2e-8 or 2e-17.
  Value p =
      m.isDouble()
          ? m.polynomial(z, {-0.33333333333333331, 0.19999999999999998, -0.14285714285714149, 0.11111111111090444,
                             -0.090909090892909258, 0.076923076162474638, -0.066666643441566531, 0.058823046272648109,
                             -0.052624538367928096, 0.04754620165635326, -0.042942622710894308, 0.037234098466475844,
                             -0.027274285632992855, 0.011959071324968724})
          : m.polynomial(z, {-0.3333333176, 0.1999954048, -0.142639556, 0.1074373149, -0.06451928208});
  Value r = m.fma(m.mul(t, z), p, t);
  return m.add(r, m.select(isHigh, m.num(kPi / 4), m.num(0)));
}

Value expandAtan(MathBuilder &m, Value x) {
  Value a = m.abs(x), one = m.num(1);
  Value isAbove = m.compare(Compare::OGT, a, one);
  Value r = buildAtan(m, m.select(isAbove, one, a), m.select(isAbove, a, one));
  return m.copySign(m.select(isAbove, m.sub(m.num(kPi / 2), r), r), x);
}

Value expandAtan2(MathBuilder &m, Value y, Value x) {
  Value ay = m.abs(y), ax = m.abs(x), infinity = m.num(std::numeric_limits<double>::infinity());
  Value areInfinite = arith::AndIOp::create(m.builder, m.loc, m.compare(Compare::OEQ, ay, infinity),
                                            m.compare(Compare::OEQ, ax, infinity));
  ay = m.select(areInfinite, m.num(1), ay);
  ax = m.select(areInfinite, m.num(1), ax);
  Value isSteep = m.compare(Compare::OGT, ay, ax);
  Value r = buildAtan(m, m.select(isSteep, ax, ay), m.select(isSteep, ay, ax));
  r = m.select(isSteep, m.sub(m.num(kPi / 2), r), r);
  // The sign bit of x, so that -0 counts as negative.
  Value code = m.bits(x, m.isDouble() ? m.builder.getI64Type() : m.builder.getI32Type());
  Value none = m.isDouble() ? m.i64(0) : m.i32(0);
  Value isNegative = arith::CmpIOp::create(m.builder, m.loc, arith::CmpIPredicate::slt, code, none);
  r = m.copySign(m.select(isNegative, m.sub(m.num(kPi), r), r), y);
  return m.select(m.compare(Compare::UNO, x, y), m.num(kNan), r);
}

//===----------------------------------------------------------------------===//
// Powers
//===----------------------------------------------------------------------===//

/// log2 of a non-negative f64 that is normal, 0 or infinite.
static Value buildLog2(MathBuilder &m, Value x) {
  OpBuilder &b = m.builder;
  constexpr int64_t kSqrtHalf = 0x3fe6a09e667f3bcd;
  Value code = arith::SubIOp::create(b, m.loc, m.bits(x, b.getI64Type()), m.i64(kSqrtHalf));
  Value exponent = arith::ShRSIOp::create(b, m.loc, code, m.i64(52));
  Value fraction = arith::AndIOp::create(b, m.loc, code, m.i64(0xfffffffffffff));
  fraction = m.bits(arith::AddIOp::create(b, m.loc, fraction, m.i64(kSqrtHalf)), b.getF64Type());
  Value narrow = arith::TruncIOp::create(b, m.loc, m.typeOf(b.getI32Type()), exponent);
  Value e = arith::SIToFPOp::create(b, m.loc, m.typeOf(b.getF64Type()), narrow);
  Value s = m.div(m.sub(fraction, m.f64(1)), m.add(fraction, m.f64(1)));
  // log2((1 + s) / (1 - s)) / s over s^2, error 1e-11.
  Value p = m.polynomial(m.mul(s, s), {2.8853900817900748, 0.96179667333203255, 0.57708359038853011,
                                       0.41167221927422893, 0.34074207646096532});
  Value log = m.fma(s, p, e);
  constexpr double kInf = std::numeric_limits<double>::infinity();
  log = m.select(m.compare(Compare::OEQ, x, m.f64(kInf)), m.f64(kInf), log);
  return m.select(m.compare(Compare::OEQ, x, m.f64(0)), m.f64(-kInf), log);
}

/// 2^t in f64; t beyond the range of f32 saturates.
static Value buildExp2(MathBuilder &m, Value t) {
  constexpr double kMagic = 6755399441055744.0;
  Value bounded = m.capBelow(m.capAbove(t, m.f64(200)), m.f64(-200));
  Value shifted = m.add(bounded, m.f64(kMagic));
  Value r = m.sub(bounded, m.sub(shifted, m.f64(kMagic)));
  Value p =
      m.polynomial(r, {0.99999999995890975, 0.69314718055678223, 0.24022651219745797, 0.055504109068067352,
                       0.0096180247818729238, 0.0013333477833756699, 0.00015469994762702359, 1.5303905090584551e-5});
  Value code = m.bits(shifted, m.builder.getI64Type());
  // The low 52 bits of the code are n in two's complement; shift it into place.
  Value biased = arith::AddIOp::create(m.builder, m.loc, code, m.i64(1023));
  Value scale = arith::ShLIOp::create(m.builder, m.loc, biased, m.i64(52));
  return m.mul(p, m.bits(scale, m.builder.getF64Type()));
}

static Value round(MathBuilder &m, Value x) { return math::TruncOp::create(m.builder, m.loc, x); }

Value expandPow(MathBuilder &m, Value x, Value y) {
  OpBuilder &b = m.builder;
  Value a = m.abs(x);
  Value magnitude = m.isDouble() ? doubleExp(m, m.mul(y, doubleLog(m, a)))
                                 : truncate(m, buildExp2(m, m.mul(extend(m, y), buildLog2(m, extend(m, a)))));
  Value one = m.num(1), zero = m.num(0), infinity = m.num(std::numeric_limits<double>::infinity());
  Value isWhole = m.compare(Compare::OEQ, round(m, y), y);
  Value half = m.mul(y, m.num(0.5));
  Value isOdd = arith::AndIOp::create(b, m.loc, isWhole, m.compare(Compare::ONE, round(m, half), half));
  // 1^y and (-1)^inf are 1 even where y is no number.
  Value isOne = m.compare(Compare::OEQ, x, one);
  Value isTurn =
      arith::AndIOp::create(b, m.loc, m.compare(Compare::OEQ, a, one), m.compare(Compare::OEQ, m.abs(y), infinity));
  magnitude = m.select(isTurn, one, magnitude);
  // A finite negative number has no power between the whole ones.
  Value isNegative = m.compare(Compare::OLT, x, zero);
  Value isBroken = m.compare(Compare::UNE, round(m, y), y);
  Value isFinite = m.compare(Compare::OLT, a, infinity);
  Value isBelow = arith::AndIOp::create(b, m.loc, isNegative, isFinite);
  Value hasNone = arith::AndIOp::create(b, m.loc, isBelow, isBroken);
  // The logarithm works on bits and does not see a NaN.
  hasNone = arith::OrIOp::create(b, m.loc, hasNone, m.compare(Compare::UNO, x, y));
  Value result = m.select(isOdd, m.copySign(magnitude, x), magnitude);
  result = m.select(hasNone, m.num(kNan), result);
  Value isUnit = arith::OrIOp::create(b, m.loc, isOne, m.compare(Compare::OEQ, y, zero));
  return m.select(isUnit, one, result);
}

} // namespace hgc::codegen
