//===- ConvDepthwise.cpp - one filter per channel -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nothing is summed over channels, so vectors run along them. Padding is skipped
// by cutting the window. Here is the plan, and the loops where pixels are taken one
// by one; see ConvDepthwiseTiles.cpp for the others.
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/ConvPlan.h"
#include "hgc/CodeGen/CPU/GemmStore.h"
#include "hgc/CodeGen/Common/Lanes.h"
#include "hgc/Target/Panel.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

//===----------------------------------------------------------------------===//
// Plan
//===----------------------------------------------------------------------===//

/// Rows of the window that are worth taking at once.
static int64_t chooseRows(const ConvView &view, const DeviceTable &target) {
  auto isByte = [](Value value) { return getElementTypeOrSelf(value.getType()).isSignlessInteger(8); };
  const graph::WindowDim &depthDim = view.shape.spatial[0], &rowDim = view.shape.spatial[1];
  bool isFlat = depthDim.window == 1 && depthDim.padLow == 0 && depthDim.padHigh == 0 && rowDim.window > 1;
  bool isEmpty = depthDim.input * rowDim.input * view.shape.spatial[2].input == 0;
  return isByte(view.data) && isByte(view.filter) && isFlat && !isEmpty
             ? chooseInterleave(target, getElementTypeOrSelf(view.data.getType()))
             : 1;
}

DepthwisePlan::DepthwisePlan(const ConvView &view, const DeviceTable &target) {
  // Eight sums hide the latency of an addition; more code than this is not worth it.
  constexpr int64_t wantedSums = 8, mostTaps = 64, mostOuterTiles = 6, wantedUnits = 16, fewestRows = 4;
  const graph::ConvShape &shape = view.shape;
  const graph::WindowDim &depthDim = shape.spatial[0], &rowDim = shape.spatial[1], &pixelDim = shape.spatial[2];
  int64_t bytes = graph::getElementBytes(getElementTypeOrSelf(view.result.getType()));
  int64_t dataBytes = graph::getElementBytes(getElementTypeOrSelf(view.data.getType()));
  int64_t channels = std::max<int64_t>(1, shape.inChannels), pixels = std::max<int64_t>(1, pixelDim.output);
  lanes = std::max<int64_t>(1, target.vectorBytes / bytes);
  // The filter's vectors of a row, the data's and a product are live beside the sums.
  int64_t most = std::clamp<int64_t>(target.vectorRegisters - pixelDim.window - 2, 2, wantedSums);
  pixelTile = llvm::divideCeil(pixels, llvm::divideCeil(pixels, most));
  tiles = llvm::divideCeil(pixels, pixelTile);
  vectors = std::clamp<int64_t>(wantedSums / pixelTile, 1, std::clamp<int64_t>(channels / lanes, 1, 4));
  inner = findInnerTiles(pixelDim, pixelTile, tiles);
  int64_t outerTiles = tiles - (inner.second - inner.first);
  isTiled = !view.isTransposed && pixelTile * pixelDim.window <= mostTaps && outerTiles <= mostOuterTiles;
  interleave = isTiled ? chooseRows(view, target) : 1;
  rowGroups = llvm::divideCeil(rowDim.window, interleave);
  if (rowGroups * pixelTile * pixelDim.window > 4 * mostTaps)
    interleave = 1;

  // Channels: what the window of a row of results sees of them stays in the
  // first-level cache until the next row. Rows: so does a block of them with all
  // channels in the second-level cache.
  int64_t rowReach = (rowDim.window - 1) * rowDim.dilation + 1;
  int64_t lineBytes = std::max<int64_t>(1, depthDim.window * pixelDim.input * dataBytes);
  int64_t fits = target.l1Bytes / 2 / (rowReach * lineBytes);
  int64_t rows = std::max<int64_t>(1, rowDim.output), slices = std::max<int64_t>(1, shape.batch * depthDim.output);
  int64_t groups = llvm::divideCeil(channels, group());
  // Threads share rows where they can, as the kernels before and after do: their numbers of blocks
  // are powers of two, so that a thread has whole ones. Channels, where rows alone are not enough.
  int64_t mostRowBlocks = llvm::bit_floor<uint64_t>(std::max<int64_t>(1, rows / fewestRows));
  int64_t parts = llvm::divideCeil(wantedUnits, slices * mostRowBlocks);
  // Lines come in pairs: blocks of several should not end between them.
  int64_t mostGroups = llvm::divideCeil(groups, parts), pair = std::max<int64_t>(1, 128 / (group() * dataBytes));
  if (mostGroups > pair)
    mostGroups = std::min<int64_t>(groups, llvm::alignTo(mostGroups, pair));
  // Images from farther than the second-level cache are read in the order of addresses.
  if (lineBytes * rowDim.input * channels > target.l2Bytes)
    fits = channels;
  channelBlock = std::clamp<int64_t>(fits / group(), 1, mostGroups) * group();
  channelBlocks = llvm::divideCeil(channels, channelBlock);
  int64_t limit = std::max(fewestRows, target.l2Bytes / 2 / (lineBytes * channels * rowDim.stride));
  int64_t wanted = llvm::divideCeil(wantedUnits, slices * channelBlocks);
  rowBlocks = std::max<int64_t>(llvm::divideCeil(rows, limit),
                                std::min<int64_t>(llvm::bit_ceil<uint64_t>(wanted), mostRowBlocks));
  rowBlock = llvm::divideCeil(rows, std::max<int64_t>(1, rowBlocks));
  rowBlocks = llvm::divideCeil(rows, rowBlock);
  scratchBytes = interleave > 1 ? (pixelDim.window * rowGroups + heads()) * channelBlock * bytes : 0;
}

//===----------------------------------------------------------------------===//
// Pixels one by one
//===----------------------------------------------------------------------===//

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
  std::string groups = plan.interleave > 1 ? llvm::formatv(", {0} rows at once", plan.interleave).str() : "";
  return {slices * plan.rowBlocks * plan.channelBlocks, 1, plan.scratchBytes,
          llvm::formatv("depthwise convolution: tile {0}x{1}, blocks of {2} rows and {3} channels{4}", plan.pixelTile,
                        plan.group(), plan.rowBlock, plan.channelBlock, groups)
              .str()};
}
