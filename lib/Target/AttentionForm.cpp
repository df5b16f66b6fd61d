//===- AttentionForm.cpp - attention as one CPU kernel --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Target/AttentionForm.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

/// Whether operands and result are of one type that needs no rounding in between.
static bool isProductOfOneType(MatmulOp op) {
  Type element = getElementTypeOrSelf(op.getType());
  return (element.isF32() || element.isF64()) && getElementTypeOrSelf(op.getLhs().getType()) == element &&
         getElementTypeOrSelf(op.getRhs().getType()) == element && !op.getPacked() && !op.getTransposeLhs();
}

bool hgc::canAttend(SoftmaxOp softmax, MatmulOp sums) {
  RankedTensorType type = softmax.getType();
  return isProductOfOneType(sums) && type.getRank() >= 2 && type.getShape().back() > 0 &&
         static_cast<int64_t>(softmax.getAxis()) == type.getRank() - 1 && sums.getLhs().getType() == type &&
         sums.getType().getRank() == type.getRank() &&
         sums.getType().getShape().drop_back() == type.getShape().drop_back();
}

bool hgc::canAttend(MatmulOp scores, SoftmaxOp softmax) {
  return isProductOfOneType(scores) && scores.getType() == softmax.getType();
}

bool hgc::isExpressionOf(Value value, Value source) {
  if (value == source)
    return true;
  auto op = value.getDefiningOp<FusibleOp>();
  if (!op || op.getFusionKind() != FusionKind::Pointwise || value.getType() != source.getType())
    return false;
  auto readers = llvm::count_if(op->getOperands(), [&](Value operand) { return isExpressionOf(operand, source); });
  return readers == 1;
}

bool hgc::feedsAttention(MatmulOp scores) {
  Operation *op = scores;
  while (op->hasOneUse()) {
    Operation *reader = *op->user_begin();
    auto fusible = dyn_cast<FusibleOp>(reader);
    if (auto softmax = dyn_cast<SoftmaxOp>(reader)) {
      auto sums = softmax->hasOneUse() ? dyn_cast<MatmulOp>(*softmax->user_begin()) : MatmulOp();
      return sums && sums.getLhs() == softmax.getResult() && canAttend(scores, softmax) && canAttend(softmax, sums);
    }
    if (!fusible || fusible.getFusionKind() != FusionKind::Pointwise)
      return false;
    op = reader;
  }
  return false;
}

std::optional<AttentionForm> AttentionForm::find(Block &body) {
  SmallVector<Operation *, 4> roots;
  for (Operation &op : body)
    if (auto fusible = dyn_cast<FusibleOp>(op); fusible && fusible.getFusionKind() == FusionKind::Root)
      roots.push_back(&op);
  if (roots.size() < 2 || roots.size() > 3)
    return std::nullopt;
  AttentionForm form{roots.size() == 3 ? dyn_cast<MatmulOp>(roots[0]) : MatmulOp(),
                     dyn_cast<SoftmaxOp>(roots.end()[-2]), dyn_cast<MatmulOp>(roots.back())};
  if (!form.softmax || !form.sums || (roots.size() == 3 && !form.scores))
    return std::nullopt;
  if (form.sums.getLhs() != form.softmax.getResult() || !form.softmax->hasOneUse() ||
      !canAttend(form.softmax, form.sums))
    return std::nullopt;
  if (form.scores && (!form.scores->hasOneUse() || !canAttend(form.scores, form.softmax) ||
                      !isExpressionOf(form.softmax.getInput(), form.scores.getResult())))
    return std::nullopt;
  return form;
}
