//===- ReductionTest.cpp - reductions, windows, normalisations ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "EvalFixture.h"

using namespace hgc;

namespace {
struct ReductionTest : EvalFixture {
  std::string reduce(llvm::StringRef how, const std::string &input, llvm::StringRef type) {
    auto [kind, rest] = how.split(' ');
    return op(("reduce " + kind + " %a0 " + rest + " : (" + typeOf(input) + ") -> " + type).str(), {input}, type);
  }
  std::string pool(llvm::StringRef how, const std::string &input, llvm::StringRef type) {
    auto [kind, rest] = how.split(' ');
    return op(("pool " + kind + " %a0 " + rest + " : (" + typeOf(input) + ") -> " + type).str(), {input}, type);
  }
};
} // namespace

TEST_F(ReductionTest, Axes) {
  const char *input = "2x3xf32=1,2,3,4,5,6";
  EXPECT_EQ(reduce("sum axes = [1]", input, "tensor<2xf32>"), "2xf32=6,15");
  EXPECT_EQ(reduce("sum axes = [0]", input, "tensor<3xf32>"), "3xf32=5,7,9");
  EXPECT_EQ(reduce("sum axes = [0, 1] keepdims", input, "tensor<1x1xf32>"), "1x1xf32=21");
  EXPECT_EQ(reduce("sum axes = []", input, "tensor<2x3xf32>"), "2x3xf32=1,2,3,4,5,6");
  EXPECT_EQ(reduce("sum axes = [0, 2]", "2x2x2xi32=1,2,3,4,5,6,7,8", "tensor<2xi32>"), "2xi32=14,22");
}

TEST_F(ReductionTest, Kinds) {
  EXPECT_EQ(reduce("mean axes = [0]", "4xf32=1,2,3,5", "tensor<f32>"), "f32=2.75");
  EXPECT_EQ(reduce("prod axes = [0]", "3xf32=2,3,4", "tensor<f32>"), "f32=24");
  EXPECT_EQ(reduce("max axes = [0]", "3xf32=2,9,4", "tensor<f32>"), "f32=9");
  EXPECT_EQ(reduce("min axes = [0]", "3xf32=2,nan,4", "tensor<f32>"), "f32=nan");
  EXPECT_EQ(reduce("any axes = [0]", "3xi1=0,1,0", "tensor<i1>"), "i1=1");
  EXPECT_EQ(reduce("all axes = [0]", "3xi1=1,1,0", "tensor<i1>"), "i1=0");
}

TEST_F(ReductionTest, Integers) {
  EXPECT_EQ(reduce("sum axes = [0]", "2xi8=100,100", "tensor<i8>"), "i8=-56");
  EXPECT_EQ(reduce("mean axes = [0]", "2xi8=100,101", "tensor<i8>"), "i8=100");
  EXPECT_EQ(reduce("mean axes = [0]", "2xi8=-3,0", "tensor<i8>"), "i8=-1");
  EXPECT_EQ(reduce("max axes = [0]", "2xui8=200,100", "tensor<ui8>"), "ui8=200");
  EXPECT_EQ(reduce("min axes = [0]", "2xi8=-1,1", "tensor<i8>"), "i8=-1");
  EXPECT_EQ(reduce("prod axes = [0]", "2xi32=65536,65536", "tensor<i32>"), "i32=0");
}

TEST_F(ReductionTest, NothingToReduce) {
  EXPECT_EQ(reduce("sum axes = [0]", "0xf32=", "tensor<f32>"), "f32=0");
  EXPECT_EQ(reduce("prod axes = [0]", "0xi32=", "tensor<i32>"), "i32=1");
  EXPECT_EQ(reduce("max axes = [0]", "0xf32=", "tensor<f32>"), "f32=-inf");
  EXPECT_EQ(reduce("min axes = [0]", "0xui8=", "tensor<ui8>"), "ui8=255");
  EXPECT_EQ(reduce("all axes = [0]", "0xi1=", "tensor<i1>"), "i1=1");
}

TEST_F(ReductionTest, Pool) {
  const char *input = "1x4x1xf32=1,-5,3,2";
  EXPECT_EQ(pool("max window = [2] strides = [2] channels_last", input, "tensor<1x2x1xf32>"), "1x2x1xf32=1,3");
  EXPECT_EQ(pool("max window = [2] pads = [1, 0] channels_last", "1x2x1xf32=-1,-5", "tensor<1x2x1xf32>"),
            "1x2x1xf32=-1,-1");
  EXPECT_EQ(
      pool("avg window = [2] strides = [4] pads = [1, 1] channels_last", "1x4x1xf32=2,4,6,8", "tensor<1x2x1xf32>"),
      "1x2x1xf32=2,8");
  EXPECT_EQ(pool("avg window = [2] strides = [4] pads = [1, 1] count_include_pad channels_last", "1x4x1xf32=2,4,6,8",
                 "tensor<1x2x1xf32>"),
            "1x2x1xf32=1,4");
  EXPECT_EQ(pool("sum window = [2, 2] channels_first", "1x1x2x2xi32=1,2,3,4", "tensor<1x1x1x1xi32>"), "1x1x1x1xi32=10");
  EXPECT_EQ(pool("max window = [2] dilations = [2] channels_first", "1x2x3xui8=1,9,3,4,9,250", "tensor<1x2x1xui8>"),
            "1x2x1xui8=3,250");
  EXPECT_EQ(pool("avg window = [3] channels_last", "1x3x1xi8=-1,-2,-2", "tensor<1x1x1xi8>"), "1x1x1xi8=-1");
}

TEST_F(ReductionTest, Softmax) {
  EXPECT_EQ(op("softmax %a0 axis 1 : tensor<2x2xf32>", {"2x2xf32=0,0,1000,0"}, "tensor<2x2xf32>"),
            "2x2xf32=0.5,0.5,1,0");
  EXPECT_EQ(op("softmax %a0 axis 0 : tensor<2x2xf32>", {"2x2xf32=0,1000,0,0"}, "tensor<2x2xf32>"),
            "2x2xf32=0.5,1,0.5,0");
  EXPECT_EQ(op("log_softmax %a0 axis 0 : tensor<2xf32>", {"2xf32=0,1"}, "tensor<2xf32>"),
            "2xf32=-1.31326163,-0.313261688");
}

TEST_F(ReductionTest, Normalisations) {
  EXPECT_EQ(op("layer_norm %a0, %a1, %a2 axis 1 epsilon 0.0 "
               ": (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x2xf32>",
               {"2x2xf32=1,3,5,5.5", "2xf32=1,2", "2xf32=0,10"}, "tensor<2x2xf32>"),
            "2x2xf32=-1,12,-1,12");
  EXPECT_EQ(op("batch_norm %a0, %a1, %a2, %a3, %a4 axis 0 epsilon 1.0 : (tensor<2x2xf32>, tensor<2xf32>, "
               "tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x2xf32>",
               {"2x2xf32=1,2,3,4", "2xf32=1,2", "2xf32=0,1", "2xf32=1,3", "2xf32=3,0"}, "tensor<2x2xf32>"),
            "2x2xf32=0,0.5,1,3");
}
