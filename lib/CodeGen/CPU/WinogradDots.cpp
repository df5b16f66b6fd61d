//===- WinogradDots.cpp - products of squares with a few columns ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "DotTile.h"
#include "hgc/CodeGen/CPU/WinogradPlan.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

static void turnFilter(IndexBuilder &index, const WinogradPlan &plan, const WinogradDots &dots) {
  TurnedColumns columns{dots.filter, dots.filterAt, dots.filterStep, plan.groupInputs(), dots.turned, plan.dataStride,
                        {}};
  if (dots.next)
    columns.fetch = [&](Value row) {
      constexpr int64_t line = 16, toSecond = 2;
      for (int64_t at = 0; at < dots.filterStep; at += line)
        memref::PrefetchOp::create(index.builder, index.loc, dots.filter, index.add(index.add(dots.next, at), row),
                                   /*isWrite=*/false, toSecond, /*isDataCache=*/true);
    };
  emitTurnColumns(index, columns);
}

/// The products of `count` squares from `square` on.
static void emitSquares(IndexBuilder &index, const WinogradPlan &plan, const WinogradDots &dots, Value square,
                        int64_t count) {
  DotTile tile{dots.data, {}, dots.turned, plan.dataStride, plan.groupInputs(), plan.lanes};
  Value from = index.add(dots.dataAt, index.mul(square, plan.dataStride));
  for (int64_t s = 0; s < count; ++s)
    tile.rowOffsets.push_back(index.add(from, s * plan.dataStride));
  emitStore(index, emitDotTile(index, tile), dots.sums, index.add(dots.sumsAt, index.mul(square, kTailColumns)));
}

void cpu::emitWinogradDots(IndexBuilder &index, const WinogradPlan &plan, const WinogradDots &dots) {
  turnFilter(index, plan, dots);
  // As many squares as have sums for all lanes.
  int64_t most = std::max<int64_t>(1, plan.lanes / kTailColumns);
  Value whole = index.mul(index.div(dots.squares, most), most);
  index.loop(index.constant(0), whole, most, [&](Value square) { emitSquares(index, plan, dots, square, most); });
  index.loop(whole, dots.squares, 1, [&](Value square) { emitSquares(index, plan, dots, square, 1); });
}
