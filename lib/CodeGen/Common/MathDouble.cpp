//===- MathDouble.cpp - elementary functions of f64 values ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For devices without a C library. Series are cut where the next term is below
// 1e-16 of the result; the others are Chebyshev fits.
//===----------------------------------------------------------------------===//

#include "MathFunctions.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <limits>

using namespace mlir;

namespace hgc::codegen {

using Compare = MathBuilder::Compare;
static constexpr double kInf = std::numeric_limits<double>::infinity();
static constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
/// Adding 1.5 * 2^52 leaves a number, rounded to an integer, in the low bits.
static constexpr double kMagic = 6755399441055744.0;
/// log(2) in two parts, the first of few bits: its products with exponents are
/// exact.
static constexpr double kLn2High = 0.6931471675634384, kLn2Low = 1.2996506893889889e-08;

//===----------------------------------------------------------------------===//
// Exponentials and logarithms
//===----------------------------------------------------------------------===//

namespace {
/// x = n * log(2) + r with |r| <= log(2) / 2.
struct Reduced {
  /// exp(r) - 1, and n as i64.
  Value expm1, exponent;
};
} // namespace

static Reduced reduceExp(MathBuilder &m, Value x) {
  Value shifted = m.fma(x, m.f64(1.4426950408889634), m.f64(kMagic));
  Value n = m.sub(shifted, m.f64(kMagic));
  Value r = m.fma(n, m.f64(-kLn2Low), m.fma(n, m.f64(-kLn2High), x));
  // (exp(r) - 1 - r) / r^2.
  Value p = m.polynomial(r, {1. / 2, 1. / 6, 1. / 24, 1. / 120, 1. / 720, 1. / 5040, 1. / 40320, 1. / 362880,
                             1. / 3628800, 1. / 39916800, 1. / 479001600, 1. / 6227020800});
  Value code = m.bits(m.f64(kMagic), m.builder.getI64Type());
  Value exponent = arith::SubIOp::create(m.builder, m.loc, m.bits(shifted, m.builder.getI64Type()), code);
  return {m.fma(m.mul(r, r), p, r), exponent};
}

/// 2^n for an i64 in the range of normal numbers.
static Value powerOfTwo(MathBuilder &m, Value n) {
  Value biased = arith::AddIOp::create(m.builder, m.loc, n, m.i64(1023));
  return m.bits(arith::ShLIOp::create(m.builder, m.loc, biased, m.i64(52)), m.builder.getF64Type());
}

Value doubleExp(MathBuilder &m, Value x) {
  Value bounded = m.capBelow(m.capAbove(x, m.f64(710)), m.f64(-746));
  Reduced reduced = reduceExp(m, bounded);
  // Two factors, because 2^n alone may be a denormal or infinite.
  Value half = arith::ShRSIOp::create(m.builder, m.loc, reduced.exponent, m.i64(1));
  Value rest = arith::SubIOp::create(m.builder, m.loc, reduced.exponent, half);
  return m.mul(m.mul(m.add(reduced.expm1, m.f64(1)), powerOfTwo(m, half)), powerOfTwo(m, rest));
}

Value doubleExpM1(MathBuilder &m, Value x) {
  Reduced reduced = reduceExp(m, m.capBelow(m.capAbove(x, m.f64(710)), m.f64(-50)));
  // 2 * (e * s + s - 1/2) with s = 2^(n-1): exact near 0, and s stays finite.
  Value s = powerOfTwo(m, arith::SubIOp::create(m.builder, m.loc, reduced.exponent, m.i64(1)));
  return m.mul(m.fma(reduced.expm1, s, m.sub(s, m.f64(0.5))), m.f64(2));
}

Value doubleLog(MathBuilder &m, Value x) {
  OpBuilder &b = m.builder;
  // Denormals are scaled up first.
  Value isTiny = m.compare(Compare::OLT, x, m.f64(2.2250738585072014e-308));
  Value normal = m.select(isTiny, m.mul(x, m.f64(18014398509481984.0)), x);
  Value correction = m.select(isTiny, m.i64(-54), m.i64(0));
  // x = 2^e * mantissa with the mantissa in [sqrt(1/2), sqrt(2)).
  constexpr int64_t kSqrtHalf = 0x3fe6a09e667f3bcd;
  Value code = arith::SubIOp::create(b, m.loc, m.bits(normal, b.getI64Type()), m.i64(kSqrtHalf));
  Value exponent = arith::AddIOp::create(b, m.loc, arith::ShRSIOp::create(b, m.loc, code, m.i64(52)), correction);
  Value fraction = arith::AndIOp::create(b, m.loc, code, m.i64(0xfffffffffffff));
  fraction = m.bits(arith::AddIOp::create(b, m.loc, fraction, m.i64(kSqrtHalf)), b.getF64Type());
  Value e = arith::SIToFPOp::create(b, m.loc, m.typeOf(b.getF64Type()), exponent);
  // log(1 + f) = 2 atanh(s) with s = f / (2 + f).
  Value f = m.sub(fraction, m.f64(1));
  Value s = m.div(f, m.add(f, m.f64(2)));
  Value z = m.mul(s, s);
  Value p = m.polynomial(z, {2. / 3, 2. / 5, 2. / 7, 2. / 9, 2. / 11, 2. / 13, 2. / 15, 2. / 17, 2. / 19, 2. / 21});
  // f - s * (f - z p) keeps the digits that 2 s would round away.
  Value rest = m.mul(s, m.sub(f, m.mul(z, p)));
  Value sum = m.sub(f, m.sub(rest, m.mul(e, m.f64(kLn2Low))));
  sum = m.fma(e, m.f64(kLn2High), sum);
  sum = m.select(m.compare(Compare::OEQ, x, m.f64(kInf)), x, sum);
  sum = m.select(m.compare(Compare::OEQ, x, m.f64(0)), m.f64(-kInf), sum);
  return m.select(m.compare(Compare::ULT, x, m.f64(0)), m.f64(kNan), sum);
}

Value doubleErf(MathBuilder &m, Value x) {
  Value t = m.capAbove(m.abs(x), m.f64(6.5));
  Value z = m.mul(t, t);
  constexpr double c = 1.1283791670955126; // 2 / sqrt(pi)
  SmallVector<double> series;
  double factorial = 1;
  for (int k = 0; k < 19; ++k) {
    series.push_back((k % 2 ? -c : c) / (factorial * (2 * k + 1)));
    factorial *= k + 1;
  }
  Value small = m.mul(t, m.polynomial(z, series));
  // t * exp(t^2) * erfc(t) as a function of (t - 3) / (t + 3).
  Value u = m.div(m.sub(t, m.f64(3)), m.add(t, m.f64(3)));
  Value p =
      m.polynomial(u, {0.5370034535441699,     0.095306226959228024,    -0.14658304803289104,    0.13988054760176993,
                       -0.095469750306626175,  0.046350263331296861,    -0.01401982562624718,    0.00091082268890240901,
                       0.0012428761610496207,  -0.00041254378692673761, -8.4608235529550291e-05, 6.8979922861815848e-05,
                       6.4640987799806486e-06, -1.1110207941394704e-05, -9.9295638555609739e-07, 1.8825835760593138e-06,
                       2.9772783887298979e-07, -3.2012305814999668e-07, -9.6162189628973879e-08, 4.4631517549853357e-08,
                       2.372816964980658e-08});
  Value tail = m.mul(m.div(p, t), doubleExp(m, m.sub(m.f64(0), z)));
  Value isSmall = m.compare(Compare::OLT, t, m.f64(1));
  return m.copySign(m.select(isSmall, small, m.sub(m.f64(1), tail)), x);
}

//===----------------------------------------------------------------------===//
// Angles
//===----------------------------------------------------------------------===//

namespace {
/// x = quadrant * pi / 2 + r with |r| <= pi / 4; of the quadrant, an i64, the low
/// two bits count.
struct Angle {
  Value r, quadrant;
};
} // namespace

/// For |x| below 2^30.
static Angle reduceAngle(MathBuilder &m, Value x) {
  Value shifted = m.fma(x, m.f64(0.63661977236758138), m.f64(kMagic));
  Value n = m.sub(shifted, m.f64(kMagic));
  Value r = m.fma(n, m.f64(-1.5707963267948966), x);
  r = m.fma(n, m.f64(-6.123233995736766e-17), r);
  r = m.fma(n, m.f64(1.4973849048591698e-33), r);
  // Keeps the sign of zero.
  r = m.select(m.compare(Compare::OEQ, n, m.f64(0)), x, r);
  return {r, m.bits(shifted, m.builder.getI64Type())};
}

/// 64 bits of 2 / pi at word `index` of a table that starts with a zero word.
static Value selectWord(MathBuilder &m, Value index, int64_t from, int64_t words) {
  static constexpr uint64_t table[] = {0,
                                       0xa2f9836e4e441529,
                                       0xfc2757d1f534ddc0,
                                       0xdb6295993c439041,
                                       0xfe5163abdebbc561,
                                       0xb7246e3a424dd2e0,
                                       0x06492eea09d1921c,
                                       0xfe1deb1cb129a73e,
                                       0xe88235f52ebb4484,
                                       0xe99c7026b45f7e41,
                                       0x3991d639835339f4,
                                       0x9c845f8bbdf9283b,
                                       0x1ff897ffde05980f,
                                       0xef2f118b5a0a6d1f,
                                       0x6d367ecf27cb09b7,
                                       0x4f463f669e5fea2d,
                                       0x7527bac7ebe5f17b,
                                       0x3d0739f78a5292ea,
                                       0x6bfb5fb11f8d5d08,
                                       0x56033046fc7b6bab};
  Value word = m.i64(static_cast<int64_t>(table[from]));
  for (int64_t i = 1; i <= words; ++i) {
    Value isHere = arith::CmpIOp::create(m.builder, m.loc, arith::CmpIPredicate::eq, index, m.i64(i));
    word = m.select(isHere, m.i64(static_cast<int64_t>(table[from + i])), word);
  }
  return word;
}

/// For any finite |x| from 2^30 to 2^(64 words): multiplies the mantissa with
/// just the bits of 2 / pi that matter, as integers (Payne and Hanek).
static Angle reduceHugeAngle(MathBuilder &m, Value x, int64_t words) {
  OpBuilder &b = m.builder;
  Location loc = m.loc;
  auto shl = [&](Value a, Value n) -> Value { return arith::ShLIOp::create(b, loc, a, n); };
  auto shr = [&](Value a, Value n) -> Value { return arith::ShRUIOp::create(b, loc, a, n); };
  auto add = [&](Value a, Value c) -> Value { return arith::AddIOp::create(b, loc, a, c); };
  auto both = [&](Value a, Value c) -> Value { return arith::AndIOp::create(b, loc, a, c); };
  auto either = [&](Value a, Value c) -> Value { return arith::OrIOp::create(b, loc, a, c); };
  Value code = m.bits(x, b.getI64Type());
  Value mantissa = either(both(code, m.i64(0xfffffffffffff)), m.i64(int64_t(1) << 52));
  // |x| = mantissa * 2^k; bits of 2 / pi from k - 1 on make the result modulo 4.
  Value start = add(both(shr(code, m.i64(52)), m.i64(0x7ff)), m.i64(62 - 1075));
  Value index = shr(start, m.i64(6)), shift = both(start, m.i64(63));
  Value window[4], bits[3];
  for (int64_t i = 0; i < 4; ++i)
    window[i] = selectWord(m, index, i, words);
  // Shifts in two steps: one by 64 is undefined.
  Value back = arith::SubIOp::create(b, loc, m.i64(63), shift);
  for (int i = 0; i < 3; ++i)
    bits[i] = either(shl(window[i], shift), shr(shr(window[i + 1], m.i64(1)), back));
  auto low = arith::MulUIExtendedOp::create(b, loc, mantissa, bits[2]);
  auto middle = arith::MulUIExtendedOp::create(b, loc, mantissa, bits[1]);
  Value p1 = add(low.getHigh(), middle.getLow());
  Value carries = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, p1, low.getHigh());
  Value p0 = add(middle.getHigh(), arith::MulIOp::create(b, loc, mantissa, bits[0]));
  p0 = add(p0, m.select(carries, m.i64(1), m.i64(0)));
  // Two bits of quadrant, then the fraction; a fraction above 1/2 counts down.
  Value fraction = either(shl(p0, m.i64(2)), shr(p1, m.i64(62)));
  Value more = either(shl(p1, m.i64(2)), shr(low.getLow(), m.i64(62)));
  Value quadrant = add(shr(p0, m.i64(62)), shr(fraction, m.i64(63)));
  Type f64 = m.typeOf(b.getF64Type());
  Value high = m.mul(arith::SIToFPOp::create(b, loc, f64, fraction), m.f64(0x1p-64));
  Value rest = m.mul(arith::UIToFPOp::create(b, loc, f64, more), m.f64(0x1p-128));
  Value r = m.mul(m.add(high, rest), m.f64(1.5707963267948966));
  Value isNegative = m.compare(Compare::OLT, x, m.f64(0));
  Value negated = arith::SubIOp::create(b, loc, m.i64(0), quadrant);
  return {m.select(isNegative, m.sub(m.f64(0), r), r), m.select(isNegative, negated, quadrant)};
}

