//===- MoveScales.cpp - numbers that scale operands of products -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "MoveScales.h"

#include "Utils.h"

#include "dialects/Graph/GraphOps.h"
#include "dialects/Graph/StridedView.h"
#include "hgc/Target/AttentionForm.h"
#include "hgc/Target/Panel.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {

/// The number that all elements of a constant are.
std::optional<double> getNumber(Value value) {
  SplatElementsAttr splat;
  if (!matchPattern(value, m_Constant(&splat)))
    return std::nullopt;
  return splat.getSplatValue<APFloat>().convertToDouble();
}

/// Whether `value` is cut out of, or is another order of, a tensor that is computed, in
/// rows that `reader` may as well read there.
bool isPartOfStored(Value value, MatmulOp reader) {
  auto type = cast<RankedTensorType>(value.getType());
  bool isMoved = false;
  if (!type.getRank() || (!readsRowsApart(type.getShape().back() * getElementBytes(type.getElementType())) &&
                          !feedsAttention(reader)))
    return false;
  for (Operation *op = value.getDefiningOp(); isViewOp(op); op = value.getDefiningOp()) {
    isMoved |= !isa<ReshapeOp>(op);
    value = op->getOperand(0);
  }
  return isMoved && !isa_and_present<ReadOp, ConstantOp>(value.getDefiningOp());
}

struct ScaleAfterwards final : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MatmulOp op, PatternRewriter &rewriter) const override {
    Type element = getElementTypeOrSelf(op.getType());
    if (op.getPacked() || !(element.isF32() || element.isF64()) ||
        getElementTypeOrSelf(op.getLhs().getType()) != element)
      return rewriter.notifyMatchFailure(op, "no product of f32 or f64");
    double factor = 1;
    Value lhs = unscale(op, op.getLhs(), factor, rewriter), rhs = unscale(op, op.getRhs(), factor, rewriter);
    if (!lhs && !rhs)
      return rewriter.notifyMatchFailure(op, "no part of a tensor is scaled");
    auto product = MatmulOp::create(rewriter, op.getLoc(), lhs ? lhs : op.getLhs(), rhs ? rhs : op.getRhs(),
                                    op.getTransposeLhs(), op.getTransposeRhs(), PackedAttr());
    product->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    auto number = DenseElementsAttr::get(RankedTensorType::get({}, element), rewriter.getFloatAttr(element, factor));
    Value scale = ConstantOp::create(rewriter, op.getLoc(), number);
    auto scaled = rewriter.replaceOpWithNewOp<MulOp>(op, product, scale);
    scaled->setDiscardableAttrs(product->getDiscardableAttrDictionary());
    return success();
  }

private:
  /// The operand without the number that scales it, which goes to `factor`; null if there is none.
  static Value unscale(MatmulOp op, Value operand, double &factor, PatternRewriter &rewriter) {
    Value value = operand;
    while (auto reshape = value.getDefiningOp<ReshapeOp>()) {
      if (!reshape->hasOneUse())
        return {};
      value = reshape.getInput();
    }
    auto mul = value.getDefiningOp<MulOp>();
    if (!mul || !mul->hasOneUse())
      return {};
    Value tensor = mul.getLhs();
    std::optional<double> number = getNumber(mul.getRhs());
    if (!number) {
      tensor = mul.getRhs();
      number = getNumber(mul.getLhs());
    }
    if (!number || !std::isfinite(*number) || tensor.getType() != mul.getType() || !isPartOfStored(tensor, op))
      return {};
    factor *= *number;
    return makeReshape(rewriter, operand.getLoc(), tensor, cast<RankedTensorType>(operand.getType()).getShape());
  }
};

} // namespace

void hgc::populateMoveScales(RewritePatternSet &patterns) { patterns.add<ScaleAfterwards>(patterns.getContext()); }
