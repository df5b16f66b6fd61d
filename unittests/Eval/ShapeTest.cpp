//===- ShapeTest.cpp - creation and data movement -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "EvalFixture.h"

using namespace hgc;

using ShapeTest = EvalFixture;

TEST_F(ShapeTest, Creation) {
  EXPECT_EQ(op("constant dense<[1.0, 2.0]> : tensor<2xf32>", {}, "tensor<2xf32>"), "2xf32=1,2");
  EXPECT_EQ(op("constant dense<true> : tensor<3xi1>", {}, "tensor<3xi1>"), "3xi1=1,1,1");
  EXPECT_EQ(op("constant dense<[true, false, true]> : tensor<3xi1>", {}, "tensor<3xi1>"), "3xi1=1,0,1");
  EXPECT_EQ(op("iota shape [2, 3] axis 1 of i32 : tensor<2x3xi32>", {}, "tensor<2x3xi32>"), "2x3xi32=0,1,2,0,1,2");
  EXPECT_EQ(op("iota shape [2, 3] axis 0 of f16 : tensor<2x3xf16>", {}, "tensor<2x3xf16>"), "2x3xf16=0,0,0,1,1,1");
}

TEST_F(ShapeTest, Movement) {
  const char *input = "2x3xi8=1,2,3,4,5,6";
  EXPECT_EQ(op("reshape %a0 shape [-1, 2] : (tensor<2x3xi8>) -> tensor<3x2xi8>", {input}, "tensor<3x2xi8>"),
            "3x2xi8=1,2,3,4,5,6");
  EXPECT_EQ(op("transpose %a0 permutation = [1, 0] : (tensor<2x3xi8>) -> tensor<3x2xi8>", {input}, "tensor<3x2xi8>"),
            "3x2xi8=1,4,2,5,3,6");
  EXPECT_EQ(op("broadcast %a0 shape [2, 2, 2] : (tensor<2x1xf64>) -> tensor<2x2x2xf64>", {"2x1xf64=1,2"},
               "tensor<2x2x2xf64>"),
            "2x2x2xf64=1,1,2,2,1,1,2,2");
  EXPECT_EQ(op("concat %a0, %a1 axis 1 : (tensor<2x1xi16>, tensor<2x2xi16>) -> tensor<2x3xi16>",
               {"2x1xi16=1,2", "2x2xi16=3,4,5,6"}, "tensor<2x3xi16>"),
            "2x3xi16=1,3,4,2,5,6");
}

TEST_F(ShapeTest, Slice) {
  const char *input = "3x3xf32=1,2,3,4,5,6,7,8,9";
  EXPECT_EQ(
      op("slice %a0 starts = [1, 0] sizes = [2, 2] : (tensor<3x3xf32>) -> tensor<2x2xf32>", {input}, "tensor<2x2xf32>"),
      "2x2xf32=4,5,7,8");
  EXPECT_EQ(op("slice %a0 starts = [2, 0] sizes = [2, 2] strides = [-2, 2] : (tensor<3x3xf32>) -> tensor<2x2xf32>",
               {input}, "tensor<2x2xf32>"),
            "2x2xf32=7,9,1,3");
  auto at = [&](const char *offsets) {
    return op("slice %a0 at %a1 sizes = [2, 1] : (tensor<3x3xf32>, tensor<2xi64>) -> tensor<2x1xf32>", {input, offsets},
              "tensor<2x1xf32>");
  };
  EXPECT_EQ(at("2xi64=0,1"), "2x1xf32=2,5");
  // Operand starts are clamped so that the box fits.
  EXPECT_EQ(at("2xi64=9,9"), "2x1xf32=6,9");
  EXPECT_EQ(at("2xi64=-9,-1"), "2x1xf32=1,4");
}

