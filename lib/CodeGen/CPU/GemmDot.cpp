//===- GemmDot.cpp - few rows times a transposed matrix -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both operands run along the depth in memory, so vectors do too: several dot
// products at once, each folded to one number at its end.
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/GemmStore.h"
#include "hgc/CodeGen/CPU/Matmul.h"
#include "hgc/CodeGen/Common/Lanes.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

namespace {

class DotProducts {
public:
  DotProducts(KernelContext &context, Value result, const Matmul &problem, const GemmPlan &plan, Value lhs, Value rhs)
      : context(context), result(result), index(context.builder, context.loc), problem(problem), plan(plan),
        accumulator(getElementTypeOrSelf(result.getType())), lhs(lhs), rhs(rhs) {}

  void emitUnit(Value unit);

private:
  void emitColumns(ArrayRef<Value> batch, Value row, Value column, int64_t columns, Value lhsAt, Value rhsAt);
  SmallVector<Value> accumulate(Value lower, Value upper, int64_t lanes, Value lhsAt, Value rhsAt, ValueRange sums);
  Value fold(Value vector);

  KernelContext &context;
  Value result;
  IndexBuilder index;
  const Matmul &problem;
  const GemmPlan &plan;
  Type accumulator;
  Value lhs, rhs;
};

} // namespace

void DotProducts::emitUnit(Value unit) {
  const GemmShape &shape = problem.shape;
  SmallVector<Value> at = index.delinearize(unit, {shape.batch, plan.panelBlocks});
  SmallVector<Value> batch = index.delinearize(at[0], problem.batchExtents);
  Value lhsBase = index.constant(problem.lhsOffset), rhsBase = index.constant(problem.rhsOffset);
  for (size_t i = 0; i < batch.size(); ++i) {
    lhsBase = index.add(lhsBase, index.mul(batch[i], problem.lhsBatchStrides[i]));
    rhsBase = index.add(rhsBase, index.mul(batch[i], problem.rhsBatchStrides[i]));
  }
  int64_t block = plan.panelBlock * plan.width, full = shape.columns / kDotColumns * kDotColumns;
  Value first = index.mul(at[1], block), end = index.add(first, block);
  auto rows = [&](Value column, int64_t columns) {
    Value rhsAt = index.add(rhsBase, index.mul(column, problem.rhsColumnStride));
    index.loop(shape.rows, [&](Value row) {
      Value lhsAt = index.add(lhsBase, index.mul(row, problem.lhsRowStride));
      emitColumns(batch, row, column, columns, lhsAt, rhsAt);
    });
  };
  index.loop(first, index.min(end, index.constant(full)), kDotColumns,
             [&](Value column) { rows(column, kDotColumns); });
  if (int64_t rest = shape.columns % kDotColumns)
    index.ifThen(index.both(index.lessThan(index.constant(full), end), index.lessThan(first, index.constant(full + 1))),
                 [&] { rows(index.constant(full), rest); });
}

/// Adds the products at depths [lower, upper), `lanes` at a time.
SmallVector<Value> DotProducts::accumulate(Value lower, Value upper, int64_t lanes, Value lhsAt, Value rhsAt,
                                           ValueRange sums) {
  return index.loop(lower, upper, lanes, sums, [&](Value k, ValueRange carried) {
    Value a = emitWiden(index, emitLoad(index, lhs, index.add(lhsAt, k), lanes), accumulator);
    SmallVector<Value> next;
    for (auto [c, sum] : llvm::enumerate(carried)) {
      Value from = index.add(index.add(rhsAt, int64_t(c) * problem.rhsColumnStride), k);
      Value b = emitWiden(index, emitLoad(index, rhs, from, lanes), accumulator);
      next.push_back(emitMultiplyAdd(index, a, b, sum));
    }
    return next;
  });
}

/// Sum of all lanes, by halves.
Value DotProducts::fold(Value vector) {
  for (int64_t lanes = getLanes(vector); lanes > 1; lanes /= 2)
    vector = emitAdd(index, slice(index.builder, index.loc, vector, 0, lanes / 2),
                     slice(index.builder, index.loc, vector, lanes / 2, lanes / 2));
  return vector;
}

void DotProducts::emitColumns(ArrayRef<Value> batch, Value row, Value column, int64_t columns, Value lhsAt,
                              Value rhsAt) {
  int64_t depth = problem.shape.depth, main = depth / plan.lanes * plan.lanes;
  SmallVector<Value> sums(columns, emitZero(index, getLaneType(accumulator, plan.lanes)));
  sums = accumulate(index.constant(0), index.constant(main), plan.lanes, lhsAt, rhsAt, sums);
  for (Value &sum : sums)
    sum = fold(sum);
  sums = accumulate(index.constant(main), index.constant(depth), 1, lhsAt, rhsAt, sums);
  SmallVector<Value> at(batch);
  llvm::append_range(at, index.delinearize(row, problem.rowExtents));
  SmallVector<ColumnPiece> pieces = splitColumns(columns, plan.lanes);
  SmallVector<Value> vectors;
  for (const ColumnPiece &piece : pieces) {
    ArrayRef<Value> part = ArrayRef<Value>(sums).slice(piece.offset, piece.lanes);
    vectors.push_back(piece.lanes == 1
                          ? part.front()
                          : Value(vector::FromElementsOp::create(index.builder, index.loc,
                                                                 VectorType::get({piece.lanes}, accumulator), part)));
  }
  emitStoreRow(context, result, at, column, pieces, vectors, columns);
}

void cpu::emitDotProducts(KernelContext &context, Value result, const Matmul &problem, const GemmPlan &plan, Value lhs,
                          Value rhs) {
  if (problem.shape.rows == 0 || problem.shape.columns == 0)
    return;
  DotProducts dots(context, result, problem, plan, lhs, rhs);
  IndexBuilder index(context.builder, context.loc);
  index.loop(context.begin, context.end, 1, [&](Value unit) { dots.emitUnit(unit); });
}
