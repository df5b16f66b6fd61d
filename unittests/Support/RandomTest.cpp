//===- RandomTest.cpp - reproducible random numbers -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Support/Random.h"

#include "hgc/Support/Literal.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace hgc;

// Known answers of the Random123 distribution.
TEST(RandomTest, PhiloxKnownVectors) {
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}), (PhiloxBlock{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}),
            (PhiloxBlock{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (PhiloxBlock{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(RandomTest, Moments) {
  constexpr int kCount = 200000;
  Philox philox(42);
  double sum = 0, squares = 0, truncatedSquares = 0, uniformSum = 0;
  for (int i = 0; i < kCount; ++i) {
    double normal = philox.normal(i), truncated = philox.truncatedNormal(i), uniform = philox.uniform(i);
    sum += normal;
    squares += normal * normal;
    truncatedSquares += truncated * truncated;
    uniformSum += uniform;
    ASSERT_LE(std::fabs(truncated), 2);
    ASSERT_TRUE(uniform >= 0 && uniform < 1);
  }
  EXPECT_NEAR(sum / kCount, 0, 0.01);
  EXPECT_NEAR(squares / kCount, 1, 0.02);
  EXPECT_NEAR(std::sqrt(truncatedSquares / kCount), 0.8796, 0.01);
  EXPECT_NEAR(uniformSum / kCount, 0.5, 0.005);
}

TEST(RandomTest, TensorsByType) {
  mlir::MLIRContext context;
  for (const char *name : {"f16", "bf16", "f32", "f64"}) {
    HostTensor tensor = makeRandomTensor(parseElementType(name, &context), {5000}, 1);
    for (double value : tensor.toDoubles())
      ASSERT_TRUE(value >= -1 && value < 1) << name;
    EXPECT_FALSE(tensor.isSplat());
  }
  HostTensor bytes = makeRandomTensor(parseElementType("i8", &context), {5000}, 1);
  auto values = bytes.toInts();
  EXPECT_EQ(*std::min_element(values.begin(), values.end()), -128);
  EXPECT_EQ(*std::max_element(values.begin(), values.end()), 127);
  for (int64_t value : makeRandomTensor(parseElementType("ui32", &context), {5000}, 1).toInts())
    ASSERT_TRUE(value >= 0 && value <= 200);
  for (int64_t value : makeRandomTensor(parseElementType("i64", &context), {5000}, 1).toInts())
    ASSERT_TRUE(value >= -100 && value <= 100);
  HostTensor a = makeRandomTensor(parseElementType("f32", &context), {10}, 1);
  EXPECT_EQ(a, makeRandomTensor(parseElementType("f32", &context), {10}, 1));
  EXPECT_NE(a, makeRandomTensor(parseElementType("f32", &context), {10}, 2));
}
