//===- MathExpExpansion.cpp - exponentials, logarithms and kin ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Coefficients are Chebyshev fits of the named function over the reduced range.
//===----------------------------------------------------------------------===//

#include "MathFunctions.h"

#include "hgc/CodeGen/Common/MathExpansion.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <limits>

using namespace mlir;

namespace hgc::codegen {

using Compare = MathBuilder::Compare;
static constexpr double kInf = std::numeric_limits<double>::infinity();
static constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// Bias of an f32's exponent, and what its least positive number is 2 to the minus
/// power of.
static constexpr int64_t kBias = 127, kLeastExponent = 149;

/// log(2) in two parts, the first of few bits: its products with exponents are
/// exact.
static constexpr double kLn2High = 0.693359375, kLn2Low = -2.12194440054690583e-4;

namespace {
/// x = n * log(2) + r with |r| <= log(2) / 2.
struct Reduced {
  /// exp(r) - 1.
  Value expm1;
  /// n as i32.
  Value exponent;
};
} // namespace

/// `x` must be so small in magnitude that n fits 22 bits, or NaN.
static Reduced reduceExp(MathBuilder &m, Value x) {
  // Adding 1.5 * 2^23 leaves n, rounded to nearest, in the low bits.
  constexpr double kMagic = 12582912.0;
  Value shifted = m.fma(x, m.f32(1.4426950408889634), m.f32(kMagic));
  Value n = m.sub(shifted, m.f32(kMagic));
  Value r = m.fma(n, m.f32(-kLn2High), x);
  r = m.fma(n, m.f32(-kLn2Low), r);
  // (exp(r) - 1 - r) / r^2, error 7e-8.
  Value p = m.polynomial(r, {0.5, 0.1666657599, 0.04166655336, 0.008363345811, 0.00139263919});
  Value expm1 = m.fma(m.mul(r, r), p, r);
  Value code = m.bits(shifted, m.builder.getI32Type());
  return {expm1, arith::SubIOp::create(m.builder, m.loc, code, m.i32(0x4B400000))};
}

/// 2^n for an i32 in the range of normal numbers.
static Value powerOfTwo(MathBuilder &m, Value n) {
  Value biased = arith::AddIOp::create(m.builder, m.loc, n, m.i32(kBias));
  Value code = arith::ShLIOp::create(m.builder, m.loc, biased, m.i32(23));
  return m.bits(code, m.builder.getF32Type());
}

Value expandExp(MathBuilder &m, Value x) {
  if (m.isDouble())
    return doubleExp(m, x);
  // Beyond these bounds the result is 0 or infinity anyway.
  Value bounded = m.capBelow(m.capAbove(x, m.f32(89)), m.f32(-104));
  Reduced reduced = reduceExp(m, bounded);
  // A product that underflows takes processors a hundred cycles. Below 2^-125
  // results are multiples of 2^-149, and how many is also their code: computed as
  // a number of normal size and rounded there, none underflows.
  Value isTiny = m.compare(Compare::OLT, bounded, m.f32(-86.8));
  Value bias = m.select(isTiny, m.i32((kBias - 1 + kLeastExponent) << 23), m.i32((kBias - 1) << 23));
  Value shifted = arith::ShLIOp::create(m.builder, m.loc, reduced.exponent, m.i32(23));
  Value power = m.bits(arith::AddIOp::create(m.builder, m.loc, shifted, bias), m.builder.getF32Type());
  // Twice the result by half the power: that of the largest n would be infinite.
  Value y = m.mul(m.fma(reduced.expm1, m.f32(2), m.f32(2)), power);
  Value code = arith::FPToSIOp::create(m.builder, m.loc, m.typeOf(m.builder.getI32Type()), m.roundEven(y));
  return m.select(isTiny, m.bits(code, m.builder.getF32Type()), y);
}

Value createExpOfDifference(OpBuilder &builder, Location loc, Value x, double factor,
                            function_ref<Value(Value, Value)> scale) {
  if (!getElementTypeOrSelf(x.getType()).isF32()) {
    assert(factor == 1 && "only f32 has factors");
    return math::ExpOp::create(builder, loc, x);
  }
  MathBuilder m(builder, loc, x);
  // x / log(2) = n + r with |r| <= 1/2, exactly but for the quotient's rounding,
  // which matters the less the smaller the result is. Adding 1.5 * 2^23 and the
  // bias leaves their sum with n in the low bits, to be shifted to an exponent.
  constexpr double kMagic = 12582912.0 + kBias;
  Value quotient = m.mul(x, m.f32(1.4426950408889634 * factor)), shifted, n;
  if (scale) {
    n = m.roundEven(quotient);
  } else {
    shifted = m.add(quotient, m.f32(kMagic));
    n = m.sub(shifted, m.f32(kMagic));
  }
  Value r = m.sub(quotient, n);
  // 2^r, error 9.2e-8, and none at 0.
  Value p = m.polynomial(r, {1, 0.6931469776, 0.2402224209, 0.05550733744, 0.009671512649, 0.001326472707});
  Value y;
  if (scale) {
    y = scale(p, n);
  } else {
    Value code = arith::ShLIOp::create(builder, loc, m.bits(shifted, builder.getI32Type()), m.i32(23));
    y = m.mul(p, m.bits(code, builder.getF32Type()));
  }
  // Just above -126 log(2), so that no product underflows. Far below n has no
  // meaning, and of -infinity r is NaN.
  return m.select(m.compare(Compare::OLT, x, m.f32(-87.33 / factor)), m.f32(0), y);
}

/// exp(x) for x in [-87, 88] or NaN.
static Value boundedExp(MathBuilder &m, Value x) {
  Reduced reduced = reduceExp(m, x);
  return m.mul(m.add(reduced.expm1, m.f32(1)), powerOfTwo(m, reduced.exponent));
}

Value expandBoundedExp(MathBuilder &m, Value x) { return m.isDouble() ? doubleExp(m, x) : boundedExp(m, x); }

/// (exp(x) - 1) / 2 for x in [-87, 89] or NaN.
static Value halfExpM1(MathBuilder &m, Value x) {
  if (m.isDouble())
    return m.mul(doubleExpM1(m, x), m.num(0.5));
  Reduced reduced = reduceExp(m, x);
  // e * s + s - 1/2 with s = 2^(n-1): exact near 0, and s stays finite.
  Value n = arith::SubIOp::create(m.builder, m.loc, reduced.exponent, m.i32(1));
  Value s = powerOfTwo(m, n);
  return m.fma(reduced.expm1, s, m.sub(s, m.f32(0.5)));
}

/// exp(x) - 1 for x in [-87, 89] or NaN.
static Value boundedExpM1(MathBuilder &m, Value x) {
  return m.isDouble() ? doubleExpM1(m, x) : m.mul(halfExpM1(m, x), m.f32(2));
}

Value expandExpM1(MathBuilder &m, Value x) {
  if (m.isDouble())
    return doubleExpM1(m, x);
  return boundedExpM1(m, m.capBelow(m.capAbove(x, m.f32(89)), m.f32(-25)));
}

Value expandLog(MathBuilder &m, Value x) {
  if (m.isDouble())
    return doubleLog(m, x);
  OpBuilder &b = m.builder;
  // Denormals are scaled up first.
  Value isTiny = m.compare(Compare::OLT, x, m.f32(1.17549435e-38));
  Value normal = m.select(isTiny, m.mul(x, m.f32(8388608)), x);
  Value correction = m.select(isTiny, m.i32(-23), m.i32(0));
  // x = 2^e * mantissa with the mantissa in [sqrt(1/2), sqrt(2)).
  constexpr int64_t kSqrtHalf = 0x3f3504f3;
  Value code = arith::SubIOp::create(b, m.loc, m.bits(normal, b.getI32Type()), m.i32(kSqrtHalf));
  Value exponent = arith::AddIOp::create(b, m.loc, arith::ShRSIOp::create(b, m.loc, code, m.i32(23)), correction);
  Value fraction = arith::AndIOp::create(b, m.loc, code, m.i32(0x7fffff));
  fraction = arith::AddIOp::create(b, m.loc, fraction, m.i32(kSqrtHalf));
  Value f = m.sub(m.bits(fraction, b.getF32Type()), m.f32(1));
  Value e = arith::SIToFPOp::create(b, m.loc, m.typeOf(b.getF32Type()), exponent);
  Value f2 = m.mul(f, f);
  // (log(1 + f) - f + f^2 / 2) / f^3, error 3e-8.
  Value q = m.polynomial(f, {0.3333333118, -0.2499999696, 0.2000071575, -0.1666780232, 0.1424905765, -0.1242568733,
                             0.1168541992, -0.1147973385, 0.06971611471});
  Value sum = m.fma(e, m.f32(kLn2Low), m.mul(m.mul(f, f2), q));
  sum = m.add(f, m.fma(f2, m.f32(-0.5), sum));
  sum = m.fma(e, m.f32(kLn2High), sum);
  sum = m.select(m.compare(Compare::OEQ, x, m.f32(kInf)), x, sum);
  sum = m.select(m.compare(Compare::OEQ, x, m.f32(0)), m.f32(-kInf), sum);
  return m.select(m.compare(Compare::ULT, x, m.f32(0)), m.f32(kNan), sum);
}

Value expandLog1p(MathBuilder &m, Value x) {
  // log(u) * x / (u - 1) with u = 1 + x rounded: both factors see the same u.
  Value u = m.add(x, m.num(1));
  Value d = m.sub(u, m.num(1));
  Value log = expandLog(m, u);
  Value result = m.mul(log, m.div(x, d));
  result = m.select(m.compare(Compare::OEQ, d, m.num(0)), x, result);
  return m.select(m.compare(Compare::OEQ, u, m.num(kInf)), u, result);
}

Value expandTanh(MathBuilder &m, Value x) {
  Value a = m.capAbove(m.abs(x), m.num(m.isDouble() ? 20 : 10));
  Value h = halfExpM1(m, m.add(a, a));
  return m.copySign(m.div(h, m.add(h, m.num(1))), x);
}

/// exp(|x|) / 2, in two factors that do not overflow early.
static Value halfExp(MathBuilder &m, Value a) {
  Value root = expandExp(m, m.mul(a, m.num(0.5)));
  return m.mul(m.mul(root, m.num(0.5)), root);
}

Value expandSinh(MathBuilder &m, Value x) {
  Value a = m.abs(x);
  Value e = boundedExpM1(m, m.capAbove(a, m.num(m.isDouble() ? 25 : 20)));
  Value small = m.mul(m.add(e, m.div(e, m.add(e, m.num(1)))), m.num(0.5));
  Value isLarge = m.compare(Compare::OGT, a, m.num(m.isDouble() ? 20 : 15));
  return m.copySign(m.select(isLarge, halfExp(m, a), small), x);
}

Value expandCosh(MathBuilder &m, Value x) {
  Value h = halfExp(m, m.abs(x));
  return m.add(h, m.div(m.num(0.25), h));
}

/// log(2 a) for large `a`.
static Value logTwice(MathBuilder &m, Value a) { return m.add(expandLog(m, a), m.num(0.6931471805599453)); }

Value expandAsinh(MathBuilder &m, Value x) {
  Value a = m.abs(x), limit = m.num(m.isDouble() ? 1e8 : 1e6);
  Value isLarge = m.compare(Compare::OGT, a, limit);
  Value bounded = m.capAbove(a, limit);
  Value square = m.mul(bounded, bounded);
  Value root = m.sqrt(m.add(square, m.num(1)));
  Value small = expandLog1p(m, m.add(bounded, m.div(square, m.add(root, m.num(1)))));
  return m.copySign(m.select(isLarge, logTwice(m, a), small), x);
}

Value expandAcosh(MathBuilder &m, Value x) {
  Value limit = m.num(m.isDouble() ? 1e8 : 1e6);
  Value isLarge = m.compare(Compare::OGT, x, limit);
  Value t = m.sub(m.capAbove(x, limit), m.num(1));
  Value root = m.sqrt(m.fma(t, t, m.add(t, t)));
  Value small = expandLog1p(m, m.add(t, root));
  Value result = m.select(isLarge, logTwice(m, x), small);
  return m.select(m.compare(Compare::OLT, x, m.num(1)), m.num(kNan), result);
}

Value expandAtanh(MathBuilder &m, Value x) {
  Value a = m.abs(x);
  Value ratio = m.div(m.add(a, a), m.sub(m.num(1), a));
  return m.copySign(m.mul(expandLog1p(m, ratio), m.num(0.5)), x);
}

Value expandErf(MathBuilder &m, Value x) {
  if (m.isDouble())
    return doubleErf(m, x);
  Value t = m.capAbove(m.abs(x), m.f32(4));
  Value s = m.mul(t, t);
  // erf(t) / t - 1 over t^2, error 1e-9.
  Value p = m.polynomial(
      s, {0.1283791658, -0.3761262667, 0.1128359472, -0.02685421201, 0.005189087423, -0.0008016864287, 7.875875063e-5});
  Value small = m.fma(t, p, t);
  // log(erfc(t)), error 3e-7, of which erfc keeps a small part.
  Value g = m.polynomial(t, {-0.0007658977797, -1.125893652, -0.6391412576, -0.1032811176, 0.02260477224,
                             -0.003432351381, 0.0003169370225, -1.327236181e-5});
  Value large = m.sub(m.f32(1), boundedExp(m, g));
  return m.copySign(m.select(m.compare(Compare::OLT, t, m.f32(1)), small, large), x);
}

} // namespace hgc::codegen
