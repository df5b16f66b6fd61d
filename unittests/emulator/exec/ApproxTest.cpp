//===- ApproxTest.cpp - results drawn from what PTX allows ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Instruction.h"

#include <cmath>

using namespace hgc::emu;
using namespace hgc::emu::test;

namespace {

/// Results of `text` (D from A and B) for operands in `from` with a seed.
std::vector<float> compute(const std::string &text, const std::vector<float> &from, uint64_t seed) {
  Device device;
  device.config.approxSeed = seed;
  std::string body = prologue() +
                     "mul.wide.u32 %rd4, %r0, 4;\nmov.u32 %r8, %ctaid.x;\nmul.wide.u32 %rd5, %r8, 128;\n"
                     "add.u64 %rd4, %rd4, %rd5;\nadd.u64 %rd5, %rd0, %rd4;\nld.global.b32 %r1, [%rd5];\n" +
                     text + "\nadd.u64 %rd5, %rd1, %rd4;\nst.global.b32 [%rd5], %r2;";
  EXPECT_TRUE(device.loadBody(body)) << device.error;
  uint64_t in = device.put(from), out = device.put(from);
  EXPECT_TRUE(device.run(uint32_t(from.size() / 32), 32, {in, out, 0, 0}).ok());
  return device.get<float>(out, from.size());
}

struct Function {
  const char *text;
  double (*exact)(double);
  /// Bound of the PTX ISA: units in the last place, or absolute.
  double ulps, absolute;
  float low, high;
};
const Function functions[] = {
    {"rcp.approx.f32 %r2, %r1;", [](double a) { return 1 / a; }, 1, 0, 0.001f, 1000},
    {"sqrt.approx.f32 %r2, %r1;", [](double a) { return std::sqrt(a); }, 1, 0, 0.001f, 1000},
    {"rsqrt.approx.f32 %r2, %r1;", [](double a) { return 1 / std::sqrt(a); }, 2, 0, 0.001f, 1000},
    {"ex2.approx.f32 %r2, %r1;", [](double a) { return std::exp2(a); }, 2, 0, -20, 20},
    {"ex2.approx.ftz.f32 %r2, %r1;", [](double a) { return std::exp2(a); }, 2, 0, -20, 20},
    {"lg2.approx.f32 %r2, %r1;", [](double a) { return std::log2(a); }, 0, 0x1p-22, 0.51f, 1.99f},
    {"sin.approx.f32 %r2, %r1;", [](double a) { return std::sin(a); }, 0, 0x1p-20, -3, 3},
    {"cos.approx.f32 %r2, %r1;", [](double a) { return std::cos(a); }, 0, 0x1p-20, -3, 3},
    {"tanh.approx.f32 %r2, %r1;", [](double a) { return std::tanh(a); }, 0, 0x1p-11, -9, 9},
    {"div.approx.f32 %r2, %r1, 0f40400000;", [](double a) { return a / 3; }, 2, 0, 0.001f, 1000},
    {"div.full.f32 %r2, %r1, 0f40400000;", [](double a) { return a / 3; }, 2, 0, 0.001f, 1000},
};

TEST(Approx, WithinTheBound) {
  for (const Function &f : functions) {
    std::vector<float> from;
    for (int i = 0; i < 1024; ++i)
      from.push_back(f.low + (f.high - f.low) * float(i + 0.5f) / 1024);
    std::vector<float> exact = compute(f.text, from, 0), one = compute(f.text, from, 1), two = compute(f.text, from, 2);
    int differ = 0, seeds = 0;
    for (size_t i = 0; i < from.size(); ++i) {
      double want = f.exact(from[i]), ulp = std::ldexp(1.0, std::ilogb(float(want)) - 23);
      double bound = std::max(f.absolute, f.ulps * ulp) * 1.0001;
      EXPECT_LE(std::fabs(one[i] - want), bound) << f.text << " of " << from[i];
      EXPECT_LE(std::fabs(two[i] - want), bound) << f.text << " of " << from[i];
      differ += one[i] != exact[i];
      seeds += one[i] != two[i];
    }
    EXPECT_GT(differ, 100) << f.text << " hardly varies";
    EXPECT_GT(seeds, 100) << f.text << " does not depend on the seed";
    EXPECT_EQ(one, compute(f.text, from, 1)) << f.text << " is not a function of its operand";
  }
}

TEST(Approx, SpecialValues) {
  const float inf = INFINITY;
  std::vector<float> from(32, 0.0f);
  from[1] = -0.0f, from[2] = inf, from[3] = -inf, from[4] = NAN;
  std::vector<float> ex2 = compute("ex2.approx.f32 %r2, %r1;", from, 7);
  EXPECT_EQ(ex2[0], 1.0f);
  EXPECT_EQ(ex2[1], 1.0f);
  EXPECT_EQ(ex2[2], inf);
  EXPECT_EQ(ex2[3], 0.0f);
  EXPECT_TRUE(std::isnan(ex2[4]));
  std::vector<float> rcp = compute("rcp.approx.f32 %r2, %r1;", from, 7);
  EXPECT_EQ(rcp[0], inf);
  EXPECT_EQ(rcp[1], -inf);
  EXPECT_EQ(rcp[2], 0.0f);
  // What rounds by rule does not vary.
  std::vector<float> numbers;
  for (int i = 1; i <= 64; ++i)
    numbers.push_back(float(i));
  EXPECT_EQ(compute("rcp.rn.f32 %r2, %r1;", numbers, 7), compute("rcp.rn.f32 %r2, %r1;", numbers, 0));
}

} // namespace
