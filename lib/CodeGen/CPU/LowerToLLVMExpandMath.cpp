//===- LowerToLLVMExpandMath.cpp - functions become polynomials -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/Passes.h"
#include "hgc/CodeGen/Common/MathExpansion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace hgc {
#define GEN_PASS_DEF_EXPANDMATH
#include "hgc/CodeGen/CPU/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;

namespace {

/// Makes the greater or lesser of two floats of what processors have: an instruction
/// that gives its second operand where one of them is NaN. A NaN in the first is put
/// back, unless that is a constant.
template <typename Op, arith::CmpFPredicate predicate> struct ExpandExtreme final : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value a = op.getLhs(), b = op.getRhs();
    if (isNumber(b))
      std::swap(a, b);
    auto isBeyond = arith::CmpFOp::create(rewriter, loc, predicate, a, b);
    Value result = arith::SelectOp::create(rewriter, loc, isBeyond, a, b);
    if (!isNumber(a)) {
      auto isNan = arith::CmpFOp::create(rewriter, loc, arith::CmpFPredicate::UNO, a, a);
      result = arith::SelectOp::create(rewriter, loc, isNan, a, result);
    }
    rewriter.replaceOp(op, result);
    return success();
  }

  /// Whether `value` is a constant that is not NaN, the same in all lanes.
  static bool isNumber(Value value) {
    APFloat constant(0.0);
    return matchPattern(value, m_ConstantFloat(&constant)) && !constant.isNaN();
  }
};

/// Rounds to the nearest integer in the conversion, as all processors can: halves go to even in the mode that is never
/// changed.
struct RoundInConversion final : OpRewritePattern<arith::FPToSIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::FPToSIOp op, PatternRewriter &rewriter) const override {
    auto round = op.getIn().getDefiningOp<math::RoundEvenOp>();
    if (!round)
      return rewriter.notifyMatchFailure(op, "converts no number that is rounded for it");
    if (!getElementTypeOrSelf(op.getIn()).isF32() || !getElementTypeOrSelf(op.getOut()).isInteger(32))
      return rewriter.notifyMatchFailure(op, "other types than f32 and i32");
    rewriter.replaceOpWithNewOp<LLVM::CallIntrinsicOp>(op, op.getType(), rewriter.getStringAttr("llvm.lrint"),
                                                       round.getOperand());
    return success();
  }
};

struct ExpandMath final : hgc::impl::ExpandMathBase<ExpandMath> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    codegen::populateMathExpansionPatterns(patterns);
    patterns.add<ExpandExtreme<arith::MaximumFOp, arith::CmpFPredicate::OGT>,
                 ExpandExtreme<arith::MinimumFOp, arith::CmpFPredicate::OLT>, RoundInConversion>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
