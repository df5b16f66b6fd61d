//===- WinogradFilter.cpp - filters transformed beside their products -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/GemmTile.h"
#include "hgc/CodeGen/CPU/UnitLoops.h"
#include "hgc/CodeGen/CPU/WinogradPlan.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

/// One vector of columns of an input channel: 3x3 taps, of which the first is at `at`, become points.
static void emitVector(IndexBuilder &index, const WinogradPlan &plan, const BufferPlace &from, const BufferPlace &to,
                       int64_t lanes) {
  constexpr int64_t side = 3;
  int64_t extent = plan.form.extent(), tap = plan.groupInputs() * plan.width;
  // Columns, then rows.
  std::vector<SmallVector<Value>> columns;
  for (int64_t j = 0; j < side; ++j) {
    SmallVector<Value> taps;
    for (int64_t i = 0; i < side; ++i)
      taps.push_back(emitLoad(index, from.buffer, index.add(from.at, (i * side + j) * tap), lanes));
    columns.push_back(transformFilter(index, plan.form.tile, taps));
  }
  for (int64_t i = 0; i < extent; ++i) {
    SmallVector<Value> row;
    for (int64_t j = 0; j < side; ++j)
      row.push_back(columns[j][i]);
    for (auto [j, value] : llvm::enumerate(transformFilter(index, plan.form.tile, row)))
      emitStore(index, value, to.buffer, index.add(to.at, (i * extent + static_cast<int64_t>(j)) * plan.filterPlane));
  }
}

void cpu::emitWinogradFilter(IndexBuilder &index, const WinogradPlan &plan, const BufferPlace &from, int64_t count,
                             int64_t columns, const BufferPlace &to) {
  index.loop(count, [&](Value channel) {
    keepRolled(channel);
    for (const ColumnPiece &piece : splitColumns(columns, plan.lanes)) {
      BufferPlace taps{from.buffer, index.add(index.add(from.at, index.mul(channel, plan.width)), piece.offset)};
      BufferPlace points{to.buffer, index.add(index.add(to.at, index.mul(channel, columns)), piece.offset)};
      emitVector(index, plan, taps, points, piece.lanes);
    }
  });
}
