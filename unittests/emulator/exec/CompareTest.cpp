//===- CompareTest.cpp - setp, set, selp, slct and mov ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Instruction.h"

#include <cmath>

using namespace hgc::emu::test;

namespace {

/// By name; `less`, `equal`, `unordered` describe the operands.
bool relation(const std::string &name, bool less, bool equal, bool unordered) {
  std::string base = name;
  if (name == "num")
    return !unordered;
  if (name == "nan")
    return unordered;
  if (name.size() == 3) {
    if (unordered)
      return true;
    base = name.substr(0, 2);
  } else if (unordered)
    return false;
  if (base == "eq")
    return equal;
  if (base == "ne")
    return !equal;
  if (base == "lt" || base == "lo")
    return less;
  if (base == "le" || base == "ls")
    return less || equal;
  if (base == "gt" || base == "hi")
    return !less && !equal;
  return !less;
}

TEST(Compare, Integers) {
  struct {
    const char *type;
    char kind;
    unsigned width;
    bool sign;
  } types[] = {{"u16", 'h', 16, false}, {"s16", 'h', 16, true},  {"u32", 'r', 32, false},
               {"s32", 'r', 32, true},  {"b64", 'd', 64, false}, {"s64", 'd', 64, true}};
  for (auto &type : types)
    for (std::string name : {"eq", "ne", "lt", "le", "gt", "ge"}) {
      expectInstruction("setp." + name + "." + type.type + " D, A, B;", std::string("p:") + type.kind + type.kind,
                        Same::Bits, [&](uint64_t a, uint64_t b, uint64_t) -> uint64_t {
                          // A flipped sign bit makes signed order that of unsigned numbers.
                          uint64_t flip = type.sign ? 1ull << (type.width - 1) : 0;
                          return relation(name, (a ^ flip) < (b ^ flip), a == b, false);
                        });
    }
  for (std::string name : {"lo", "ls", "hi", "hs"})
    expectInstruction(
        "setp." + name + ".u32 D, A, B;", "p:rr", Same::Bits,
        [&](uint64_t a, uint64_t b, uint64_t) -> uint64_t { return relation(name, a < b, a == b, false); });
}

TEST(Compare, Floats) {
  for (std::string name :
       {"eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"}) {
    auto compare = [&](double a, double b) -> uint64_t {
      return relation(name, a < b, a == b, std::isnan(a) || std::isnan(b));
    };
    expectInstruction("setp." + name + ".f32 D, A, B;", "p:rr", Same::Bits,
                      [&](uint64_t a, uint64_t b, uint64_t) { return compare(f32(a), f32(b)); });
    expectInstruction("setp." + name + ".f64 D, A, B;", "p:dd", Same::Bits,
                      [&](uint64_t a, uint64_t b, uint64_t) { return compare(f64(a), f64(b)); });
    auto half = [](uint64_t x) -> double {
      bool special = (x & 0x7c00) == 0x7c00;
      if (special && (x & 0x3ff))
        return NAN;
      if (special)
        return x & 0x8000 ? -INFINITY : INFINITY;
      return double(decode(x & 0xffff, 'h'));
    };
    expectInstruction("setp." + name + ".f16 D, A, B;", "p:hh", Same::Bits,
                      [&](uint64_t a, uint64_t b, uint64_t) { return compare(half(a), half(b)); });
    expectInstruction("set." + name + ".f32.f32 D, A, B;", "r:rr", Same::Bits, [&](uint64_t a, uint64_t b, uint64_t) {
      return compare(f32(a), f32(b)) ? bits(1.0f) : uint64_t(0);
    });
  }
}

TEST(Compare, Combined) {
  for (std::string boolean : {"and", "or", "xor"})
    for (bool negated : {false, true}) {
      auto expected = [&](bool value, bool c) -> uint64_t {
        c ^= negated;
        return boolean == "and" ? value && c : boolean == "or" ? value || c : value != c;
      };
      std::string third = negated ? ", !C;" : ", C;";
      expectInstruction("setp.lt." + boolean + ".s32 D, A, B" + third, "p:rrp", Same::Bits,
                        [&](uint64_t a, uint64_t b, uint64_t c) { return expected(int32_t(a) < int32_t(b), c); });
      // The second predicate gets the negated comparison.
      expectInstruction("{ .reg .pred %q; setp.lt." + boolean + ".s32 %q|D, A, B" + third + " }", "p:rrp", Same::Bits,
                        [&](uint64_t a, uint64_t b, uint64_t c) { return expected(!(int32_t(a) < int32_t(b)), c); });
      expectInstruction("set.ge." + boolean + ".u32.u32 D, A, B" + third, "r:rrp", Same::Bits,
                        [&](uint64_t a, uint64_t b, uint64_t c) { return expected(a >= b, c) ? 0xffffffffull : 0; });
    }
}

TEST(Compare, Selection) {
  for (char kind : {'h', 'r', 'd'}) {
    std::string width = kind == 'h' ? "16" : kind == 'r' ? "32" : "64";
    std::string kinds = std::string(1, kind) + ":" + kind + kind;
    expectInstruction("selp.b" + width + " D, A, B, C;", kinds + "p", Same::Bits,
                      [](uint64_t a, uint64_t b, uint64_t c) { return c ? a : b; });
    expectInstruction("slct.b" + width + ".s32 D, A, B, C;", kinds + "r", Same::Bits,
                      [](uint64_t a, uint64_t b, uint64_t c) { return int32_t(c) >= 0 ? a : b; });
    expectInstruction("slct.b" + width + ".f32 D, A, B, C;", kinds + "r", Same::Bits,
                      [](uint64_t a, uint64_t b, uint64_t c) { return f32(c) >= 0 ? a : b; });
    expectInstruction("mov.b" + width + " D, A;", kinds.substr(0, 3), Same::Bits,
                      [](uint64_t a, uint64_t, uint64_t) { return a; });
  }
  expectInstruction("mov.b32 D, {A, B};", "r:hh", Same::Bits,
                    [](uint64_t a, uint64_t b, uint64_t) { return a | b << 16; });
  expectInstruction("{ .reg .b32 %x; mov.b64 {_, %x}, A; mov.b32 D, %x; }", "r:d", Same::Bits,
                    [](uint64_t a, uint64_t, uint64_t) { return a >> 32; });
  expectInstruction("mov.pred D, A;", "p:p", Same::Bits, [](uint64_t a, uint64_t, uint64_t) { return a; });
}

} // namespace