/// Either reduction; the second only when a lane needs it.
static Angle reduceAnyAngle(MathBuilder &m, Value x) {
  OpBuilder &b = m.builder;
  Value magnitude = m.abs(x);
  Value isHuge = arith::AndIOp::create(b, m.loc, m.compare(Compare::OGT, magnitude, m.f64(0x1p30)),
                                       m.compare(Compare::OLT, magnitude, m.f64(kInf)));
  Angle fast = reduceAngle(m, x);
  Value any = isHuge;
  if (isa<VectorType>(any.getType()))
    any = vector::ReductionOp::create(b, m.loc, vector::CombiningKind::OR, any);
  auto branch =
      scf::IfOp::create(b, m.loc, TypeRange{fast.r.getType(), fast.quadrant.getType()}, any, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(branch.thenBlock());
  Angle exact = reduceHugeAngle(m, x, 16);
  scf::YieldOp::create(b, m.loc,
                       ValueRange{m.select(isHuge, exact.r, fast.r), m.select(isHuge, exact.quadrant, fast.quadrant)});
  b.setInsertionPointToEnd(branch.elseBlock());
  scf::YieldOp::create(b, m.loc, ValueRange{fast.r, fast.quadrant});
  return {branch.getResult(0), branch.getResult(1)};
}

static Value sineOf(MathBuilder &m, Value r) {
  Value z = m.mul(r, r);
  Value p = m.polynomial(z, {-1. / 6, 1. / 120, -1. / 5040, 1. / 362880, -1. / 39916800, 1. / 6227020800,
                             -1. / 1307674368000, 1. / 355687428096000});
  // The sum of -0 and +0 is +0.
  return m.select(m.compare(Compare::OEQ, r, m.f64(0)), r, m.fma(m.mul(r, z), p, r));
}

static Value cosineOf(MathBuilder &m, Value r) {
  Value z = m.mul(r, r);
  Value p = m.polynomial(
      z, {1. / 24, -1. / 720, 1. / 40320, -1. / 3628800, 1. / 479001600, -1. / 87178291200, 1. / 20922789888000});
  return m.fma(m.mul(z, z), p, m.fma(z, m.f64(-0.5), m.f64(1)));
}

/// Whether `bit` of `quadrant` is set.
static Value hasBit(MathBuilder &m, Value quadrant, int64_t bit) {
  Value masked = arith::AndIOp::create(m.builder, m.loc, quadrant, m.i64(bit));
  return arith::CmpIOp::create(m.builder, m.loc, arith::CmpIPredicate::ne, masked, m.i64(0));
}

static Value finishSine(MathBuilder &m, const Angle &angle, int64_t quarters) {
  Value quadrant = arith::AddIOp::create(m.builder, m.loc, angle.quadrant, m.i64(quarters));
  Value value = m.select(hasBit(m, quadrant, 1), cosineOf(m, angle.r), sineOf(m, angle.r));
  return m.select(hasBit(m, quadrant, 2), m.sub(m.f64(0), value), value);
}

static Value finishTangent(MathBuilder &m, const Angle &angle) {
  Value isOdd = hasBit(m, angle.quadrant, 1), sine = sineOf(m, angle.r), cosine = cosineOf(m, angle.r);
  return m.div(m.select(isOdd, m.sub(m.f64(0), cosine), sine), m.select(isOdd, sine, cosine));
}

Value doubleSine(MathBuilder &m, Value x, int64_t quarters) { return finishSine(m, reduceAnyAngle(m, x), quarters); }
Value doubleTangent(MathBuilder &m, Value x) { return finishTangent(m, reduceAnyAngle(m, x)); }

/// The exponent of an f32 reaches 2^127: no more than two words of shift.
Value hugeSine(MathBuilder &m, Value x, int64_t quarters) { return finishSine(m, reduceHugeAngle(m, x, 2), quarters); }
Value hugeTangent(MathBuilder &m, Value x) { return finishTangent(m, reduceHugeAngle(m, x, 2)); }

} // namespace hgc::codegen
