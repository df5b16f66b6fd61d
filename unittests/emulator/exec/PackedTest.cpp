//===- PackedTest.cpp - pairs of f32, and halves with f32 -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Instruction.h"

#include <cfenv>
#include <cmath>

using namespace hgc::emu::test;

namespace {

using Scalar = std::function<float(float, float, float)>;

/// `scalar` on both halves of 64-bit operands.
Reference onPairs(Scalar scalar) {
  return [scalar](uint64_t a, uint64_t b, uint64_t c) {
    uint64_t low = bits(scalar(f32(a), f32(b), f32(c)));
    uint64_t high = bits(scalar(f32(a >> 32), f32(b >> 32), f32(c >> 32)));
    return high << 32 | low;
  };
}

float flushed(float a) { return std::fpclassify(a) == FP_SUBNORMAL ? std::copysign(0.0f, a) : a; }

/// The host's arithmetic in another rounding.
Scalar inMode(int mode, Scalar scalar) {
  return [mode, scalar](float a, float b, float c) {
    std::fesetround(mode);
    volatile float result = scalar(a, b, c);
    std::fesetround(FE_TONEAREST);
    return float(result);
  };
}

float sum(float a, float b, float) {
  volatile float x = a, y = b;
  return x + y;
}
float product(float a, float b, float) {
  volatile float x = a, y = b;
  return x * y;
}

TEST(Packed, Pairs) {
  expectInstruction("add.rn.f32x2 D, A, B;", "d:dd", Same::F32x2, onPairs(sum));
  expectInstruction("add.f32x2 D, A, B;", "d:dd", Same::F32x2, onPairs(sum));
  expectInstruction("sub.rn.f32x2 D, A, B;", "d:dd", Same::F32x2,
                    onPairs([](float a, float b, float) { return sum(a, -b, 0); }));
  expectInstruction("mul.rn.f32x2 D, A, B;", "d:dd", Same::F32x2, onPairs(product));
  expectInstruction("fma.rn.f32x2 D, A, B, C;", "d:ddd", Same::F32x2,
                    onPairs([](float a, float b, float c) { return std::fma(a, b, c); }));
}

TEST(Packed, PairsRounded) {
  expectInstruction("add.rz.f32x2 D, A, B;", "d:dd", Same::F32x2, onPairs(inMode(FE_TOWARDZERO, sum)));
  expectInstruction("mul.rm.f32x2 D, A, B;", "d:dd", Same::F32x2, onPairs(inMode(FE_DOWNWARD, product)));
  expectInstruction("add.rp.f32x2 D, A, B;", "d:dd", Same::F32x2, onPairs(inMode(FE_UPWARD, sum)));
}

TEST(Packed, PairsFlushed) {
  expectInstruction("fma.rn.ftz.f32x2 D, A, B, C;", "d:ddd", Same::F32x2, onPairs([](float a, float b, float c) {
                      return flushed(std::fma(flushed(a), flushed(b), flushed(c)));
                    }));
}

/// f16 or bf16 as f32; infinities and NaN too.
float widened(uint64_t bits, bool brain) {
  if (brain)
    return f32(bits << 16);
  if ((bits & 0x7c00) == 0x7c00)
    return f32((bits & 0x8000) << 16 | 0x7f800000 | (bits & 0x3ff) << 13);
  // Decoding loses the sign of zero.
  return std::copysign(float(decode(bits & 0xffff, 'h')), bits & 0x8000 ? -1.0f : 1.0f);
}

TEST(Packed, HalvesWithSingles) {
  for (bool brain : {false, true}) {
    std::string type = brain ? "f32.bf16" : "f32.f16";
    expectInstruction("add.rn." + type + " D, A, B;", "r:hr", Same::F32,
                      [&](uint64_t a, uint64_t b, uint64_t) { return bits(sum(widened(a, brain), f32(b), 0)); });
    expectInstruction("add." + type + " D, A, B;", "r:hr", Same::F32,
                      [&](uint64_t a, uint64_t b, uint64_t) { return bits(sum(widened(a, brain), f32(b), 0)); });
    expectInstruction("sub.rn." + type + " D, A, B;", "r:hr", Same::F32,
                      [&](uint64_t a, uint64_t b, uint64_t) { return bits(sum(widened(a, brain), -f32(b), 0)); });
    expectInstruction("fma.rn." + type + " D, A, B, C;", "r:hhr", Same::F32, [&](uint64_t a, uint64_t b, uint64_t c) {
      return bits(std::fma(widened(a, brain), widened(b, brain), f32(c)));
    });
  }
}

TEST(Packed, Refused) {
  Device device;
  EXPECT_FALSE(device.loadBody(prologue() + "add.rn.sat.f32x2 %rd1, %rd2, %rd3;"));
  EXPECT_FALSE(device.loadBody(prologue() + "div.rn.f32x2 %rd1, %rd2, %rd3;"));
  EXPECT_FALSE(device.loadBody(prologue() + "fma.f32.f16 %r1, %h2, %h3, %r4;"));
  EXPECT_FALSE(device.loadBody(prologue() + "mul.rn.f32.f16 %r1, %h2, %r3;"));
}

} // namespace
