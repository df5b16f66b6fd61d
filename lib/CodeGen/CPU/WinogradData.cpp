//===- WinogradData.cpp - squares of pixels, transformed ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/GemmTile.h"
#include "hgc/CodeGen/CPU/WinogradPlan.h"
#include "hgc/CodeGen/Common/Lanes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

namespace {
class SquareData {
public:
  SquareData(IndexBuilder &index, const WinogradPlan &plan, const BufferPlace &from, const BufferPlace &to)
      : index(index), plan(plan), shape(plan.shape), from(from), to(to) {}

  void emit(const WinogradSquare &square);
  void fetch(const WinogradSquare &square);

private:
  Value clamp(Value position, const graph::WindowDim &dim);
  Value offsetOf(Value image, Value row, Value pixel);
  void emitChannels(const std::vector<Value> &offsets, ArrayRef<Value> masks);
  void emitVector(const std::vector<Value> &offsets, ArrayRef<Value> masks, Value channel, int64_t lanes);

  IndexBuilder &index;
  const WinogradPlan &plan;
  const graph::ConvShape &shape;
  const BufferPlace &from, &to;
};
} // namespace

/// The nearest position in the input to one plus padding.
Value SquareData::clamp(Value position, const graph::WindowDim &dim) {
  Value low = index.max(position, index.constant(dim.padLow));
  return index.add(index.min(low, index.constant(dim.padLow + dim.input - 1)), -dim.padLow);
}

Value SquareData::offsetOf(Value image, Value row, Value pixel) {
  const graph::WindowDim &rowDim = shape.spatial[1], &pixelDim = shape.spatial[2];
  Value line = index.add(index.mul(image, rowDim.input), row);
  return index.add(index.mul(index.add(index.mul(line, pixelDim.input), pixel), shape.inChannels), from.at);
}

void SquareData::fetch(const WinogradSquare &square) {
  constexpr int64_t line = 16;
  constexpr unsigned toFirst = 3;
  int64_t extent = plan.form.extent(), seen = extent - plan.form.tile;
  SmallVector<Value> offsets;
  for (int64_t i = seen; i < extent; ++i)
    for (int64_t j = seen; j < extent; ++j)
      offsets.push_back(offsetOf(square.image, clamp(index.add(square.row, i), shape.spatial[1]),
                                 clamp(index.add(square.pixel, j), shape.spatial[2])));
  index.loop(index.constant(0), index.constant(plan.groupInputs()), line, [&](Value channel) {
    for (Value offset : offsets)
      memref::PrefetchOp::create(index.builder, index.loc, from.buffer, index.add(offset, channel), /*isWrite=*/false,
                                 toFirst, /*isDataCache=*/true);
  });
}

/// Pixels that lie in the padding are zero; those of a square at the border are told
/// apart one by one.
void SquareData::emit(const WinogradSquare &square) {
  int64_t extent = plan.form.extent();
  const graph::WindowDim &rowDim = shape.spatial[1], &pixelDim = shape.spatial[2];
  // Positions plus padding, which are not negative: [low, high) lies in the input.
  auto isInside = [&](Value position, const graph::WindowDim &dim, int64_t count) {
    Value high = index.lessThan(position, index.constant(dim.padLow + dim.input - count + 1));
    return dim.padLow == 0 ? high : index.both(index.lessThan(index.constant(dim.padLow - 1), position), high);
  };
  auto inner = [&] {
    std::vector<Value> offsets;
    Value start =
        offsetOf(square.image, index.add(square.row, -rowDim.padLow), index.add(square.pixel, -pixelDim.padLow));
    for (int64_t i = 0; i < extent; ++i)
      for (int64_t j = 0; j < extent; ++j)
        offsets.push_back(index.add(start, (i * pixelDim.input + j) * shape.inChannels));
    emitChannels(offsets, {});
  };
  auto border = [&] {
    std::vector<Value> offsets;
    SmallVector<Value> masks;
    for (int64_t i = 0; i < extent; ++i)
      for (int64_t j = 0; j < extent; ++j) {
        Value row = index.add(square.row, i), pixel = index.add(square.pixel, j);
        offsets.push_back(offsetOf(square.image, clamp(row, rowDim), clamp(pixel, pixelDim)));
        masks.push_back(index.both(isInside(row, rowDim, 1), isInside(pixel, pixelDim, 1)));
      }
    emitChannels(offsets, masks);
  };
  if (rowDim.input < extent || pixelDim.input < extent)
    return border();
  index.ifThen(index.both(isInside(square.row, rowDim, extent), isInside(square.pixel, pixelDim, extent)), inner,
               border);
}

void SquareData::emitChannels(const std::vector<Value> &offsets, ArrayRef<Value> masks) {
  int64_t channels = plan.groupInputs(), main = channels / plan.lanes * plan.lanes;
  index.loop(index.constant(0), index.constant(main), plan.lanes,
             [&](Value channel) { emitVector(offsets, masks, channel, plan.lanes); });
  for (const ColumnPiece &piece : splitColumns(channels - main, plan.lanes))
    emitVector(offsets, masks, index.constant(main + piece.offset), piece.lanes);
}

void SquareData::emitVector(const std::vector<Value> &offsets, ArrayRef<Value> masks, Value channel, int64_t lanes) {
  int64_t extent = plan.form.extent();
  Value zero = emitZero(index, getLaneType(index.builder.getF32Type(), lanes));
  // Columns, then rows.
  std::vector<SmallVector<Value>> columns;
  for (int64_t j = 0; j < extent; ++j) {
    SmallVector<Value> pixels;
    for (int64_t i = 0; i < extent; ++i) {
      Value pixel = emitLoad(index, from.buffer, index.add(offsets[i * extent + j], channel), lanes);
      if (!masks.empty())
        pixel = arith::SelectOp::create(index.builder, index.loc, masks[i * extent + j], pixel, zero);
      pixels.push_back(pixel);
    }
    columns.push_back(transformData(index, plan.form.tile, pixels));
  }
  Value start = index.add(to.at, channel);
  for (int64_t i = 0; i < extent; ++i) {
    SmallVector<Value> row;
    for (int64_t j = 0; j < extent; ++j)
      row.push_back(columns[j][i]);
    row = transformData(index, plan.form.tile, row);
    for (int64_t j = 0; j < extent; ++j)
      emitStore(index, row[j], to.buffer, index.add(start, (i * extent + j) * plan.dataPlane));
  }
}

void cpu::emitWinogradData(IndexBuilder &index, const WinogradPlan &plan, const BufferPlace &from,
                           const WinogradSquare &square, const BufferPlace &to) {
  SquareData(index, plan, from, to).emit(square);
}

void cpu::emitFetchSquare(IndexBuilder &index, const WinogradPlan &plan, const BufferPlace &from,
                          const WinogradSquare &square) {
  SquareData(index, plan, from, {}).fetch(square);
}
