//===- StridedViewTest.cpp - tensors that are parts of others -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "GraphTest.h"

#include "dialects/Graph/StridedView.h"

using namespace mlir;
using namespace hgc::graph;

namespace {

class StridedViewTest : public GraphTest {
protected:
  /// Offset and strides of the last op's result in what it is part of.
  template <typename Op> std::string trace() {
    std::optional<StridedView> view = StridedView::trace(find<Op>().getResult());
    if (!view)
      return "none";
    std::string text;
    llvm::raw_string_ostream out(text);
    out << view->offset << ":";
    for (auto [extent, stride] : llvm::zip_equal(view->shape, view->strides))
      out << " " << extent << "/" << stride;
    return text;
  }
};

TEST_F(StridedViewTest, SlicesMoveTheBeginning) {
  parse("%x: tensor<6x8xf32>", "%0 = hgc.slice %x starts = [4, 1] sizes = [2, 3] strides = [-2, 2]"
                               " : (tensor<6x8xf32>) -> tensor<2x3xf32>");
  EXPECT_EQ(trace<SliceOp>(), "33: 2/-16 3/2");
}

TEST_F(StridedViewTest, ReshapesFollowTransposesOfWholeDims) {
  parse("%x: tensor<5x24xf32>", R"(%0 = hgc.reshape %x shape [5, 3, 2, 4] : (tensor<5x24xf32>) -> tensor<5x3x2x4xf32>
           %1 = hgc.slice %0 starts = [0, 1, 0, 0] sizes = [5, 1, 2, 4] : (tensor<5x3x2x4xf32>) -> tensor<5x1x2x4xf32>
           %2 = hgc.transpose %1 permutation = [1, 2, 0, 3] : (tensor<5x1x2x4xf32>) -> tensor<1x2x5x4xf32>
           %3 = hgc.concat %2 axis 0 : (tensor<1x2x5x4xf32>) -> tensor<1x2x5x4xf32>)");
  EXPECT_EQ(trace<TransposeOp>(), "8: 1/1 2/4 5/24 4/1");
  StridedView view = *StridedView::trace(find<TransposeOp>().getResult());
  EXPECT_EQ(view.reshape({2, 5, 2, 2})->strides, (SmallVector<int64_t>{4, 24, 2, 1}));
  EXPECT_FALSE(view.reshape({2, 20})) << "rows lie apart";
  EXPECT_EQ(trace<ConcatOp>(), "0: 1/1 2/20 5/4 4/1") << "what is computed is whole";
}

TEST_F(StridedViewTest, ReshapesThatJoinDistantDimsHaveNoView) {
  parse("%x: tensor<4x6xf32>", R"(%0 = hgc.transpose %x permutation = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
           %1 = hgc.reshape %0 shape [24] : (tensor<6x4xf32>) -> tensor<24xf32>)");
  EXPECT_EQ(trace<TransposeOp>(), "0: 6/1 4/6");
  EXPECT_EQ(trace<ReshapeOp>(), "none");
}

TEST_F(StridedViewTest, OrdersOfAllElementsHaveAnInverse) {
  parse("%x: tensor<2x3x5x4xf32>", R"(%0 = hgc.reshape %x shape [6, 5, 4] : (tensor<2x3x5x4xf32>) -> tensor<6x5x4xf32>
           %1 = hgc.transpose %0 permutation = [1, 0, 2] : (tensor<6x5x4xf32>) -> tensor<5x6x4xf32>
           %2 = hgc.slice %1 starts = [0, 0, 0] sizes = [5, 5, 4] : (tensor<5x6x4xf32>) -> tensor<5x5x4xf32>)");
  StridedView places = *StridedView::trace(find<TransposeOp>().getResult())->invert();
  EXPECT_EQ(places.shape, (SmallVector<int64_t>{2, 3, 5, 4}));
  EXPECT_EQ(places.strides, (SmallVector<int64_t>{12, 4, 24, 1}));
  EXPECT_FALSE(StridedView::trace(find<SliceOp>().getResult())->invert()) << "some elements are missing";
}

TEST_F(StridedViewTest, CutDimsHaveNoPlace) {
  parse("%x: tensor<6x4xf32>", R"(%0 = hgc.reshape %x shape [2, 3, 4] : (tensor<6x4xf32>) -> tensor<2x3x4xf32>
           %1 = hgc.transpose %0 permutation = [1, 0, 2] : (tensor<2x3x4xf32>) -> tensor<3x2x4xf32>)");
  EXPECT_FALSE(StridedView::trace(find<TransposeOp>().getResult())->invert()) << "rows 0 and 3 lie side by side";
}

TEST_F(StridedViewTest, StartsThatAreOperandsAreComputed) {
  parse("%x: tensor<4x4xf32>, %o: tensor<2xi64>",
        "%0 = hgc.slice %x at %o sizes = [2, 2] : (tensor<4x4xf32>, tensor<2xi64>) -> tensor<2x2xf32>");
  EXPECT_FALSE(isViewOp(find<SliceOp>()));
  EXPECT_EQ(trace<SliceOp>(), "0: 2/2 2/1");
}

} // namespace
