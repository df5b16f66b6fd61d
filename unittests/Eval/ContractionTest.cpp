//===- ContractionTest.cpp - matmul, convolution, packing -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "EvalFixture.h"
#include "hgc/Support/Random.h"

#include <chrono>

using namespace hgc;

using ContractionTest = EvalFixture;

TEST_F(ContractionTest, Matmul) {
  EXPECT_EQ(binary("matmul", "2x2xf32=1,2,3,4", "2x2xf32=5,6,7,8"), "2x2xf32=19,22,43,50");
  EXPECT_EQ(op("matmul %a0, %a1 transpose_lhs : (tensor<2x1xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>",
               {"2x1xf32=1,10", "2x2xf32=1,2,3,4"}, "tensor<1x2xf32>"),
            "1x2xf32=31,42");
  EXPECT_EQ(op("matmul %a0, %a1 transpose_rhs : (tensor<1x2xf32>, tensor<3x2xf32>) -> tensor<1x3xf32>",
               {"1x2xf32=1,10", "3x2xf32=1,2,3,4,5,6"}, "tensor<1x3xf32>"),
            "1x3xf32=21,43,65");
}

TEST_F(ContractionTest, MatmulTypes) {
  EXPECT_EQ(binary("matmul", "1x2xi8=-128,127", "2x1xi8=-128,127", "tensor<1x1xi32>"), "1x1xi32=32513");
  EXPECT_EQ(binary("matmul", "1x2xf16=256,1", "2x1xf16=256,1", "tensor<1x1xf32>"), "1x1xf32=65537");
  EXPECT_EQ(binary("matmul", "1x3xf64=1e16,1,-1e16", "3x1xf64=1,1,1", "tensor<1x1xf64>"), "1x1xf64=1");
  // Zero times infinity is not skipped.
  EXPECT_NE(binary("matmul", "1x2xf32=0,1", "2x1xf32=inf,1", "tensor<1x1xf32>").find("nan"), std::string::npos);
}

TEST_F(ContractionTest, MatmulBroadcastsBatches) {
  EXPECT_EQ(binary("matmul", "2x1x1x1xf32=2,3", "4x1x1xf32=1,10,100,1000", "tensor<2x4x1x1xf32>"),
            "2x4x1x1xf32=2,20,200,2000,3,30,300,3000");
  EXPECT_EQ(binary("matmul", "2x1x2xf32=1,2,3,4", "2x1xf32=1,10", "tensor<2x1x1xf32>"), "2x1x1xf32=21,43");
}

TEST_F(ContractionTest, EmptyDepthGivesZeros) {
  EXPECT_EQ(binary("matmul", "2x0xf32=", "0x2xf32=", "tensor<2x2xf32>"), "2x2xf32=0,0,0,0");
}

TEST_F(ContractionTest, PackAndPackedMatmul) {
  EXPECT_EQ(op("pack matmul_rhs %a0 width 2 : (tensor<2x3xf32>) -> tensor<2x2x2xf32>", {"2x3xf32=1,2,3,4,5,6"},
               "tensor<2x2x2xf32>"),
            "2x2x2xf32=1,2,4,5,3,0,6,0");
  EXPECT_EQ(op("matmul %a0, %a1 packed <2, [2, 3]> : (tensor<1x2xf32>, tensor<2x2x2xf32>) -> tensor<1x3xf32>",
               {"1x2xf32=1,10", "2x2x2xf32=1,2,4,5,3,0,6,0"}, "tensor<1x3xf32>"),
            "1x3xf32=41,52,63");
}

// Parts of f32 hold all of its bits, and what is not finite stays what it is; bytes and bf16 only change places.
TEST_F(ContractionTest, TilesKeepEveryBit) {
  auto multiply = [&](std::string element, std::string result, std::string packed, int interleave, std::string input) {
    std::string in = "tensor<1x6x" + element + ">", one = "tensor<1x1x" + element + ">",
                out = "tensor<1x6x" + result + ">";
    return run("func.func @f(%a: " + one + ", %w: " + in + ") -> " + out + " {\n" +
                   "  %0 = hgc.pack matmul_rhs %w width 32 interleave = " + std::to_string(interleave) + " : (" + in +
                   ") -> " + packed + "\n  %1 = hgc.matmul %a, %0 packed <32, [1, 6]> : (" + one + ", " + packed +
                   ") -> " + out + "\n  return %1 : " + out + "\n}\n",
               {"1x1x" + element + "=1", "1x6x" + element + "=" + input});
  };
  EXPECT_EQ(multiply("f32", "f32", "tensor<1x1x3072xbf16>", 96, "0.1,-3.14159274,1e-20,16777215,-inf,3.40282347e+38"),
            "1x6xf32=0.100000001,-3.14159274,9.99999968e-21,16777215,-inf,3.40282347e+38");
  EXPECT_EQ(multiply("bf16", "f32", "tensor<1x1x1024xbf16>", 32, "1,2,3,4,5,-6"), "1x6xf32=1,2,3,4,5,-6");
  EXPECT_EQ(multiply("i8", "i32", "tensor<1x1x2048xi8>", 64, "1,-128,3,4,127,-6"), "1x6xi32=1,-128,3,4,127,-6");
}

