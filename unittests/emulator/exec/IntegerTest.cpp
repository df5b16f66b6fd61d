//===- IntegerTest.cpp - integer instructions -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Instruction.h"

using namespace hgc::emu::test;
using i128 = __int128;

namespace {

struct IntType {
  const char *name;
  char kind;
  unsigned width;
  bool sign;
};
const IntType types[] = {{"u16", 'h', 16, false}, {"s16", 'h', 16, true},  {"u32", 'r', 32, false},
                         {"s32", 'r', 32, true},  {"u64", 'd', 64, false}, {"s64", 'd', 64, true}};

i128 value(uint64_t bits, const IntType &type) {
  i128 result = bits;
  if (type.sign && (bits >> (type.width - 1) & 1))
    result -= i128(1) << type.width;
  return result;
}

std::string signature(const IntType &type, unsigned sources) {
  return std::string(1, type.kind) + ":" + std::string(sources, type.kind);
}

/// Modulo 2^128, of which fewer bits are looked at.
i128 product(i128 a, i128 b) { return i128((unsigned __int128)a * (unsigned __int128)b); }

using Formula = i128 (*)(i128 a, i128 b, i128 c, unsigned width);

void expectForAll(const std::string &name, unsigned sources, Formula formula, bool signedOnly = false,
                  unsigned leastWidth = 16) {
  for (const IntType &type : types) {
    if ((signedOnly && !type.sign) || type.width < leastWidth)
      continue;
    std::string text = name + "." + type.name + " D, A";
    text += sources > 1 ? ", B" : "";
    text += sources > 2 ? ", C;" : ";";
    expectInstruction(text, signature(type, sources), Same::Bits, [&](uint64_t a, uint64_t b, uint64_t c) {
      return uint64_t(formula(value(a, type), value(b, type), value(c, type), type.width));
    });
  }
}

TEST(Integer, Arithmetic) {
  expectForAll("add", 2, [](i128 a, i128 b, i128, unsigned) { return a + b; });
  expectForAll("sub", 2, [](i128 a, i128 b, i128, unsigned) { return a - b; });
  expectForAll("mul.lo", 2, [](i128 a, i128 b, i128, unsigned) { return product(a, b); });
  expectForAll("mul.hi", 2, [](i128 a, i128 b, i128, unsigned width) {
    if (a >= 0 && b >= 0)
      return i128((unsigned __int128)(a) * (unsigned __int128)(b) >> width);
    return a * b >> width;
  });
  expectForAll("mad.lo", 3, [](i128 a, i128 b, i128 c, unsigned) { return product(a, b) + c; });
  expectForAll("min", 2, [](i128 a, i128 b, i128, unsigned) { return a < b ? a : b; });
  expectForAll("max", 2, [](i128 a, i128 b, i128, unsigned) { return a > b ? a : b; });
  expectForAll("sad", 3, [](i128 a, i128 b, i128 c, unsigned) { return c + (a > b ? a - b : b - a); });
  // By zero the result is not specified; ours is all ones and the dividend.
  expectForAll("div", 2, [](i128 a, i128 b, i128, unsigned) { return b ? a / b : i128(-1); });
  expectForAll("rem", 2, [](i128 a, i128 b, i128, unsigned) { return b ? a % b : a; });
  expectForAll(
      "abs", 1, [](i128 a, i128, i128, unsigned) { return a < 0 ? -a : a; }, true);
  expectForAll(
      "neg", 1, [](i128 a, i128, i128, unsigned) { return -a; }, true);
}

TEST(Integer, WideAndSaturated) {
  for (const IntType &type : types) {
    if (type.width == 64)
      continue;
    char result = type.width == 16 ? 'r' : 'd';
    std::string kinds = std::string(1, result) + ":" + type.kind + type.kind;
    auto product = [&](uint64_t a, uint64_t b, uint64_t) { return uint64_t(value(a, type) * value(b, type)); };
    expectInstruction(std::string("mul.wide.") + type.name + " D, A, B;", kinds, Same::Bits, product);
    expectInstruction(std::string("mad.wide.") + type.name + " D, A, B, C;", kinds + result, Same::Bits,
                      [&](uint64_t a, uint64_t b, uint64_t c) { return product(a, b, 0) + c; });
  }
  auto clamp = [](i128 sum) { return uint64_t(sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum); };
  expectInstruction("add.sat.s32 D, A, B;", "r:rr", Same::Bits,
                    [&](uint64_t a, uint64_t b, uint64_t) { return clamp(value(a, types[3]) + value(b, types[3])); });
  expectInstruction("sub.sat.s32 D, A, B;", "r:rr", Same::Bits,
                    [&](uint64_t a, uint64_t b, uint64_t) { return clamp(value(a, types[3]) - value(b, types[3])); });
  expectInstruction("mul24.lo.u32 D, A, B;", "r:rr", Same::Bits,
                    [](uint64_t a, uint64_t b, uint64_t) { return (a & 0xffffff) * (b & 0xffffff); });
  expectInstruction("mad24.hi.s32 D, A, B, C;", "r:rrr", Same::Bits, [](uint64_t a, uint64_t b, uint64_t c) {
    int64_t x = int32_t(uint32_t(a) << 8) / 256;
    int64_t y = int32_t(uint32_t(b) << 8) / 256;
    return uint64_t(x * y >> 16) + c;
  });
}

TEST(Integer, CarryChains) {
  std::string chain = "{ .reg .b32 %x, %y, %z, %w, %lo, %hi; mov.b64 {%x, %y}, "
                      "A; mov.b64 {%z, %w}, B; ";
  std::string pack = "mov.b64 D, {%lo, %hi}; }";
  expectInstruction(chain + "add.cc.u32 %lo, %x, %z; addc.u32 %hi, %y, %w; " + pack, "d:dd", Same::Bits,
                    [](uint64_t a, uint64_t b, uint64_t) { return a + b; });
  expectInstruction(chain + "sub.cc.u32 %lo, %x, %z; subc.u32 %hi, %y, %w; " + pack, "d:dd", Same::Bits,
                    [](uint64_t a, uint64_t b, uint64_t) { return a - b; });
  // (x * z + lo(c), hi(x * z) + hi(c) + carry) = x * z + c
  expectInstruction("{ .reg .b32 %u, %v, %lo, %hi; mov.b64 {%u, %v}, C; "
                    "mad.lo.cc.u32 %lo, A, B, %u; madc.hi.u32 %hi, A, B, %v; "
                    "mov.b64 D, {%lo, %hi}; }",
                    "d:rrd", Same::Bits,
                    [](uint64_t a, uint64_t b, uint64_t c) { return uint64_t(uint32_t(a)) * uint32_t(b) + c; });
}

} // namespace
