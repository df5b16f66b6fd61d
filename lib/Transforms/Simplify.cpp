//===- Simplify.cpp - exact rewrites that save work -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rewrites that look at one op and its operands and keep every bit of the
// result; what folds alone is in the ops' own folders.
//===----------------------------------------------------------------------===//

#include "Utils.h"

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

/// `values` with the last two swapped.
SmallVector<int64_t> swapLastTwo(ArrayRef<int64_t> values) {
  SmallVector<int64_t> swapped(values);
  std::swap(swapped.back(), swapped[swapped.size() - 2]);
  return swapped;
}

/// The tensor that `op` scales by one number, or reshapes without touching the last two
/// dims; null for any other op.
Value getMatrices(Operation *op) {
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  auto hasMatrices = [&](Value value) {
    auto source = cast<RankedTensorType>(value.getType());
    return source.getRank() >= 2 && type.getRank() >= 2 && source.hasStaticShape() && type.hasStaticShape() &&
           source.getShape().take_back(2) == type.getShape().take_back(2);
  };
  if (auto reshape = dyn_cast<ReshapeOp>(op))
    return hasMatrices(reshape.getInput()) ? reshape.getInput() : Value();
  if (!isa<MulOp, DivOp>(op))
    return {};
  Value tensor = op->getOperand(0), number = op->getOperand(1);
  auto isNumber = [](Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    return type.hasStaticShape() && type.getNumElements() == 1;
  };
  if (isa<MulOp>(op) && isNumber(tensor))
    std::swap(tensor, number);
  return isNumber(number) && tensor.getType() == type ? tensor : Value();
}

/// matmul(x, scale(transpose(y)))  ==>  matmul(x, scale(transpose(y))) with the flag turned
/// over and a permutation that leaves the innermost dim of y where it is: what scales
/// and moves y then reads and writes whole rows, and the product turns them.
struct KeepInnermost final : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MatmulOp op, PatternRewriter &rewriter) const override {
    SmallVector<Operation *> chain;
    Operation *maker = op.getRhs().getDefiningOp();
    while (maker && maker->hasOneUse() && !isa<TransposeOp>(maker)) {
      Value source = getMatrices(maker);
      if (!source)
        break;
      chain.push_back(maker);
      maker = source.getDefiningOp();
    }
    auto transpose = dyn_cast_or_null<TransposeOp>(maker);
    int64_t rank = transpose ? transpose.getPermutation().size() : 0;
    if (op.getPacked() || rank < 2 || !transpose->hasOneUse() || transpose.getPermutation()[rank - 2] != rank - 1)
      return rewriter.notifyMatchFailure(op, "no transpose moves the innermost dim to the one before");
    Value value =
        makeTranspose(rewriter, transpose.getLoc(), transpose.getInput(), swapLastTwo(transpose.getPermutation()));
    for (Operation *step : llvm::reverse(chain)) {
      auto type = cast<RankedTensorType>(step->getResult(0).getType());
      SmallVector<int64_t> shape = swapLastTwo(type.getShape());
      if (isa<ReshapeOp>(step)) {
        value = makeReshape(rewriter, step->getLoc(), value, shape);
        continue;
      }
      IRMapping map;
      map.map(getMatrices(step), value);
      value = rewriter.clone(*step, map)->getResult(0);
      value.setType(RankedTensorType::get(shape, type.getElementType()));
    }
    rewriter.modifyOpInPlace(op, [&] {
      op.getRhsMutable().assign(value);
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

/// dropout(x)  ==>  x: only training and differentiation, which have run, see what these ops do. Left to
/// hgc-decompose they would hide their operand from everything between.
template <typename OpTy> struct DropIdentity final : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, op.getInput());
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
    patterns.add<AbsorbTranspose, DropCheck, DropIdentity<DropoutOp>, DropIdentity<StopGradientOp>, JoinSilu,
                 KeepInnermost, TakeBranch>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
