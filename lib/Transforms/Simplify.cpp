//===- Simplify.cpp - exact rewrites that save work -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rewrites that look at one op and its operands and keep every bit of the
// result; what folds alone is in the ops' own folders.
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphOps.h"
#include "hgc/Transforms/Passes.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace hgc {
#define GEN_PASS_DEF_SIMPLIFY
#include "hgc/Transforms/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {

/// Whether `permutation` swaps the last two dims and nothing else.
bool swapsLastTwo(ArrayRef<int64_t> permutation) {
  int64_t rank = permutation.size();
  if (rank < 2 || permutation[rank - 1] != rank - 2 || permutation[rank - 2] != rank - 1)
    return false;
  return llvm::equal(permutation.drop_back(2), llvm::seq<int64_t>(0, rank - 2));
}

/// matmul(transpose(x), y)  ==>  matmul(x, y) with the flag turned over.
struct AbsorbTranspose final : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MatmulOp op, PatternRewriter &rewriter) const override {
    auto lhs = op.getLhs().getDefiningOp<TransposeOp>();
    if (lhs && swapsLastTwo(lhs.getPermutation())) {
      rewriter.modifyOpInPlace(op, [&] {
        op.getLhsMutable().assign(lhs.getInput());
        op.setTransposeLhs(!op.getTransposeLhs());
      });
      return success();
    }
    auto rhs = op.getRhs().getDefiningOp<TransposeOp>();
    if (op.getPacked() || !rhs || !swapsLastTwo(rhs.getPermutation()))
      return rewriter.notifyMatchFailure(op, "no operand is a transpose of the last two dims");
    rewriter.modifyOpInPlace(op, [&] {
      op.getRhsMutable().assign(rhs.getInput());
      op.setTransposeRhs(!op.getTransposeRhs());
    });
    return success();
  }
};

/// if(constant)  ==>  the branch that runs.
struct TakeBranch final : OpRewritePattern<IfOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IfOp op, PatternRewriter &rewriter) const override {
    DenseElementsAttr condition;
    if (!matchPattern(op.getCondition(), m_Constant(&condition)))
      return rewriter.notifyMatchFailure(op, "the condition is not constant");
    bool taken = *condition.value_begin<bool>();
    Block &block = (taken ? op.getThenRegion() : op.getElseRegion()).front();
    Operation *yield = block.getTerminator();
    rewriter.inlineBlockBefore(&block, op);
    rewriter.replaceOp(op, yield->getOperands());
    rewriter.eraseOp(yield);
    return success();
  }
};

/// check(true)  ==>  nothing. What is known to fail is for hgc-verify-graph.
struct DropCheck final : OpRewritePattern<CheckOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(CheckOp op, PatternRewriter &rewriter) const override {
    DenseElementsAttr condition;
    if (!matchPattern(op.getCondition(), m_Constant(&condition)) || !*condition.value_begin<bool>())
      return rewriter.notifyMatchFailure(op, "the condition is not known to hold");
    rewriter.eraseOp(op);
    return success();
  }
};

/// x * sigmoid(x)  ==>  silu(x), whose value one op reads: kernels that end in it
/// can begin with what computes x. Half precision would round once less.
struct JoinSilu final : OpRewritePattern<MulOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MulOp op, PatternRewriter &rewriter) const override {
    Type element = getElementTypeOrSelf(op.getType());
    if (!element.isF32() && !element.isF64())
      return rewriter.notifyMatchFailure(op, "half precision rounds after each op");
    for (auto [x, factor] : {std::pair(op.getLhs(), op.getRhs()), std::pair(op.getRhs(), op.getLhs())}) {
      auto sigmoid = factor.getDefiningOp<SigmoidOp>();
      if (!sigmoid || sigmoid.getInput() != x || !sigmoid->hasOneUse())
        continue;
      rewriter.replaceOpWithNewOp<SiluOp>(op, op.getType(), x);
      return success();
    }
    return rewriter.notifyMatchFailure(op, "no factor is the sigmoid of the other");
  }
};

struct Simplify final : hgc::impl::SimplifyBase<Simplify> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<AbsorbTranspose, DropCheck, JoinSilu, TakeBranch>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
