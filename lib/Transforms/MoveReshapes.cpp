//===- MoveReshapes.cpp - reshapes out of the way of fusion ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels end at reshapes, and a value that several slices read is stored. Models cut heads and the three parts of
// an attention's projection out of one product with such chains. Reshapes that split dims move up, those that add or
// drop dims of extent 1 move down, and slices move above the permutation they share: then each part is one kernel
// that reads the product. Numbers that scale such parts move behind the products that read them.
//===----------------------------------------------------------------------===//

#include "JoinTransposes.h"
#include "MoveScales.h"
#include "Utils.h"

#include "dialects/Graph/GraphOps.h"
#include "hgc/Analysis/FusionForest.h"
#include "hgc/Transforms/Passes.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace hgc {
#define GEN_PASS_DEF_MOVERESHAPES
#include "hgc/Transforms/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {

/// For each dim, the extents other than 1 that it is split into.
using Splits = SmallVector<SmallVector<int64_t>>;

RankedTensorType getTensor(Value value) { return cast<RankedTensorType>(value.getType()); }

FusionKind getKind(Operation *op) {
  auto fusible = dyn_cast_if_present<FusibleOp>(op);
  return fusible ? fusible.getFusionKind() : FusionKind::Opaque;
}

/// How a reshape splits its input's dims; none where it joins some.
std::optional<Splits> findSplits(ReshapeOp op) {
  RankedTensorType from = getTensor(op.getInput()), to = getTensor(op.getResult());
  if (!from.hasStaticShape() || !to.hasStaticShape() || from.getNumElements() == 0)
    return std::nullopt;
  Splits splits;
  const int64_t *next = to.getShape().begin(), *end = to.getShape().end();
  for (int64_t extent : from.getShape()) {
    SmallVector<int64_t> &parts = splits.emplace_back();
    for (int64_t product = 1; product < extent && next != end; ++next) {
      if (*next == 1)
        continue;
      parts.push_back(*next);
      product *= *next;
      if (extent % product)
        return std::nullopt;
    }
  }
  return splits;
}

/// A reshape that only adds or drops dims of extent 1.
ReshapeOp getUnitReshape(Value value) {
  auto op = value.getDefiningOp<ReshapeOp>();
  std::optional<Splits> splits = op ? findSplits(op) : std::nullopt;
  return splits && llvm::all_of(*splits, [](const auto &parts) { return parts.size() <= 1; }) ? op : ReshapeOp();
}

/// The same, of a value that an op of the reader's block makes.
ReshapeOp getMovable(Value value, Operation *reader) {
  ReshapeOp op = getUnitReshape(value);
  Operation *maker = op ? op.getInput().getDefiningOp() : nullptr;
  return maker && maker->getBlock() == reader->getBlock() ? op : ReshapeOp();
}

bool isExpression(Operation *op) {
  return getKind(op) == FusionKind::Pointwise || getKind(op) == FusionKind::IndexMap;
}

/// Whether `value` is stored whatever reads it, so that a view of it costs nothing.
bool isStored(Value value) { return !isExpression(value.getDefiningOp()) || !value.hasOneUse(); }

/// The order of all dims in which the long ones follow each other as in `order`,
/// which counts long dims only; dims of extent 1 come first.
SmallVector<int64_t> permuteLongDims(RankedTensorType type, ArrayRef<int64_t> order) {
  SmallVector<int64_t> longDims, result;
  for (auto [i, extent] : llvm::enumerate(type.getShape()))
    (extent == 1 ? result : longDims).push_back(i);
  for (int64_t position : order)
    result.push_back(longDims[position]);
  return result;
}

/// Of each dim, how many longer than 1 stand before it.
SmallVector<int64_t> rankLongDims(RankedTensorType type) {
  SmallVector<int64_t> ranks;
  int64_t count = 0;
  for (int64_t extent : type.getShape()) {
    ranks.push_back(count);
    count += extent != 1;
  }
  return ranks;
}

SmallVector<int64_t> getStrides(SliceOp op) {
  return op.getStrides() ? SmallVector<int64_t>(*op.getStrides())
                         : SmallVector<int64_t>(getTensor(op.getResult()).getRank(), 1);
}

Value makeSlice(PatternRewriter &rewriter, Location loc, Value input, ArrayRef<int64_t> starts, ArrayRef<int64_t> sizes,
                ArrayRef<int64_t> strides) {
  return SliceOp::create(rewriter, loc, input, Value(), rewriter.getDenseI64ArrayAttr(starts),
                         rewriter.getDenseI64ArrayAttr(sizes), rewriter.getDenseI64ArrayAttr(strides));
}

