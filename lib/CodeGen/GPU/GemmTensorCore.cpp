//===- GemmTensorCore.cpp - contraction by mma.sync -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles of both operands wait in shared memory in the layouts that ldmatrix
// reads. Where memory allows, copies run by themselves two steps ahead; else one
// step waits in registers. The step that is not full comes first.
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/GPU/GemmKernels.h"
#include "hgc/CodeGen/GPU/Mma.h"
#include "hgc/CodeGen/GPU/TileCopier.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::gpu;
using codegen::IndexBuilder;

namespace {

class TensorCoreGemm {
public:
  explicit TensorCoreGemm(const GemmJob &job)
      : job(job), problem(job.problem), plan(job.plan), tile(plan.tile), index(job.context.builder, job.context.loc),
        block(job.context, problem, plan),
        left(index, problem.lhs, {tile.rows, tile.depth, problem.rows, plan.threads, 1}, job.lhs,
             job.context.target.sm),
        right(index, problem.rhs, {tile.columns, tile.depth, problem.columns, plan.threads, 1}, job.rhs,
              job.context.target.sm),
        isAsync(left.isAsync() && right.isAsync()), stages(isAsync ? 3 : 2) {}

  void emit();

private:
  MmaFragment loadFragment(TileCopier &copier, Value at, Value first, int64_t offset, int64_t depth, bool isLeft);
  SmallVector<Value> emitStep(Value at, ValueRange sums);
  SmallVector<Value> emitAsyncSteps(SmallVector<Value> sums);
  SmallVector<Value> emitSyncSteps(SmallVector<Value> sums);
  int64_t getPieceColumns() const;
  void storeSums(ValueRange sums);
  Value depthAt(Value step) { return block.depthAt(index, plan, step); }
  /// Depth of a fragment: two chunks.
  int64_t fragmentDepth() const { return 2 * left.chunkElements(); }
  int64_t stageElements() const { return left.sharedElements() + right.sharedElements(); }

  const GemmJob &job;
  const Contraction &problem;
  const GemmPlan &plan;
  const GemmTile &tile;
  IndexBuilder index;
  GemmBlock block;
  TileCopier left, right;
  bool isAsync;
  int64_t stages;
  Value shared, lane, warpRow, warpColumn;
};

} // namespace

/// Four matrices of eight rows and a chunk: 16 rows from `first` + `offset` on, two
/// chunks from `depth` on. The left operand's come rows first, the right one's
/// depths first.
MmaFragment TensorCoreGemm::loadFragment(TileCopier &copier, Value at, Value first, int64_t offset, int64_t depth,
                                         bool isLeft) {
  Value inMatrix = index.rem(lane, 8), low = index.rem(index.div(lane, 8), 2), high = index.div(lane, 16);
  // Which half of rows and of depths this lane's matrix covers.
  Value rowHalf = isLeft ? low : high, depthHalf = isLeft ? high : low;
  // Sixteen lines further the chunks are permuted the same way: what is constant
  // stays out of the permutation.
  int64_t chunk = copier.chunkElements();
  Value place;
  if (copier.isTransposed()) {
    Value line = index.add(index.mul(depthHalf, 8), inMatrix);
    place = copier.place(line, index.add(index.add(index.div(first, chunk), rowHalf), offset / chunk));
    place = index.add(place, depth * copier.lineLength());
  } else {
    Value line = index.add(first, index.add(index.mul(rowHalf, 8), inMatrix));
    place = copier.place(line, index.add(depthHalf, depth / chunk));
    place = index.add(place, offset * copier.lineLength());
  }
  return emitLdMatrix(index, shared, index.add(at, place), copier.isTransposed());
}

