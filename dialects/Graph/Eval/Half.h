//===- Half.h - exact conversions of 16-bit floats --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The evaluator computes in double and rounds once, so a 16-bit result must be
// rounded from the double itself: a detour over float would round twice.
//===----------------------------------------------------------------------===//

#ifndef HGC_GRAPH_EVAL_HALF_H
#define HGC_GRAPH_EVAL_HALF_H

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace hgc {

/// A 16-bit float with `ExponentBits` of exponent, IEEE in all other respects.
template <int ExponentBits> struct Float16 {
  static constexpr int kFractionBits = 15 - ExponentBits;
  static constexpr int kBias = (1 << (ExponentBits - 1)) - 1;
  static constexpr uint16_t kInfinity = ((1 << ExponentBits) - 1) << kFractionBits;

  uint16_t bits;

  /// Every value is a double, so this is exact.
  double toDouble() const {
    int exponent = (bits & kInfinity) >> kFractionBits;
    int fraction = bits & ((1 << kFractionBits) - 1);
    double magnitude;
    if (exponent == (1 << ExponentBits) - 1)
      magnitude = fraction ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
    else if (exponent == 0)
      magnitude = std::ldexp(fraction, 1 - kBias - kFractionBits);
    else
      magnitude = std::ldexp(fraction + (1 << kFractionBits), exponent - kBias - kFractionBits);
    return bits & 0x8000 ? -magnitude : magnitude;
  }

  /// The nearest value, ties to even.
  static Float16 fromDouble(double value) {
    uint16_t sign = std::signbit(value) ? 0x8000 : 0;
    if (std::isnan(value))
      return {static_cast<uint16_t>(sign | kInfinity | (1 << (kFractionBits - 1)))};
    double magnitude = std::fabs(value);
    if (magnitude == 0)
      return {sign};
    int exponent = std::isinf(magnitude) ? kBias + 1 : std::ilogb(magnitude);
    if (exponent > kBias)
      return {static_cast<uint16_t>(sign | kInfinity)};
    if (exponent < 1 - kBias)
      exponent = 1 - kBias;
    // Scaled so that one unit is the last place; a carry out of the fraction
    // lands in the exponent field, where it belongs.
    auto units = static_cast<uint32_t>(std::nearbyint(std::ldexp(magnitude, kFractionBits - exponent)));
    uint32_t encoded = units + (static_cast<uint32_t>(exponent + kBias - 1) << kFractionBits);
    return {static_cast<uint16_t>(sign | encoded)};
  }
};

using Half = Float16<5>;
using BFloat = Float16<8>;

} // namespace hgc

#endif // HGC_GRAPH_EVAL_HALF_H