/// transpose(reshape(x))  ==>  reshape(transpose(x)), if the reshape moves dims of
/// extent 1 only; a transpose that does so as well becomes a reshape.
struct TransposeFirst final : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(TransposeOp op, PatternRewriter &rewriter) const override {
    auto reshape = op.getInput().getDefiningOp<ReshapeOp>();
    if (!reshape || !getTensor(op.getInput()).hasStaticShape())
      return rewriter.notifyMatchFailure(op, "reads no reshape");
    SmallVector<int64_t> ranks = rankLongDims(getTensor(op.getInput())), order;
    for (int64_t axis : op.getPermutation())
      if (getTensor(op.getInput()).getDimSize(axis) != 1)
        order.push_back(ranks[axis]);
    ArrayRef<int64_t> shape = getTensor(op.getResult()).getShape();
    if (llvm::is_sorted(order)) {
      rewriter.replaceOp(op, makeReshape(rewriter, op.getLoc(), reshape.getInput(), shape));
      return success();
    }
    ReshapeOp unit = getMovable(op.getInput(), op);
    if (!unit || !isExpression(unit.getInput().getDefiningOp()))
      return rewriter.notifyMatchFailure(op, "the reshape may stay");
    Value moved = makeTranspose(rewriter, op.getLoc(), unit.getInput(),
                                permuteLongDims(getTensor(unit.getInput()), order));
    rewriter.replaceOp(op, makeReshape(rewriter, op.getLoc(), moved, shape));
    return success();
  }
};

/// slice(reshape(x))  ==>  reshape(slice(x)), if the reshape moves dims of extent 1 only.
struct SliceFirst final : OpRewritePattern<SliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(SliceOp op, PatternRewriter &rewriter) const override {
    ReshapeOp unit = getMovable(op.getInput(), op);
    if (!unit || !op.getStarts() || !isExpression(unit.getInput().getDefiningOp()))
      return rewriter.notifyMatchFailure(op, "no reshape of an expression, or starts are not known");
    RankedTensorType from = getTensor(unit.getInput()), to = getTensor(op.getInput()), result = getTensor(op.getResult());
    if (result.getNumElements() == 0)
      return rewriter.notifyMatchFailure(op, "takes nothing");
    SmallVector<int64_t> starts(from.getRank(), 0), sizes(from.getRank(), 1), strides(from.getRank(), 1);
    int64_t next = -1;
    for (auto [i, extent] : llvm::enumerate(to.getShape())) {
      if (extent == 1)
        continue;
      do
        ++next;
      while (from.getDimSize(next) == 1);
      starts[next] = (*op.getStarts())[i];
      sizes[next] = result.getDimSize(i);
      strides[next] = getStrides(op)[i];
    }
    Value slice = makeSlice(rewriter, op.getLoc(), unit.getInput(), starts, sizes, strides);
    rewriter.replaceOp(op, makeReshape(rewriter, op.getLoc(), slice, result.getShape()));
    return success();
  }
};

/// slices of transpose(x)  ==>  transposes of slices of x, if nothing else reads it.
struct SliceBeforeTranspose final : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(TransposeOp op, PatternRewriter &rewriter) const override {
    SmallVector<SliceOp> parts = findParts(op);
    if (parts.size() < 2)
      return rewriter.notifyMatchFailure(op, "not read in parts");
    ArrayRef<int64_t> permutation = op.getPermutation();
    for (SliceOp part : parts) {
      rewriter.setInsertionPoint(part);
      SmallVector<int64_t> starts(permutation.size()), sizes(permutation.size()), strides(permutation.size());
      for (auto [i, axis] : llvm::enumerate(permutation)) {
        starts[axis] = (*part.getStarts())[i];
        sizes[axis] = getTensor(part.getResult()).getDimSize(i);
        strides[axis] = getStrides(part)[i];
      }
      Value slice = makeSlice(rewriter, part.getLoc(), op.getInput(), starts, sizes, strides);
      rewriter.replaceOpWithNewOp<TransposeOp>(part, slice, permutation);
    }
    return success();
  }

private:
  /// The slices that read `op`; none if others do, or if they overlap.
  static SmallVector<SliceOp> findParts(TransposeOp op) {
    SmallVector<SliceOp> parts;
    int64_t elements = 0;
    for (Operation *user : op->getUsers()) {
      auto slice = dyn_cast<SliceOp>(user);
      if (!slice || !slice.getStarts() || slice->getBlock() != op->getBlock())
        return {};
      elements += getTensor(slice.getResult()).getNumElements();
      parts.push_back(slice);
    }
    return elements <= getTensor(op.getResult()).getNumElements() ? parts : SmallVector<SliceOp>();
  }
};

