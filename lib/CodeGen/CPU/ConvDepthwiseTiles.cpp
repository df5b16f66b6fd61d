//===- ConvDepthwiseTiles.cpp - depthwise convolution by register tiles ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tile is a run of pixels of one result row times some vectors of channels. The
// window of a row is unrolled, so that each vector of data is loaded once for all
// the pixels that see it, and each vector of the filter once for all pixels. At
// both ends of a row, tiles are at known places and leave out what they would read
// of the padding; rows of the window that lie in the padding are not visited.
//
// Where instructions multiply groups of i8, a group is some rows of a column of the
// window: data becomes groups once for all the pixels that see it. Rows that lie in
// the padding then have weights of zero.
//===----------------------------------------------------------------------===//

#include "GemmDots.h"
#include "hgc/CodeGen/CPU/ConvPlan.h"
#include "hgc/CodeGen/CPU/GemmStore.h"
#include "hgc/CodeGen/Common/Lanes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

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
        filter(getRootBuffer(context, view.filter)), ring(ring) {
    if (plan.scratchBytes)
      groups = emitScratch(index, context.scratch, 0, plan.scratchBytes / 4, accumulator);
  }

  void emit();
  void emitRow(const RowPlace &place, Value channel, Value channelEnd);

private:
  void emitPixels(const RowPlace &place, Value channel, Value channelEnd, Value pixel, int64_t pixels);
  void emitTile(const RowPlace &place, const ChannelGroup &group, Value pixel, int64_t pixels);
  SmallVector<Value> emitTaps(const ChannelGroup &group, Value line, Value weights, Value pixel, int64_t pixels,
                              ValueRange sums);
  SmallVector<Value> loadPieces(const ChannelGroup &group, Value buffer, Value at);
  Value getLine(const RowPlace &place, Value depth, Value row);
  /// Whether `position` of the data is none of the padding, counted from what the tile's first pixel sees.
  bool isData(Value pixel, int64_t position) const;

  // Groups of rows.
  bool hasGroups(const ChannelGroup &group) const;
  void layOutFilter(const RowPlace &place, Value channel, Value channelEnd);
  void layOutVector(const RowPlace &place, Value channel, int64_t lanes);
  Value locateGroups(int64_t number, Value channel);
  SmallVector<Value> emitDots(const RowPlace &place, const ChannelGroup &group, Value pixel, int64_t pixels);

  KernelContext &context;
  const ConvView &view;
  const DepthwisePlan &plan;
  IndexBuilder index;
  const graph::ConvShape &shape;
  const graph::WindowDim &pixelDim;
  Type accumulator;
  Value input, filter;
  int64_t ring;
  /// The filter as groups of rows, and the first channel there.
  Value groups, firstChannel;
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
    if (plan.interleave == 1)
      return index.loop(row, rowEnd, 1, [&](Value row) {
        emitRow({at[0], at[1], row, depths, getWindowRange(index, rowDim, row)}, channel, channelEnd);
      });
    firstChannel = channel;
    Value none = index.constant(-1);
    index.loop(row, rowEnd, 1, {none, none}, [&](Value row, ValueRange laidOut) {
      std::pair<Value, Value> rows = getWindowRange(index, rowDim, row);
      RowPlace place{at[0], at[1], row, depths, rows};
      Value isLaidOut = index.both(index.equal(rows.first, laidOut[0]), index.equal(rows.second, laidOut[1]));
      index.ifThen(
          isLaidOut, [] {}, [&] { layOutFilter(place, channel, channelEnd); });
      emitRow(place, channel, channelEnd);
      return SmallVector<Value>{rows.first, rows.second};
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

bool DepthwiseTiles::isData(Value pixel, int64_t position) const {
  std::optional<int64_t> known = getConstant(pixel);
  int64_t at = known ? *known * pixelDim.stride - pixelDim.padLow + position : 0;
  return at >= 0 && at < pixelDim.input;
}

/// Where the data's line begins that row `row` of the window's slice `depth` sees.
Value DepthwiseTiles::getLine(const RowPlace &place, Value depth, Value row) {
  const graph::WindowDim &depthDim = shape.spatial[0], &rowDim = shape.spatial[1];
  Value plane =
      index.add(index.mul(place.image, depthDim.input), getInputPosition(index, depthDim, place.depth, depth));
  Value at = getInputPosition(index, rowDim, place.row, row);
  if (plan.interleave > 1)
    at = index.max(index.constant(0), index.min(at, index.constant(rowDim.input - 1)));
  Value line = index.add(index.mul(plane, rowDim.input), at);
  if (ring)
    line = index.rem(line, ring);
  return index.mul(line, pixelDim.input * shape.inChannels);
}

/// The window's row that starts at `weights`, on the data's row that starts at `line`.
SmallVector<Value> DepthwiseTiles::emitTaps(const ChannelGroup &group, Value line, Value weights, Value pixel,
                                            int64_t pixels, ValueRange sums) {
  int64_t channels = shape.inChannels, window = pixelDim.window;
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
      if (distance < 0 || distance % pixelDim.dilation || distance / pixelDim.dilation >= window ||
          !isData(pixel, position))
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
  int64_t channels = shape.inChannels;
  SmallVector<Value> zeros;
  for (int64_t i = 0; i < pixels; ++i)
    for (const ColumnPiece &piece : group.pieces)
      zeros.push_back(emitZero(index, getLaneType(accumulator, piece.lanes)));
  auto emitLine = [&](Value depth, Value row, ValueRange carried) {
    Value weights = index.mul(index.add(index.mul(depth, shape.spatial[1].window), row), pixelDim.window * channels);
    return emitTaps(group, index.add(getLine(place, depth, row), group.channel), index.add(weights, group.channel),
                    pixel, pixels, carried);
  };
  SmallVector<Value> sums =
      hasGroups(group)
          ? emitDots(place, group, pixel, pixels)
          : index.loop(place.depths.first, place.depths.second, 1, zeros, [&](Value depth, ValueRange carried) {
              return index.loop(place.rows.first, place.rows.second, 1, carried,
                                [&](Value row, ValueRange carried) { return emitLine(depth, row, carried); });
            });
  size_t count = group.pieces.size();
  int64_t columns = group.pieces.back().offset + group.pieces.back().lanes;
  for (int64_t i = 0; i < pixels; ++i)
    emitStoreRow(context, view.result, getOutputIndex(shape, place.image, place.depth, place.row, index.add(pixel, i)),
                 group.channel, group.pieces, ArrayRef<Value>(sums).slice(i * count, count), columns);
}

//===----------------------------------------------------------------------===//
// Groups of rows
//===----------------------------------------------------------------------===//

/// Fewest channels that instructions take groups of.
static constexpr int64_t kFewestLanes = 4;

bool DepthwiseTiles::hasGroups(const ChannelGroup &group) const {
  return plan.interleave > 1 &&
         llvm::all_of(group.pieces, [](const ColumnPiece &piece) { return piece.lanes >= kFewestLanes; });
}

/// The channel's place among groups `number`; the sums' first values are behind the last of them.
Value DepthwiseTiles::locateGroups(int64_t number, Value channel) {
  return index.add(index.sub(channel, firstChannel), number * plan.channelBlock);
}

void DepthwiseTiles::layOutFilter(const RowPlace &place, Value channel, Value channelEnd) {
  int64_t channels = shape.inChannels, whole = channels / plan.lanes * plan.lanes;
  index.loop(channel, index.min(channelEnd, index.constant(whole)), plan.lanes,
             [&](Value at) { layOutVector(place, at, plan.lanes); });
  index.ifThen(index.equal(channelEnd, index.constant(channels)), [&] {
    for (const ColumnPiece &piece : splitColumns(channels - whole, plan.lanes))
      if (piece.lanes >= kFewestLanes)
        layOutVector(place, index.constant(whole + piece.offset), piece.lanes);
  });
}

void DepthwiseTiles::layOutVector(const RowPlace &place, Value channel, int64_t lanes) {
  OpBuilder &builder = index.builder;
  int64_t rows = shape.spatial[1].window, columns = pixelDim.window, bits = 32 / plan.interleave;
  Value zero = emitZero(index, getLaneType(builder.getI8Type(), lanes));
  Value noData = emitZero(index, getLaneType(accumulator, lanes)), excess = noData;
  for (int64_t number = 0; number < columns * plan.rowGroups; ++number) {
    SmallVector<Value> weights;
    for (int64_t i = 0; i < plan.interleave; ++i) {
      int64_t column = number / plan.rowGroups, row = number % plan.rowGroups * plan.interleave + i;
      Value at = index.constant(row);
      Value isSeen =
          index.both(index.lessThan(at, place.rows.second), index.lessThan(place.rows.first, index.add(at, 1)));
      auto load = [&] {
        Value from = index.add(channel, (row * columns + column) * shape.inChannels);
        return Value(arith::SelectOp::create(builder, index.loc, isSeen, emitLoad(index, filter, from, lanes), zero));
      };
      weights.push_back(row < rows ? load() : zero);
    }
    Value group = emitGroups(index, plan.interleave, weights);
    emitStore(index, group, groups, locateGroups(number, channel));
    Value column = reinterpret(index, group, builder.getIntegerType(bits), lanes * plan.interleave);
    excess = emitDot(index, plan.interleave, noData, column, excess);
  }
  if (!plan.heads())
    return;
  emitStore(index, arith::SubIOp::create(builder, index.loc, noData, excess), groups,
            locateGroups(columns * plan.rowGroups, channel));
}

/// The sums of a tile, which has one vector of each group of rows for every pixel of the data.
SmallVector<Value> DepthwiseTiles::emitDots(const RowPlace &place, const ChannelGroup &group, Value pixel,
                                            int64_t pixels) {
  OpBuilder &builder = index.builder;
  int64_t channels = shape.inChannels, window = pixelDim.window, rows = shape.spatial[1].window;
  size_t count = group.pieces.size();
  Value column = index.mul(index.add(index.mul(pixel, pixelDim.stride), -pixelDim.padLow), channels);
  SmallVector<Value> lines;
  for (int64_t row = 0; row < rows; ++row)
    lines.push_back(index.add(getLine(place, index.constant(0), index.constant(row)), column));
  SmallVector<Value> sums(pixels * count);
  for (auto [number, piece] : llvm::enumerate(group.pieces)) {
    Value channel = index.add(group.channel, piece.offset);
    int64_t lanes = piece.lanes;
    auto load = [&](int64_t number) { return emitLoad(index, groups, locateGroups(number, channel), lanes); };
    for (int64_t i = 0; i < pixels; ++i)
      sums[i * count + number] =
          plan.heads() ? load(window * plan.rowGroups) : emitZero(index, getLaneType(accumulator, lanes));
    Type narrow = builder.getIntegerType(32 / plan.interleave);
    SmallVector<Value> factors = llvm::map_to_vector(llvm::seq(window * plan.rowGroups), [&](int64_t number) {
      return reinterpret(index, load(number), narrow, lanes * plan.interleave);
    });
    auto loadData = [&](int64_t position, int64_t rowGroup) {
      if (!isData(pixel, position))
        return emitZero(index, getLaneType(accumulator, lanes));
      SmallVector<Value> bytes;
      for (int64_t row = rowGroup * plan.interleave; row < std::min(rows, (rowGroup + 1) * plan.interleave); ++row)
        bytes.push_back(emitLoad(index, input, index.add(lines[row], index.add(channel, position * channels)), lanes));
      return emitGroups(index, plan.interleave, bytes);
    };
    for (int64_t position = 0; position <= (pixels - 1) * pixelDim.stride + (window - 1) * pixelDim.dilation;
         ++position)
      for (int64_t rowGroup = 0; rowGroup < plan.rowGroups; ++rowGroup) {
        Value data;
        for (int64_t i = 0; i < pixels; ++i) {
          int64_t distance = position - i * pixelDim.stride, tap = distance / pixelDim.dilation;
          if (distance < 0 || distance % pixelDim.dilation || tap >= window)
            continue;
          if (!data)
            data = loadData(position, rowGroup);
          Value &sum = sums[i * count + number];
          sum = emitDot(index, plan.interleave, data, factors[tap * plan.rowGroups + rowGroup], sum);
        }
      }
  }
  return sums;
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
      .emitRow(
          {image, zero, row, getWindowRange(index, depthDim, zero), getWindowRange(index, view.shape.spatial[1], row)},
          zero, index.constant(view.shape.inChannels));
}
