//===- MatrixMatmul.cpp - matmuls by the matrix unit ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "MatrixLoops.h"

#include "hgc/CodeGen/CPU/Matmul.h"
#include "hgc/CodeGen/CPU/MatrixProducts.h"
#include "hgc/CodeGen/Common/Lanes.h"
#include "hgc/Target/MatrixUnit.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

static MatrixPlan makePlan(const GemmShape &shape, const DeviceTable &target) {
  MatrixShape matrix;
  matrix.batch = shape.batch;
  matrix.rows = shape.rows;
  matrix.columns = shape.columns;
  matrix.interleave = shape.interleave;
  // Operands of bf16 are widened.
  matrix.isWhole = shape.interleave == graph::kWholeInterleave && !shape.widen;
  matrix.rest = countPlainDepth(shape.depth, matrix.parts());
  matrix.groups = graph::countPanelRows(1, shape.depth - matrix.rest, shape.interleave);
  matrix.width = shape.width;
  return MatrixPlan(matrix, target);
}

namespace {
class MatmulLoops final : public MatrixLoops {
public:
  MatmulLoops(KernelContext &context, Value result, const Matmul &problem, Value lhs, Value rhs, const MatrixPlan &plan)
      : MatrixLoops(context, result, lhs, problem.shape.depth - plan.shape.rest, rhs, plan), problem(problem) {}

private:
  Value loadFactor(const MatrixBlock &block, Value row, int64_t depth) override {
    Value at = index.add(locateSource(block, row), depth);
    return spread(context.builder, index.loc, emitLoad(index, source, at, 1), graph::kTileSide);
  }
  Value locatePanels(Value entry) override {
    return addBatch(index.constant(problem.rhsOffset), entry, problem.rhsBatchStrides);
  }
  SmallVector<Value> locateResult(const MatrixBlock &block, Value tile, Value row) override {
    SmallVector<Value> at = index.delinearize(block.entry, problem.batchExtents);
    Value first = index.add(block.row, index.mul(tile, graph::kTileSide));
    llvm::append_range(at, index.delinearize(index.add(first, row), problem.rowExtents));
    return at;
  }
  Value locateSource(const MatrixBlock &block, Value row) override {
    Value base = addBatch(index.constant(problem.lhsOffset), block.entry, problem.lhsBatchStrides);
    return index.add(base, index.mul(index.add(block.row, row), problem.lhsRowStride));
  }
  Value addBatch(Value offset, Value entry, ArrayRef<int64_t> strides) {
    for (auto [position, stride] : llvm::zip_equal(index.delinearize(entry, problem.batchExtents), strides))
      offset = index.add(offset, index.mul(position, stride));
    return offset;
  }

  const Matmul &problem;
};
} // namespace

KernelSchedule cpu::scheduleMatrixMatmul(const Matmul &problem, const DeviceTable &target) {
  MatrixPlan plan = makePlan(problem.shape, target);
  return {plan.units(), 1, plan.scratchBytes, plan.describe()};
}

void cpu::emitMatrixMatmul(KernelContext &context, Value result, const Matmul &problem, Value lhs, Value rhs) {
  MatrixPlan plan = makePlan(problem.shape, context.target);
  MatmulLoops(context, result, problem, lhs, rhs, plan).emit();
}
