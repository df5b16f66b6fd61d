//===- ConvDepthwiseTiles.cpp - depthwise convolution by register tiles ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tile is a run of pixels of one result row times some vectors of channels. The
// window of a row is unrolled, so that each vector of data is loaded once for all
// the pixels that see it, and each vector of the filter once for all pixels. At
// both ends of a row, tiles are at known places and leave out what they would read
// of the padding; rows of the window that lie in the padding are not visited.
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/ConvPlan.h"
#include "hgc/CodeGen/CPU/GemmStore.h"
#include "hgc/CodeGen/Common/Lanes.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

//===----------------------------------------------------------------------===//
// Plan
//===----------------------------------------------------------------------===//

DepthwisePlan::DepthwisePlan(const ConvView &view, const DeviceTable &target) {
  // Eight sums hide the latency of an addition; more code than this is not worth it.
  constexpr int64_t wantedSums = 8, mostTaps = 64, mostOuterTiles = 6, wantedUnits = 16, fewestRows = 4;
  const graph::ConvShape &shape = view.shape;
  const graph::WindowDim &depthDim = shape.spatial[0], &rowDim = shape.spatial[1], &pixelDim = shape.spatial[2];
  int64_t bytes = graph::getElementBytes(getElementTypeOrSelf(view.result.getType()));
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

  // Channels: what the window of a row of results sees of them stays in the
  // first-level cache until the next row. Rows: so does a block of them with all
  // channels in the second-level cache.
  int64_t rowReach = (rowDim.window - 1) * rowDim.dilation + 1;
  int64_t lineBytes = std::max<int64_t>(1, depthDim.window * pixelDim.input * bytes);
  int64_t fits = target.l1Bytes / 2 / (rowReach * lineBytes);
  int64_t rows = std::max<int64_t>(1, rowDim.output), slices = std::max<int64_t>(1, shape.batch * depthDim.output);
  int64_t groups = llvm::divideCeil(channels, group());
  // Threads share rows where they can, as the kernels before and after do: their numbers of blocks
  // are powers of two, so that a thread has whole ones. Channels, where rows alone are not enough.
  int64_t mostRowBlocks = llvm::bit_floor<uint64_t>(std::max<int64_t>(1, rows / fewestRows));
  int64_t parts = llvm::divideCeil(wantedUnits, slices * mostRowBlocks);
  // Lines come in pairs: blocks of several should not end between them.
  int64_t mostGroups = llvm::divideCeil(groups, parts), pair = std::max<int64_t>(1, 128 / (group() * bytes));
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
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

namespace {

/// A row of results, and the window positions at which it sees data.
struct RowPlace {
  Value image, depth, row;
  std::pair<Value, Value> depths, rows;
};

/// Some vectors of channels.
struct ChannelGroup {
  Value channel;
  ArrayRef<ColumnPiece> pieces;
};

class DepthwiseTiles {
public:
  /// `ring`: the number of lines of `input`, where line i of the data is at i modulo that;
  /// 0 where `input` has them all.
  DepthwiseTiles(KernelContext &context, const ConvView &view, const DepthwisePlan &plan, Value input, int64_t ring)
      : context(context), view(view), plan(plan), index(context.builder, context.loc), shape(view.shape),
        pixelDim(shape.spatial[2]), accumulator(getElementTypeOrSelf(view.result.getType())), input(input),
        filter(getRootBuffer(context, view.filter)), ring(ring) {}

  void emit();
  void emitRow(const RowPlace &place, Value channel, Value channelEnd);

private:
  void emitPixels(const RowPlace &place, Value channel, Value channelEnd, Value pixel, int64_t pixels);
  void emitTile(const RowPlace &place, const ChannelGroup &group, Value pixel, int64_t pixels);
  SmallVector<Value> emitTaps(const ChannelGroup &group, Value line, Value weights, Value pixel, int64_t pixels,
                              ValueRange sums);
  SmallVector<Value> loadPieces(const ChannelGroup &group, Value buffer, Value at);

  KernelContext &context;
  const ConvView &view;
  const DepthwisePlan &plan;
  IndexBuilder index;
  const graph::ConvShape &shape;
  const graph::WindowDim &pixelDim;
  Type accumulator;
  Value input, filter;
  int64_t ring;
};

} // namespace

void DepthwiseTiles::emit() {
  const graph::WindowDim &depthDim = shape.spatial[0], &rowDim = shape.spatial[1];
  index.loop(context.begin, context.end, 1, [&](Value unit) {
    SmallVector<Value> at = index.delinearize(unit, {shape.batch, depthDim.output, plan.rowBlocks, plan.channelBlocks});
    Value row = index.mul(at[2], plan.rowBlock), channel = index.mul(at[3], plan.channelBlock);
    Value rowEnd = index.min(index.add(row, plan.rowBlock), index.constant(rowDim.output));
    Value channelEnd = index.min(index.add(channel, plan.channelBlock), index.constant(shape.inChannels));
    std::pair<Value, Value> depths = getWindowRange(index, depthDim, at[1]);
    index.loop(row, rowEnd, 1, [&](Value row) {
      emitRow({at[0], at[1], row, depths, getWindowRange(index, rowDim, row)}, channel, channelEnd);
    });
  });
}

void DepthwiseTiles::emitRow(const RowPlace &place, Value channel, Value channelEnd) {
  auto emitOuter = [&](int64_t begin, int64_t end) {
    for (int64_t tile = begin; tile < end; ++tile) {
      int64_t pixel = tile * plan.pixelTile, pixels = std::min(plan.pixelTile, pixelDim.output - pixel);
      emitPixels(place, channel, channelEnd, index.constant(pixel), pixels);
    }
  };
  emitOuter(0, plan.inner.first);
  index.loop(index.constant(plan.inner.first * plan.pixelTile), index.constant(plan.inner.second * plan.pixelTile),
             plan.pixelTile, [&](Value pixel) { emitPixels(place, channel, channelEnd, pixel, plan.pixelTile); });
  emitOuter(plan.inner.second, plan.tiles);
}

void DepthwiseTiles::emitPixels(const RowPlace &place, Value channel, Value channelEnd, Value pixel, int64_t pixels) {
  int64_t channels = shape.inChannels, whole = channels / plan.group() * plan.group();
  SmallVector<ColumnPiece> pieces = splitColumns(plan.group(), plan.lanes);
  index.loop(channel, index.min(channelEnd, index.constant(whole)), plan.group(), [&](Value at) {
    emitTile(place, {at, pieces}, pixel, pixels);
  });
  if (whole == channels)
    return;
  SmallVector<ColumnPiece> rest = splitColumns(channels - whole, plan.lanes);
  index.ifThen(index.equal(channelEnd, index.constant(channels)), [&] {
    for (ArrayRef<ColumnPiece> left = rest; !left.empty();
         left = left.drop_front(std::min<size_t>(left.size(), plan.vectors)))
      emitTile(place, {index.constant(whole), left.take_front(plan.vectors)}, pixel, pixels);
  });
}

SmallVector<Value> DepthwiseTiles::loadPieces(const ChannelGroup &group, Value buffer, Value at) {
  return llvm::map_to_vector(group.pieces, [&](const ColumnPiece &piece) {
    return emitWiden(index, emitLoad(index, buffer, index.add(at, piece.offset), piece.lanes), accumulator);
  });
}

/// The window's row that starts at `weights`, on the data's row that starts at `line`.
SmallVector<Value> DepthwiseTiles::emitTaps(const ChannelGroup &group, Value line, Value weights, Value pixel,
                                            int64_t pixels, ValueRange sums) {
  int64_t channels = shape.inChannels, window = pixelDim.window;
  std::optional<int64_t> known = getConstant(pixel);
  auto isData = [&](int64_t position) {
    int64_t at = known ? *known * pixelDim.stride - pixelDim.padLow + position : 0;
    return at >= 0 && at < pixelDim.input;
  };
  SmallVector<SmallVector<Value>> factors;
  for (int64_t tap = 0; tap < window; ++tap)
    factors.push_back(loadPieces(group, filter, index.add(weights, tap * channels)));
  Value start = index.add(line, index.mul(index.add(index.mul(pixel, pixelDim.stride), -pixelDim.padLow), channels));
  SmallVector<Value> next(sums);
  size_t count = group.pieces.size();
  // In the order of the data: every sum still meets its taps in theirs.
  for (int64_t position = 0; position <= (pixels - 1) * pixelDim.stride + (window - 1) * pixelDim.dilation;
       ++position) {
    SmallVector<Value> data;
    for (int64_t i = 0; i < pixels; ++i) {
      int64_t distance = position - i * pixelDim.stride;
      if (distance < 0 || distance % pixelDim.dilation || distance / pixelDim.dilation >= window || !isData(position))
        continue;
      if (data.empty())
        data = loadPieces(group, input, index.add(start, position * channels));
      for (size_t piece = 0; piece < count; ++piece) {
        Value &sum = next[i * count + piece];
        sum = emitMultiplyAdd(index, data[piece], factors[distance / pixelDim.dilation][piece], sum);
      }
    }
  }
  return next;
}

void DepthwiseTiles::emitTile(const RowPlace &place, const ChannelGroup &group, Value pixel, int64_t pixels) {
  const graph::WindowDim &depthDim = shape.spatial[0], &rowDim = shape.spatial[1];
  int64_t channels = shape.inChannels;
  SmallVector<Value> zeros;
  for (int64_t i = 0; i < pixels; ++i)
    for (const ColumnPiece &piece : group.pieces)
      zeros.push_back(emitZero(index, getLaneType(accumulator, piece.lanes)));
  auto emitLine = [&](Value depth, Value row, ValueRange carried) {
    Value plane =
        index.add(index.mul(place.image, depthDim.input), getInputPosition(index, depthDim, place.depth, depth));
    Value line = index.add(index.mul(plane, rowDim.input), getInputPosition(index, rowDim, place.row, row));
    if (ring)
      line = index.rem(line, ring);
    Value weights = index.mul(index.add(index.mul(depth, rowDim.window), row), pixelDim.window * channels);
    return emitTaps(group, index.add(index.mul(line, pixelDim.input * channels), group.channel),
                    index.add(weights, group.channel), pixel, pixels, carried);
  };
  SmallVector<Value> sums =
      index.loop(place.depths.first, place.depths.second, 1, zeros, [&](Value depth, ValueRange carried) {
        return index.loop(place.rows.first, place.rows.second, 1, carried,
                          [&](Value row, ValueRange carried) { return emitLine(depth, row, carried); });
      });
  size_t count = group.pieces.size();
  int64_t columns = group.pieces.back().offset + group.pieces.back().lanes;
  for (int64_t i = 0; i < pixels; ++i)
    emitStoreRow(context, view.result, getOutputIndex(shape, place.image, place.depth, place.row, index.add(pixel, i)),
                 group.channel, group.pieces, ArrayRef<Value>(sums).slice(i * count, count), columns);
}

void cpu::emitDepthwiseTiles(KernelContext &context, const ConvView &view, const DepthwisePlan &plan) {
  DepthwiseTiles(context, view, plan, getRootBuffer(context, view.data), /*ring=*/0).emit();
}

void cpu::emitDepthwiseRow(KernelContext &context, const ConvView &view, const DepthwisePlan &plan, Value image,
                           Value row, Value lines, int64_t ring) {
  IndexBuilder index(context.builder, context.loc);
  const graph::WindowDim &depthDim = view.shape.spatial[0];
  Value zero = index.constant(0);
  DepthwiseTiles(context, view, plan, lines, ring)
      .emitRow({image, zero, row, getWindowRange(index, depthDim, zero),
                getWindowRange(index, view.shape.spatial[1], row)},
               zero, index.constant(view.shape.inChannels));
}
