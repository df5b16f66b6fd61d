//===- GemmSkinny.cpp - contraction with few rows -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Such products are as fast as the large operand can be read. Warps of a block
// share the depth and add their sums in shared memory, in the order of the warps.
// The step that is not full comes first.
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/GPU/GemmKernels.h"
#include "hgc/CodeGen/GPU/TileLoader.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::gpu;
using codegen::IndexBuilder;

namespace {

/// What both forms have in common.
class SkinnyGemm {
public:
  explicit SkinnyGemm(const GemmJob &job)
      : job(job), problem(job.problem), plan(job.plan), index(job.context.builder, job.context.loc),
        block(job.context, problem, plan), warps(plan.threads / 32), lane(index.rem(block.thread, 32)),
        warp(index.div(block.thread, 32)), columnMayEnd(problem.columns % plan.tile.columns != 0) {}
  virtual ~SkinnyGemm() = default;

  void emit();

protected:
  /// Rows (or columns) of an operand, ready for `loadAt`.
  MapPart partAt(const OperandMap &map, Value row);
  /// `lanes` elements at `depth`, as scalars of accumulator type.
  SmallVector<Value> loadAt(const OperandMap &map, Value buffer, const MapPart &row, Value depth, int64_t lanes,
                            bool mayBeNegative);
  void storePiece(const GemmPiece &piece) {
    GemmStore store(job.context, problem, plan, job.rootResult);
    store.store(piece, block.batch, block.split, false, columnMayEnd);
  }

  /// Computes what stays the same; adds the step that starts at `start`; stores.
  virtual int64_t begin() = 0;
  virtual SmallVector<Value> emitStep(Value start, ValueRange sums, bool mayBeNegative) = 0;
  virtual void finish(ArrayRef<Value> sums) = 0;

  const GemmJob &job;
  const Contraction &problem;
  const GemmPlan &plan;
  IndexBuilder index;
  GemmBlock block;
  int64_t warps;
  Value lane, warp;
  bool columnMayEnd;
  SmallVector<MapPart> leftRows, rightRows;
};

/// Lanes run along the columns.
class ColumnsGemm final : public SkinnyGemm {
public:
  explicit ColumnsGemm(const GemmJob &job) : SkinnyGemm(job), lanes(plan.tile.partColumns) {}

private:
  int64_t begin() override;
  SmallVector<Value> emitStep(Value start, ValueRange sums, bool mayBeNegative) override;
  void finish(ArrayRef<Value> sums) override;

  /// Columns of one thread.
  int64_t lanes;
};

/// Lanes run along the depth.
class DotsGemm final : public SkinnyGemm {
public:
  explicit DotsGemm(const GemmJob &job) : SkinnyGemm(job), lanes(plan.tile.depth / plan.threads) {}

private:
  int64_t begin() override;
  SmallVector<Value> emitStep(Value start, ValueRange sums, bool mayBeNegative) override;
  void finish(ArrayRef<Value> sums) override;

  /// Depth elements of one thread.
  int64_t lanes;
};

} // namespace

//===----------------------------------------------------------------------===//
// Both
//===----------------------------------------------------------------------===//

MapPart SkinnyGemm::partAt(const OperandMap &map, Value row) {
  Value base = emitBatchOffset(index, problem.batchExtents, map.batchStrides, block.batch);
  return emitRowPart(index, map, row, base);
}

SmallVector<Value> SkinnyGemm::loadAt(const OperandMap &map, Value buffer, const MapPart &row, Value depth,
                                      int64_t lanes, bool mayBeNegative) {
  MapElement element = emitElement(index, map, row, {depth, index.constant(0), 1, mayBeNegative});
  Value loaded = emitGuardedLoad(index, buffer, element, lanes);
  SmallVector<Value> scalars;
  for (int64_t i = 0; i < lanes; ++i)
    scalars.push_back(emitWiden(index, emitLane(index, loaded, i), problem.accumulator));
  return scalars;
}

