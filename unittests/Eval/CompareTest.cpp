//===- CompareTest.cpp - the error measure --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "EvalFixture.h"

using namespace hgc;

using CompareTest = EvalFixture;

TEST_F(CompareTest, EqualTensors) {
  Comparison result = compare(literal("3xf32=1,nan,-inf"), literal("3xf32=1,nan,-inf"));
  EXPECT_TRUE(result.ok(0));
  EXPECT_EQ(result.firstBad, -1);
  EXPECT_TRUE(compare(literal("0xf32="), literal("0xf32=")).ok(0));
}

TEST_F(CompareTest, ErrorIsRelativeToTheLargestValue) {
  Comparison result = compare(literal("3xf64=100,1.5,2"), literal("3xf64=100,1,2"), 1e-3);
  EXPECT_DOUBLE_EQ(result.error, 0.005);
  EXPECT_EQ(result.firstBad, 1);
  EXPECT_TRUE(result.ok(0.006));
  EXPECT_FALSE(result.ok(0.004));
}

TEST_F(CompareTest, Patterns) {
  Comparison nan = compare(literal("2xf32=1,nan"), literal("2xf32=1,2"));
  EXPECT_FALSE(nan.patternsMatch);
  EXPECT_EQ(nan.firstBad, 1);
  EXPECT_FALSE(compare(literal("f32=inf"), literal("f32=-inf")).patternsMatch);
  EXPECT_FALSE(compare(literal("f32=1"), literal("f32=nan")).patternsMatch);
  EXPECT_FALSE(compare(literal("f32=inf"), literal("f32=nan")).patternsMatch);
}

TEST_F(CompareTest, IncomparableTensors) {
  EXPECT_FALSE(compare(literal("2xf32=1"), literal("2xf64=1")).ok(1));
  EXPECT_FALSE(compare(literal("2xf32=1"), literal("1x2xf32=1")).ok(1));
}

TEST_F(CompareTest, LargeIntegersAreExact) {
  Comparison result = compare(literal("ui64=18446744073709551615"), literal("ui64=18446744073709551614"));
  EXPECT_GT(result.error, 0);
  EXPECT_EQ(result.firstBad, 0);
  EXPECT_EQ(compare(literal("i64=-9223372036854775808"), literal("i64=-9223372036854775808")).error, 0);
}

TEST_F(CompareTest, ZeroReference) {
  EXPECT_EQ(compare(literal("f32=0"), literal("f32=0")).error, 0);
  EXPECT_GT(compare(literal("f32=1e-30"), literal("f32=0")).error, 1);
}
