//===- Instruction.cpp - one instruction against a reference ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Instruction.h"

#include <array>
#include <cmath>
#include <map>
#include <random>

using namespace hgc::emu;
using namespace hgc::emu::test;

std::vector<uint64_t> test::operands(unsigned bytes) {
  std::vector<uint64_t> values = {0, 1, 2, 3, 5, 7, 8, 15, 16, 31, 32, 33, 63, 64, 100, 127, 128, 255, 256};
  unsigned width = bytes * 8;
  uint64_t top = 1ull << (width - 1), all = top | (top - 1);
  for (uint64_t value : {top, top - 1, top + 1, all, all - 1, all - 6, top >> 1, (top >> 1) - 1})
    values.push_back(value);
  if (bytes == 2)
    for (uint64_t value : {0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 0x0001, 0x8001, 0x03ff, 0x0400, 0x7bff, 0x3f80,
                           0x7f80, 0xff80, 0x7fc0, 0x7f7f, 0x3555, 0x4248})
      values.push_back(value);
  if (bytes == 4)
    for (float value : {0.0f,       -0.0f,         1.0f,          -1.0f,           0.5f,  1.5f,   2.5f,   -2.5f,
                        3.1415927f, 1e-40f,        -1e-45f,       1.17549435e-38f, 3e38f, -3e38f, 255.5f, 65504.0f,
                        65520.0f,   2147483648.0f, 4294967296.0f, 0.33333334f})
      values.push_back(bits(value));
  if (bytes == 8)
    for (double value : {0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, -2.5, 3.25, 1e-310, 2.2250738585072014e-308, 1e300,
                         -1e308, 1e39, 1e-45, 9223372036854775808.0, 18446744073709551616.0, 1.0 / 3})
      values.push_back(bits(value));
  values.push_back(bytes == 2 ? 0x7c00 : bytes == 4 ? 0x7f800000ull : 0x7ff0000000000000ull);
  values.push_back(bytes == 2 ? 0x7e01 : bytes == 4 ? 0x7fc00001ull : 0x7ff8000000000001ull);
  std::mt19937_64 random(bytes);
  for (unsigned i = 0; i < 40; ++i)
    values.push_back(random() & all);
  return values;
}

