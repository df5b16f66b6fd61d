//===- GemmStore.cpp - from accumulators to the output buffer -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/GPU/GemmStore.h"

#include "hgc/CodeGen/Common/Lanes.h"
#include "hgc/CodeGen/GPU/TileLoader.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include <numeric>

using namespace mlir;
using namespace hgc;
using namespace hgc::gpu;
using codegen::IndexBuilder;
using codegen::LaneIndex;

Value hgc::gpu::emitZero(IndexBuilder &index, Type type) {
  return arith::ConstantOp::create(index.builder, index.loc, index.builder.getZeroAttr(type));
}

Value hgc::gpu::emitSum(IndexBuilder &index, Value a, Value b) {
  if (isa<FloatType>(getElementTypeOrSelf(a.getType())))
    return arith::AddFOp::create(index.builder, index.loc, a, b);
  return arith::AddIOp::create(index.builder, index.loc, a, b);
}

Value hgc::gpu::emitMultiplyAdd(IndexBuilder &index, Value a, Value b, Value c) {
  if (isa<FloatType>(c.getType()))
    return LLVM::FMAOp::create(index.builder, index.loc, a, b, c);
  Value product = arith::MulIOp::create(index.builder, index.loc, a, b);
  return arith::AddIOp::create(index.builder, index.loc, product, c);
}

Value hgc::gpu::emitWiden(IndexBuilder &index, Value value, Type accumulator) {
  Type from = value.getType();
  if (from == accumulator)
    return value;
  if (isa<FloatType>(accumulator))
    return codegen::toCompute(index.builder, index.loc, value, from);
  return arith::ExtSIOp::create(index.builder, index.loc, accumulator, value);
}

void GemmStore::store(const GemmPiece &piece, Value batch, Value split, bool rowMayEnd, bool columnMayEnd) {
  Value exists;
  GemmPiece inside = piece;
  auto limit = [&](Value &at, int64_t bound, int64_t length) {
    Value isInside = index.lessThan(at, index.constant(bound));
    exists = exists ? index.both(exists, isInside) : isInside;
    // Other operands of the epilogue are read before anyone asks.
    at = index.min(at, index.constant(std::max<int64_t>(0, bound - length)));
  };
  // Pieces that are no divisor of the columns end in the middle: single elements.
  auto length = static_cast<int64_t>(piece.sums.size());
  int64_t bound = plan.splits > 1 ? std::gcd(length, problem.columns) : problem.contiguousColumns(length);
  if (bound < length) {
    for (int64_t i = 0; i < length; i += bound) {
      GemmPiece part{piece.row, index.add(piece.column, i), {}};
      part.sums.append(piece.sums.begin() + i, piece.sums.begin() + i + bound);
      store(part, batch, split, rowMayEnd, columnMayEnd);
    }
    return;
  }
  if (rowMayEnd)
    limit(inside.row, problem.rows, 1);
  if (columnMayEnd)
    limit(inside.column, problem.columns, length);
  if (plan.splits > 1)
    storePartial(inside, batch, split, exists);
  else
    storeResult(inside, batch, exists);
}

void GemmStore::storeResult(const GemmPiece &piece, Value batch, Value exists) {
  auto lanes = static_cast<int64_t>(piece.sums.size());
  codegen::ElementEmitter element(context, lanes);
  element.bind(rootResult, emitLanes(index, piece.sums));
  SmallVector<Value> at = emitResultIndex(index, problem, batch, piece.row, piece.column);
  SmallVector<LaneIndex> where(at.begin(), at.end());
  if (lanes > 1)
    where.back().step = 1;
  exec::StoreOp target = codegen::getStore(context.kernel);
  auto type = cast<RankedTensorType>(target.getValue().getType());
  Value value = element.evalResult(where);
  LaneIndex offset = element.flatten(where, type.getShape());
  index.ifThen(exists ? exists : Value(arith::ConstantIntOp::create(index.builder, index.loc, 1, 1)), [&] {
    element.store(value, context.buffers.lookup(target.getBuffer()), offset, type.getElementType());
  });
}

Value GemmStore::partials() {
  int64_t bytes = graph::getElementBytes(problem.accumulator);
  return context.getScratch(0, plan.scratchBytes / bytes, problem.accumulator);
}

Value GemmStore::partialOffset(Value split, Value batch, Value row, Value column) {
  Value matrix = index.add(index.mul(split, problem.batch), batch);
  return index.add(index.mul(index.add(index.mul(matrix, problem.rows), row), problem.columns), column);
}

void GemmStore::storePartial(const GemmPiece &piece, Value batch, Value split, Value exists) {
  Value buffer = partials(), offset = partialOffset(split, batch, piece.row, piece.column);
  Value sums = emitLanes(index, piece.sums);
  index.ifThen(exists ? exists : Value(arith::ConstantIntOp::create(index.builder, index.loc, 1, 1)),
               [&] { emitVectorStore(index, sums, buffer, offset); });
}

/// Columns one thread combines.
static int64_t getCombineLanes(const Contraction &problem) {
  return std::gcd<int64_t, int64_t>(problem.accumulator.isF64() ? 2 : 4, problem.columns);
}

int64_t GemmStore::combineThreads(const Contraction &problem) {
  return problem.batch * problem.rows * problem.columns / getCombineLanes(problem);
}

void GemmStore::combine() {
  Value thread = context.globalId();
  int64_t lanes = getCombineLanes(problem), total = problem.batch * problem.rows * problem.columns;
  Value isInside = index.lessThan(thread, index.constant(total / lanes));
  index.ifThen(isInside, [&] {
    Value buffer = partials(), linear = index.mul(thread, lanes);
    Value sum = emitVectorLoad(index, buffer, linear, lanes);
    for (int64_t s = 1; s < plan.splits; ++s)
      sum = emitSum(index, sum, emitVectorLoad(index, buffer, index.add(linear, s * total), lanes));
    auto [line, column] = emitDivRem(index, linear, problem.columns, total);
    auto [batch, row] = emitDivRem(index, line, problem.rows, total);
    int64_t step = problem.contiguousColumns(lanes);
    for (int64_t i = 0; i < lanes; i += step) {
      GemmPiece piece{row, index.add(column, i), {}};
      for (int64_t j = i; j < i + step; ++j)
        piece.sums.push_back(emitLane(index, sum, j));
      storeResult(piece, batch, Value());
    }
  });
}
