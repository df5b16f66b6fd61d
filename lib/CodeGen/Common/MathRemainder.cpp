//===- MathRemainder.cpp - the exact remainder of a division --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The quotient may have hundreds of digits. As many as f64 can hold are taken off
// at a time: modulo y * 2^k first, then modulo y.
//===----------------------------------------------------------------------===//

#include "MathFunctions.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <limits>

using namespace mlir;

namespace hgc::codegen {

using Compare = MathBuilder::Compare;

/// Exponent of a positive f64, as i64; right for denormals too.
static Value getExponent(MathBuilder &m, Value x) {
  auto field = [&](Value value) {
    return arith::ShRUIOp::create(m.builder, m.loc, m.bits(value, m.builder.getI64Type()), m.i64(52));
  };
  Value isTiny = m.compare(Compare::OLT, x, m.f64(2.2250738585072014e-308));
  Value scaled = arith::SubIOp::create(m.builder, m.loc, field(m.mul(x, m.f64(0x1p54))), m.i64(54));
  return m.select(isTiny, scaled, field(x));
}

/// b * 2^k for k >= 0, in two factors, because 2^k may overflow alone.
static Value scaleUp(MathBuilder &m, Value b, Value k) {
  auto power = [&](Value n) {
    Value biased = arith::AddIOp::create(m.builder, m.loc, n, m.i64(1023));
    return m.bits(arith::ShLIOp::create(m.builder, m.loc, biased, m.i64(52)), m.builder.getF64Type());
  };
  Value half = arith::ShRUIOp::create(m.builder, m.loc, k, m.i64(1));
  Value rest = arith::SubIOp::create(m.builder, m.loc, k, half);
  return m.mul(m.mul(b, power(half)), power(rest));
}

/// a modulo b for a >= b > 0, or a smaller a with the same remainder.
static Value reduceOnce(MathBuilder &m, Value a, Value b) {
  Value distance = arith::SubIOp::create(m.builder, m.loc, getExponent(m, a), getExponent(m, b));
  Value k = arith::SubIOp::create(m.builder, m.loc, distance, m.i64(51));
  Value step = scaleUp(m, b, arith::MaxSIOp::create(m.builder, m.loc, k, m.i64(0)));
  Value n = math::TruncOp::create(m.builder, m.loc, m.div(a, step));
  // Exact: the result has no digit below the last of `a` and `step`. The quotient
  // may have been rounded up to the next integer.
  Value negated = arith::NegFOp::create(m.builder, m.loc, n);
  Value r = math::FmaOp::create(m.builder, m.loc, negated, step, a);
  return m.select(m.compare(Compare::OLT, r, m.f64(0)), m.add(r, step), r);
}

Value expandRemainder(MathBuilder &m, Value x, Value y) {
  OpBuilder &b = m.builder;
  bool isNarrow = !m.isDouble();
  auto widen = [&](Value value) -> Value {
    return isNarrow ? Value(arith::ExtFOp::create(b, m.loc, b.getF64Type(), value)) : value;
  };
  Value infinity = m.f64(std::numeric_limits<double>::infinity());
  Value wideX = widen(x), divisor = m.abs(widen(y)), start = m.abs(wideX);
  Value isRegular = arith::AndIOp::create(b, m.loc, m.compare(Compare::OGT, divisor, m.f64(0)),
                                          m.compare(Compare::OLT, start, infinity));
  auto loop = scf::WhileOp::create(
      b, m.loc, TypeRange{b.getF64Type()}, ValueRange{start},
      [&](OpBuilder &, Location loc, ValueRange values) {
        Value isLarge = m.compare(Compare::OGE, values[0], divisor);
        scf::ConditionOp::create(b, loc, arith::AndIOp::create(b, loc, isRegular, isLarge), values);
      },
      [&](OpBuilder &, Location loc, ValueRange values) {
        scf::YieldOp::create(b, loc, reduceOnce(m, values[0], divisor));
      });
  Value r = m.copySign(loop.getResult(0), wideX);
  Value isBroken =
      arith::OrIOp::create(b, m.loc, m.compare(Compare::UNO, wideX, divisor),
                           arith::XOrIOp::create(b, m.loc, isRegular, arith::ConstantIntOp::create(b, m.loc, 1, 1)));
  r = m.select(isBroken, m.f64(std::numeric_limits<double>::quiet_NaN()), r);
  return isNarrow ? Value(arith::TruncFOp::create(b, m.loc, b.getF32Type(), r)) : r;
}

} // namespace hgc::codegen
