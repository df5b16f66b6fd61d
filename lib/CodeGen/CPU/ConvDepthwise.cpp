//===- ConvDepthwise.cpp - one filter per channel -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nothing is summed over channels, so vectors run along them. Padding is skipped
// by cutting the window. Here pixels are taken one by one; see ConvDepthwiseTiles.cpp
// for the others.
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/ConvPlan.h"
#include "hgc/CodeGen/CPU/GemmStore.h"
#include "hgc/CodeGen/Common/Lanes.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

namespace {

class DepthwiseConv {
public:
  DepthwiseConv(KernelContext &context, const ConvView &view)
      : context(context), view(view), index(context.builder, context.loc), shape(view.shape),
        accumulator(getElementTypeOrSelf(view.result.getType())), input(getRootBuffer(context, view.data)),
        filter(getRootBuffer(context, view.filter)),
        lanes(std::max<int64_t>(1, context.target.vectorBytes / graph::getElementBytes(accumulator))) {}

  void emit();

private:
  /// Output position in canonical order: image, depth, row, pixel.
  using Position = std::array<Value, 4>;
  void emitPixel(const Position &at);
  void emitChannels(const Position &at, Value channel, ArrayRef<ColumnPiece> pieces);
  SmallVector<Value> emitWindow(const Position &at, unsigned dim, Value inputAt, Value filterAt, Value channel,
                                ArrayRef<ColumnPiece> pieces, ValueRange sums);

  KernelContext &context;
  const ConvView &view;
  IndexBuilder index;
  graph::ConvShape shape;
  Type accumulator;
  Value input, filter;
  int64_t lanes;
};

} // namespace

void DepthwiseConv::emit() {
  index.loop(context.begin, context.end, 1, [&](Value unit) {
    SmallVector<Value> at = index.delinearize(unit, {shape.batch, view.resultExtent(0), view.resultExtent(1)});
    index.loop(view.resultExtent(2), [&](Value pixel) { emitPixel({at[0], at[1], at[2], pixel}); });
  });
}

void DepthwiseConv::emitPixel(const Position &at) {
  // Four vectors side by side hide the latency of the sums; what is left over is
  // one group of fewer and shorter ones.
  int64_t wide = 4 * lanes, channels = shape.inChannels, wideEnd = channels / wide * wide;
  index.loop(index.constant(0), index.constant(wideEnd), wide,
             [&](Value channel) { emitChannels(at, channel, splitColumns(wide, lanes)); });
  if (channels > wideEnd)
    emitChannels(at, index.constant(wideEnd), splitColumns(channels - wideEnd, lanes));
}

/// The loops over the window from spatial dim `dim` on. `inputAt` and `filterAt`
/// are the positions reached so far, in units of that dim.
SmallVector<Value> DepthwiseConv::emitWindow(const Position &at, unsigned dim, Value inputAt, Value filterAt,
                                             Value channel, ArrayRef<ColumnPiece> pieces, ValueRange sums) {
  if (dim == 3) {
    Value from = index.add(index.mul(inputAt, shape.inChannels), channel);
    Value weights = index.add(index.mul(filterAt, shape.inChannels), channel);
    SmallVector<Value> next;
    for (auto [piece, sum] : llvm::zip_equal(pieces, sums)) {
      Value a = emitWiden(index, emitLoad(index, input, index.add(from, piece.offset), piece.lanes), accumulator);
      Value b = emitWiden(index, emitLoad(index, filter, index.add(weights, piece.offset), piece.lanes), accumulator);
      next.push_back(emitMultiplyAdd(index, a, b, sum));
    }
    return next;
  }
  const graph::WindowDim &window = shape.spatial[dim];
  auto emitTap = [&](Value k, Value position, ValueRange carried) {
    return emitWindow(at, dim + 1, index.add(index.mul(inputAt, view.dataExtent(dim)), position),
                      index.add(index.mul(filterAt, window.window), k), channel, pieces, carried);
  };
  return loopTaps(index, window, view.isTransposed, at[dim + 1], sums, emitTap);
}

void DepthwiseConv::emitChannels(const Position &at, Value channel, ArrayRef<ColumnPiece> pieces) {
  SmallVector<Value> zeros;
  int64_t columns = 0;
  for (const ColumnPiece &piece : pieces) {
    zeros.push_back(emitZero(index, getLaneType(accumulator, piece.lanes)));
    columns += piece.lanes;
  }
  SmallVector<Value> sums = emitWindow(at, 0, at[0], index.constant(0), channel, pieces, zeros);
  emitStoreRow(context, view.result, getOutputIndex(shape, at[0], at[1], at[2], at[3]), channel, pieces, sums, columns);
}

void cpu::emitDepthwiseConv(KernelContext &context, const ConvView &view) {
  DepthwisePlan plan(view, context.target);
  if (plan.isTiled)
    emitDepthwiseTiles(context, view, plan);
  else
    DepthwiseConv(context, view).emit();
}

KernelSchedule cpu::scheduleDepthwiseConv(const ConvView &view, const DeviceTable &target) {
  DepthwisePlan plan(view, target);
  int64_t slices = view.shape.batch * view.resultExtent(0);
  if (!plan.isTiled)
    return {slices * view.resultExtent(1), 1, 0,
            view.isTransposed ? "transposed depthwise convolution" : "depthwise convolution"};
  return {slices * plan.rowBlocks * plan.channelBlocks, 1, 0,
          llvm::formatv("depthwise convolution: tile {0}x{1}, blocks of {2} rows and {3} channels", plan.pixelTile,
                        plan.group(), plan.rowBlock, plan.channelBlock)
              .str()};
}
