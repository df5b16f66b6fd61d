//===- GemmSimt.cpp - contraction by register tiles -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block's tile of both operands waits in shared memory while the next one is on
// its way through registers; each thread multiplies a part of it. The step that
// is not full comes first, so that the main loop has no conditions.
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/GPU/GemmKernels.h"
#include "hgc/CodeGen/GPU/TileLoader.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::gpu;
using codegen::IndexBuilder;

/// Rows of blocks that are numbered together.
static int64_t getGroup(int64_t rowBlocks) {
  int64_t group = std::min<int64_t>(rowBlocks, 8);
  while (rowBlocks % group != 0)
    --group;
  return group;
}

GemmBlock::GemmBlock(KernelContext &context, const Contraction &problem, const GemmPlan &plan) {
  IndexBuilder index(context.builder, context.loc);
  thread = context.threadId();
  Value block = context.blockId();
  int64_t bound = plan.blocks(problem);
  auto next = [&](int64_t extent) {
    if (bound == 1 || extent == 1)
      return index.constant(0);
    auto [quotient, rest] = emitDivRem(index, block, extent, bound);
    block = quotient;
    return rest;
  };
  // Blocks that run together form a square rather than a line: they share more of
  // both operands in the cache.
  int64_t group = getGroup(plan.rowBlocks);
  Value inGroup = next(group);
  column = index.mul(next(plan.columnBlocks), plan.tile.columns);
  row = index.mul(index.add(index.mul(next(plan.rowBlocks / group), group), inGroup), plan.tile.rows);
  batch = next(problem.batch);
  split = plan.splits > 1 ? block : index.constant(0);
  origin = problem.depth - plan.steps * plan.tile.depth;
  firstStep = index.mul(split, plan.stepsPerSplit);
  Value steps = index.constant(plan.steps);
  lastStep = plan.splits > 1 ? index.min(index.add(firstStep, plan.stepsPerSplit), steps) : steps;
}

namespace {

class SimtGemm {
public:
  explicit SimtGemm(const GemmJob &job)
      : job(job), problem(job.problem), plan(job.plan), tile(plan.tile), index(job.context.builder, job.context.loc),
        block(job.context, problem, plan),
        left(index, problem.lhs, {tile.rows, tile.depth, problem.rows, plan.threads, plan.unit}, job.lhs,
             problem.accumulator),
        right(index, problem.rhs, {tile.columns, tile.depth, problem.columns, plan.threads, plan.unit}, job.rhs,
              problem.accumulator),
        wide(problem.accumulator.isF64() ? 2 : 4) {}

  void emit();

private:
  SmallVector<Value> emitStep(Value at, ValueRange sums);
  SmallVector<Value> loadFragment(Value from, int64_t line, int64_t count, int64_t segment);
  Value multiply(Value a, Value b, Value sum);
  void storeSums(ValueRange sums);

  const GemmJob &job;
  const Contraction &problem;
  const GemmPlan &plan;
  const GemmTile &tile;
  IndexBuilder index;
  GemmBlock block;
  TileLoader left, right;
  /// Elements of one access of shared memory.
  int64_t wide;
  Value shared;
  /// The thread's first row and column in each segment of the tile.
  Value threadRow, threadColumn;
};

} // namespace

/// `count` elements of a line of shared memory: `wide` from each segment.
SmallVector<Value> SimtGemm::loadFragment(Value from, int64_t line, int64_t count, int64_t segment) {
  SmallVector<Value> elements;
  for (int64_t i = 0; i < count / wide; ++i) {
    Value loaded = emitVectorLoad(index, shared, index.add(from, line + i * segment), wide);
    for (int64_t j = 0; j < wide; ++j)
      elements.push_back(emitLane(index, loaded, j));
  }
  return elements;
}

Value SimtGemm::multiply(Value a, Value b, Value sum) {
  if (plan.unit == 1)
    return emitMultiplyAdd(index, a, b, sum);
  OpBuilder &builder = index.builder;
  auto bytes = VectorType::get({4}, builder.getI8Type());
  auto split = [&](Value word) { return LLVM::BitcastOp::create(builder, index.loc, bytes, word); };
  auto type = NVVM::DotAccumulateType::SIGNED;
  return NVVM::DotAccumulate4WayOp::create(builder, index.loc, builder.getI32Type(), split(a), type, split(b), type,
                                           sum);
}

