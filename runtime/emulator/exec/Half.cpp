//===- Half.cpp - scalar conversions between float formats ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Half.h"

using namespace hgc::emu;

/// Whether the magnitude `kept` must grow by one for what was cut off.
static bool roundsUp(Rounding rounding, bool negative, bool odd,
                     int comparedWithHalf, bool inexact) {
  switch (rounding) {
  case Rounding::NearestEven:
    return comparedWithHalf > 0 || (comparedWithHalf == 0 && odd);
  case Rounding::NearestAway:
    return comparedWithHalf >= 0;
  case Rounding::Zero:
    return false;
  case Rounding::Down:
    return inexact && negative;
  case Rounding::Up:
    return inexact && !negative;
  }
  return false;
}

uint32_t hgc::emu::narrow(double value, FloatFormat format, Rounding rounding,
                          bool saturate) {
  const int bias = (1 << (format.exponent - 1)) - 1;
  const uint32_t top = (1u << format.exponent) - 1;
  const uint32_t sign =
      std::signbit(value) ? 1u << (format.exponent + format.mantissa) : 0;
  // Formats without infinity use all but the last pattern for numbers.
  const uint32_t infinite = top << format.mantissa;
  const uint32_t nan = (1u << (format.exponent + format.mantissa)) - 1;
  const uint32_t largest = format.infinity ? infinite - 1 : nan - 1;
  if (value != value)
    return nan;
  if (std::isinf(value))
    return sign | (saturate || !format.infinity ? (saturate ? largest : nan)
                                                : infinite);
  if (value == 0)
    return sign;
  int exponent;
  double fraction = std::frexp(std::fabs(value), &exponent); // [0.5, 1)
  int shift = int(format.mantissa) + 1;
  int biased = exponent - 1 + bias;
  if (biased < 1) {
    shift += biased - 1; // subnormal: fewer bits
    biased = 1;
  }
  double scaled = std::ldexp(fraction, shift);
  double floor = std::floor(scaled);
  double rest = scaled - floor;
  uint64_t kept = static_cast<uint64_t>(floor);
  int compared = rest > 0.5 ? 1 : rest == 0.5 ? 0 : -1;
  // ldexp never loses bits here: 53 bits scaled by a power of two, far from
  // the smallest double unless the result is zero or the least subnormal.
  if (roundsUp(rounding, sign != 0, kept & 1, compared, rest != 0))
    ++kept;
  // A carry moves into the exponent field by itself.
  uint64_t bits = (uint64_t(biased - 1) << format.mantissa) + kept;
  if (bits > largest) {
    bool toInfinity = rounding == Rounding::NearestEven ||
                      rounding == Rounding::NearestAway ||
                      (rounding == Rounding::Up && !sign) ||
                      (rounding == Rounding::Down && sign);
    if (saturate || !toInfinity)
      return sign | largest;
    return sign | (format.infinity ? infinite : nan);
  }
  return sign | static_cast<uint32_t>(bits);
}

double hgc::emu::widen(uint32_t bits, FloatFormat format) {
  const int bias = (1 << (format.exponent - 1)) - 1;
  const uint32_t top = (1u << format.exponent) - 1;
  bool negative = bits >> (format.exponent + format.mantissa) & 1;
  uint32_t exponent = bits >> format.mantissa & top;
  uint32_t mantissa = bits & ((1u << format.mantissa) - 1);
  double value;
  if (exponent == top && format.infinity)
    value = mantissa ? NAN : INFINITY;
  else if (exponent == top && mantissa == (1u << format.mantissa) - 1)
    value = NAN;
  else if (exponent == 0)
    value = std::ldexp(double(mantissa), 1 - bias - int(format.mantissa));
  else
    value = std::ldexp(double(mantissa | 1u << format.mantissa),
                       int(exponent) - bias - int(format.mantissa));
  return negative ? -value : value;
}

double hgc::emu::fusedToOdd(double a, double b, double c) {
  double product = a * b; // exact: at most 24 bits each
  double sum = product + c;
  if (!std::isfinite(sum))
    return sum;
  // Knuth's error of the sum.
  double back = sum - product;
  double error = (product - (sum - back)) + (c - back);
  if (error == 0)
    return sum;
  uint64_t bits;
  std::memcpy(&bits, &sum, 8);
  if (bits & 1)
    return sum;
  // The exact value lies between sum and its neighbour towards the error;
  // the odd one of the two stands for it.
  bool away = (error > 0) == (sum > 0);
  bits += away ? 1 : -1ull;
  std::memcpy(&sum, &bits, 8);
  return sum;
}
