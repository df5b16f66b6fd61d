//===- Folds.cpp - identities that hold for every value -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floats fold only where the result is the same bit for bit, NaN payloads aside:
// x + (-0.0) is x, x + 0.0 is not (for x = -0.0). Evaluation of ops on constants
// is a pass of its own.
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Infer.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace hgc::graph;

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

/// A splat of a float, of the value `value` and its sign.
static bool isFloatSplat(Attribute attr, double value) {
  auto dense = dyn_cast_if_present<DenseFPElementsAttr>(attr);
  if (!dense || !dense.isSplat())
    return false;
  APFloat expected(value);
  bool lost;
  expected.convert(dense.getSplatValue<APFloat>().getSemantics(), APFloat::rmNearestTiesToEven, &lost);
  return dense.getSplatValue<APFloat>().bitwiseIsEqual(expected);
}

static bool isIntSplat(Attribute attr, int64_t value) {
  auto dense = dyn_cast_if_present<DenseIntElementsAttr>(attr);
  if (!dense || !dense.isSplat())
    return false;
  APInt splat = dense.getSplatValue<APInt>();
  return value < 0 ? splat.isAllOnes() : splat == static_cast<uint64_t>(value);
}

/// `value` if it has exactly the (static) type of the result, so that no
/// broadcast is lost.
static OpFoldResult forward(Value value, Type type) {
  if (value.getType() == type && cast<RankedTensorType>(type).hasStaticShape())
    return value;
  return {};
}

OpFoldResult AbsOp::fold(FoldAdaptor) {
  if (getInput().getDefiningOp<AbsOp>() || isUnsigned(getType().getElementType()))
    return getInput();
  return {};
}

OpFoldResult NegOp::fold(FoldAdaptor) {
  if (auto inner = getInput().getDefiningOp<NegOp>())
    return inner.getInput();
  return {};
}

OpFoldResult ReluOp::fold(FoldAdaptor) {
  if (getInput().getDefiningOp<ReluOp>() || isUnsigned(getType().getElementType()))
    return getInput();
  return {};
}

OpFoldResult NotOp::fold(FoldAdaptor) {
  if (auto inner = getInput().getDefiningOp<NotOp>())
    return inner.getInput();
  return {};
}

OpFoldResult CastOp::fold(FoldAdaptor) {
  if (getInput().getType() == getType())
    return getInput();
  return {};
}

OpFoldResult AddOp::fold(FoldAdaptor adaptor) {
  // Constants of commutative ops are on the right.
  if (isIntSplat(adaptor.getRhs(), 0) || isFloatSplat(adaptor.getRhs(), -0.0))
    return forward(getLhs(), getType());
  return {};
}

OpFoldResult SubOp::fold(FoldAdaptor adaptor) {
  if (isIntSplat(adaptor.getRhs(), 0) || isFloatSplat(adaptor.getRhs(), 0.0))
    return forward(getLhs(), getType());
  return {};
}

OpFoldResult MulOp::fold(FoldAdaptor adaptor) {
  if (isIntSplat(adaptor.getRhs(), 1) || isFloatSplat(adaptor.getRhs(), 1.0))
    return forward(getLhs(), getType());
  if (isIntSplat(adaptor.getRhs(), 0))
    return forward(getRhs(), getType());
  return {};
}

OpFoldResult DivOp::fold(FoldAdaptor adaptor) {
  if (isIntSplat(adaptor.getRhs(), 1) || isFloatSplat(adaptor.getRhs(), 1.0))
    return forward(getLhs(), getType());
  return {};
}

OpFoldResult PowOp::fold(FoldAdaptor adaptor) {
  if (isFloatSplat(adaptor.getRhs(), 1.0))
    return forward(getLhs(), getType());
  return {};
}

/// `x op x` is x for both logical ops; `neutral` leaves x, `absorbing` wins.
static OpFoldResult foldLogical(Value lhs, Value rhs, Attribute constant, Type type, int64_t neutral,
                                int64_t absorbing) {
  if (lhs == rhs)
    return lhs;
  if (isIntSplat(constant, neutral))
    return forward(lhs, type);
  if (isIntSplat(constant, absorbing))
    return forward(rhs, type);
  return {};
}