TEST_F(ContractionTest, TilesHoldPairsAlongTheDepth) {
  std::string packed = op("pack matmul_rhs %a0 width 16 interleave = 32 : (tensor<3x2xbf16>) -> tensor<1x1x512xbf16>",
                          {"3x2xbf16=1,2,3,4,5,6"}, "tensor<1x1x512xbf16>");
  EXPECT_TRUE(llvm::StringRef(packed).starts_with("1x1x512xbf16=1,3,2,4,0,0,")) << packed;
}

TEST_F(ContractionTest, Convolution) {
  EXPECT_EQ(op("conv %a0, %a1 channels_last hwio : (tensor<1x3x3x1xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x2x1xf32>",
               {"1x3x3x1xf32=1,2,3,4,5,6,7,8,9", "2x2x1x1xf32=1,10,100,1000"}, "tensor<1x2x2x1xf32>"),
            "1x2x2x1xf32=5421,6532,8754,9865");
  EXPECT_EQ(op("conv %a0, %a1 strides = [2] pads = [1, 1] dilations = [2] channels_last hwio "
               ": (tensor<1x4x1xf32>, tensor<2x1x1xf32>) -> tensor<1x2x1xf32>",
               {"1x4x1xf32=1,2,3,4", "2x1x1xf32=1,10"}, "tensor<1x2x1xf32>"),
            "1x2x1xf32=20,42");
}

TEST_F(ContractionTest, ConvolutionLayoutsAndGroups) {
  // Two channels, each convolved with its own 1x1 filter of two outputs.
  EXPECT_EQ(op("conv %a0, %a1 groups = 2 channels_first oihw "
               ": (tensor<1x2x2xf32>, tensor<4x1x1xf32>) -> tensor<1x4x2xf32>",
               {"1x2x2xf32=1,2,3,4", "4x1x1xf32=1,10,100,1000"}, "tensor<1x4x2xf32>"),
            "1x4x2xf32=1,2,10,20,300,400,3000,4000");
  EXPECT_EQ(op("conv %a0, %a1 channels_first oihw : (tensor<1x2x2xi8>, tensor<1x2x2xi8>) -> tensor<1x1x1xi32>",
               {"1x2x2xi8=1,2,3,4", "1x2x2xi8=1,10,100,-128"}, "tensor<1x1x1xi32>"),
            "1x1x1xi32=-191");
}

TEST_F(ContractionTest, PackedConvolution) {
  std::string pack = op("pack conv_filter %a0 width 2 groups = 2 : (tensor<1x1x4xf32>) -> tensor<2x1x1x2xf32>",
                        {"1x1x4xf32=1,10,100,1000"}, "tensor<2x1x1x2xf32>");
  EXPECT_EQ(pack, "2x1x1x2xf32=1,10,100,1000");
  EXPECT_EQ(op("pack conv_filter %a0 width 4 : (tensor<2x1x3xf32>) -> tensor<1x1x2x4xf32>", {"2x1x3xf32=1,2,3,4,5,6"},
               "tensor<1x1x2x4xf32>"),
            "1x1x2x4xf32=1,2,3,0,4,5,6,0");
  EXPECT_EQ(op("conv %a0, %a1 channels_last hwio packed <4, [2, 1, 3]> "
               ": (tensor<1x2x1xf32>, tensor<1x1x2x4xf32>) -> tensor<1x1x3xf32>",
               {"1x2x1xf32=1,10", "1x1x2x4xf32=1,2,3,0,4,5,6,0"}, "tensor<1x1x3xf32>"),
            "1x1x3xf32=41,52,63");
}

// The rows of the panels say that the filter is transformed: its taps are told from them.
TEST_F(ContractionTest, PackedTransformedConvolution) {
  // Taps 1 to 9 in squares of 4x4 points, one column of a panel.
  std::string squares = "1,6,2,3,12,45,15,18,4,15,5,6,7,24,8,9";
  EXPECT_EQ(op("conv %a0, %a1 channels_last hwio packed <1, [3, 3, 1, 1]> "
               ": (tensor<1x3x3x1xf32>, tensor<1x1x16x1xf32>) -> tensor<1x1x1x1xf32>",
               {"1x3x3x1xf32=1,0,0,0,10,0,0,0,100", "1x1x16x1xf32=" + squares}, "tensor<1x1x1x1xf32>"),
            "1x1x1x1xf32=951");
}

TEST_F(ContractionTest, LargeProductsTakeSeconds) {
  mlir::Type f32 = mlir::Float32Type::get(&context);
  HostTensor a = makeRandomTensor(f32, {512, 512}, 1), b = makeRandomTensor(f32, {512, 512}, 2);
  auto start = std::chrono::steady_clock::now();
  auto result = call("func.func @f(%a: tensor<512x512xf32>, %b: tensor<512x512xf32>) -> tensor<512x512xf32> {\n"
                     "%r = hgc.matmul %a, %b : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>\n"
                     "return %r : tensor<512x512xf32> }",
                     {a, b});
  ASSERT_TRUE(mlir::succeeded(result));
  double sum = 0;
  for (int64_t k = 0; k < 512; ++k)
    sum += a.getDouble(3 * 512 + k) * b.getDouble(k * 512 + 5);
  EXPECT_EQ(result->outputs[0].getDouble(3 * 512 + 5), roundToFloat(f32, sum));
  EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 10);
}