void SkinnyGemm::emit() {
  for (int64_t r = 0; r < problem.rows; ++r)
    leftRows.push_back(partAt(problem.lhs, index.constant(r)));
  SmallVector<Value> sums(begin(), emitZero(index, problem.accumulator));
  auto startOf = [&](Value step) { return block.depthAt(index, plan, step); };
  sums = emitStep(startOf(block.firstStep), sums, block.origin < 0);
  sums = index.loop(index.add(block.firstStep, 1), block.lastStep, 1, sums,
                    [&](Value step, ValueRange carried) { return emitStep(startOf(step), carried, false); });
  finish(sums);
}

//===----------------------------------------------------------------------===//
// Lanes along the columns
//===----------------------------------------------------------------------===//

int64_t ColumnsGemm::begin() {
  Value column = index.add(block.column, index.mul(lane, lanes));
  if (columnMayEnd)
    column = index.min(column, index.constant(problem.columns - lanes));
  rightRows.push_back(partAt(problem.rhs, column));
  return problem.rows * lanes;
}

SmallVector<Value> ColumnsGemm::emitStep(Value start, ValueRange sums, bool mayBeNegative) {
  SmallVector<Value> result(sums);
  Value first = index.add(start, index.mul(warp, kColumnsDepth));
  SmallVector<SmallVector<Value>> b;
  for (int64_t k = 0; k < kColumnsDepth; ++k)
    b.push_back(loadAt(problem.rhs, job.rhs, rightRows[0], index.add(first, k), lanes, mayBeNegative));
  int64_t wide = problem.lhs.contiguousDepth(kColumnsDepth);
  for (int64_t r = 0; r < problem.rows; ++r)
    for (int64_t k = 0; k < kColumnsDepth; ++k) {
      if (k % wide != 0)
        continue;
      SmallVector<Value> a = loadAt(problem.lhs, job.lhs, leftRows[r], index.add(first, k), wide, mayBeNegative);
      for (int64_t i = 0; i < wide; ++i)
        for (int64_t c = 0; c < lanes; ++c)
          result[r * lanes + c] = emitMultiplyAdd(index, a[i], b[k + i][c], result[r * lanes + c]);
    }
  return result;
}

void ColumnsGemm::finish(ArrayRef<Value> sums) {
  auto pieceAt = [&](Value row, Value laneNumber) {
    return GemmPiece{row, index.add(block.column, index.mul(laneNumber, lanes)), {}};
  };
  if (warps == 1) {
    for (int64_t r = 0; r < problem.rows; ++r) {
      GemmPiece piece = pieceAt(index.constant(r), lane);
      piece.sums.append(sums.begin() + r * lanes, sums.begin() + (r + 1) * lanes);
      storePiece(piece);
    }
    return;
  }
  int64_t line = 32 * lanes, matrix = problem.rows * line;
  Value shared = job.context.addShared({warps * matrix}, problem.accumulator);
  Value mine = index.add(index.mul(warp, matrix), index.mul(lane, lanes));
  for (int64_t r = 0; r < problem.rows; ++r)
    emitVectorStore(index, emitLanes(index, sums.slice(r * lanes, lanes)), shared, index.add(mine, r * line));
  job.context.barrier();
  // Each warp finishes every `warps`-th row.
  for (int64_t first = 0; first < problem.rows; first += warps) {
    Value row = index.add(warp, first);
    auto finishRow = [&] {
      Value from = index.add(index.mul(row, line), index.mul(lane, lanes));
      Value sum = emitVectorLoad(index, shared, from, lanes);
      for (int64_t w = 1; w < warps; ++w)
        sum = emitSum(index, sum, emitVectorLoad(index, shared, index.add(from, w * matrix), lanes));
      GemmPiece piece = pieceAt(row, lane);
      for (int64_t c = 0; c < lanes; ++c)
        piece.sums.push_back(emitLane(index, sum, c));
      storePiece(piece);
    };
    if (first + warps <= problem.rows)
      finishRow();
    else
      index.ifThen(index.lessThan(row, index.constant(problem.rows)), finishRow);
  }
}

//===----------------------------------------------------------------------===//
// Lanes along the depth
//===----------------------------------------------------------------------===//

int64_t DotsGemm::begin() {
  for (int64_t c = 0; c < plan.tile.columns; ++c) {
    Value column = index.add(block.column, c);
    if (columnMayEnd)
      column = index.min(column, index.constant(problem.columns - 1));
    rightRows.push_back(partAt(problem.rhs, column));
  }
  return problem.rows * plan.tile.columns;
}

