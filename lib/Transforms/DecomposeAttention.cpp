//===- DecomposeAttention.cpp - attention as matrix products --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scores of all pairs, their softmax, and the sums of values. Everything between
// the products is in f32 at least; scale and masks are epilogues of the first one.
//===----------------------------------------------------------------------===//

#include "DecomposeAttention.h"

#include "Utils.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {

struct AttentionBuilder {
  explicit AttentionBuilder(AttentionOp op) : op(op), listener(op), builder(op), loc(op.getLoc()) {
    builder.setListener(&listener);
    work = getComputeType(getElementTypeOrSelf(op.getType()));
  }

  Value build() {
    Value scores = maskScores(scaleScores());
    auto type = cast<RankedTensorType>(scores.getType());
    Value weights = SoftmaxOp::create(builder, loc, type, scores, builder.getI64IntegerAttr(type.getRank() - 1));
    Value value = makeCast(builder, loc, op.getValue(), work);
    Value sums = MatmulOp::create(builder, loc, weights, value, false, false, PackedAttr());
    return makeCast(builder, loc, sums, getElementTypeOrSelf(op.getType()));
  }

private:
  Value scalar(double value) {
    auto type = RankedTensorType::get({}, work);
    return ConstantOp::create(builder, loc, DenseElementsAttr::get(type, builder.getFloatAttr(work, value)));
  }

  Value scaleScores() {
    Value scores = MatmulOp::create(builder, loc, op.getQuery(), op.getKey(), false, true, PackedAttr());
    return MulOp::create(builder, loc, scores, scalar(op.getFactor()));
  }

  /// `scores` where `seen` holds, elsewhere minus infinity.
  Value hide(Value seen, Value scores) {
    return SelectOp::create(builder, loc, seen, scores, scalar(-std::numeric_limits<double>::infinity()));
  }

  Value maskScores(Value scores) {
    if (Value mask = op.getMask()) {
      if (getElementTypeOrSelf(mask.getType()).isInteger(1))
        scores = hide(mask, scores);
      else
        scores = AddOp::create(builder, loc, scores, makeCast(builder, loc, mask, work));
    }
    if (!op.getCausal())
      return scores;
    ArrayRef<int64_t> shape = cast<RankedTensorType>(scores.getType()).getShape().take_back(2);
    Value query = count({shape[0], 1}, 0), key = count({1, shape[1]}, 1);
    return hide(CompareOp::create(builder, loc, ComparePredicate::LE, key, query), scores);
  }

  Value count(ArrayRef<int64_t> shape, int64_t axis) {
    return IotaOp::create(builder, loc, builder.getI64ArrayAttr(shape), axis, builder.getI64Type());
  }

  AttentionOp op;
  NoteKeeper listener;
  OpBuilder builder;
  Location loc;
  Type work;
};

} // namespace

void hgc::decomposeAttention(AttentionOp op) {
  op.getResult().replaceAllUsesWith(AttentionBuilder(op).build());
  op.erase();
}