SmallVector<Value> TensorCoreGemm::emitStep(Value at, ValueRange sums) {
  SmallVector<Value> result(sums);
  Value rightAt = index.add(at, left.sharedElements());
  int64_t across = tile.partColumns / kMmaColumns;
  for (int64_t k = 0; k < tile.depth; k += fragmentDepth()) {
    SmallVector<MmaFragment> a, b;
    for (int64_t i = 0; i < tile.partRows; i += kFragment)
      a.push_back(loadFragment(left, at, warpRow, i, k, true));
    for (int64_t j = 0; j < tile.partColumns; j += kFragment)
      b.push_back(loadFragment(right, rightAt, warpColumn, j, k, false));
    for (int64_t i = 0; i < tile.partRows / kFragment; ++i)
      for (int64_t j = 0; j < across; ++j)
        emitMma(index, problem.element, job.context.target.sm, a[i], ArrayRef<Value>(b[j / 2]).slice(j % 2 * 2, 2),
                MutableArrayRef<Value>(result).slice((i * across + j) * 4, 4));
  }
  return result;
}

SmallVector<Value> TensorCoreGemm::emitAsyncSteps(SmallVector<Value> sums) {
  OpBuilder &b = index.builder;
  auto start = [&](Value step, Value to, bool mayBeNegative) {
    left.copy(depthAt(step), mayBeNegative, shared, to);
    right.copy(depthAt(step), mayBeNegative, shared, index.add(to, left.sharedElements()));
  };
  int64_t ahead = stages - 1, size = stageElements();
  for (int64_t s = 0; s < ahead; ++s) {
    Value step = index.add(block.firstStep, s);
    index.ifThen(index.lessThan(step, block.lastStep),
                 [&] { start(step, index.constant(s * size), s == 0 && block.origin < 0); });
    NVVM::CpAsyncCommitGroupOp::create(b, index.loc);
  }
  // Places are narrow numbers: two registers fewer are live and half the work.
  auto narrow = [&](int64_t value) { return arith::ConstantIntOp::create(b, index.loc, value, 32); };
  auto widen = [&](Value at) { return arith::IndexCastUIOp::create(b, index.loc, b.getIndexType(), at); };
  auto advance = [&](Value at) {
    Value isLast = arith::CmpIOp::create(b, index.loc, arith::CmpIPredicate::eq, at, narrow((stages - 1) * size));
    Value next = arith::AddIOp::create(b, index.loc, at, narrow(size));
    return arith::SelectOp::create(b, index.loc, isLast, narrow(0), next);
  };
  auto await = [&] {
    NVVM::CpAsyncWaitGroupOp::create(b, index.loc, static_cast<uint32_t>(ahead - 1));
    job.context.barrier();
  };
  // Where the step is that is multiplied, and where the one goes that is fetched.
  SmallVector<Value> carried{narrow(0), narrow(ahead * size)};
  carried.append(sums);
  Value border = index.max(block.firstStep, index.add(block.lastStep, -ahead));
  carried = index.loop(block.firstStep, border, 1, carried, [&](Value step, ValueRange state) {
    await();
    start(index.add(step, ahead), widen(state[1]), false);
    NVVM::CpAsyncCommitGroupOp::create(b, index.loc);
    SmallVector<Value> after{advance(state[0]), advance(state[1])};
    after.append(emitStep(widen(state[0]), state.drop_front(2)));
    return after;
  });
  carried.erase(carried.begin() + 1);
  carried = index.loop(border, block.lastStep, 1, carried, [&](Value, ValueRange state) {
    await();
    NVVM::CpAsyncCommitGroupOp::create(b, index.loc);
    SmallVector<Value> after{advance(state[0])};
    after.append(emitStep(widen(state[0]), state.drop_front()));
    return after;
  });
  return SmallVector<Value>(ArrayRef<Value>(carried).drop_front());
}

