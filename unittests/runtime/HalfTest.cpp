//===- HalfTest.cpp - 16-bit floats without instructions ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>

// The 16-bit values travel in the low bits of a float, see half.c.
extern "C" {
float __extendhfsf2(float);
float __truncsfhf2(float);
float __truncdfhf2(double);
float __truncsfbf2(float);
float __truncdfbf2(double);
}

namespace {

float carry(uint32_t bits) {
  float f;
  std::memcpy(&f, &bits, 4);
  return f;
}

uint32_t bits(float f) {
  uint32_t u;
  std::memcpy(&u, &f, 4);
  return u;
}

/// Rounds with the FPU: scale so that the last place is 1, round, scale back.
double rounded(double x, int minExponent, int mantissa, double max) {
  if (x == 0 || std::isnan(x) || std::isinf(x))
    return x;
  int last = std::max(std::ilogb(x), minExponent) - mantissa;
  double y = std::ldexp(std::nearbyint(std::ldexp(x, -last)), last);
  return std::fabs(y) > max ? std::copysign(INFINITY, x) : y;
}

double halfValue(uint32_t h) {
  int exponent = h >> 10 & 31, mantissa = h & 1023;
  double value = exponent == 31 ? (mantissa ? NAN : INFINITY)
                 : exponent     ? std::ldexp(1024 + mantissa, exponent - 25)
                                : std::ldexp(mantissa, -24);
  return h & 0x8000 ? -value : value;
}

double bfloatValue(uint32_t b) { return carry(b << 16); }

void same(double a, double b, double x) {
  if (std::isnan(b)) {
    ASSERT_TRUE(std::isnan(a)) << x;
    return;
  }
  ASSERT_EQ(a, b) << x;
  ASSERT_EQ(std::signbit(a), std::signbit(b)) << x;
}

void check(double x) {
  const double maxHalf = 65504, maxBfloat = bfloatValue(0x7f7f);
  double h = rounded(x, -14, 10, maxHalf), b = rounded(x, -126, 7, maxBfloat);
  same(halfValue(bits(__truncdfhf2(x)) & 0xffff), h, x);
  same(bfloatValue(bits(__truncdfbf2(x)) & 0xffff), b, x);
  float f = static_cast<float>(x);
  same(halfValue(bits(__truncsfhf2(f)) & 0xffff), rounded(f, -14, 10, maxHalf), x);
  same(bfloatValue(bits(__truncsfbf2(f)) & 0xffff), rounded(f, -126, 7, maxBfloat), x);
}

TEST(Half, ExtendsAll) {
  for (uint32_t h = 0; h < 65536; ++h)
    same(__extendhfsf2(carry(h | 0x7fff0000)), halfValue(h), h);
}

TEST(Half, TruncatesHalvesAndTheirMiddles) {
  for (uint32_t h = 0; h < 0x7c00; ++h) {
    double a = halfValue(h), b = h == 0x7bff ? 65536 : halfValue(h + 1);
    double middle = (a + b) / 2;
    for (double x : {a, middle, std::nextafter(middle, 0.0), std::nextafter(middle, HUGE_VAL)}) {
      check(x);
      check(-x);
    }
  }
}

TEST(Half, TruncatesAnything) {
  uint64_t seed = 1;
  for (int i = 0; i < 200000; ++i) {
    seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
    double mantissa = 1 + static_cast<double>(seed >> 12) * 0x1p-52;
    int exponent = static_cast<int>(seed % 320) - 170;
    check(std::ldexp(seed & 1024 ? -mantissa : mantissa, exponent));
  }
  for (double x : {0.0, -0.0, HUGE_VAL, -HUGE_VAL, double(NAN), 65519.999, 65520.0, 1e308, 5e-324, 3.4e38, 3.3961e38})
    check(x);
}

} // namespace
