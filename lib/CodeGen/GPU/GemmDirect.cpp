//===- GemmDirect.cpp - contraction, one element a thread -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For groups of few channels and for empty depths. Threads follow the order of
// the result, so that neighbours share what they read.
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/GPU/GemmKernels.h"
#include "hgc/CodeGen/GPU/TileLoader.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::gpu;
using codegen::IndexBuilder;

/// Depth up to which the loop is written out.
static constexpr int64_t kUnrolledDepth = 32;

/// The index whose digits are found at `at` in the result.
static Value emitLinear(IndexBuilder &index, ArrayRef<ResultDigit> digits, ArrayRef<Value> at) {
  Value linear = index.constant(0);
  for (const ResultDigit &digit : digits)
    linear = index.add(index.mul(linear, digit.extent), at[digit.dim]);
  return linear;
}

namespace {

class DirectGemm {
public:
  explicit DirectGemm(const GemmJob &job)
      : job(job), problem(job.problem), index(job.context.builder, job.context.loc) {}

  void emit();

private:
  void emitElementAt(Value linear);
  Value multiply(Value depth, Value sum);

  const GemmJob &job;
  const Contraction &problem;
  IndexBuilder index;
  MapPart leftRow, rightRow;
};

} // namespace

Value DirectGemm::multiply(Value depth, Value sum) {
  MapDepth at{depth, index.constant(0)};
  MapElement a = emitElement(index, problem.lhs, leftRow, at);
  MapElement b = emitElement(index, problem.rhs, rightRow, at);
  Value left = emitWiden(index, emitGuardedLoad(index, job.lhs, a, 1), problem.accumulator);
  Value right = emitWiden(index, emitGuardedLoad(index, job.rhs, b, 1), problem.accumulator);
  return emitMultiplyAdd(index, left, right, sum);
}

void DirectGemm::emitElementAt(Value linear) {
  SmallVector<Value> at(problem.resultShape.size());
  for (size_t d = problem.resultShape.size(); d-- > 0;) {
    auto [quotient, rest] = emitDivRem(index, linear, problem.resultShape[d], int64_t(1) << 31);
    at[d] = d == 0 ? linear : rest;
    linear = quotient;
  }
  // Batch and row or column can share a dim: groups of channels.
  SmallVector<Value> inBatch = at;
  Value batch = index.constant(0);
  for (const ResultDigit &digit : problem.batchDigits) {
    auto [number, rest] = emitDivRem(index, at[digit.dim], digit.step, int64_t(1) << 31);
    inBatch[digit.dim] = rest;
    batch = index.add(index.mul(batch, digit.extent), number);
  }
  Value row = emitLinear(index, problem.rowDigits, inBatch), column = emitLinear(index, problem.columnDigits, inBatch);
  auto base = [&](const OperandMap &map) {
    return emitBatchOffset(index, problem.batchExtents, map.batchStrides, batch);
  };
  leftRow = emitRowPart(index, problem.lhs, row, base(problem.lhs));
  rightRow = emitRowPart(index, problem.rhs, column, base(problem.rhs));
  Value sum = emitZero(index, problem.accumulator);
  if (problem.depth <= kUnrolledDepth) {
    for (int64_t k = 0; k < problem.depth; ++k)
      sum = multiply(index.constant(k), sum);
  } else {
    sum = index.loop(index.constant(0), index.constant(problem.depth), 1, sum,
                     [&](Value k, ValueRange carried) { return SmallVector<Value>{multiply(k, carried.front())}; })[0];
  }
  GemmStore store(job.context, problem, job.plan, job.rootResult);
  store.store({row, column, {sum}}, batch, index.constant(0), false, false);
}

void DirectGemm::emit() {
  Value linear = job.context.globalId();
  int64_t total = problem.batch * problem.rows * problem.columns;
  if (total % job.plan.threads == 0)
    return emitElementAt(linear);
  index.ifThen(index.lessThan(linear, index.constant(total)), [&] { emitElementAt(linear); });
}

void hgc::gpu::emitDirectGemm(const GemmJob &job) { DirectGemm(job).emit(); }