/// gather(x, one constant index)  ==>  reshape(slice(x)), if x is another view of a
/// value that may be sliced instead.
struct GatherToSlice final : OpRewritePattern<GatherOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(GatherOp op, PatternRewriter &rewriter) const override {
    DenseIntElementsAttr indices;
    RankedTensorType input = getTensor(op.getInput());
    if (!isa_and_present<ReshapeOp, TransposeOp>(op.getInput().getDefiningOp()) || !input.hasStaticShape() ||
        !matchPattern(op.getIndices(), m_Constant(&indices)) || indices.getNumElements() != 1)
      return rewriter.notifyMatchFailure(op, "no single known index of a view");
    int64_t axis = op.getAxis(), extent = input.getDimSize(axis);
    int64_t index = (*indices.begin()).getSExtValue();
    if (index < -extent || index >= extent)
      return rewriter.notifyMatchFailure(op, "the index would be clamped");
    SmallVector<int64_t> starts(input.getRank(), 0), sizes(input.getShape()), strides(input.getRank(), 1);
    starts[axis] = index < 0 ? index + extent : index;
    sizes[axis] = 1;
    Value slice = makeSlice(rewriter, op.getLoc(), op.getInput(), starts, sizes, strides);
    rewriter.replaceOp(op, makeReshape(rewriter, op.getLoc(), slice, getTensor(op.getResult()).getShape()));
    return success();
  }
};

/// reshape(transpose(x))  ==>  transpose(reshape(x)), and the same for slices, if the
/// reshape splits dims. What it does to dims of extent 1 stays behind.
struct SplitFirst final : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReshapeOp op, PatternRewriter &rewriter) const override {
    std::optional<Splits> splits = findSplits(op);
    if (!splits || llvm::all_of(*splits, [](const auto &parts) { return parts.size() <= 1; }))
      return rewriter.notifyMatchFailure(op, "splits nothing");
    Operation *maker = op.getInput().getDefiningOp();
    if (!maker || maker->getBlock() != op->getBlock() || !maker->getResult(0).hasOneUse())
      return rewriter.notifyMatchFailure(op, "others read what is split");
    Value moved;
    if (auto transpose = dyn_cast<TransposeOp>(maker))
      moved = splitTransposed(transpose, *splits, rewriter);
    else if (auto slice = dyn_cast<SliceOp>(maker); slice && slice.getStarts())
      moved = splitSliced(slice, *splits, rewriter);
    if (!moved)
      return rewriter.notifyMatchFailure(op, "no transpose or slice that can follow");
    rewriter.replaceOp(op, makeReshape(rewriter, op.getLoc(), moved, getTensor(op.getResult()).getShape()));
    return success();
  }

private:
  static void append(SmallVectorImpl<int64_t> &shape, ArrayRef<int64_t> parts) {
    if (parts.empty())
      shape.push_back(1);
    llvm::append_range(shape, parts);
  }

  static Value splitTransposed(TransposeOp op, const Splits &splits, PatternRewriter &rewriter) {
    if (!isStored(op.getInput()) && !isa_and_present<SliceOp>(op.getInput().getDefiningOp()))
      return {};
    ArrayRef<int64_t> permutation = op.getPermutation();
    SmallVector<int64_t> resultDim(permutation.size()), first(permutation.size()), shape, split;
    for (auto [i, axis] : llvm::enumerate(permutation))
      resultDim[axis] = i;
    for (auto [axis, i] : llvm::enumerate(resultDim)) {
      first[axis] = shape.size();
      append(shape, splits[i]);
    }
    for (auto [i, axis] : llvm::enumerate(permutation))
      for (size_t part = 0; part < std::max<size_t>(1, splits[i].size()); ++part)
        split.push_back(first[axis] + part);
    Value input = makeReshape(rewriter, op.getLoc(), op.getInput(), shape);
    return TransposeOp::create(rewriter, op.getLoc(), input, split);
  }

  static Value splitSliced(SliceOp op, const Splits &splits, PatternRewriter &rewriter) {
    RankedTensorType input = getTensor(op.getInput()), result = getTensor(op.getResult());
    if (!isStored(op.getInput()))
      return {};
    SmallVector<int64_t> shape, starts, sizes, strides, oldStrides = getStrides(op);
    for (auto [i, parts] : llvm::enumerate(splits)) {
      bool isWhole = result.getDimSize(i) == input.getDimSize(i) && oldStrides[i] == 1;
      if (!isWhole && parts.size() > 1)
        return {};
      append(sizes, parts);
      if (isWhole)
        append(shape, parts);
      else
        shape.push_back(input.getDimSize(i));
      starts.append(sizes.size() - starts.size(), isWhole ? 0 : (*op.getStarts())[i]);
      strides.append(sizes.size() - strides.size(), isWhole ? 1 : oldStrides[i]);
    }
    Value split = makeReshape(rewriter, op.getLoc(), op.getInput(), shape);
    return makeSlice(rewriter, op.getLoc(), split, starts, sizes, strides);
  }
};

