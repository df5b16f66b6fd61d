//===- MathExpansion.cpp - elementary functions as polynomials ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/Common/MathExpansion.h"

#include "MathFunctions.h"

#include "dialects/Graph/ElementTypes.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace hgc::codegen {
namespace {

/// Replaces a function of f32 (without a C library: also of f64) by its expansion.
template <typename Op, typename Expand> struct ExpandFunction final : OpRewritePattern<Op> {
  ExpandFunction(MLIRContext *context, Expand expand, bool hasLibm)
      : OpRewritePattern<Op>(context), expand(expand), hasLibm(hasLibm) {}

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    Type element = getElementTypeOrSelf(op.getType());
    if (!element.isF32() && (hasLibm || !element.isF64()))
      return rewriter.notifyMatchFailure(op, "only f32 is expanded where there is a C library");
    MathBuilder m(rewriter, op.getLoc(), op.getResult(), hasLibm);
    if (std::is_same_v<Op, math::ExpOp> && op->hasAttr(graph::kBoundedAttr)) {
      rewriter.replaceOp(op, expandBoundedExp(m, op->getOperand(0)));
      return success();
    }
    if constexpr (std::is_same_v<Expand, Value (*)(MathBuilder &, Value, Value)>)
      rewriter.replaceOp(op, expand(m, op->getOperand(0), op->getOperand(1)));
    else
      rewriter.replaceOp(op, expand(m, op->getOperand(0)));
    return success();
  }

  Expand expand;
  bool hasLibm;
};

/// Splits a function of f64 vectors into one call a lane.
template <typename Op> struct SplitLanes final : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    auto type = dyn_cast<VectorType>(op.getType());
    if (!type || type.getRank() != 1 || !type.getElementType().isF64())
      return rewriter.notifyMatchFailure(op, "only f64 vectors are split");
    return split(op, rewriter);
  }

  /// The same for any one-dimensional vector.
  LogicalResult split(Op op, PatternRewriter &rewriter) const {
    auto type = cast<VectorType>(op.getType());
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

/// Replaces remainders by loops, one for each lane.
struct ExpandRemainder final : OpRewritePattern<arith::RemFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::RemFOp op, PatternRewriter &rewriter) const override {
    Type element = getElementTypeOrSelf(op.getType());
    if (!element.isF32() && !element.isF64())
      return rewriter.notifyMatchFailure(op, "only f32 and f64 are expanded");
    if (isa<VectorType>(op.getType()))
      return SplitLanes<arith::RemFOp>(getContext()).split(op, rewriter);
    MathBuilder m(rewriter, op.getLoc(), op.getResult(), /*hasLibm=*/false);
    rewriter.replaceOp(op, expandRemainder(m, op.getLhs(), op.getRhs()));
    return success();
  }
};

template <typename Op, typename Expand> void add(RewritePatternSet &patterns, Expand expand, bool hasLibm) {
  patterns.add<ExpandFunction<Op, Expand>>(patterns.getContext(), expand, hasLibm);
  if (hasLibm)
    patterns.add<SplitLanes<Op>>(patterns.getContext());
}

} // namespace

void populateMathExpansionPatterns(RewritePatternSet &patterns, bool hasLibm) {
  add<math::ExpOp>(patterns, expandExp, hasLibm);
  add<math::ExpM1Op>(patterns, expandExpM1, hasLibm);
  add<math::LogOp>(patterns, expandLog, hasLibm);
  add<math::Log1pOp>(patterns, expandLog1p, hasLibm);
  add<math::TanhOp>(patterns, expandTanh, hasLibm);
  add<math::SinhOp>(patterns, expandSinh, hasLibm);
  add<math::CoshOp>(patterns, expandCosh, hasLibm);
  add<math::AsinhOp>(patterns, expandAsinh, hasLibm);
  add<math::AcoshOp>(patterns, expandAcosh, hasLibm);
  add<math::AtanhOp>(patterns, expandAtanh, hasLibm);
  add<math::ErfOp>(patterns, expandErf, hasLibm);
  add<math::SinOp>(patterns, expandSin, hasLibm);
  add<math::CosOp>(patterns, expandCos, hasLibm);
  add<math::TanOp>(patterns, expandTan, hasLibm);
  add<math::AsinOp>(patterns, expandAsin, hasLibm);
  add<math::AcosOp>(patterns, expandAcos, hasLibm);
  add<math::AtanOp>(patterns, expandAtan, hasLibm);
  add<math::Atan2Op>(patterns, expandAtan2, hasLibm);
  add<math::PowFOp>(patterns, expandPow, hasLibm);
  if (hasLibm)
    patterns.add<ExpandExpM1OfF64>(patterns.getContext());
  else
    patterns.add<ExpandRemainder>(patterns.getContext());
}

} // namespace hgc::codegen
