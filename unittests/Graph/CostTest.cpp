//===- CostTest.cpp - work of ops -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "GraphTest.h"

using namespace hgc::graph;

namespace {

class CostTest : public GraphTest {};

TEST_F(CostTest, MatmulCountsBothOperations) {
  parse("%a: tensor<2x3x4xf32>, %b: tensor<4x5xf32>",
        "%0 = hgc.matmul %a, %b : (tensor<2x3x4xf32>, tensor<4x5xf32>) -> tensor<2x3x5xf32>");
  OpCost cost = find<MatmulOp>().getCost();
  EXPECT_EQ(cost[FlopClass::F32], 2 * 2 * 3 * 5 * 4);
  EXPECT_EQ(cost.totalFlops(), cost[FlopClass::F32]);
  EXPECT_EQ(cost.bytesRead, 4 * (2 * 3 * 4 + 4 * 5));
  EXPECT_EQ(cost.bytesWritten, 4 * 2 * 3 * 5);
  EXPECT_EQ(cost.parallelWidth, 2 * 3 * 5);
}

TEST_F(CostTest, ConvCountsTheChannelsOfAGroup) {
  parse("%x: tensor<1x8x8x6xi8>, %w: tensor<3x3x3x4xi8>",
        "%0 = hgc.conv %x, %w groups = 2 channels_last hwio"
        " : (tensor<1x8x8x6xi8>, tensor<3x3x3x4xi8>) -> tensor<1x6x6x4xi32>");
  OpCost cost = find<ConvOp>().getCost();
  EXPECT_EQ(cost[FlopClass::I8], 2 * (6 * 6 * 4) * (3 * 3 * 3));
}

// The gradients multiply what the convolution does, whatever shape they result in.
TEST_F(CostTest, GradientsCostWhatTheConvolutionDoes) {
  parse("%x: tensor<1x8x8x6xf32>, %w: tensor<3x3x3x4xf32>, %y: tensor<1x3x3x4xf32>",
        "%0 = hgc.conv %x, %w strides = [2, 2] groups = 2 channels_last hwio"
        " : (tensor<1x8x8x6xf32>, tensor<3x3x3x4xf32>) -> tensor<1x3x3x4xf32>\n"
        "%1 = hgc.conv_transpose %y, %w extents = [8, 8] strides = [2, 2] groups = 2 channels_last hwio"
        " : (tensor<1x3x3x4xf32>, tensor<3x3x3x4xf32>) -> tensor<1x8x8x6xf32>\n"
        "%2 = hgc.conv_filter_grad %x, %y window = [3, 3] strides = [2, 2] groups = 2 channels_last hwio"
        " : (tensor<1x8x8x6xf32>, tensor<1x3x3x4xf32>) -> tensor<3x3x3x4xf32>");
  int64_t flops = find<ConvOp>().getCost()[FlopClass::F32];
  OpCost transposed = find<ConvTransposeOp>().getCost(), filter = find<ConvFilterGradOp>().getCost();
  EXPECT_EQ(transposed[FlopClass::F32], flops);
  EXPECT_EQ(filter[FlopClass::F32], flops);
  EXPECT_EQ(transposed.parallelWidth, 8 * 8 * 6);
  EXPECT_EQ(filter.parallelWidth, 3 * 3 * 3 * 4);
  EXPECT_EQ(filter.bytesWritten, 3 * 3 * 3 * 4 * 4);
}

TEST_F(CostTest, ClassFollowsTheOperands) {
  parse("%x: tensor<8xf64>, %i: tensor<8xi8>",
        "%0 = hgc.compare lt %x, %x : (tensor<8xf64>, tensor<8xf64>) -> tensor<8xi1>\n"
        "%1 = hgc.add %i, %i : (tensor<8xi8>, tensor<8xi8>) -> tensor<8xi8>\n"
        "%2 = hgc.exp %x : tensor<8xf64>");
  EXPECT_EQ(find<CompareOp>().getCost()[FlopClass::F64], 8);
  EXPECT_EQ(find<AddOp>().getCost()[FlopClass::Int], 8);
  EXPECT_EQ(find<ExpOp>().getCost()[FlopClass::Transcendental], 8);
}

TEST_F(CostTest, AValueReadTwiceIsReadOnce) {
  parse("%x: tensor<8xf32>", "%0 = hgc.mul %x, %x : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>");
  EXPECT_EQ(find<MulOp>().getCost().bytesRead, 32);
}

TEST_F(CostTest, GatherReadsWhatItPicks) {
  parse("%t: tensor<1000x64xf32>, %i: tensor<2xi64>",
        "%0 = hgc.gather %t, %i axis 0 : (tensor<1000x64xf32>, tensor<2xi64>) -> tensor<2x64xf32>");
  EXPECT_EQ(find<GatherOp>().getCost().bytesRead, 2 * 64 * 4 + 2 * 8);
}

TEST_F(CostTest, SortingComparesPerDoubling) {
  parse("%x: tensor<4x1024xf32>", R"(
    %0 = hgc.arg_sort %x axis 1 : (tensor<4x1024xf32>) -> tensor<4x1024xi64>)");
  OpCost cost = find<ArgSortOp>().getCost();
  EXPECT_EQ(cost[FlopClass::F32], 4 * 1024 * 11);
  EXPECT_EQ(cost.parallelWidth, 4);
  parse("%x: tensor<4x1024xf32>", "%0 = hgc.arg_sort %x axis 1 k = 2 : (tensor<4x1024xf32>) -> tensor<4x2xi64>");
  EXPECT_EQ(find<ArgSortOp>().getCost()[FlopClass::F32], 4 * 1024 * 2);
}

TEST_F(CostTest, ScatterCountsItsUpdates) {
  parse("%x: tensor<100x8xf32>, %i: tensor<5xi64>, %u: tensor<5x8xf32>",
        "%0 = hgc.scatter add %x, %i, %u axis 0 slices"
        " : (tensor<100x8xf32>, tensor<5xi64>, tensor<5x8xf32>) -> tensor<100x8xf32>");
  OpCost cost = find<ScatterOp>().getCost();
  EXPECT_EQ(cost[FlopClass::F32], 5 * 8);
  EXPECT_EQ(cost.bytesRead, 100 * 8 * 4 + 5 * 8 + 5 * 8 * 4);
  EXPECT_EQ(cost.parallelWidth, 8);
}

TEST_F(CostTest, AttentionCountsBothProducts) {
  parse("%q: tensor<2x3x8xf32>, %k: tensor<2x5x8xf32>, %v: tensor<2x5x4xf32>",
        "%0 = hgc.attention %q, %k, %v"
        " : (tensor<2x3x8xf32>, tensor<2x5x8xf32>, tensor<2x5x4xf32>) -> tensor<2x3x4xf32>");
  OpCost cost = find<AttentionOp>().getCost();
  EXPECT_EQ(cost[FlopClass::F32], 2 * 3 * 5 * (2 * (8 + 4) + 5));
  EXPECT_EQ(cost[FlopClass::Transcendental], 2 * 3 * 5);
}

TEST_F(CostTest, ViewsAreFree) {
  parse("%x: tensor<8xf32>", "%0 = hgc.reshape %x shape [2, 4] : (tensor<8xf32>) -> tensor<2x4xf32>");
  OpCost cost = find<ReshapeOp>().getCost();
  EXPECT_EQ(cost.totalFlops() + cost.bytesRead + cost.bytesWritten, 0);
}

TEST_F(CostTest, LoopsCountTheirTrips) {
  parse("%h: tensor<4xf32>, %xs: tensor<9x4xf32>, %n: tensor<i32>",
        R"(%0:2 = hgc.scan init(%h : tensor<4xf32>) over(%xs : tensor<9x4xf32>) -> (tensor<4xf32>, tensor<9x4xf32>) {
           ^bb0(%s: tensor<4xf32>, %x: tensor<4xf32>):
             %1 = hgc.add %s, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
             hgc.yield %1, %1 : tensor<4xf32>, tensor<4xf32>
           }
           %2 = hgc.while init(%n : tensor<i32>) trip_hint 7 -> (tensor<i32>) cond {
           ^bb0(%i: tensor<i32>):
             %c = hgc.compare lt %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
             hgc.yield %c : tensor<i1>
           } do {
           ^bb0(%i: tensor<i32>):
             %j = hgc.mul %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i32>
             hgc.yield %j : tensor<i32>
           })");
  EXPECT_EQ(find<ScanOp>().getCost()[FlopClass::F32], 9 * 4);
  EXPECT_EQ(find<WhileOp>().getCost()[FlopClass::Int], 7 * 2);
}

