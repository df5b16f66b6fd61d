//===- BitsTest.cpp - logic, shifts and bit fields --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Instruction.h"

using namespace hgc::emu::test;

namespace {

struct Width {
  const char *suffix;
  char kind;
  unsigned bits;
};
const Width widths[] = {{"16", 'h', 16}, {"32", 'r', 32}, {"64", 'd', 64}};

bool bit(uint64_t value, unsigned at) { return at < 64 && value >> at & 1; }

/// Copies bit by bit: slow, and unlike the code it checks.
uint64_t build(unsigned width, const std::function<bool(unsigned)> &at) {
  uint64_t result = 0;
  for (unsigned i = 0; i < width; ++i)
    result |= uint64_t(at(i)) << i;
  return result;
}

TEST(Bits, Logic) {
  for (const Width &w : widths) {
    std::string kinds = std::string(1, w.kind) + ":" + w.kind;
    auto check = [&](const char *name, bool two, const Reference &reference) {
      expectInstruction(std::string(name) + ".b" + w.suffix + (two ? " D, A, B;" : " D, A;"),
                        two ? kinds + w.kind : kinds, Same::Bits, reference);
    };
    check("and", true, [](uint64_t a, uint64_t b, uint64_t) { return a & b; });
    check("or", true, [](uint64_t a, uint64_t b, uint64_t) { return a | b; });
    check("xor", true, [](uint64_t a, uint64_t b, uint64_t) { return a ^ b; });
    check("not", false, [](uint64_t a, uint64_t, uint64_t) { return ~a; });
    check("cnot", false, [](uint64_t a, uint64_t, uint64_t) { return uint64_t(!a); });
  }
  for (const char *name : {"and", "or", "xor"})
    expectInstruction(std::string(name) + ".pred D, A, !B;", "p:pp", Same::Bits,
                      [&](uint64_t a, uint64_t b, uint64_t) -> uint64_t {
                        return name[0] == 'a' ? a && !b : name[0] == 'o' ? a || !b : a != !b;
                      });
  expectInstruction("not.pred D, A;", "p:p", Same::Bits, [](uint64_t a, uint64_t, uint64_t) { return !a; });
  for (unsigned table : {0x00u, 0x96u, 0xe8u, 0xcau, 0xffu, 0x1bu})
    expectInstruction("lop3.b32 D, A, B, C, " + std::to_string(table) + ";", "r:rrr", Same::Bits,
                      [&](uint64_t a, uint64_t b, uint64_t c) {
                        return build(32,
                                     [&](unsigned i) { return bit(table, bit(a, i) * 4 + bit(b, i) * 2 + bit(c, i)); });
                      });
}

TEST(Bits, Shifts) {
  for (const Width &w : widths) {
    std::string kinds = std::string(1, w.kind) + ":" + w.kind + "r";
    auto text = [&](const char *name, const char *type) {
      return std::string(name) + "." + type + w.suffix + " D, A, B;";
    };
    expectInstruction(text("shl", "b"), kinds, Same::Bits, [&](uint64_t a, uint64_t n, uint64_t) {
      return build(w.bits, [&](unsigned i) { return i >= n && bit(a, i - n); });
    });
    expectInstruction(text("shr", "u"), kinds, Same::Bits, [&](uint64_t a, uint64_t n, uint64_t) {
      return build(w.bits, [&](unsigned i) { return i + n < w.bits && bit(a, i + n); });
    });
    expectInstruction(text("shr", "s"), kinds, Same::Bits, [&](uint64_t a, uint64_t n, uint64_t) {
      return build(w.bits, [&](unsigned i) { return bit(a, i + n < w.bits ? i + n : w.bits - 1); });
    });
  }
  for (bool wrap : {false, true})
    for (bool left : {false, true})
      expectInstruction(std::string("shf.") + (left ? "l." : "r.") + (wrap ? "wrap" : "clamp") + ".b32 D, A, B, C;",
                        "r:rrr", Same::Bits, [&](uint64_t lo, uint64_t hi, uint64_t c) {
                          uint64_t n = wrap ? c % 32 : std::min<uint64_t>(c, 32);
                          uint64_t both = hi << 32 | lo;
                          return build(32, [&](unsigned i) {
                            return left ? (32 + i >= n && bit(both, 32 + i - n)) : bit(both, unsigned(i + n));
                          });
                        });
}

TEST(Bits, Counts) {
  for (const Width &w : widths) {
    if (w.bits == 16)
      continue;
    std::string from = std::string("r:") + w.kind;
    std::string same = std::string(1, w.kind) + ":" + w.kind;
    expectInstruction(std::string("popc.b") + w.suffix + " D, A;", from, Same::Bits,
                      [&](uint64_t a, uint64_t, uint64_t) {
                        uint64_t count = 0;
                        for (unsigned i = 0; i < w.bits; ++i)
                          count += bit(a, i);
                        return count;
                      });
    auto highest = [&](uint64_t a) {
      int at = int(w.bits) - 1;
      while (at >= 0 && !bit(a, at))
        --at;
      return at;
    };
    expectInstruction(std::string("clz.b") + w.suffix + " D, A;", from, Same::Bits,
                      [&](uint64_t a, uint64_t, uint64_t) { return uint64_t(int(w.bits) - 1 - highest(a)); });
    expectInstruction(std::string("brev.b") + w.suffix + " D, A;", same, Same::Bits,
                      [&](uint64_t a, uint64_t, uint64_t) {
                        return build(w.bits, [&](unsigned i) { return bit(a, w.bits - 1 - i); });
                      });
    expectInstruction(std::string("bfind.u") + w.suffix + " D, A;", from, Same::Bits,
                      [&](uint64_t a, uint64_t, uint64_t) { return uint64_t(highest(a)); });
    expectInstruction(std::string("bfind.shiftamt.s") + w.suffix + " D, A;", from, Same::Bits,
                      [&](uint64_t a, uint64_t, uint64_t) {
                        int at = highest(bit(a, w.bits - 1) ? ~a : a);
                        return uint64_t(at < 0 ? -1 : int(w.bits) - 1 - at);
                      });
  }
}

TEST(Bits, Fields) {
  for (const Width &w : widths) {
    if (w.bits == 16)
      continue;
    std::string kinds = std::string(1, w.kind) + ":" + w.kind + "rr";
    for (bool sign : {false, true})
      expectInstruction(std::string("bfe.") + (sign ? "s" : "u") + w.suffix + " D, A, B, C;", kinds, Same::Bits,
                        [&](uint64_t a, uint64_t b, uint64_t c) {
                          unsigned pos = b & 255, len = c & 255;
                          if (!len)
                            return uint64_t(0);
                          bool fill = sign && bit(a, std::min(pos + len - 1, w.bits - 1));
                          return build(
                              w.bits, [&](unsigned i) { return i < len && pos + i < w.bits ? bit(a, pos + i) : fill; });
                        });
    // bfi has four sources; the length is fixed here.
    for (unsigned len : {0u, 1u, 5u, 31u, 64u})
      expectInstruction(std::string("bfi.b") + w.suffix + " D, A, B, C, " + std::to_string(len) + ";",
                        std::string(1, w.kind) + ":" + w.kind + w.kind + "r", Same::Bits,
                        [&](uint64_t a, uint64_t b, uint64_t c) {
                          unsigned pos = c & 255;
                          return build(w.bits, [&](unsigned i) {
                            bool in = i >= pos && i < pos + len;
                            return in ? bit(a, i - pos) : bit(b, i);
                          });
                        });
  }
  expectInstruction("bmsk.clamp.b32 D, A, B;", "r:rr", Same::Bits, [](uint64_t a, uint64_t b, uint64_t) {
    return build(32, [&](unsigned i) { return i >= a && i < a + b; });
  });
}

TEST(Bits, Permute) {
  auto byte = [](uint64_t a, uint64_t b, unsigned at) {
    return uint64_t(at < 4 ? a >> 8 * at : b >> 8 * (at - 4)) & 255;
  };
  expectInstruction("prmt.b32 D, A, B, C;", "r:rrr", Same::Bits, [&](uint64_t a, uint64_t b, uint64_t c) {
    uint64_t result = 0;
    for (unsigned k = 0; k < 4; ++k) {
      unsigned selector = c >> 4 * k & 15;
      uint64_t value = byte(a, b, selector & 7);
      if (selector & 8)
        value = value & 128 ? 255 : 0;
      result |= value << 8 * k;
    }
    return result;
  });
  const unsigned orders[6][4][4] = {{{0, 1, 2, 3}, {1, 2, 3, 4}, {2, 3, 4, 5}, {3, 4, 5, 6}},
                                    {{0, 7, 6, 5}, {1, 0, 7, 6}, {2, 1, 0, 7}, {3, 2, 1, 0}},
                                    {{0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}},
                                    {{0, 1, 2, 3}, {1, 1, 2, 3}, {2, 2, 2, 3}, {3, 3, 3, 3}},
                                    {{0, 0, 0, 0}, {0, 1, 1, 1}, {0, 1, 2, 2}, {0, 1, 2, 3}},
                                    {{0, 1, 0, 1}, {2, 3, 2, 3}, {0, 1, 0, 1}, {2, 3, 2, 3}}};
  const char *modes[] = {"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"};
  for (unsigned mode = 0; mode < 6; ++mode)
    expectInstruction(std::string("prmt.b32.") + modes[mode] + " D, A, B, C;", "r:rrr", Same::Bits,
                      [&](uint64_t a, uint64_t b, uint64_t c) {
                        uint64_t result = 0;
                        for (unsigned k = 0; k < 4; ++k)
                          result |= byte(a, b, orders[mode][c & 3][k]) << 8 * k;
                        return result;
                      });
}

TEST(Bits, DotProducts) {
  for (bool as : {false, true})
    for (bool bs : {false, true}) {
      std::string types = std::string(as ? ".s32" : ".u32") + (bs ? ".s32" : ".u32");
      expectInstruction("dp4a" + types + " D, A, B, C;", "r:rrr", Same::Bits, [&](uint64_t a, uint64_t b, uint64_t c) {
        int64_t sum = int64_t(c);
        for (unsigned k = 0; k < 4; ++k) {
          uint8_t x = a >> 8 * k, y = b >> 8 * k;
          sum += (as ? int8_t(x) : x) * (bs ? int8_t(y) : y);
        }
        return uint64_t(sum);
      });
      expectInstruction("dp2a.hi" + types + " D, A, B, C;", "r:rrr", Same::Bits,
                        [&](uint64_t a, uint64_t b, uint64_t c) {
                          int64_t sum = int64_t(c);
                          for (unsigned k = 0; k < 2; ++k) {
                            uint16_t x = a >> 16 * k;
                            uint8_t y = b >> (16 + 8 * k);
                            sum += int64_t(as ? int16_t(x) : x) * (bs ? int8_t(y) : y);
                          }
                          return uint64_t(sum);
                        });
    }
}

} // namespace
