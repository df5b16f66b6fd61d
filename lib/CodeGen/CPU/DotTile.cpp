//===- DotTile.cpp - a few columns of products as dot products ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A panel of few columns would leave most lanes of its vectors empty. Lanes run along
// the depth instead: dot products, of which as many as fill a vector are folded together.
//===----------------------------------------------------------------------===//

#include "DotTile.h"

#include "hgc/CodeGen/CPU/UnitLoops.h"
#include "hgc/CodeGen/Common/Lanes.h"

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

/// Columns, one after the other, `count` elements of each from `k` on.
static void turnRows(IndexBuilder &index, const TurnedColumns &columns, Value k, int64_t count) {
  SmallVector<Value> rows;
  for (int64_t i = 0; i < count; ++i) {
    Value row = index.mul(index.add(k, i), columns.step);
    if (columns.fetch)
      columns.fetch(row);
    rows.push_back(emitLoad(index, columns.panel, index.add(columns.panelAt, row), kTailColumns));
  }
  SmallVector<Value> turned = interleaveLanes(index.builder, index.loc, rows);
  for (int64_t column = 0; column < kTailColumns; ++column) {
    Value part = count == 1 ? slice(index.builder, index.loc, rows[0], column, 1) : turned[column];
    emitStore(index, part, columns.turned, index.add(k, column * columns.stride));
  }
}

void cpu::emitTurnColumns(IndexBuilder &index, const TurnedColumns &columns) {
  Value whole = index.constant(columns.depth / kTailColumns * kTailColumns);
  auto turn = [&](Value begin, Value end, int64_t count) {
    index.loop(begin, end, count, [&](Value k) {
      keepRolled(k);
      turnRows(index, columns, k, count);
    });
  };
  turn(index.constant(0), whole, kTailColumns);
  turn(whole, index.constant(columns.depth), 1);
}

Value cpu::emitDotTile(IndexBuilder &index, const DotTile &tile) {
  Type element = cast<MemRefType>(tile.lhs.getType()).getElementType();
  SmallVector<Value> start(tile.rowOffsets.size() * kTailColumns, emitZero(index, getLaneType(element, tile.lanes)));
  auto addStep = [&](Value k, int64_t valid, ValueRange sums) {
    SmallVector<Value> columns, next;
    for (int64_t c = 0; c < kTailColumns; ++c)
      columns.push_back(emitLoadPart(index, tile.turned, index.add(k, c * tile.stride), tile.lanes, valid));
    for (auto [r, offset] : llvm::enumerate(tile.rowOffsets)) {
      Value row = emitLoadPart(index, tile.lhs, index.add(offset, k), tile.lanes, valid);
      for (int64_t c = 0; c < kTailColumns; ++c)
        next.push_back(emitMultiplyAdd(index, row, columns[c], sums[static_cast<int64_t>(r) * kTailColumns + c]));
    }
    return next;
  };
  int64_t main = tile.depth / tile.lanes * tile.lanes;
  SmallVector<Value> sums = index.loop(index.constant(0), index.constant(main), tile.lanes, start,
                                       [&](Value k, ValueRange carried) { return addStep(k, tile.lanes, carried); });
  if (main < tile.depth)
    sums = addStep(index.constant(main), tile.depth - main, sums);
  return foldTogether(index, sums);
}