TEST_F(CostTest, IfCostsItsDearerBranch) {
  parse("%c: tensor<i1>, %x: tensor<8xf32>",
        R"(%0 = hgc.if %c : tensor<i1> -> (tensor<8xf32>) {
             hgc.yield %x : tensor<8xf32>
           } else {
             %1 = hgc.add %x, %x : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
             hgc.yield %1 : tensor<8xf32>
           })");
  EXPECT_EQ(find<IfOp>().getCost()[FlopClass::F32], 8);
}

TEST_F(CostTest, KernelsReadAndWriteTheirBorderOnly) {
  parse("%x: tensor<4x8xf32>",
        R"(%0 = hgc.kernel(%x : tensor<4x8xf32>) -> tensor<4x8xf32> {
           ^bb0(%a: tensor<4x8xf32>):
             %1 = hgc.softmax %a axis 1 : tensor<4x8xf32>
             %2 = hgc.relu %1 : tensor<4x8xf32>
             hgc.yield %2 : tensor<4x8xf32>
           })");
  OpCost cost = computeCost(find<KernelOp>());
  EXPECT_EQ(cost.bytesRead, 128);
  EXPECT_EQ(cost.bytesWritten, 128);
  EXPECT_EQ(cost[FlopClass::F32], 4 * 32 + 32);
  EXPECT_EQ(cost.parallelWidth, 4) << "rows of the root, not elements of its epilogue";
}

TEST_F(CostTest, CountsSaturate) {
  parse("%a: tensor<1048576x1024xi8>",
        R"(%0 = hgc.matmul %a, %a transpose_rhs : (tensor<1048576x1024xi8>, tensor<1048576x1024xi8>) -> tensor<?x?xi32>
           %1 = hgc.while init(%a : tensor<1048576x1024xi8>) trip_hint 9223372036854775807
               -> (tensor<1048576x1024xi8>) cond {
           ^bb0(%i: tensor<1048576x1024xi8>):
             %c = hgc.constant dense<true> : tensor<i1>
             hgc.yield %c : tensor<i1>
           } do {
           ^bb0(%i: tensor<1048576x1024xi8>):
             %j = hgc.neg %i : tensor<1048576x1024xi8>
             hgc.yield %j : tensor<1048576x1024xi8>
           })");
  EXPECT_EQ(find<WhileOp>().getCost().totalFlops(), std::numeric_limits<int64_t>::max());
}

} // namespace