SmallVector<Value> DotsGemm::emitStep(Value start, ValueRange sums, bool mayBeNegative) {
  SmallVector<Value> result(sums);
  Value first = index.add(start, index.mul(block.thread, lanes));
  SmallVector<SmallVector<Value>> a, b;
  for (const MapPart &row : leftRows)
    a.push_back(loadAt(problem.lhs, job.lhs, row, first, lanes, mayBeNegative));
  for (const MapPart &row : rightRows)
    b.push_back(loadAt(problem.rhs, job.rhs, row, first, lanes, mayBeNegative));
  for (size_t r = 0; r < a.size(); ++r)
    for (size_t c = 0; c < b.size(); ++c)
      for (int64_t i = 0; i < lanes; ++i)
        result[r * b.size() + c] = emitMultiplyAdd(index, a[r][i], b[c][i], result[r * b.size() + c]);
  return result;
}

/// The sum of a value over the lanes of a warp, in every lane.
static Value emitWarpSum(IndexBuilder &index, Value value) {
  OpBuilder &b = index.builder;
  auto exchange = [&](Value part, int64_t distance) -> Value {
    return mlir::gpu::ShuffleOp::create(b, index.loc, part, distance, 32, mlir::gpu::ShuffleMode::XOR)
        .getShuffleResult();
  };
  for (int64_t distance = 16; distance > 0; distance /= 2) {
    Value other;
    if (value.getType().isF64()) {
      // Exchanges move words of 32 bits.
      Value bits = arith::BitcastOp::create(b, index.loc, b.getI64Type(), value);
      Value low = exchange(arith::TruncIOp::create(b, index.loc, b.getI32Type(), bits), distance);
      Value shift = arith::ConstantIntOp::create(b, index.loc, 32, 64);
      Value top = arith::ShRUIOp::create(b, index.loc, bits, shift);
      Value high = exchange(arith::TruncIOp::create(b, index.loc, b.getI32Type(), top), distance);
      high = arith::ExtUIOp::create(b, index.loc, b.getI64Type(), high);
      low = arith::ExtUIOp::create(b, index.loc, b.getI64Type(), low);
      high = arith::ShLIOp::create(b, index.loc, high, shift);
      other = arith::BitcastOp::create(b, index.loc, value.getType(), arith::OrIOp::create(b, index.loc, high, low));
    } else {
      other = exchange(value, distance);
    }
    value = emitSum(index, value, other);
  }
  return value;
}

void DotsGemm::finish(ArrayRef<Value> sums) {
  OpBuilder &b = index.builder;
  auto count = static_cast<int64_t>(sums.size());
  // Lane i keeps sum i.
  Value mine = emitWarpSum(index, sums[0]);
  for (int64_t i = 1; i < count; ++i) {
    Value isMine = index.equal(lane, index.constant(i));
    mine = arith::SelectOp::create(b, index.loc, isMine, emitWarpSum(index, sums[i]), mine);
  }
  Value isOne = index.lessThan(warps > 1 ? lane : block.thread, index.constant(count));
  Value shared;
  if (warps > 1) {
    shared = job.context.addShared({warps * count}, problem.accumulator);
    Value place = index.add(index.mul(warp, count), lane);
    index.ifThen(isOne, [&] { emitVectorStore(index, mine, shared, place); });
    job.context.barrier();
    isOne = index.lessThan(block.thread, index.constant(count));
  }
  index.ifThen(isOne, [&] {
    Value sum = mine;
    if (warps > 1) {
      sum = emitVectorLoad(index, shared, block.thread, 1);
      for (int64_t w = 1; w < warps; ++w)
        sum = emitSum(index, sum, emitVectorLoad(index, shared, index.add(block.thread, w * count), 1));
    }
    Value row = index.div(block.thread, plan.tile.columns), column = index.rem(block.thread, plan.tile.columns);
    storePiece({row, index.add(block.column, column), {sum}});
  });
}

void hgc::gpu::emitColumnsGemm(const GemmJob &job) { ColumnsGemm(job).emit(); }
void hgc::gpu::emitDotsGemm(const GemmJob &job) { DotsGemm(job).emit(); }
