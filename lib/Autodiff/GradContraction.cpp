//===- GradContraction.cpp - gradients of products and convolutions -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of half precision result in f32, and so are their gradients computed:
// the operands are converted, not the gradient, whose range f16 does not have.
//===----------------------------------------------------------------------===//

#include "GradModels.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {

//===----------------------------------------------------------------------===//
// Matrix products
//===----------------------------------------------------------------------===//

/// `value` with its leading dims joined with the rows of its matrices.
Value flattenRows(const Rule &rule, Value value) {
  Ints shape = shapeOf(value);
  return rule.reshape(value, {ShapedType::getNumElements(shape.drop_back()), shape.back()});
}

/// One matrix for all of a batch: the sum over the batch is part of the product.
bool isShared(Value matrix, Value result) {
  return typeOf(result).getRank() > 2 &&
         llvm::all_of(shapeOf(matrix).drop_back(2), [](int64_t extent) { return extent == 1; });
}

void giveLhs(MatmulOp op, const Rule &rule, Value rhs) {
  Value lhs = op.getLhs();
  bool swap = op.getTransposeLhs(), other = op.getTransposeRhs();
  Value gradient = swap ? rule.matmul(rhs, rule.gradient, other, true) : rule.matmul(rule.gradient, rhs, false, !other);
  rule.give(0, rule.cast(rule.sumTo(gradient, shapeOf(lhs)), elementOf(lhs)));
}

void giveRhs(MatmulOp op, const Rule &rule, Value lhs) {
  Value rhs = op.getRhs(), gradient = rule.gradient;
  bool swap = op.getTransposeRhs(), other = op.getTransposeLhs();
  bool isWhole = shapeOf(lhs).drop_back(2) == shapeOf(gradient).drop_back(2);
  if (isShared(rhs, gradient) && !other && isWhole) {
    lhs = flattenRows(rule, lhs);
    gradient = flattenRows(rule, gradient);
  }
  Value product = swap ? rule.matmul(gradient, lhs, true, other) : rule.matmul(lhs, gradient, !other, false);
  if (typeOf(product).getRank() < typeOf(rhs).getRank())
    product = rule.reshape(product, shapeOf(rhs));
  rule.give(1, rule.cast(rule.sumTo(product, shapeOf(rhs)), elementOf(rhs)));
}

void ruleOfMatmul(MatmulOp op, const Rule &rule) {
  Type work = elementOf(rule.gradient);
  if (rule.needs(0))
    giveLhs(op, rule, rule.cast(op.getRhs(), work));
  if (rule.needs(1))
    giveRhs(op, rule, rule.cast(op.getLhs(), work));
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

/// Spatial extents of data in the op's layout.
template <typename OpT> SmallVector<int64_t> spatialOf(OpT op, Value data) {
  Ints shape = shapeOf(data);
  bool isLast = op.getLayout() == graph::DataLayout::ChannelsLast;
  return SmallVector<int64_t>(isLast ? shape.drop_front().drop_back() : shape.drop_front(2));
}

template <typename OpT> SmallVector<int64_t> windowOf(OpT op, Value filter) {
  Ints shape = shapeOf(filter);
  bool isLast = op.getFilterLayout() == FilterLayout::OIHW;
  return SmallVector<int64_t>(isLast ? shape.drop_front(2) : shape.drop_back(2));
}

/// The convolution, its transpose and its filter gradient, with the attributes of
/// `op`: each is linear in both operands, and the others are its derivatives.
template <typename OpT> Value conv(OpT op, const Rule &rule, Value image, Value filter) {
  return rule.make<ConvOp>(image, filter, op.getStridesAttr(), op.getPadsAttr(), op.getDilationsAttr(),
                           op.getGroupsAttr(), op.getLayoutAttr(), op.getFilterLayoutAttr(), PackedAttr());
}

template <typename OpT> Value convTranspose(OpT op, const Rule &rule, Value data, Value filter, Value like) {
  return rule.make<ConvTransposeOp>(data, filter, rule.getBuilder().getDenseI64ArrayAttr(spatialOf(op, like)),
                                    op.getStridesAttr(), op.getPadsAttr(), op.getDilationsAttr(), op.getGroupsAttr(),
                                    op.getLayoutAttr(), op.getFilterLayoutAttr(), PackedAttr());
}

template <typename OpT> Value convFilterGrad(OpT op, const Rule &rule, Value image, Value data, Value like) {
  return rule.make<ConvFilterGradOp>(image, data, rule.getBuilder().getDenseI64ArrayAttr(windowOf(op, like)),
                                     op.getStridesAttr(), op.getPadsAttr(), op.getDilationsAttr(), op.getGroupsAttr(),
                                     op.getLayoutAttr(), op.getFilterLayoutAttr());
}

void ruleOfConv(ConvOp op, const Rule &rule) {
  Value input = op.getInput(), filter = op.getFilter();
  Type work = elementOf(rule.gradient);
  if (rule.needs(0))
    rule.give(0, rule.cast(convTranspose(op, rule, rule.gradient, rule.cast(filter, work), input), elementOf(input)));
  if (rule.needs(1))
    rule.give(1, rule.cast(convFilterGrad(op, rule, rule.cast(input, work), rule.gradient, filter), elementOf(filter)));
}

/// The convolution may see more windows than the transposed one was given data for;
/// the image ends where the last of its own does.
Value cropToWindows(ConvTransposeOp op, const Rule &rule, Value image) {
  ConvShape shape = op.getShape();
  bool isLast = op.getLayout() == graph::DataLayout::ChannelsLast;
  SmallVector<int64_t> low(shapeOf(image).size(), 0), high(low);
  for (unsigned i = 0; i < shape.rank; ++i) {
    const WindowDim &dim = shape.spatial[3 - shape.rank + i];
    int64_t seen = (dim.output - 1) * dim.stride + dim.dilation * (dim.window - 1) + 1 - dim.padLow - dim.padHigh;
    // Up to a stride more makes no difference.
    if (dim.input - seen >= dim.stride)
      high[i + (isLast ? 1 : 2)] = seen - dim.input;
  }
  return rule.pad(image, low, high);
}

void ruleOfConvTranspose(ConvTransposeOp op, const Rule &rule) {
  Value input = op.getInput(), filter = op.getFilter();
  Type work = elementOf(rule.gradient);
  Value image = cropToWindows(op, rule, rule.gradient);
  if (rule.needs(0))
    rule.give(0, rule.cast(conv(op, rule, image, rule.cast(filter, work)), elementOf(input)));
  if (rule.needs(1))
    rule.give(1, rule.cast(convFilterGrad(op, rule, image, rule.cast(input, work), filter), elementOf(filter)));
}

void ruleOfConvFilterGrad(ConvFilterGradOp op, const Rule &rule) {
  Value input = op.getInput(), data = op.getGradient();
  Type work = elementOf(rule.gradient);
  if (rule.needs(0))
    rule.give(0, rule.cast(convTranspose(op, rule, rule.cast(data, work), rule.gradient, input), elementOf(input)));
  if (rule.needs(1))
    rule.give(1, rule.cast(conv(op, rule, rule.cast(input, work), rule.gradient), elementOf(data)));
}

} // namespace

void hgc::attachContractionRules(MLIRContext *context) {
  attachRule<MatmulOp, ruleOfMatmul>(context);
  attachRule<ConvOp, ruleOfConv>(context);
  attachRule<ConvTransposeOp, ruleOfConvTranspose>(context);
  attachRule<ConvFilterGradOp, ruleOfConvFilterGrad>(context);
}