SmallVector<Value> TensorCoreGemm::emitSyncSteps(SmallVector<Value> sums) {
  auto fill = [&](ValueRange a, ValueRange b, Value to) {
    left.store(a, shared, to);
    right.store(b, shared, index.add(to, left.sharedElements()));
    job.context.barrier();
  };
  bool isRagged = block.origin < 0;
  Value first = depthAt(block.firstStep);
  SmallVector<Value> a = left.load(first, isRagged), b = right.load(first, isRagged);
  fill(a, b, index.constant(0));
  SmallVector<Value> carried{index.constant(0)};
  carried.append(sums);
  carried = index.loop(index.add(block.firstStep, 1), block.lastStep, 1, carried, [&](Value step, ValueRange state) {
    SmallVector<Value> nextA = left.load(depthAt(step), false), nextB = right.load(depthAt(step), false);
    SmallVector<Value> after = emitStep(state.front(), state.drop_front());
    Value other = index.sub(index.constant(stageElements()), state.front());
    fill(nextA, nextB, other);
    after.insert(after.begin(), other);
    return after;
  });
  return emitStep(carried.front(), ValueRange(carried).drop_front());
}

/// Columns of one thread that lie side by side: those of one mma.sync, or twice as
/// many where elements are so small that these would not fill a sector of memory.
int64_t TensorCoreGemm::getPieceColumns() const {
  exec::StoreOp target = getStore(job.context.kernel);
  int64_t bytes = graph::getElementBytes(getElementTypeOrSelf(target.getValue().getType()));
  return plan.splits == 1 && bytes < 4 && problem.contiguousColumns(4) == 4 ? 4 : 2;
}

void TensorCoreGemm::storeSums(ValueRange sums) {
  GemmStore store(job.context, problem, plan, job.rootResult);
  bool rowMayEnd = problem.rows % tile.rows != 0, columnMayEnd = problem.columns % tile.columns != 0;
  Value row = index.add(index.add(block.row, warpRow), index.div(lane, 4));
  Value first = index.add(block.column, warpColumn), column = index.add(first, index.mul(index.rem(lane, 4), 2));
  Value pairColumn = index.add(first, emitExchangedColumn(index, lane));
  int64_t across = tile.partColumns / kMmaColumns, wide = getPieceColumns();
  for (int64_t i = 0; i < tile.partRows / kFragment; ++i)
    for (int64_t half = 0; half < 2; ++half) {
      auto pieceAt = [&](int64_t j) {
        GemmPiece piece{index.add(row, i * kFragment + half * 8), index.add(column, j * kMmaColumns), {}};
        auto from = sums.begin() + (i * across + j) * 4 + half * 2;
        piece.sums.append(from, from + 2);
        return piece;
      };
      for (int64_t j = 0; j < across; j += wide / 2) {
        GemmPiece piece = pieceAt(j);
        if (wide == 4) {
          piece.sums = emitMmaExchange(index, lane, piece.sums, pieceAt(j + 1).sums);
          piece.column = index.add(pairColumn, j * kMmaColumns);
        }
        store.store(piece, block.batch, block.split, rowMayEnd, columnMayEnd);
      }
    }
}

void TensorCoreGemm::emit() {
  lane = index.rem(block.thread, 32);
  Value warp = index.div(block.thread, 32);
  int64_t acrossWarps = tile.columns / tile.partColumns;
  warpRow = index.mul(index.div(warp, acrossWarps), tile.partRows);
  warpColumn = index.mul(index.rem(warp, acrossWarps), tile.partColumns);
  Type element = cast<MemRefType>(job.lhs.getType()).getElementType();
  shared = job.context.addShared({stages * stageElements()}, element);
  left.begin(block.thread, block.row,
             emitBatchOffset(index, problem.batchExtents, problem.lhs.batchStrides, block.batch));
  right.begin(block.thread, block.column,
              emitBatchOffset(index, problem.batchExtents, problem.rhs.batchStrides, block.batch));
  SmallVector<Value> sums(tile.partRows * tile.partColumns / 32, emitZero(index, problem.accumulator));
  storeSums(isAsync ? emitAsyncSteps(sums) : emitSyncSteps(sums));
}

void hgc::gpu::emitTensorCoreGemm(const GemmJob &job) { TensorCoreGemm(job).emit(); }
