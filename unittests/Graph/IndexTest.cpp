//===- IndexTest.cpp - indexing maps and canonical windows ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "GraphTest.h"

using namespace mlir;
using namespace hgc::graph;

namespace {

class IndexTest : public GraphTest {
protected:
  template <typename Op> std::string map(unsigned number) {
    AffineMap found = find<Op>().getIndexingMap(number);
    std::string text;
    llvm::raw_string_ostream(text) << found;
    return found ? text : "none";
  }
};

TEST_F(IndexTest, OperandsBroadcastFromTheLastDim) {
  parse("%x: tensor<8x1x4xf32>, %y: tensor<5x1xf32>, %z: tensor<f32>",
        "%0 = hgc.add %x, %y : (tensor<8x1x4xf32>, tensor<5x1xf32>) -> tensor<8x5x4xf32>\n"
        "%1 = hgc.mul %x, %z : (tensor<8x1x4xf32>, tensor<f32>) -> tensor<8x1x4xf32>");
  EXPECT_EQ(map<AddOp>(0), "(d0, d1, d2) -> (d0, 0, d2)");
  EXPECT_EQ(map<AddOp>(1), "(d0, d1, d2) -> (d1, 0)");
  EXPECT_TRUE(find<MulOp>().getIndexingMap(0).isIdentity()) << "an extent of 1 in both is no repetition";
  EXPECT_EQ(map<MulOp>(1), "(d0, d1, d2) -> ()");
}

TEST_F(IndexTest, DataMovementIsAffine) {
  parse("%x: tensor<2x3x4xf32>, %v: tensor<3x1xf32>, %i: tensor<5x6xi64>, %a: tensor<2x5x4xi64>",
        R"(%0 = hgc.transpose %x permutation = [1, 2, 0] : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
           %1 = hgc.broadcast %v shape [2, 3, 4] : (tensor<3x1xf32>) -> tensor<2x3x4xf32>
           %2 = hgc.slice %x starts = [1, 2, 0] sizes = [1, 3, 2] strides = [1, -1, 2]
               : (tensor<2x3x4xf32>) -> tensor<1x3x2xf32>
           %3 = hgc.gather %x, %i axis 1 : (tensor<2x3x4xf32>, tensor<5x6xi64>) -> tensor<2x5x6x4xf32>
           %4 = hgc.gather_along %x, %a axis 1 : (tensor<2x3x4xf32>, tensor<2x5x4xi64>) -> tensor<2x5x4xf32>)");
  EXPECT_EQ(map<TransposeOp>(0), "(d0, d1, d2) -> (d2, d0, d1)");
  EXPECT_EQ(map<BroadcastOp>(0), "(d0, d1, d2) -> (d1, 0)");
  EXPECT_EQ(map<SliceOp>(0), "(d0, d1, d2) -> (d0 + 1, -d1 + 2, d2 * 2)");
  EXPECT_EQ(map<GatherOp>(0), "none");
  EXPECT_EQ(map<GatherOp>(1), "(d0, d1, d2, d3) -> (d1, d2)");
  EXPECT_EQ(map<GatherAlongOp>(0), "none");
  EXPECT_EQ(map<GatherAlongOp>(1), "(d0, d1, d2) -> (d0, d1, d2)");
}

TEST_F(IndexTest, DynamicStartsAndRootsHaveNoMap) {
  parse("%x: tensor<4x4xf32>, %o: tensor<2xi64>",
        R"(%0 = hgc.slice %x at %o sizes = [2, 2] : (tensor<4x4xf32>, tensor<2xi64>) -> tensor<2x2xf32>
           %1 = hgc.matmul %x, %x : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
           %2 = hgc.reshape %x shape [16] : (tensor<4x4xf32>) -> tensor<16xf32>)");
  EXPECT_EQ(map<SliceOp>(0), "none");
  EXPECT_EQ(map<SliceOp>(1), "none");
  EXPECT_EQ(map<MatmulOp>(0), "none");
  EXPECT_EQ(map<ReshapeOp>(0), "none");
}

TEST_F(IndexTest, ConvHasThreeSpatialDims) {
  parse("%x: tensor<2x6x20xf32>, %w: tensor<8x3x5xf32>",
        "%0 = hgc.conv %x, %w strides = [3] pads = [1, 2] dilations = [2] groups = 2 channels_first oihw"
        " : (tensor<2x6x20xf32>, tensor<8x3x5xf32>) -> tensor<2x8x5xf32>");
  ConvShape shape = find<ConvOp>().getShape();
  EXPECT_EQ(shape.rank, 1u);
  EXPECT_FALSE(shape.channelsLast);
  EXPECT_EQ(shape.batch, 2);
  EXPECT_EQ(shape.inChannels, 6);
  EXPECT_EQ(shape.outChannels, 8);
  EXPECT_EQ(shape.groups, 2);
  EXPECT_EQ(shape.depth(), 3 * 5);
  EXPECT_EQ(shape.outPixels(), 5);
  EXPECT_EQ(shape.inPixels(), 20);
  EXPECT_EQ(shape.spatial[0].window * shape.spatial[1].window, 1);
  const WindowDim &dim = shape.spatial[2];
  EXPECT_EQ(dim.input, 20);
  EXPECT_EQ(dim.output, 5);
  EXPECT_EQ(dim.window, 5);
  EXPECT_EQ(dim.stride, 3);
  EXPECT_EQ(dim.dilation, 2);
  EXPECT_EQ(dim.padLow, 1);
  EXPECT_EQ(dim.padHigh, 2);
}

TEST_F(IndexTest, PackedOperandsKeepTheirLogicalShape) {
  parse("%a: tensor<2x4xf32>, %b: tensor<2x4x8xf32>",
        "%0 = hgc.matmul %a, %b packed <8, [4, 9]> : (tensor<2x4xf32>, tensor<2x4x8xf32>) -> tensor<2x9xf32>");
  EXPECT_EQ(find<MatmulOp>().getRhsShape(), (llvm::SmallVector<int64_t>{4, 9}));
  EXPECT_EQ(find<MatmulOp>().getDepth(), 4);
  parse("%a: tensor<2x4xf32>, %c: tensor<9x4xf32>",
        "%0 = hgc.matmul %a, %c transpose_rhs : (tensor<2x4xf32>, tensor<9x4xf32>) -> tensor<2x9xf32>");
  EXPECT_EQ(find<MatmulOp>().getRhsShape(), (llvm::SmallVector<int64_t>{4, 9}));
  EXPECT_EQ(find<MatmulOp>().getDepth(), 4);
}

} // namespace