OpFoldResult AndOp::fold(FoldAdaptor adaptor) {
  return foldLogical(getLhs(), getRhs(), adaptor.getRhs(), getType(), -1, 0);
}

OpFoldResult OrOp::fold(FoldAdaptor adaptor) {
  return foldLogical(getLhs(), getRhs(), adaptor.getRhs(), getType(), 0, -1);
}

OpFoldResult SelectOp::fold(FoldAdaptor adaptor) {
  if (isIntSplat(adaptor.getCondition(), -1))
    return forward(getOnTrue(), getType());
  if (isIntSplat(adaptor.getCondition(), 0))
    return forward(getOnFalse(), getType());
  if (getOnTrue() == getOnFalse())
    return forward(getOnTrue(), getType());
  return {};
}

//===----------------------------------------------------------------------===//
// Reductions and data movement
//===----------------------------------------------------------------------===//

OpFoldResult ReduceOp::fold(FoldAdaptor) {
  if (getAxes().empty() && getInput().getType() == getType())
    return getInput();
  return {};
}

/// Elements of a splat in a tensor that has no more of them, wherever they come to lie.
static OpFoldResult moveSplat(Attribute constant, ShapedType type) {
  auto splat = dyn_cast_if_present<SplatElementsAttr>(constant);
  if (!splat || !type.hasStaticShape() || type.getNumElements() == 0)
    return {};
  return splat.resizeSplat(type);
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  // Two dynamic extents of the same type may still be distributed differently.
  if (getInput().getType() == getType() && getType().getNumDynamicDims() <= 1)
    return getInput();
  return moveSplat(adaptor.getInput(), getType());
}

OpFoldResult TransposeOp::fold(FoldAdaptor adaptor) {
  bool isIdentity = llvm::equal(getPermutation(), llvm::seq<int64_t>(0, getPermutation().size()));
  if (isIdentity && getInput().getType() == getType())
    return getInput();
  return moveSplat(adaptor.getInput(), getType());
}

OpFoldResult BroadcastOp::fold(FoldAdaptor) { return forward(getInput(), getType()); }

OpFoldResult ConcatOp::fold(FoldAdaptor) {
  if (getInputs().size() == 1 && getInputs().front().getType() == getType())
    return getInputs().front();
  return {};
}

OpFoldResult SliceOp::fold(FoldAdaptor adaptor) {
  bool isForward = !getStrides() || llvm::all_of(*getStrides(), [](int64_t stride) { return stride == 1; });
  // Of equal extents, a box that fits starts at 0, even when the start is an
  // operand.
  if (isForward && forward(getInput(), getType()))
    return getInput();
  if (getType().hasStaticShape() && !llvm::equal(getSizes(), getType().getShape())) {
    setSizes(getType().getShape());
    return getResult();
  }
  return moveSplat(adaptor.getInput(), getType());
}

OpFoldResult PadOp::fold(FoldAdaptor) {
  auto isZero = [](int64_t amount) { return amount == 0; };
  if (llvm::all_of(getLow(), isZero) && llvm::all_of(getHigh(), isZero) && getInput().getType() == getType())
    return getInput();
  return {};
}

namespace {

/// reshape(reshape(x)) ==> reshape(x)
struct MergeReshapes final : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReshapeOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getInput().getDefiningOp<ReshapeOp>();
    if (!inner)
      return rewriter.notifyMatchFailure(op, "input is not a reshape");
    // In place: the op keeps its device and its name.
    rewriter.modifyOpInPlace(op, [&] { op.getInputMutable().assign(inner.getInput()); });
    return success();
  }
};

/// transpose(transpose(x, p), q) ==> transpose(x, p[q])
struct MergeTransposes final : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(TransposeOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getInput().getDefiningOp<TransposeOp>();
    if (!inner)
      return rewriter.notifyMatchFailure(op, "input is not a transpose");
    SmallVector<int64_t> merged;
    for (int64_t axis : op.getPermutation())
      merged.push_back(inner.getPermutation()[axis]);
    rewriter.modifyOpInPlace(op, [&] {
      op.getInputMutable().assign(inner.getInput());
      op.setPermutation(merged);
    });
    return success();
  }
};

} // namespace

void ReshapeOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<MergeReshapes>(context);
}

void TransposeOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<MergeTransposes>(context);
}
