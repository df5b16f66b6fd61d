//===- WinogradResults.cpp - products of squares become results -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/GemmStore.h"
#include "hgc/CodeGen/CPU/WinogradPlan.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

namespace {
class SquareResults {
public:
  SquareResults(KernelContext &context, graph::ConvOp op, const WinogradPlan &plan, const WinogradPanel &panel,
                const PutRow &put)
      : context(context), op(op), index(context.builder, context.loc), plan(plan), shape(plan.shape), panel(panel),
        put(put),
        column(index.add(index.mul(panel.block.group, plan.groupOutputs()), index.mul(panel.number, plan.width))) {}

  void emit(const WinogradSums &from);

private:
  void transform(const BufferPlace &from);
  void fetch(Value tile);
  void store(const BufferPlace &from, Value tile);

  KernelContext &context;
  graph::ConvOp op;
  IndexBuilder index;
  const WinogradPlan &plan;
  const graph::ConvShape &shape;
  const WinogradPanel &panel;
  const PutRow &put;
  Value column;
};
} // namespace

void SquareResults::emit(const WinogradSums &from) {
  Value count = panel.block.tileCount;
  auto place = [&](Value tile) {
    return BufferPlace{from.first.buffer, index.add(from.first.at, index.mul(tile, from.stride))};
  };
  index.loop(index.constant(0), count, from.together, [&](Value tile) {
    Value end = index.min(index.add(tile, from.together), count);
    auto forEach = [&](llvm::function_ref<void(Value)> body) {
      from.together == 1 ? body(tile) : index.loop(tile, end, 1, body);
    };
    if (fetchesRows(context, op.getResult()))
      forEach([&](Value square) { fetch(square); });
    transform(place(tile));
    forEach([&](Value square) { store(place(square), square); });
  });
}

/// Results of a square take the place of its first products; the ops behind the
/// convolution see them one pixel at a time.
void SquareResults::transform(const BufferPlace &from) {
  int64_t extent = plan.form.extent(), side = plan.form.tile;
  for (const ColumnPiece &piece : panel.pieces) {
    Value start = index.add(from.at, piece.offset);
    std::vector<SmallVector<Value>> columns;
    for (int64_t j = 0; j < extent; ++j) {
      SmallVector<Value> products;
      for (int64_t i = 0; i < extent; ++i)
        products.push_back(
            emitLoad(index, from.buffer, index.add(start, (i * extent + j) * plan.sumPlane), piece.lanes));
      columns.push_back(transformSums(index, side, products));
    }
    for (int64_t i = 0; i < side; ++i) {
      SmallVector<Value> row;
      for (int64_t j = 0; j < extent; ++j)
        row.push_back(columns[j][i]);
      for (auto [j, value] : llvm::enumerate(transformSums(index, side, row)))
        emitStore(index, value, from.buffer, index.add(start, (i * side + static_cast<int64_t>(j)) * plan.sumPlane));
    }
  }
}

/// Lines that storing a square needs arrive while it is transformed; its last pixels stand for those past the result.
void SquareResults::fetch(Value tile) {
  WinogradSquare square = locateSquare(index, plan, panel.block, tile);
  auto clamp = [&](Value first, int64_t i, const graph::WindowDim &dim) {
    return index.min(index.add(first, i), index.constant(dim.output - 1));
  };
  for (int64_t i = 0; i < plan.form.tile; ++i)
    for (int64_t j = 0; j < plan.form.tile; ++j)
      emitFetchRow(context, op.getResult(),
                   getOutputIndex(shape, square.image, index.constant(0), clamp(square.row, i, shape.spatial[1]),
                                  clamp(square.pixel, j, shape.spatial[2])),
                   column, panel.columns);
}

void SquareResults::store(const BufferPlace &from, Value tile) {
  WinogradSquare square = locateSquare(index, plan, panel.block, tile);
  Value side = index.constant(plan.form.tile);
  SmallVector<ColumnPiece> pieces = splitColumns(panel.columns, plan.lanes);
  auto left = [&](Value position, const graph::WindowDim &dim) {
    return index.min(side, index.sub(index.constant(dim.output), position));
  };
  index.loop(index.constant(0), left(square.row, shape.spatial[1]), 1, [&](Value i) {
    index.loop(index.constant(0), left(square.pixel, shape.spatial[2]), 1, [&](Value j) {
      Value point = index.add(index.mul(i, plan.form.tile), j);
      Value start = index.add(from.at, index.mul(point, plan.sumPlane));
      SmallVector<Value> values;
      for (const ColumnPiece &piece : pieces)
        values.push_back(emitLoad(index, from.buffer, index.add(start, piece.offset), piece.lanes));
      put(getOutputIndex(shape, square.image, index.constant(0), index.add(square.row, i), index.add(square.pixel, j)),
          column, pieces, values, panel.columns);
    });
  });
}

void cpu::emitWinogradResults(KernelContext &context, graph::ConvOp op, const WinogradPlan &plan,
                              const WinogradPanel &panel, const WinogradSums &from, const PutRow &put) {
  SquareResults(context, op, plan, panel, put).emit(from);
}