/// Multiplies the tiles that lie in shared memory from `at` on.
SmallVector<Value> SimtGemm::emitStep(Value at, ValueRange sums) {
  SmallVector<Value> result(sums);
  Value rowAt = index.add(at, threadRow), columnAt = index.add(index.add(at, left.sharedElements()), threadColumn);
  int64_t rowSegment = tile.rows / (tile.partRows / wide), columnSegment = tile.columns / (tile.partColumns / wide);
  for (int64_t k = 0; k < tile.depth / plan.unit; ++k) {
    SmallVector<Value> a = loadFragment(rowAt, k * left.pitch(), tile.partRows, rowSegment);
    SmallVector<Value> b = loadFragment(columnAt, k * right.pitch(), tile.partColumns, columnSegment);
    for (int64_t i = 0; i < tile.partRows; ++i)
      for (int64_t j = 0; j < tile.partColumns; ++j) {
        Value &sum = result[i * tile.partColumns + j];
        sum = multiply(a[i], b[j], sum);
      }
  }
  return result;
}

void SimtGemm::storeSums(ValueRange sums) {
  GemmStore store(job.context, problem, plan, job.rootResult);
  int64_t rowSegment = tile.rows / (tile.partRows / wide), columnSegment = tile.columns / (tile.partColumns / wide);
  bool rowMayEnd = problem.rows % tile.rows != 0, columnMayEnd = problem.columns % tile.columns != 0;
  for (int64_t i = 0; i < tile.partRows; ++i)
    for (int64_t j = 0; j < tile.partColumns; j += wide) {
      GemmPiece piece;
      piece.row = index.add(index.add(block.row, threadRow), i / wide * rowSegment + i % wide);
      piece.column = index.add(index.add(block.column, threadColumn), j / wide * columnSegment);
      auto first = sums.begin() + i * tile.partColumns + j;
      piece.sums.append(first, first + wide);
      store.store(piece, block.batch, block.split, rowMayEnd, columnMayEnd);
    }
}

void SimtGemm::emit() {
  int64_t acrossThreads = tile.columns / tile.partColumns;
  threadRow = index.mul(index.div(block.thread, acrossThreads), wide);
  threadColumn = index.mul(index.rem(block.thread, acrossThreads), wide);
  int64_t half = left.sharedElements() + right.sharedElements();
  shared = job.context.addShared({2 * half}, problem.accumulator);
  left.begin(block.thread, block.row,
             emitBatchOffset(index, problem.batchExtents, problem.lhs.batchStrides, block.batch));
  right.begin(block.thread, block.column,
              emitBatchOffset(index, problem.batchExtents, problem.rhs.batchStrides, block.batch));

  auto fill = [&](ValueRange a, ValueRange b, Value at) {
    left.store(a, shared, at);
    right.store(b, shared, index.add(at, left.sharedElements()));
    job.context.barrier();
  };
  bool isRagged = block.origin < 0;
  Value first = block.depthAt(index, plan, block.firstStep);
  SmallVector<Value> a = left.load(first, isRagged), b = right.load(first, isRagged);
  fill(a, b, index.constant(0));

  SmallVector<Value> carried{index.constant(0)};
  carried.append(tile.partRows * tile.partColumns, emitZero(index, problem.accumulator));
  carried = index.loop(index.add(block.firstStep, 1), block.lastStep, 1, carried, [&](Value step, ValueRange state) {
    Value start = block.depthAt(index, plan, step);
    SmallVector<Value> nextA = left.load(start, false), nextB = right.load(start, false);
    SmallVector<Value> sums = emitStep(state.front(), state.drop_front());
    Value other = index.sub(index.constant(half), state.front());
    fill(nextA, nextB, other);
    sums.insert(sums.begin(), other);
    return sums;
  });
  storeSums(emitStep(carried.front(), ValueRange(carried).drop_front()));
}

void hgc::gpu::emitSimtGemm(const GemmJob &job) { SimtGemm(job).emit(); }
