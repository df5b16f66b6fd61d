//===- BitCast.cpp - the same bits under another type ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The graph dialect has values, not bits: sign, exponent and fraction of a float are
// computed. All numbers on the way are exact in f64. Every NaN has the bits of the
// quiet one.
//===----------------------------------------------------------------------===//

#include "Values.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace hgc;
using namespace hgc::frontend;
using graph::ComparePredicate;

namespace {

/// How a float type is laid out.
struct Layout {
  explicit Layout(Type type) {
    const llvm::fltSemantics &semantics = cast<FloatType>(type).getFloatSemantics();
    fraction = llvm::APFloat::semanticsPrecision(semantics) - 1;
    least = llvm::APFloat::semanticsMinExponent(semantics);
    special = 3 - 2 * least;
  }
  /// Bits of the fraction, exponent of the least normal number, and the exponent's
  /// bits of infinity.
  int64_t fraction, least, special;
};

class BitCaster {
public:
  BitCaster(frontend::Builder &b, Type floats) : b(b), layout(floats), wide(b.getBuilder().getF64Type()) {}

  /// Bits of `x` as i64.
  Value toBits(Value x);
  /// The float with the bits `bits` (i64), in f64.
  Value toFloat(Value bits);

private:
  Value number(double value) { return b.scalar(wide, value); }
  Value both(Value x, Value y) { return b.create<graph::AndOp>(x, y); }
  Value shift(Value value, int64_t amount) { return b.create<graph::ShlOp>(value, i64(b, amount)); }
  Value isLess(Value x, Value y) { return b.compare(ComparePredicate::LT, x, y); }
  Value isEqual(Value x, Value y) { return b.compare(ComparePredicate::EQ, x, y); }

  frontend::Builder &b;
  Layout layout;
  Type wide;
};

} // namespace

Value BitCaster::toBits(Value x) {
  x = b.cast(x, wide);
  Value magnitude = b.create<graph::AbsOp>(x);
  // In units of the least normal number; in two steps, since f64 cannot hold all of
  // its own numbers so.
  Value isSmall = isLess(magnitude, number(1));
  Value y = b.select(isSmall, b.mul(magnitude, number(std::ldexp(1, -layout.least))), magnitude);
  Value exponent = b.select(isSmall, i64(b, 0), i64(b, -layout.least));
  Value isSubnormal = b.create<graph::AndOp>(isSmall, isLess(y, number(1)));
  for (int64_t step = 512; step > 0; step /= 2) {
    Value isOver = b.compare(ComparePredicate::GE, y, number(std::ldexp(1, step)));
    y = b.select(isOver, b.mul(y, number(std::ldexp(1, -step))), y);
    exponent = b.add(exponent, b.select(isOver, i64(b, step), i64(b, 0)));
  }
  Value unit = number(std::ldexp(1, layout.fraction));
  Value whole = b.cast(b.mul(y, unit), b.getBuilder().getI64Type());
  // The leading one of a normal number adds one to the exponent's bits.
  Value bits = b.select(isSubnormal, whole, b.add(whole, shift(exponent, layout.fraction)));
  Value infinity = i64(b, layout.special << layout.fraction);
  bits = b.select(b.create<graph::IsInfOp>(x), infinity, bits);
  Value nan = i64(b, (layout.special << layout.fraction) | (int64_t(1) << (layout.fraction - 1)));
  bits = b.select(b.create<graph::IsNanOp>(x), nan, bits);
  Value isNegative = isLess(b.select(isEqual(x, number(0)), b.div(number(1), x), x), number(0));
  int64_t width = 1 + layout.fraction + llvm::Log2_64_Ceil(layout.special);
  Value sign = shift(i64(b, 1), width - 1);
  return b.select(isNegative, b.create<graph::OrOp>(bits, sign), bits);
}

Value BitCaster::toFloat(Value bits) {
  Value fractionBits = both(bits, i64(b, (int64_t(1) << layout.fraction) - 1));
  Value exponent = both(b.create<graph::ShrOp>(bits, i64(b, layout.fraction)), i64(b, layout.special));
  Value fraction = b.mul(b.cast(fractionBits, wide), number(std::ldexp(1, -layout.fraction)));
  Value isSubnormal = isEqual(exponent, i64(b, 0));
  Value result = b.add(fraction, b.select(isSubnormal, number(0), number(1)));
  result = b.mul(result, number(std::ldexp(1, layout.least)));
  Value steps = b.max(b.sub(exponent, i64(b, 1)), i64(b, 0));
  for (int64_t bit = 0; (int64_t(1) << bit) <= layout.special; ++bit) {
    Value isSet = b.compare(ComparePredicate::NE, both(steps, i64(b, int64_t(1) << bit)), i64(b, 0));
    // 2^1024 is no f64; its root is.
    Value factor = b.select(isSet, number(std::ldexp(1, bit == 10 ? 512 : 1 << bit)), number(1));
    result = b.mul(result, factor);
    if (bit == 10)
      result = b.mul(result, factor);
  }
  Value special = b.select(isEqual(fractionBits, i64(b, 0)), number(std::numeric_limits<double>::infinity()),
                           number(std::numeric_limits<double>::quiet_NaN()));
  result = b.select(isEqual(exponent, i64(b, layout.special)), special, result);
  int64_t width = 1 + layout.fraction + llvm::Log2_64_Ceil(layout.special);
  Value sign = both(b.create<graph::ShrOp>(bits, i64(b, width - 1)), i64(b, 1));
  return b.select(isEqual(sign, i64(b, 1)), b.create<graph::NegOp>(result), result);
}

Value frontend::bitCast(Builder &b, Value value, Type type) {
  if (!value || !type)
    return {};
  Type from = Builder::elementOf(value);
  if (std::optional<HostTensor> known = b.getConstant(value))
    return b.constant(known->bitcast(type));
  bool isFloat = isa<FloatType>(from), toFloat = isa<FloatType>(type);
  if (!isFloat && !toFloat)
    return b.cast(value, type);
  Value bits = isFloat ? BitCaster(b, from).toBits(value) : b.cast(value, b.getBuilder().getI64Type());
  return b.cast(toFloat ? BitCaster(b, type).toFloat(bits) : bits, type);
}
