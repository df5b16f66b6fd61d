//===- Matmul.cpp - a matmul op as a batch of plain products --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/Matmul.h"

#include "dialects/Graph/Panels.h"
#include "dialects/Graph/StridedView.h"
#include "hgc/CodeGen/CPU/MatrixProducts.h"
#include "hgc/CodeGen/Common/IterationSpace.h"
#include "hgc/Target/Panel.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

/// Divisions and roots of the ops that share a kernel with `root`, for each result.
static int64_t countKernelDivisions(Operation *root) {
  auto type = cast<RankedTensorType>(root->getResult(0).getType());
  int64_t count = 0;
  if (isa<exec::KernelOp>(root->getParentOp()))
    for (Operation &op : *root->getBlock())
      if (int64_t each = graph::countDivisions(&op);
          each && cast<RankedTensorType>(op.getResult(0).getType()).getNumElements() == type.getNumElements())
        count += each;
  return count;
}

/// Steps of an operand along the result's batch dims, aligned at the end; 0 where it broadcasts.
static Access alignBatchStrides(const graph::StridedView &view, size_t rank) {
  size_t dims = view.shape.size() - 2;
  Access strides(rank, 0);
  for (size_t i = 0; i < dims; ++i)
    strides[rank - dims + i] = view.shape[i] == 1 ? 0 : view.strides[i];
  return strides;
}

Matmul::Matmul(graph::MatmulOp op, bool joinsBatch) {
  graph::StridedView lhs = *graph::StridedView::trace(op.getLhs());
  auto result = cast<RankedTensorType>(op.getResult().getType());
  SmallVector<int64_t> rhsShape = op.getRhsShape();
  ArrayRef<int64_t> lhsBatch = ArrayRef<int64_t>(lhs.shape).drop_back(2),
                    rhsBatch = ArrayRef<int64_t>(rhsShape).drop_back(2);
  batchExtents.assign(result.getShape().begin(), result.getShape().end() - 2);
  shape.rows = result.getShape().end()[-2];
  shape.columns = result.getShape().back();
  shape.depth = op.getDepth();
  shape.transposeLhs = op.getTransposeLhs();
  shape.accumulatorBytes = graph::getElementBytes(result.getElementType());
  shape.widen = getElementTypeOrSelf(op.getLhs().getType()) != result.getElementType();
  shape.divisions = countKernelDivisions(op);
  shape.choice = getTileChoice(op);
  if (auto packed = op.getPacked()) {
    shape.rhs = RhsLayout::Panels;
    shape.width = packed->getWidth();
    shape.interleave = graph::getInterleave(op.getRhs().getType(), shape.width);
    rhsColumnStride = 1, rhsDepthStride = shape.width;
    int64_t matrix = (shape.columns + shape.width - 1) / shape.width * panelElements();
    rhsBatchStrides = getBatchStrides(rhsBatch, batchExtents.size(), matrix);
  } else {
    graph::StridedView rhs = *graph::StridedView::trace(op.getRhs());
    bool isTransposed = op.getTransposeRhs();
    shape.rhs = isTransposed ? RhsLayout::Transposed : RhsLayout::RowMajor;
    shape.rhsRowStride = isTransposed || rhs.source == op.getRhs() ? 0 : rhs.strides.end()[-2];
    rhsOffset = rhs.offset;
    rhsColumnStride = isTransposed ? rhs.strides.end()[-2] : rhs.strides.back();
    rhsDepthStride = isTransposed ? rhs.strides.back() : rhs.strides.end()[-2];
    rhsBatchStrides = alignBatchStrides(rhs, batchExtents.size());
  }
  lhsOffset = lhs.offset;
  lhsRowStride = shape.transposeLhs ? lhs.strides.back() : lhs.strides.end()[-2];
  lhsDepthStride = shape.transposeLhs ? lhs.strides.end()[-2] : lhs.strides.back();
  lhsBatchStrides = alignBatchStrides(lhs, batchExtents.size());
  rowExtents = {shape.rows};
  bool oneMatrix = llvm::all_of(rhsBatch, [](int64_t extent) { return extent == 1; });
  if (joinsBatch && oneMatrix && !shape.transposeLhs && lhs.source == op.getLhs() &&
      ShapedType::getNumElements(lhsBatch) == ShapedType::getNumElements(batchExtents)) {
    shape.rows *= ShapedType::getNumElements(batchExtents);
    rowExtents.insert(rowExtents.begin(), batchExtents.begin(), batchExtents.end());
    batchExtents.clear();
    // One row may stand for a batch of them.
    lhsRowStride = shape.depth;
  }
  shape.batch = ShapedType::getNumElements(batchExtents);
}