namespace {

unsigned bytesOf(char kind) { return kind == 'h' ? 2 : kind == 'r' ? 4 : kind == 'd' ? 8 : 4; }
std::string registerOf(char letter, char kind) { return std::string("%") + kind + letter; }

/// Loads the 64-bit operand of this thread into a register of its kind.
std::string loadOperand(char letter, char kind, unsigned param) {
  std::string at = "add.u64 %at, %base" + std::to_string(param) + ", %off;\n";
  std::string reg = registerOf(letter, kind);
  if (kind == 'p')
    return at + "ld.global.u32 %tmp, [%at];\nsetp.ne.u32 " + reg + ", %tmp, 0;\n";
  std::string type = kind == 'h' ? "u16" : kind == 'r' ? "u32" : "u64";
  return at + "ld.global." + type + " " + reg + ", [%at];\n";
}

std::string program(std::string text, const std::string &signature, bool guarded) {
  std::string body = ".reg .b64 %base<4>, %at, %off; .reg .b32 %tmp;\n"
                     ".reg .pred %odd;\n";
  for (char letter : {'A', 'B', 'C', 'D'})
    for (char kind : {'h', 'r', 'd', 'p'})
      body += std::string(".reg .") +
              (kind == 'h'   ? "b16"
               : kind == 'r' ? "b32"
               : kind == 'd' ? "b64"
                             : "pred") +
              " " + registerOf(letter, kind) + ";\n";
  for (unsigned i = 0; i < 4; ++i)
    body += "ld.param.u64 %base" + std::to_string(i) + ", [p" + std::to_string(i) + "];\n";
  body += "mov.u32 %tmp, %ctaid.x;\nshl.b32 %tmp, %tmp, 5;\n"
          "mov.b64 %off, 0;\n.reg .b32 %thread;\nmov.u32 %thread, %tid.x;\n"
          "add.u32 %tmp, %tmp, %thread;\nmul.wide.u32 %off, %tmp, 8;\n"
          "and.b32 %tmp, %thread, 1;\nsetp.eq.u32 %odd, %tmp, 1;\n";
  char result = signature[0];
  std::string sources = signature.substr(2);
  for (unsigned i = 0; i < sources.size(); ++i)
    body += loadOperand("ABC"[i], sources[i], i);
  if (result == 'p')
    body += "setp.ne.u32 %pD, 0, 0;\n";
  else
    body += "mov.b" + std::to_string(bytesOf(result) * 8) + " " + registerOf('D', result) + ", 0;\n";
  std::string replaced;
  for (char c : text) {
    size_t source = std::string("ABC").find(c);
    if (c == 'D')
      replaced += registerOf('D', result);
    else if (source < sources.size())
      replaced += registerOf(c, sources[source]);
    else
      replaced += c;
  }
  body += (guarded ? "@%odd " : "") + replaced + "\n";
  body += "add.u64 %at, %base3, %off;\n";
  if (result == 'p')
    body += "selp.b32 %rD, 1, 0, %pD;\n";
  std::string type = result == 'h' ? "u16" : result == 'd' ? "u64" : "u32";
  return body + "st.global." + type + " [%at], %" + (result == 'p' ? 'r' : result) + "D;\nret;\n";
}

bool isNan(uint64_t value, Same same) {
  switch (same) {
  case Same::F16:
    return (value & 0x7fff) > 0x7c00;
  case Same::BF16:
    return (value & 0x7fff) > 0x7f80;
  case Same::F32:
  case Same::Near:
    return std::isnan(f32(value));
  case Same::F64:
    return std::isnan(f64(value));
  default:
    return false;
  }
}

bool equal(uint64_t have, uint64_t want, Same same) {
  if (same == Same::F32x2)
    return equal(uint32_t(have), uint32_t(want), Same::F32) && equal(have >> 32, want >> 32, Same::F32);
  if (isNan(have, same) || isNan(want, same))
    return isNan(have, same) == isNan(want, same);
  if (same != Same::Near || have == want)
    return have == want;
  double x = f32(have), y = f32(want);
  return std::fabs(x - y) <= std::fabs(y) * 0x1p-20 + 1e-44;
}

} // namespace

void test::expectInstruction(const std::string &text, const std::string &signature, Same same,
                             const Reference &reference) {
  std::vector<uint64_t> values[3];
  std::string sources = signature.substr(2);
  constexpr size_t count = 4096;
  std::mt19937 random(3);
  for (unsigned i = 0; i < 3; ++i) {
    char kind = i < sources.size() ? sources[i] : 'r';
    std::vector<uint64_t> pool = operands(bytesOf(kind));
    for (size_t k = 0; k < count; ++k)
      values[i].push_back(kind == 'p' ? random() % 2 : pool[random() % pool.size()]);
  }
  // Operands repeat, and exact references are slow.
  std::map<std::array<uint64_t, 3>, uint64_t> known;
  auto expected = [&](uint64_t a, uint64_t b, uint64_t c) {
    std::array<uint64_t, 3> key = {a, sources.size() > 1 ? b : 0, sources.size() > 2 ? c : 0};
    auto [entry, fresh] = known.try_emplace(key, 0);
    if (fresh)
      entry->second = reference(a, b, c);
    return entry->second;
  };
  uint64_t mask = signature[0] == 'h' ? 0xffff : signature[0] == 'd' ? ~0ull : 0xffffffff;
  for (bool guarded : {false, true}) {
    if (guarded && text[0] == '{')
      continue; // a sequence has no guard
    Device device;
    ASSERT_TRUE(device.loadBody(program(text, signature, guarded))) << text << ": " << device.error;
    uint64_t out = device.put(std::vector<uint64_t>(count, 0));
    LaunchResult result =
        device.run(count / 32, 32, {device.put(values[0]), device.put(values[1]), device.put(values[2]), out});
    ASSERT_TRUE(result.ok()) << text << ": " << messages(result);
    std::vector<uint64_t> have = device.get<uint64_t>(out, count);
    unsigned wrong = 0;
    for (size_t k = 0; k < count && wrong < 5; ++k) {
      uint64_t a = values[0][k], b = values[1][k], c = values[2][k];
      uint64_t want = guarded && !(k & 1) ? 0 : expected(a, b, c) & mask;
      if (equal(have[k] & mask, want, same))
        continue;
      ++wrong;
      ADD_FAILURE() << text << (guarded ? " (guarded)" : "") << std::hex << " a=0x" << a << " b=0x" << b << " c=0x" << c
                    << ": 0x" << have[k] << ", expected 0x" << want;
    }
  }
}

