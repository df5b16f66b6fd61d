//===- RowWise.cpp - ops that can be computed in pieces -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RowWise.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

int64_t hgc::getRows(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  return type.getRank() ? type.getDimSize(0) : 0;
}

bool RowWise::check(Operation *op) const {
  if (op->getNumResults() != 1 || op->getNumRegions() || getRows(op->getResult(0)) != rows)
    return false;
  if (isa<TransferOp, ReshapeOp>(op))
    return true;
  // These read everything but the rows of their first operand at once.
  if (isa<MatmulOp>(op))
    return isPlainMatmul(cast<MatmulOp>(op));
  if (isa<ConvOp, PoolOp>(op))
    return onlyFirstIsSplit(op);
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return !llvm::is_contained(reduce.getAxes(), 0);
  if (auto softmax = dyn_cast<SoftmaxOp>(op))
    return softmax.getAxis() != 0;
  if (auto softmax = dyn_cast<LogSoftmaxOp>(op))
    return softmax.getAxis() != 0;
  if (auto norm = dyn_cast<LayerNormOp>(op))
    return norm.getAxis() != 0 && onlyFirstIsSplit(op);
  if (auto concat = dyn_cast<ConcatOp>(op))
    return concat.getAxis() != 0 && llvm::all_of(op->getOperands(), isSplit);
  auto fusible = dyn_cast<FusibleOp>(op);
  return fusible && fusible.getFusionKind() == FusionKind::Pointwise && op->getNumOperands() && isAligned(op);
}

bool RowWise::onlyFirstIsSplit(Operation *op) const {
  return isSplit(op->getOperand(0)) && llvm::none_of(op->getOperands().drop_front(), isSplit);
}

bool RowWise::isPlainMatmul(MatmulOp op) const {
  return onlyFirstIsSplit(op) && !op.getTransposeLhs() && cast<ShapedType>(op.getLhs().getType()).getRank() == 2 &&
         cast<ShapedType>(op.getRhs().getType()).getRank() == 2;
}

bool RowWise::isAligned(Operation *op) const {
  int64_t rank = cast<ShapedType>(op->getResult(0).getType()).getRank();
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    int64_t own = cast<ShapedType>(operand.getType()).getRank();
    if (isSplit(operand))
      return own == rank;
    return own < rank || getRows(operand) == 1;
  });
}