/// f(reshape(x), y)  ==>  reshape(f(x, reshape(y))), if the reshape moves dims of extent 1
/// only and y is a number or stored anyway.
struct ComputeFirst final : OpInterfaceRewritePattern<FusibleOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(FusibleOp op, PatternRewriter &rewriter) const override {
    if (op.getFusionKind() != FusionKind::Pointwise || op->getNumResults() != 1 || op->getNumRegions() ||
        feedsReduction(op))
      return rewriter.notifyMatchFailure(op, "not pointwise, or part of a kernel that follows");
    RankedTensorType result = getTensor(op->getResult(0));
    ReshapeOp unit;
    for (Value operand : op->getOperands())
      if (!unit && getTensor(operand).getShape() == result.getShape() && endsKernel(operand, op))
        unit = operand.getDefiningOp<ReshapeOp>();
    if (!unit)
      return rewriter.notifyMatchFailure(op, "no reshape that ends a kernel");
    ArrayRef<int64_t> shape = getTensor(unit.getInput()).getShape();
    if (!llvm::all_of(op->getOperands(), [&](Value operand) { return canFollow(operand, unit, result); }))
      return rewriter.notifyMatchFailure(op, "another operand would end a kernel");
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(follow(operand, result, shape, op.getLoc(), rewriter));
    OperationState state(op.getLoc(), op->getName(), operands, RankedTensorType::get(shape, result.getElementType()),
                         op->getAttrs());
    Operation *moved = rewriter.create(state);
    rewriter.replaceOp(op, makeReshape(rewriter, op.getLoc(), moved->getResult(0), result.getShape()));
    return success();
  }

private:
  /// Whether the result may join a kernel that reads it several elements at a time.
  static bool feedsReduction(Operation *op) {
    if (!op->getResult(0).hasOneUse())
      return false;
    Operation *user = *op->getResult(0).user_begin();
    return getKind(user) == FusionKind::Root && !isa<MatmulOp, ConvOp>(user);
  }

  static bool isNumber(Value value) { return getTensor(value).hasStaticShape() && getTensor(value).getNumElements() == 1; }

  /// Whether `operand` moves dims of extent 1 of a value that `op` could have joined.
  static bool endsKernel(Value operand, Operation *op) {
    ReshapeOp unit = getMovable(operand, op);
    return unit && unit->hasOneUse() && unit.getInput().hasOneUse() && isComputing(unit.getInput().getDefiningOp());
  }

  /// Whether `operand` can be read in the shape before the reshape, and will not ask
  /// for its own shape in turn.
  static bool canFollow(Value operand, ReshapeOp unit, RankedTensorType result) {
    if (operand == unit.getResult() || (isNumber(operand) && result.getNumElements() != 1))
      return true;
    if (getTensor(operand).getShape() != result.getShape())
      return false;
    auto reshape = operand.getDefiningOp<ReshapeOp>();
    Value source = reshape ? reshape.getInput() : operand;
    Operation *maker = source.getDefiningOp();
    return getTensor(source).getShape() == getTensor(unit.getInput()).getShape() || !maker || !isComputing(maker) ||
           !source.hasOneUse();
  }

  static Value follow(Value operand, RankedTensorType result, ArrayRef<int64_t> shape, Location loc,
                      PatternRewriter &rewriter) {
    // As a constant it stays one; its rank must not exceed the new one.
    if (isNumber(operand) && result.getNumElements() != 1)
      return getTensor(operand).getRank() <= static_cast<int64_t>(shape.size())
                 ? operand
                 : makeReshape(rewriter, loc, operand, {});
    auto reshape = operand.getDefiningOp<ReshapeOp>();
    if (reshape && getTensor(reshape.getInput()).getShape() == shape)
      return reshape.getInput();
    return makeReshape(rewriter, loc, operand, shape);
  }
};

struct MoveReshapes final : hgc::impl::MoveReshapesBase<MoveReshapes> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<ComputeFirst, GatherToSlice, SliceBeforeTranspose, SliceFirst, SplitFirst, TransposeFirst>(
        &getContext());
    populateJoinTransposes(patterns);
    populateMoveScales(patterns);
    ReshapeOp::getCanonicalizationPatterns(patterns, &getContext());
    TransposeOp::getCanonicalizationPatterns(patterns, &getContext());
    GreedyRewriteConfig config;
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns), config.setMaxIterations(maxRounds))))
      getOperation().emitWarning().append("reshapes still move after ", maxRounds.getValue(), " rounds").attachNote()
          << "hint: results are right, but may take longer than they need; report this with the model";
  }
};

} // namespace