TEST_F(ShapeTest, Pad) {
  auto pad = [&](const char *mode, const char *low, const char *high, const char *type) {
    return op((llvm::Twine("pad ") + mode + " %a0, %a1 low = [" + low + "] high = [" + high +
               "] : (tensor<3xi32>, tensor<i32>) -> " + type)
                  .str(),
              {"3xi32=1,2,3", "i32=9"}, type);
  };
  EXPECT_EQ(pad("constant", "1", "2", "tensor<6xi32>"), "6xi32=9,1,2,3,9,9");
  EXPECT_EQ(pad("edge", "2", "1", "tensor<6xi32>"), "6xi32=1,1,1,2,3,3");
  EXPECT_EQ(pad("reflect", "2", "2", "tensor<7xi32>"), "7xi32=3,2,1,2,3,2,1");
  EXPECT_EQ(pad("wrap", "2", "1", "tensor<6xi32>"), "6xi32=2,3,1,2,3,1");
  EXPECT_EQ(pad("constant", "-1", "1", "tensor<3xi32>"), "3xi32=2,3,9");
  EXPECT_EQ(op("pad constant %a0, %a1 low = [1, 0] high = [0, 1] : (tensor<1x2xf32>, tensor<f32>) -> tensor<2x3xf32>",
               {"1x2xf32=1,2", "f32=0"}, "tensor<2x3xf32>"),
            "2x3xf32=0,0,0,1,2,0");
}

TEST_F(ShapeTest, Gather) {
  // A negative index counts from the end, the rest is clamped.
  EXPECT_EQ(op("gather %a0, %a1 axis 0 : (tensor<3x2xf32>, tensor<5xi64>) -> tensor<5x2xf32>",
               {"3x2xf32=1,2,3,4,5,6", "5xi64=2,0,-1,7,-9"}, "tensor<5x2xf32>"),
            "5x2xf32=5,6,1,2,5,6,5,6,1,2");
  EXPECT_EQ(op("gather %a0, %a1 axis 1 : (tensor<2x3xi8>, tensor<1x2xi32>) -> tensor<2x1x2xi8>",
               {"2x3xi8=1,2,3,4,5,6", "1x2xi32=2,1"}, "tensor<2x1x2xi8>"),
            "2x1x2xi8=3,2,6,5");
}

TEST_F(ShapeTest, NamedDimsFollowTheInputs) {
  const char *source = R"(
    func.func @f(%x: tensor<?x2xf32> {hgc.shape = ["batch", 2]}) -> (tensor<?x4xf32>, tensor<?xi32>) {
      %0 = hgc.concat %x, %x axis 1 : (tensor<?x2xf32>, tensor<?x2xf32>) -> tensor<?x4xf32>
      %1 = hgc.reshape %0 shape [4, "batch"] : (tensor<?x4xf32>) -> tensor<4x?xf32>
      %2 = hgc.reshape %1 shape ["batch", 4] : (tensor<4x?xf32>) -> tensor<?x4xf32>
      %3 = hgc.iota shape ["batch"] axis 0 of i32 : tensor<?xi32>
      return %2, %3 : tensor<?x4xf32>, tensor<?xi32>
    })";
  EXPECT_EQ(run(source, {"1x2xf32=1,2"}), "1x4xf32=1,2,1,2 1xi32=0");
  EXPECT_EQ(run(source, {"2x2xf32=1,2,3,4"}), "2x4xf32=1,2,1,2,3,4,3,4 2xi32=0,1");
}

TEST_F(ShapeTest, DynamicWindowsAndSlices) {
  const char *source = R"(
    func.func @f(%x: tensor<?x?x1xf32>, %w: tensor<2x1x1xf32>)
        -> (tensor<?x?x1xf32>, tensor<?x?x1xf32>, tensor<?x?x1xf32>) {
      %0 = hgc.conv %x, %w channels_last hwio : (tensor<?x?x1xf32>, tensor<2x1x1xf32>) -> tensor<?x?x1xf32>
      %1 = hgc.pool max %x window = [2] channels_last : (tensor<?x?x1xf32>) -> tensor<?x?x1xf32>
      %2 = hgc.slice %x starts = [0, 1, 0] sizes = [-1, -1, -1] : (tensor<?x?x1xf32>) -> tensor<?x?x1xf32>
      return %0, %1, %2 : tensor<?x?x1xf32>, tensor<?x?x1xf32>, tensor<?x?x1xf32>
    })";
  EXPECT_EQ(run(source, {"1x3x1xf32=1,2,3", "2x1x1xf32=1,10"}), "1x2x1xf32=21,32 1x2x1xf32=2,3 1x2x1xf32=2,3");
}
