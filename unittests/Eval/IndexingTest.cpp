//===- IndexingTest.cpp - elements read and written by index --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "EvalFixture.h"

using namespace hgc;

using IndexingTest = EvalFixture;

TEST_F(IndexingTest, GatherAlong) {
  // A negative index counts from the end, the rest is clamped.
  EXPECT_EQ(op("gather_along %a0, %a1 axis 1 : (tensor<2x3xf32>, tensor<2x4xi64>) -> tensor<2x4xf32>",
               {"2x3xf32=1,2,3,4,5,6", "2x4xi64=2,0,-1,7,-9,1,1,0"}, "tensor<2x4xf32>"),
            "2x4xf32=3,1,3,3,4,5,5,4");
  EXPECT_EQ(op("gather_along %a0, %a1 axis 0 : (tensor<2x3xi8>, tensor<1x3xi32>) -> tensor<1x3xi8>",
               {"2x3xi8=1,2,3,4,5,6", "1x3xi32=1,0,1"}, "tensor<1x3xi8>"),
            "1x3xi8=4,2,6");
}

TEST_F(IndexingTest, ScatterElements) {
  const char *types = " axis 1 : (tensor<2x3xf32>, tensor<2x2xi64>, tensor<2x2xf32>) -> tensor<2x3xf32>";
  std::vector<std::string> inputs = {"2x3xf32=1,2,3,4,5,6", "2x2xi64=-1,9,0,0", "2x2xf32=10,20,30,-40"};
  auto scatter = [&](const std::string &kind) {
    return op("scatter " + kind + " %a0, %a1, %a2" + types, inputs, "tensor<2x3xf32>");
  };
  // Two updates of one element: the last one stays.
  EXPECT_EQ(scatter("set"), "2x3xf32=1,2,20,-40,5,6");
  EXPECT_EQ(scatter("add"), "2x3xf32=1,2,33,-6,5,6");
  EXPECT_EQ(scatter("mul"), "2x3xf32=1,2,600,-4800,5,6");
  EXPECT_EQ(scatter("max"), "2x3xf32=1,2,20,30,5,6");
  EXPECT_EQ(scatter("min"), "2x3xf32=1,2,3,-40,5,6");
}

TEST_F(IndexingTest, ScatterSlices) {
  EXPECT_EQ(op("scatter add %a0, %a1, %a2 axis 0 slices"
               " : (tensor<3x2xi32>, tensor<2x2xi32>, tensor<2x2x2xi32>) -> tensor<3x2xi32>",
               {"3x2xi32=0,0,0,0,0,0", "2x2xi32=2,0,2,-2", "2x2x2xi32=1,2,3,4,5,6,7,8"}, "tensor<3x2xi32>"),
            "3x2xi32=3,4,7,8,6,8");
  EXPECT_EQ(op("scatter set %a0, %a1, %a2 axis 1 slices"
               " : (tensor<2x2xi1>, tensor<i64>, tensor<2xi1>) -> tensor<2x2xi1>",
               {"2x2xi1=1,1,1,1", "i64=1", "2xi1=0,1"}, "tensor<2x2xi1>"),
            "2x2xi1=1,0,1,1");
}

TEST_F(IndexingTest, ScatterKeepsToItsType) {
  // Integers wrap at every step, comparisons of unsigned ones see no sign.
  EXPECT_EQ(op("scatter add %a0, %a1, %a2 axis 0 : (tensor<1xi8>, tensor<2xi64>, tensor<2xi8>) -> tensor<1xi8>",
               {"1xi8=100", "2xi64=0,0", "2xi8=100,100"}, "tensor<1xi8>"),
            "1xi8=44");
  EXPECT_EQ(op("scatter max %a0, %a1, %a2 axis 0 : (tensor<1xui8>, tensor<1xi64>, tensor<1xui8>) -> tensor<1xui8>",
               {"1xui8=100", "1xi64=0", "1xui8=200"}, "tensor<1xui8>"),
            "1xui8=200");
  EXPECT_EQ(op("scatter min %a0, %a1, %a2 axis 0 : (tensor<1xf32>, tensor<2xi64>, tensor<2xf32>) -> tensor<1xf32>",
               {"1xf32=1", "2xi64=0,0", "2xf32=nan,0"}, "tensor<1xf32>"),
            "1xf32=nan");
  // 2048 + 1 is not a value of f16, 2048 + 2 is.
  EXPECT_EQ(op("scatter add %a0, %a1, %a2 axis 0 : (tensor<1xf16>, tensor<2xi64>, tensor<2xf16>) -> tensor<1xf16>",
               {"1xf16=2048", "2xi64=0,0", "2xf16=1,1"}, "tensor<1xf16>"),
            "1xf16=2050");
}