/// 2^n, exactly.
static Quad power(int n) { return Quad(std::ldexp(1.0, n / 2)) * Quad(std::ldexp(1.0, n - n / 2)); }

Quad test::roundQuad(Quad value, int precision, int emin, int mode) {
  if (value == 0)
    return value;
  bool negative = value < 0;
  Quad magnitude = negative ? -value : value;
  int exponent = 0; // 2^exponent <= magnitude < 2^(exponent + 1)
  for (int step = 2048; step; step /= 2) {
    if (magnitude >= power(exponent + step))
      exponent += step;
    else if (exponent - step >= -2100 && magnitude < power(exponent - step + 1))
      exponent -= step;
  }
  while (magnitude >= power(exponent + 1))
    ++exponent;
  while (magnitude < power(exponent))
    --exponent;
  int unit = std::max(exponent - precision + 1, emin);
  if (exponent - unit > 113)
    return value; // no bits are lost
  Quad one = power(unit);
  Quad units = magnitude / one; // exact
  __int128 whole = static_cast<__int128>(units);
  Quad rest = units - Quad(whole);
  bool up = mode == 0   ? rest > 0.5 || (rest == 0.5 && (whole & 1))
            : mode == 1 ? false
            : mode == 2 ? negative && rest > 0
            : mode == 3 ? !negative && rest > 0
                        : rest >= 0.5;
  Quad result = Quad(whole + up) * one;
  return negative ? -result : result;
}

namespace {
struct Format {
  int precision, emin, emax;
};
Format formatOf(char format) {
  switch (format) {
  case 'h':
    return {11, -24, 15};
  case 'b':
    return {8, -133, 127};
  case 'f':
    return {24, -149, 127};
  default:
    return {53, -1074, 1023};
  }
}
} // namespace

uint64_t test::encode(Quad value, char format, int mode) {
  Format form = formatOf(format);
  int width = format == 'h' || format == 'b' ? 16 : format == 'f' ? 32 : 64;
  uint64_t sign = value < 0 ? 1ull << (width - 1) : 0;
  Quad rounded = roundQuad(value, form.precision, form.emin, mode);
  Quad magnitude = rounded < 0 ? -rounded : rounded;
  int mantissa = form.precision - 1;
  uint64_t infinity = uint64_t(2 * form.emax + 1) << mantissa;
  Quad limit = power(form.emax + 1);
  if (magnitude >= limit) {
    bool stays = mode == 1 || (mode == 2 && !sign) || (mode == 3 && sign);
    return sign | (stays ? infinity - 1 : infinity);
  }
  Quad unit = magnitude * power(-form.emin);
  if (unit < (Quad(1) * (1ull << mantissa)))
    return sign | uint64_t(unit);
  int exponent = 0;
  while (unit >= Quad(2ull << mantissa))
    unit /= 2, ++exponent;
  return sign | (uint64_t(exponent) << mantissa) + uint64_t(unit);
}

Quad test::decode(uint64_t bits, char format) {
  Format form = formatOf(format);
  int width = format == 'h' || format == 'b' ? 16 : format == 'f' ? 32 : 64;
  int mantissa = form.precision - 1;
  bool negative = bits >> (width - 1) & 1;
  uint64_t exponent = bits >> mantissa & (2 * form.emax + 1);
  Quad value = Quad(bits & ((1ull << mantissa) - 1));
  if (exponent)
    value += Quad(1ull << mantissa);
  int exponentOf = form.emin + (exponent ? int(exponent) - 1 : 0);
  value *= power(exponentOf);
  return negative ? -value : value;
}
