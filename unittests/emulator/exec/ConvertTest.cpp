//===- ConvertTest.cpp - cvt, setp, selp and 16-bit floats ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Instruction.h"

#include <cmath>

using namespace hgc::emu::test;
using i128 = __int128;

namespace {

struct Number {
  const char *name;
  char kind; ///< Register.
  unsigned bits;
  char format; ///< u, s, or that of encode().
};
const Number numbers[] = {{"u8", 'h', 8, 'u'},   {"s8", 'r', 8, 's'},    {"u16", 'h', 16, 'u'}, {"s16", 'h', 16, 's'},
                          {"u32", 'r', 32, 'u'}, {"s32", 'r', 32, 's'},  {"u64", 'd', 64, 'u'}, {"s64", 'd', 64, 's'},
                          {"f16", 'h', 16, 'h'}, {"bf16", 'h', 16, 'b'}, {"f32", 'r', 32, 'f'}, {"f64", 'd', 64, 'd'}};

bool isReal(const Number &n) { return n.format != 'u' && n.format != 's'; }
int precision(const Number &n) { return n.format == 'h' ? 11 : n.format == 'b' ? 8 : n.format == 'f' ? 24 : 53; }
uint64_t cut(uint64_t value, unsigned bits) { return bits == 64 ? value : value & ((1ull << bits) - 1); }
i128 integer(uint64_t value, const Number &n) {
  i128 result = cut(value, n.bits);
  if (n.format == 's' && (value >> (n.bits - 1) & 1))
    result -= i128(1) << n.bits;
  return result;
}
bool isNan(uint64_t value, const Number &n) {
  uint64_t sign = 1ull << (n.bits - 1);
  int mantissa = precision(n) - 1;
  uint64_t infinity = cut(sign - 1, n.bits) >> mantissa << mantissa;
  return (cut(value, n.bits) & ~sign) > infinity;
}
bool isInfinite(uint64_t value, const Number &n) {
  uint64_t sign = 1ull << (n.bits - 1);
  int mantissa = precision(n) - 1;
  return (cut(value, n.bits) & ~sign) == cut(sign - 1, n.bits) >> mantissa << mantissa;
}
uint64_t extend(i128 value, const Number &n) {
  return n.format == 's' ? uint64_t(value) : cut(uint64_t(value), n.bits);
}
i128 limit(const Number &n, bool high) {
  i128 one = 1;
  if (n.format == 's')
    return high ? (one << (n.bits - 1)) - 1 : -(one << (n.bits - 1));
  return high ? (one << n.bits) - 1 : 0;
}

uint64_t realToInteger(uint64_t a, const Number &from, const Number &to, int mode) {
  if (isNan(a, from))
    return from.bits != 64 && to.bits != 64 ? 0 : extend(integer(1ull << (to.bits - 1), to), to);
  bool negative = a >> (from.bits - 1) & 1;
  if (isInfinite(a, from))
    return extend(limit(to, !negative), to);
  Quad value = roundQuad(decode(cut(a, from.bits), from.format), 200, 0, mode);
  if (value < Quad(limit(to, false)))
    return extend(limit(to, false), to);
  if (value > Quad(limit(to, true)))
    return extend(limit(to, true), to);
  return extend(i128(value), to);
}

uint64_t realToReal(uint64_t a, const Number &from, const Number &to, int mode) {
  uint64_t sign = (a >> (from.bits - 1) & 1) << (to.bits - 1);
  int mantissa = precision(to) - 1;
  uint64_t infinity = cut((1ull << (to.bits - 1)) - 1, to.bits) >> mantissa << mantissa;
  if (isNan(a, from))
    return infinity | 1;
  if (isInfinite(a, from))
    return sign | infinity;
  Quad value = decode(cut(a, from.bits), from.format);
  return value == 0 ? sign : encode(value, to.format, mode);
}

Same sameOf(const Number &n) {
  return n.format == 'h'   ? Same::F16
         : n.format == 'b' ? Same::BF16
         : n.format == 'f' ? Same::F32
         : n.format == 'd' ? Same::F64
                           : Same::Bits;
}

uint64_t reference(uint64_t a, const Number &from, const Number &to, int mode) {
  if (isReal(from))
    return isReal(to) ? realToReal(a, from, to, mode) : realToInteger(a, from, to, mode);
  i128 value = integer(a, from);
  return isReal(to) ? encode(Quad(value), to.format, mode) : extend(integer(uint64_t(value), to), to);
}

TEST(Convert, AllPairs) {
  const char *real[] = {".rn", ".rz", ".rm", ".rp"};
  const char *whole[] = {".rni", ".rzi", ".rmi", ".rpi"};
  for (const Number &from : numbers)
    for (const Number &to : numbers) {
      bool rounds = isReal(to) && (!isReal(from) || precision(to) < precision(from));
      bool wholes = isReal(from) && !isReal(to);
      for (int mode = 0; mode < (rounds || wholes ? 4 : 1); ++mode) {
        if (&from == &to && isReal(to))
          continue;
        std::string text = std::string("cvt") +
                           (rounds   ? real[mode]
                            : wholes ? whole[mode]
                                     : "") +
                           "." + to.name + "." + from.name + " D, A;";
        // f16 and bf16 differ in range: a rounding is needed one way only.
        if (from.format == 'b' && to.format == 'h')
          text = "cvt" + std::string(real[mode]) + ".f16.bf16 D, A;";
        expectInstruction(text, std::string(1, to.kind) + ":" + from.kind, sameOf(to),
                          [&](uint64_t a, uint64_t, uint64_t) { return reference(a, from, to, mode); });
      }
    }
}

TEST(Convert, SaturateAndRoundInPlace) {
  for (unsigned k = 0; k < 8; ++k)
    expectInstruction(std::string("cvt.sat.") + numbers[k].name + ".s64 D, A;", std::string(1, numbers[k].kind) + ":d",
                      Same::Bits, [&](uint64_t a, uint64_t, uint64_t) {
                        i128 value = int64_t(a);
                        value = std::max(value, limit(numbers[k], false));
                        value = std::min(value, limit(numbers[k], true));
                        return extend(value, numbers[k]);
                      });
  expectInstruction("cvt.sat.f32.f32 D, A;", "r:r", Same::F32, [](uint64_t a, uint64_t, uint64_t) {
    float x = f32(a);
    return bits(x >= 1 ? 1.0f : x > 0 ? x : 0.0f);
  });
  expectInstruction("cvt.rmi.f32.f32 D, A;", "r:r", Same::F32,
                    [](uint64_t a, uint64_t, uint64_t) { return bits(std::floor(f32(a))); });
  expectInstruction("cvt.rni.f64.f64 D, A;", "d:d", Same::F64,
                    [](uint64_t a, uint64_t, uint64_t) { return bits(std::nearbyint(f64(a))); });
  expectInstruction("cvt.rna.tf32.f32 D, A;", "r:r", Same::F32, [](uint64_t a, uint64_t, uint64_t) {
    if (std::isnan(f32(a)) || std::isinf(f32(a)))
      return a;
    uint64_t magnitude = (a & 0x7fffffff) + 0x1000;
    return (a & 0x80000000) | (magnitude & 0x7fffe000);
  });
  // Ties to even.
  expectInstruction("cvt.rn.tf32.f32 D, A;", "r:r", Same::F32, [](uint64_t a, uint64_t, uint64_t) {
    if (std::isnan(f32(a)) || std::isinf(f32(a)))
      return a;
    uint64_t magnitude = (a & 0x7fffffff) + 0xfff + (a >> 13 & 1);
    return (a & 0x80000000) | (magnitude & 0x7fffe000);
  });
}

TEST(Convert, Packed) {
  for (char format : {'h', 'b'}) {
    std::string name = format == 'h' ? "f16x2" : "bf16x2";
    const Number &to = numbers[format == 'h' ? 8 : 9];
    // NaNs of halves: compared after they are made equal.
    auto half = [&](uint64_t x) { return isNan(x, numbers[10]) ? 0x7fff : realToReal(x, numbers[10], to, 0); };
    expectInstruction("cvt.rn." + name + ".f32 D, A, B;", "r:rr", Same::Bits,
                      [&](uint64_t a, uint64_t b, uint64_t) { return half(a) << 16 | half(b); });
  }
}

TEST(Convert, Halves) {
  for (char format : {'h', 'b'}) {
    const Number &n = numbers[format == 'h' ? 8 : 9];
    std::string type = n.name;
    auto arithmetic = [&](uint64_t a, uint64_t b, uint64_t c, int op) {
      auto value = [&](uint64_t x) {
        return isNan(x, n)        ? NAN
               : isInfinite(x, n) ? (x >> 15 & 1 ? -INFINITY : INFINITY)
                                  : double(decode(x & 0xffff, format));
      };
      double x = value(a), y = value(b), z = value(c);
      double host = op == 0 ? x + y : op == 1 ? x - y : op == 2 ? x * y : x * y + z;
      if (!std::isfinite(host))
        return std::isnan(host) ? uint64_t(0x7fff) : realToReal(bits(host), numbers[11], n, 0);
      Quad exact = op == 0   ? Quad(x) + Quad(y)
                   : op == 1 ? Quad(x) - Quad(y)
                   : op == 2 ? Quad(x) * Quad(y)
                             : Quad(x) * Quad(y) + Quad(z);
      if (exact == 0)
        return uint64_t(std::signbit(host)) << 15;
      return encode(exact, format, 0);
    };
    const char *names[] = {"add.", "sub.", "mul.", "fma.rn."};
    for (int op = 0; op < 4; ++op)
      expectInstruction(names[op] + type + (op == 3 ? " D, A, B, C;" : " D, A, B;"), op == 3 ? "h:hhh" : "h:hh",
                        sameOf(n), [&](uint64_t a, uint64_t b, uint64_t c) { return arithmetic(a, b, c, op); });
    auto both = [&](uint64_t a, uint64_t b) {
      return arithmetic(a & 0xffff, b & 0xffff, 0, 0) | arithmetic(a >> 16, b >> 16, 0, 0) << 16;
    };
    expectInstruction("add." + type + "x2 D, A, B;", "r:rr", Same::Bits,
                      [&](uint64_t a, uint64_t b, uint64_t) { return both(a, b); });
    expectInstruction("neg." + type + " D, A;", "h:h", sameOf(n),
                      [](uint64_t a, uint64_t, uint64_t) { return a ^ 0x8000; });
  }
}

} // namespace
