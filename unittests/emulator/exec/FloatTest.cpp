//===- FloatTest.cpp - float instructions -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exact results are formed in 113 bits and rounded by the test's own code; a
// directed rounding is checked through the sign of the remainder.
//
//===----------------------------------------------------------------------===//

#include "Instruction.h"

#include <cfenv>
#include <cmath>
#include <limits>

using namespace hgc::emu::test;

namespace {

template <class T> constexpr Same sameOf = sizeof(T) == 4 ? Same::F32 : Same::F64;
template <class T> T real(uint64_t value) {
  if constexpr (sizeof(T) == 4)
    return f32(value);
  else
    return f64(value);
}

/// `nearest` moved to what mode 1 (zero), 2 (down), 3 (up) asks for; `rest` is
/// the exact value minus it.
template <class T> T directed(T nearest, Quad rest, int mode) {
  if (mode == 0 || std::isnan(nearest) || rest == 0)
    return nearest;
  const T infinity = std::numeric_limits<T>::infinity();
  bool down = mode == 2 || (mode == 1 && nearest > 0) || (mode == 1 && nearest == 0 && rest > 0);
  if (mode == 1 && nearest == 0)
    return nearest;
  if (down && rest < 0)
    return std::nextafter(nearest, -infinity);
  if (!down && rest > 0)
    return std::nextafter(nearest, infinity);
  return nearest;
}

/// The large operand first: 113 bits do not hold both.
template <class T> Quad restOfSum(T a, T b, T r) {
  return std::fabs(a) > std::fabs(b) ? (Quad(a) - Quad(r)) + Quad(b) : (Quad(b) - Quad(r)) + Quad(a);
}

const char *modes[] = {"rn", "rz", "rm", "rp"};

/// Overflow and the least numbers follow rules the remainder does not show.
template <class T> bool plain(T a, T b, T r) {
  return std::isfinite(a) && std::isfinite(b) && std::isfinite(r) &&
         std::fabs(r) > std::numeric_limits<T>::min() * T(1e9) && std::fabs(r) < std::numeric_limits<T>::max() / 2;
}

template <class T> void arithmetic(const char *type, char kind) {
  std::string two = std::string(1, kind) + ":" + kind + kind;
  for (int mode = 0; mode < 4; ++mode) {
    std::string tail = std::string(".") + modes[mode] + "." + type;
    auto check = [&](const char *name, auto compute, auto rest) {
      expectInstruction(name + tail + " D, A, B;", two, sameOf<T>, [&](uint64_t x, uint64_t y, uint64_t) {
        T a = real<T>(x), b = real<T>(y), r = compute(a, b);
        if (mode && !plain(a, b, r)) {
          // The mode itself, from the host.
          static const int host[] = {0, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
          volatile T va = a, vb = b, result;
          std::fesetround(host[mode]);
          result = compute(va, vb);
          std::fesetround(FE_TONEAREST);
          return bits(T(result));
        }
        return bits(directed(r, plain(a, b, r) ? rest(a, b, r) : Quad(0), mode));
      });
    };
    check(
        "add", [](T a, T b) { return a + b; }, [](T a, T b, T r) { return restOfSum<T>(a, b, r); });
    check(
        "sub", [](T a, T b) { return a - b; }, [](T a, T b, T r) { return restOfSum<T>(a, -b, r); });
    check(
        "mul", [](T a, T b) { return a * b; }, [](T a, T b, T r) { return Quad(a) * Quad(b) - Quad(r); });
    check(
        "div", [](T a, T b) { return a / b; },
        [](T a, T b, T r) {
          Quad rest = Quad(a) - Quad(r) * Quad(b);
          return b < 0 ? -rest : rest;
        });
    expectInstruction("sqrt" + tail + " D, A;", two.substr(0, 3), sameOf<T>, [&](uint64_t x, uint64_t, uint64_t) {
      T a = real<T>(x), r = std::sqrt(a);
      Quad rest = std::isfinite(r) ? Quad(a) - Quad(r) * Quad(r) : Quad(0);
      return bits(directed(r, rest, mode));
    });
  }
  expectInstruction(
      std::string("fma.rn.") + type + " D, A, B, C;", two + kind, sameOf<T>,
      [](uint64_t a, uint64_t b, uint64_t c) { return bits(std::fma(real<T>(a), real<T>(b), real<T>(c))); });
}

TEST(Float, ArithmeticF32) { arithmetic<float>("f32", 'r'); }
TEST(Float, ArithmeticF64) { arithmetic<double>("f64", 'd'); }

float flushed(float a) { return std::fpclassify(a) == FP_SUBNORMAL ? std::copysign(0.0f, a) : a; }
float clamped(float a) { return a >= 1 ? 1 : a > 0 ? a : 0; }

TEST(Float, FlushAndSaturate) {
  expectInstruction("add.ftz.f32 D, A, B;", "r:rr", Same::F32,
                    [](uint64_t a, uint64_t b, uint64_t) { return bits(flushed(flushed(f32(a)) + flushed(f32(b)))); });
  expectInstruction("mul.sat.f32 D, A, B;", "r:rr", Same::F32,
                    [](uint64_t a, uint64_t b, uint64_t) { return bits(clamped(f32(a) * f32(b))); });
  expectInstruction("fma.rn.ftz.sat.f32 D, A, B, C;", "r:rrr", Same::F32, [](uint64_t a, uint64_t b, uint64_t c) {
    return bits(clamped(flushed(std::fma(flushed(f32(a)), flushed(f32(b)), flushed(f32(c))))));
  });
}

template <class T> T least(T a, T b, bool maximum) {
  if (std::isnan(a))
    return b;
  if (std::isnan(b))
    return a;
  if (a == b)
    return std::signbit(a) != maximum ? a : b;
  return (a < b) != maximum ? a : b;
}

TEST(Float, MinMaxAndSigns) {
  for (bool maximum : {false, true}) {
    std::string name = maximum ? "max" : "min";
    expectInstruction(name + ".f32 D, A, B;", "r:rr", Same::F32,
                      [&](uint64_t a, uint64_t b, uint64_t) { return bits(least(f32(a), f32(b), maximum)); });
    expectInstruction(name + ".f64 D, A, B;", "d:dd", Same::F64,
                      [&](uint64_t a, uint64_t b, uint64_t) { return bits(least(f64(a), f64(b), maximum)); });
    expectInstruction(name + ".NaN.f32 D, A, B;", "r:rr", Same::F32, [&](uint64_t a, uint64_t b, uint64_t) {
      if (std::isnan(f32(a)) || std::isnan(f32(b)))
        return bits(NAN);
      return bits(least(f32(a), f32(b), maximum));
    });
  }
  expectInstruction("abs.f32 D, A;", "r:r", Same::F32, [](uint64_t a, uint64_t, uint64_t) { return a & 0x7fffffff; });
  expectInstruction("neg.f64 D, A;", "d:d", Same::F64,
                    [](uint64_t a, uint64_t, uint64_t) { return a ^ 0x8000000000000000ull; });
  expectInstruction("copysign.f32 D, A, B;", "r:rr", Same::Bits,
                    [](uint64_t a, uint64_t b, uint64_t) { return (a & 0x80000000) | (b & 0x7fffffff); });
  const char *kinds[] = {"finite", "infinite", "number", "notanumber", "normal", "subnormal"};
  for (int kind = 0; kind < 6; ++kind)
    expectInstruction(std::string("testp.") + kinds[kind] + ".f32 D, A;", "p:r", Same::Bits,
                      [&](uint64_t x, uint64_t, uint64_t) -> uint64_t {
                        uint64_t e = x >> 23 & 255, m = x & 0x7fffff;
                        bool nan = e == 255 && m, infinite = e == 255 && !m;
                        const bool is[] = {e != 255, infinite, !nan, nan, e && e != 255, !e && m};
                        return is[kind];
                      });
}

TEST(Float, Approximations) {
  auto check = [](const char *text, double (*function)(double)) {
    expectInstruction(std::string(text) + " D, A;", "r:r", Same::Near,
                      [&](uint64_t a, uint64_t, uint64_t) { return bits(float(function(f32(a)))); });
  };
  check("ex2.approx.f32", [](double a) { return std::exp2(a); });
  check("lg2.approx.f32", [](double a) { return std::log2(a); });
  check("rcp.approx.f32", [](double a) { return 1 / a; });
  check("rcp.rn.f32", [](double a) { return 1 / a; });
  check("rsqrt.approx.f32", [](double a) { return 1 / std::sqrt(a); });
  check("sqrt.approx.f32", [](double a) { return std::sqrt(a); });
  check("sin.approx.f32", [](double a) { return std::sin(a); });
  check("cos.approx.f32", [](double a) { return std::cos(a); });
  check("tanh.approx.f32", [](double a) { return std::tanh(a); });
  expectInstruction("ex2.approx.ftz.f32 D, A;", "r:r", Same::Near,
                    [](uint64_t a, uint64_t, uint64_t) { return bits(flushed(std::exp2(flushed(f32(a))))); });
  expectInstruction("div.approx.f32 D, A, B;", "r:rr", Same::Near,
                    [](uint64_t a, uint64_t b, uint64_t) { return bits(f32(a) / f32(b)); });
}

} // namespace