int64_t Matmul::panelElements() const {
  return graph::countPanelRows(1, shape.depth, shape.interleave) * shape.width * shape.interleave;
}

Matmul::Matmul(Operation *root) {
  auto result = cast<RankedTensorType>(root->getResult(0).getType());
  rowExtents.assign(result.getShape().begin(), result.getShape().end() - 1);
  shape.rows = ShapedType::getNumElements(rowExtents);
  shape.columns = result.getShape().back();
  shape.accumulatorBytes = graph::getElementBytes(result.getElementType());
  shape.widen = getElementTypeOrSelf(root->getOperand(0).getType()) != result.getElementType();
  shape.divisions = countKernelDivisions(root);
  shape.choice = getTileChoice(root);
}

std::optional<Matmul> Matmul::fromConv(graph::ConvOp op) {
  graph::ConvShape conv = op.getShape();
  if (!isPixelProduct(conv) || op.getFilterLayout() != graph::FilterLayout::HWIO)
    return std::nullopt;
  Matmul matmul(op.getOperation());
  matmul.shape.depth = conv.inChannels;
  matmul.shape.rhs = op.getPacked() ? RhsLayout::Panels : RhsLayout::RowMajor;
  matmul.shape.width = op.getPacked() ? op.getPacked()->getWidth() : 0;
  matmul.shape.interleave = op.getPacked() ? graph::getInterleave(op.getFilter().getType(), matmul.shape.width) : 1;
  matmul.lhsRowStride = conv.inChannels, matmul.lhsDepthStride = 1;
  matmul.rhsColumnStride = 1, matmul.rhsDepthStride = op.getPacked() ? matmul.shape.width : conv.outChannels;
  return matmul;
}

std::optional<Matmul> Matmul::fromConvTranspose(graph::ConvTransposeOp op) {
  graph::ConvShape conv = op.getShape();
  if (!isPixelProduct(conv) || op.getFilterLayout() != graph::FilterLayout::HWIO)
    return std::nullopt;
  Matmul matmul(op.getOperation());
  matmul.shape.depth = conv.outChannels;
  matmul.shape.rhs = op.getPacked() ? RhsLayout::Panels : RhsLayout::Transposed;
  matmul.shape.width = op.getPacked() ? op.getPacked()->getWidth() : 0;
  matmul.lhsRowStride = conv.outChannels, matmul.lhsDepthStride = 1;
  matmul.rhsColumnStride = op.getPacked() ? 1 : conv.outChannels;
  matmul.rhsDepthStride = op.getPacked() ? matmul.shape.width : 1;
  return matmul;
}

std::optional<Matmul> Matmul::fromConvFilterGrad(graph::ConvFilterGradOp op) {
  graph::ConvShape conv = op.getShape();
  if (!isPixelProduct(conv) || op.getFilterLayout() != graph::FilterLayout::HWIO)
    return std::nullopt;
  Matmul matmul(op.getOperation());
  matmul.shape.depth = op.getDepth();
  matmul.shape.transposeLhs = true;
  matmul.shape.rhs = RhsLayout::RowMajor;
  matmul.lhsRowStride = 1, matmul.lhsDepthStride = conv.inChannels;
  matmul.rhsColumnStride = 1, matmul.rhsDepthStride = conv.outChannels;
  return matmul;
}

KernelSchedule cpu::scheduleGemm(StringRef name, const Matmul &problem, const graph::OpCost &cost,
                                 const DeviceTable &target) {
  if (graph::isTiled(problem.shape.interleave)) {
    KernelSchedule schedule = scheduleMatrixMatmul(problem, target);
    schedule.grain = chooseGrain(schedule.units, estimateMatrixPs(cost, target), target);
    schedule.text = name.str() + " by " + schedule.text;
    return schedule;
  }
  GemmPlan plan = planGemm(problem.shape, target);
  bool isEmpty = problem.shape.rows == 0 || problem.shape.columns == 0;
  int64_t units = isEmpty ? 0 : plan.units(problem.shape);
  return {units,
          chooseGrain(units, estimateContractionPs(cost, target), target),
          plan.scratchBytes,
          name.str() + ": " + plan.describe(),
          /*finishes=*/false,
          plan.turns};
}
