//===- OrderingTest.cpp - positions of extremes, sorting ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "EvalFixture.h"

using namespace hgc;

using OrderingTest = EvalFixture;

TEST_F(OrderingTest, TheFirstExtremeCounts) {
  EXPECT_EQ(op("arg_reduce max %a0 axis 1 : (tensor<2x4xf32>) -> tensor<2xi64>", {"2x4xf32=1,3,3,2,-1,-2,-1,-5"},
               "tensor<2xi64>"),
            "2xi64=1,0");
  EXPECT_EQ(op("arg_reduce min %a0 axis 0 keepdims : (tensor<3x2xi32>) -> tensor<1x2xi64>", {"3x2xi32=5,-7,4,-7,4,9"},
               "tensor<1x2xi64>"),
            "1x2xi64=1,0");
  // Both zeros are equal, unsigned integers have no sign.
  EXPECT_EQ(op("arg_reduce max %a0 axis 0 : (tensor<2xf32>) -> tensor<i64>", {"2xf32=-0.0,0.0"}, "tensor<i64>"),
            "i64=0");
  EXPECT_EQ(op("arg_reduce max %a0 axis 0 : (tensor<2xui8>) -> tensor<i64>", {"2xui8=100,200"}, "tensor<i64>"),
            "i64=1");
}

TEST_F(OrderingTest, NaNIsTheExtremeOfBothKinds) {
  for (const char *kind : {"max", "min"})
    EXPECT_EQ(op(std::string("arg_reduce ") + kind + " %a0 axis 0 : (tensor<5xf32>) -> tensor<i64>",
                 {"5xf32=1,-inf,nan,inf,nan"}, "tensor<i64>"),
              "i64=2");
}

TEST_F(OrderingTest, SortIsStable) {
  EXPECT_EQ(op("arg_sort %a0 axis 0 : (tensor<6xi32>) -> tensor<6xi64>", {"6xi32=2,1,2,-3,1,2"}, "tensor<6xi64>"),
            "6xi64=3,1,4,0,2,5");
  EXPECT_EQ(
      op("arg_sort %a0 axis 0 descending : (tensor<6xi32>) -> tensor<6xi64>", {"6xi32=2,1,2,-3,1,2"}, "tensor<6xi64>"),
      "6xi64=0,2,5,1,4,3");
  EXPECT_EQ(op("arg_sort %a0 axis 0 : (tensor<3x2xf64>) -> tensor<3x2xi64>", {"3x2xf64=3,0.0,1,-0.0,2,-1"},
               "tensor<3x2xi64>"),
            "3x2xi64=1,2,2,0,0,1");
}

TEST_F(OrderingTest, NaNIsGreaterThanAllNumbers) {
  EXPECT_EQ(op("arg_sort %a0 axis 0 : (tensor<4xf32>) -> tensor<4xi64>", {"4xf32=nan,inf,-inf,nan"}, "tensor<4xi64>"),
            "4xi64=2,1,0,3");
  EXPECT_EQ(op("arg_sort %a0 axis 0 descending k = 3 : (tensor<4xf32>) -> tensor<3xi64>", {"4xf32=nan,inf,-inf,nan"},
               "tensor<3xi64>"),
            "3xi64=0,3,1");
}

TEST_F(OrderingTest, FirstOfALine) {
  EXPECT_EQ(
      op("arg_sort %a0 axis 0 k = 1 : (tensor<3x2xi8>) -> tensor<1x2xi64>", {"3x2xi8=5,1,4,2,6,0"}, "tensor<1x2xi64>"),
      "1x2xi64=1,2");
  EXPECT_EQ(op("arg_sort %a0 axis 0 k = 0 : (tensor<3xi8>) -> tensor<0xi64>", {"3xi8=5,1,4"}, "tensor<0xi64>"),
            "0xi64=");
}
