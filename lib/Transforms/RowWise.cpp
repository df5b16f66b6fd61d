//===- RowWise.cpp - ops that can be computed in pieces -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RowWise.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

static ArrayRef<int64_t> getShape(Value value) { return cast<RankedTensorType>(value.getType()).getShape(); }

int64_t hgc::getRowDim(Value value) {
  return llvm::find_if(getShape(value), [](int64_t extent) { return extent != 1; }) - getShape(value).begin();
}

int64_t hgc::getRows(Value value) {
  ArrayRef<int64_t> rows = getShape(value).drop_front(getRowDim(value));
  return rows.empty() ? 1 : rows.front();
}

/// Row dims of the first operand and the result, counted from the last dim.
static bool keepsRowDim(Operation *op) {
  auto count = [](Value value) { return static_cast<int64_t>(getShape(value).size()) - getRowDim(value); };
  return count(op->getOperand(0)) == count(op->getResult(0));
}

bool RowWise::check(Operation *op) const {
  if (op->getNumResults() != 1 || op->getNumRegions() || op->getNumOperands() == 0 || getRows(op->getResult(0)) != rows)
    return false;
  if (isa<TransferOp, ReshapeOp>(op))
    return true;
  int64_t rowDim = getRowDim(op->getOperand(0));
  // These read everything but the rows of their first operand at once.
  if (auto matmul = dyn_cast<MatmulOp>(op))
    return checkMatmul(matmul);
  if (isa<ConvOp, PoolOp>(op))
    return rowDim == 0 && keepsRowDim(op) && onlyFirstIsSplit(op);
  // Dims before that of the rows are 1, and 1 or gone in the result.
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return !llvm::is_contained(reduce.getAxes(), rowDim);
  if (auto softmax = dyn_cast<SoftmaxOp>(op))
    return static_cast<int64_t>(softmax.getAxis()) != rowDim;
  if (auto softmax = dyn_cast<LogSoftmaxOp>(op))
    return static_cast<int64_t>(softmax.getAxis()) != rowDim;
  if (auto norm = dyn_cast<LayerNormOp>(op))
    return static_cast<int64_t>(norm.getAxis()) > rowDim && onlyFirstIsSplit(op);
  if (auto concat = dyn_cast<ConcatOp>(op))
    return static_cast<int64_t>(concat.getAxis()) > rowDim && llvm::all_of(op->getOperands(), isSplit);
  auto fusible = dyn_cast<FusibleOp>(op);
  return fusible && fusible.getFusionKind() == FusionKind::Pointwise && isAligned(op);
}

bool RowWise::onlyFirstIsSplit(Operation *op) const {
  return isSplit(op->getOperand(0)) && llvm::none_of(op->getOperands().drop_front(), isSplit);
}

/// Rows are those of the matrix, or a dim before it that the right side has not.
bool RowWise::checkMatmul(MatmulOp op) const {
  int64_t fromEnd = static_cast<int64_t>(getShape(op.getLhs()).size()) - getRowDim(op.getLhs());
  if (!onlyFirstIsSplit(op) || !keepsRowDim(op) || fromEnd < 2)
    return false;
  if (fromEnd == 2)
    return !op.getTransposeLhs();
  SmallVector<int64_t> right = op.getRhsShape();
  return static_cast<int64_t>(right.size()) < fromEnd || right[right.size() - fromEnd] == 1;
}

bool RowWise::isAligned(Operation *op) const {
  auto result = op->getResult(0);
  int64_t fromEnd = static_cast<int64_t>(getShape(result).size()) - getRowDim(result);
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    int64_t rank = getShape(operand).size();
    if (isSplit(operand))
      return rank - getRowDim(operand) == fromEnd;
    return rank < fromEnd || getShape(operand)[rank - fromEnd] == 1;
  });
}
