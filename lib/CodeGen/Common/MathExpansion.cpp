//===- MathExpansion.cpp - elementary functions as polynomials ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/Common/MathExpansion.h"

#include "MathFunctions.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace hgc::codegen {
namespace {

/// Replaces a function of one f32 by its expansion.
template <typename Op, Value (*expand)(MathBuilder &, Value)> struct ExpandUnary final : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF32())
      return rewriter.notifyMatchFailure(op, "only f32 is expanded");
    MathBuilder m(rewriter, op.getLoc(), op.getResult());
    rewriter.replaceOp(op, expand(m, op.getOperand()));
    return success();
  }
};

/// Replaces a function of two f32 by its expansion.
template <typename Op, Value (*expand)(MathBuilder &, Value, Value)> struct ExpandBinary final : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF32())
      return rewriter.notifyMatchFailure(op, "only f32 is expanded");
    MathBuilder m(rewriter, op.getLoc(), op.getResult());
    rewriter.replaceOp(op, expand(m, op.getLhs(), op.getRhs()));
    return success();
  }
};

/// Splits a function of f64 vectors into one call a lane.
template <typename Op> struct SplitLanes final : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    auto type = dyn_cast<VectorType>(op.getType());
    if (!type || type.getRank() != 1 || !type.getElementType().isF64())
      return rewriter.notifyMatchFailure(op, "only f64 vectors are split");
    SmallVector<Value> lanes;
    for (int64_t l = 0; l < type.getNumElements(); ++l) {
      SmallVector<Value> operands;
      for (Value operand : op->getOperands())
        operands.push_back(vector::ExtractOp::create(rewriter, op.getLoc(), operand, ArrayRef<int64_t>{l}));
      lanes.push_back(Op::create(rewriter, op.getLoc(), TypeRange{type.getElementType()}, operands));
    }
    rewriter.replaceOpWithNewOp<vector::FromElementsOp>(op, type, lanes);
    return success();
  }
};

/// Upstream lowers expm1 of f64 to exp(x) - 1, which has no digits left at small
/// x. There 2t / (1 - t) with t = tanh(x / 2) is as good as tanh is.
struct ExpandExpM1OfF64 final : OpRewritePattern<math::ExpM1Op> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::ExpM1Op op, PatternRewriter &rewriter) const override {
    if (!op.getType().isF64())
      return rewriter.notifyMatchFailure(op, "not one f64");
    MathBuilder m(rewriter, op.getLoc(), op.getResult());
    Value x = op.getOperand(), one = m.f64(1);
    Value t = math::TanhOp::create(rewriter, op.getLoc(), m.mul(x, m.f64(0.5)));
    Value small = m.div(m.add(t, t), m.sub(one, t));
    Value large = m.sub(math::ExpOp::create(rewriter, op.getLoc(), x), one);
    Value isSmall = m.compare(arith::CmpFPredicate::OLT, m.abs(x), one);
    rewriter.replaceOp(op, m.select(isSmall, small, large));
    return success();
  }
};

template <typename Op, Value (*expand)(MathBuilder &, Value)> void addUnary(RewritePatternSet &patterns) {
  patterns.add<ExpandUnary<Op, expand>, SplitLanes<Op>>(patterns.getContext());
}

template <typename Op, Value (*expand)(MathBuilder &, Value, Value)> void addBinary(RewritePatternSet &patterns) {
  patterns.add<ExpandBinary<Op, expand>, SplitLanes<Op>>(patterns.getContext());
}

} // namespace

void populateMathExpansionPatterns(RewritePatternSet &patterns) {
  addUnary<math::ExpOp, expandExp>(patterns);
  addUnary<math::ExpM1Op, expandExpM1>(patterns);
  patterns.add<ExpandExpM1OfF64>(patterns.getContext());
  addUnary<math::LogOp, expandLog>(patterns);
  addUnary<math::Log1pOp, expandLog1p>(patterns);
  addUnary<math::TanhOp, expandTanh>(patterns);
  addUnary<math::SinhOp, expandSinh>(patterns);
  addUnary<math::CoshOp, expandCosh>(patterns);
  addUnary<math::AsinhOp, expandAsinh>(patterns);
  addUnary<math::AcoshOp, expandAcosh>(patterns);
  addUnary<math::AtanhOp, expandAtanh>(patterns);
  addUnary<math::ErfOp, expandErf>(patterns);
  addUnary<math::SinOp, expandSin>(patterns);
  addUnary<math::CosOp, expandCos>(patterns);
  addUnary<math::TanOp, expandTan>(patterns);
  addUnary<math::AsinOp, expandAsin>(patterns);
  addUnary<math::AcosOp, expandAcos>(patterns);
  addUnary<math::AtanOp, expandAtan>(patterns);
  addBinary<math::Atan2Op, expandAtan2>(patterns);
  addBinary<math::PowFOp, expandPow>(patterns);
}

} // namespace hgc::codegen
