//===- WinogradDots.cpp - products of squares with a few columns ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A panel of few columns would leave most lanes of its vectors empty. Lanes run along
// the depth instead: dot products, of which as many as fill a vector are folded together.
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/GemmTile.h"
#include "hgc/CodeGen/CPU/UnitLoops.h"
#include "hgc/CodeGen/CPU/WinogradPlan.h"
#include "hgc/CodeGen/Common/Lanes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

/// The sums of the lanes of each vector, side by side in one. Each step adds halves of pairs of vectors, until a lane
/// is left of each.
static Value foldTogether(IndexBuilder &index, SmallVector<Value> vectors) {
  int64_t block = getLanes(vectors.front());
  auto pick = [&](Value a, Value b, int64_t first) -> Value {
    SmallVector<int64_t> lanes;
    for (int64_t start = 0; start < (a == b ? 1 : 2) * getLanes(a); start += block)
      for (int64_t i = 0; i < block / 2; ++i)
        lanes.push_back(start + first + i);
    return vector::ShuffleOp::create(index.builder, index.loc, a, b, lanes);
  };
  for (; block > 1; block /= 2) {
    SmallVector<Value> next;
    for (size_t i = 0; i < vectors.size(); i += 2) {
      Value a = vectors[i], b = vectors[std::min(i + 1, vectors.size() - 1)];
      next.push_back(emitAdd(index, pick(a, b, 0), pick(a, b, block / 2)));
    }
    vectors = std::move(next);
  }
  return vectors.front();
}

/// Columns of the filter, one after the other, `count` elements of each from `k` on.
static void turnRows(IndexBuilder &index, const WinogradPlan &plan, const WinogradDots &dots, Value k, int64_t count) {
  constexpr int64_t line = 16, toSecond = 2, columns = WinogradPlan::kDotColumns;
  SmallVector<Value> rows;
  for (int64_t i = 0; i < count; ++i) {
    Value row = index.mul(index.add(k, i), dots.filterStep);
    for (int64_t at = 0; dots.next && at < dots.filterStep; at += line)
      memref::PrefetchOp::create(index.builder, index.loc, dots.filter, index.add(index.add(dots.next, at), row),
                                 /*isWrite=*/false, toSecond, /*isDataCache=*/true);
    rows.push_back(emitLoad(index, dots.filter, index.add(dots.filterAt, row), columns));
  }
  SmallVector<Value> turned = interleaveLanes(index.builder, index.loc, rows);
  for (int64_t column = 0; column < columns; ++column) {
    Value part = count == 1 ? slice(index.builder, index.loc, rows[0], column, 1) : turned[column];
    emitStore(index, part, dots.turned, index.add(k, column * plan.dataStride));
  }
}

static void turnFilter(IndexBuilder &index, const WinogradPlan &plan, const WinogradDots &dots) {
  constexpr int64_t side = WinogradPlan::kDotColumns;
  Value whole = index.constant(plan.groupInputs() / side * side);
  auto turn = [&](Value begin, Value end, int64_t count) {
    index.loop(begin, end, count, [&](Value k) {
      keepRolled(k);
      turnRows(index, plan, dots, k, count);
    });
  };
  turn(index.constant(0), whole, side);
  turn(whole, index.constant(plan.groupInputs()), 1);
}

/// The products of `count` squares from `square` on.
static void emitSquares(IndexBuilder &index, const WinogradPlan &plan, const WinogradDots &dots, Value square,
                        int64_t count) {
  constexpr int64_t columns = WinogradPlan::kDotColumns;
  Type element = cast<MemRefType>(dots.data.getType()).getElementType();
  SmallVector<Value> start(count * columns, emitZero(index, getLaneType(element, plan.lanes)));
  Value from = index.add(dots.dataAt, index.mul(square, plan.dataStride));
  auto addStep = [&](Value k, int64_t valid, ValueRange sums) {
    SmallVector<Value> filters, next;
    for (int64_t c = 0; c < columns; ++c)
      filters.push_back(emitLoadPart(index, dots.turned, index.add(k, c * plan.dataStride), plan.lanes, valid));
    for (int64_t s = 0; s < count; ++s) {
      Value data =
          emitLoadPart(index, dots.data, index.add(index.add(from, s * plan.dataStride), k), plan.lanes, valid);
      for (int64_t c = 0; c < columns; ++c)
        next.push_back(emitMultiplyAdd(index, data, filters[c], sums[s * columns + c]));
    }
    return next;
  };
  int64_t main = plan.groupInputs() / plan.lanes * plan.lanes;
  SmallVector<Value> sums = index.loop(index.constant(0), index.constant(main), plan.lanes, start,
                                       [&](Value k, ValueRange carried) { return addStep(k, plan.lanes, carried); });
  if (main < plan.groupInputs())
    sums = addStep(index.constant(main), plan.groupInputs() - main, sums);
  Value all = foldTogether(index, sums);
  emitStore(index, all, dots.sums, index.add(dots.sumsAt, index.mul(square, columns)));
}

void cpu::emitWinogradDots(IndexBuilder &index, const WinogradPlan &plan, const WinogradDots &dots) {
  turnFilter(index, plan, dots);
  // As many squares as have sums for all lanes.
  int64_t most = std::max<int64_t>(1, plan.lanes / WinogradPlan::kDotColumns);
  Value whole = index.mul(index.div(dots.squares, most), most);
  index.loop(index.constant(0), whole, most, [&](Value square) { emitSquares(index, plan, dots, square, most); });
  index.loop(whole, dots.squares, 1, [&](Value square) { emitSquares(index, plan, dots, square, 1); });
}
