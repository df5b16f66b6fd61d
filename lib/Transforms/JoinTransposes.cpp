//===- JoinTransposes.cpp - permutations on both sides of a reshape -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vision transformers turn the planes of their first convolution into rows: a
// permutation of the layout, a reshape that joins height and width, and a
// permutation back. All three are one view of what was computed.
//===----------------------------------------------------------------------===//

#include "JoinTransposes.h"

#include "Utils.h"

#include "dialects/Graph/GraphOps.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

static RankedTensorType getTensor(Value value) { return cast<RankedTensorType>(value.getType()); }

/// Dims of `shape` longer than 1.
static SmallVector<int64_t> findLongDims(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> dims;
  for (auto [i, extent] : llvm::enumerate(shape))
    if (extent != 1)
      dims.push_back(i);
  return dims;
}

namespace {

/// Dims of the innermost tensor that a reshape joins to one.
struct Group {
  /// Of the first one, among the long dims of that tensor.
  int64_t rank;
  int64_t extent;

  bool operator<(const Group &other) const { return rank < other.rank; }
};

struct JoinTransposes final : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(TransposeOp outer, PatternRewriter &rewriter) const override {
    auto reshape = outer.getInput().getDefiningOp<ReshapeOp>();
    auto inner = reshape ? reshape.getInput().getDefiningOp<TransposeOp>() : TransposeOp();
    if (!inner || !reshape->hasOneUse() || !inner->hasOneUse())
      return rewriter.notifyMatchFailure(outer, "no chain of a transpose, a reshape and a transpose");
    std::optional<SmallVector<Group>> groups = findGroups(inner, reshape);
    if (!groups)
      return rewriter.notifyMatchFailure(outer, "the reshape does more than to join what is together before");
    // Dims of extent 1 come first, then the groups as they lie in memory.
    SmallVector<Group> inMemory(*groups);
    llvm::sort(inMemory);
    ArrayRef<int64_t> joined = getTensor(reshape).getShape(), result = getTensor(outer.getResult()).getShape();
    SmallVector<int64_t> shape(result.size() - groups->size(), 1), groupOf(joined.size()), permutation;
    int64_t units = shape.size(), nextUnit = 0;
    for (const Group &group : inMemory)
      shape.push_back(group.extent);
    for (auto [group, dim] : llvm::zip_equal(*groups, findLongDims(joined)))
      groupOf[dim] = llvm::lower_bound(inMemory, group) - inMemory.begin();
    for (int64_t axis : outer.getPermutation())
      permutation.push_back(joined[axis] == 1 ? nextUnit++ : units + groupOf[axis]);
    Value source = inner.getInput();
    if (llvm::is_sorted(llvm::filter_to_vector(permutation, [&](int64_t axis) { return axis >= units; }))) {
      rewriter.replaceOp(outer, makeReshape(rewriter, outer.getLoc(), source, result));
      return success();
    }
    Value view = makeReshape(rewriter, outer.getLoc(), source, shape);
    rewriter.replaceOp(outer, makeTranspose(rewriter, outer.getLoc(), view, permutation));
    return success();
  }

private:
  /// For each long dim of the reshape's result, what it is made of.
  static std::optional<SmallVector<Group>> findGroups(TransposeOp inner, ReshapeOp reshape) {
    RankedTensorType source = getTensor(inner.getInput()), from = getTensor(inner.getResult()),
                     to = getTensor(reshape.getResult());
    if (!source.hasStaticShape() || !to.hasStaticShape() || to.getNumElements() == 0)
      return std::nullopt;
    SmallVector<int64_t> sourceDims = findLongDims(source.getShape()), dims = findLongDims(from.getShape());
    SmallVector<int64_t> rankOf(source.getRank());
    for (auto [rank, dim] : llvm::enumerate(sourceDims))
      rankOf[dim] = rank;
    SmallVector<Group> groups;
    const int64_t *next = dims.begin();
    for (int64_t dim : findLongDims(to.getShape())) {
      Group group{-1, 1};
      for (int64_t last = -1; group.extent < to.getDimSize(dim) && next != dims.end(); ++next) {
        int64_t rank = rankOf[inner.getPermutation()[*next]];
        if (group.rank < 0)
          group.rank = rank;
        else if (rank != last + 1)
          return std::nullopt;
        last = rank;
        group.extent *= from.getDimSize(*next);
      }
      if (group.extent != to.getDimSize(dim))
        return std::nullopt;
      groups.push_back(group);
    }
    return groups;
  }
};

} // namespace

void hgc::populateJoinTransposes(RewritePatternSet &patterns) { patterns.add<JoinTransposes>(patterns.getContext()); }
