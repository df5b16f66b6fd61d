//===- ConvDirect.cpp - convolution by register tiles ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tile is a run of pixels of one output row times a panel of channels. With
// channels innermost, one row of the window is one contiguous stretch of input,
// so the depth of the product is a few long runs and nothing is gathered. The
// window may look past the border: tiles at both ends of a row are at known places
// and leave out what they would read of the padding, and rows of the window that lie
// in it are not visited. Where that takes too much code, the input block is copied to
// scratch with its zeros, once per unit.
//===----------------------------------------------------------------------===//

#include "GemmDots.h"
#include "dialects/Graph/Panels.h"
#include "hgc/CodeGen/CPU/ConvPlan.h"
#include "hgc/CodeGen/CPU/GemmStore.h"
#include "hgc/CodeGen/Common/Lanes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

namespace {

/// Where the loops stand; the row of the window where panels are taken so.
struct Unit {
  Value panel, image, depth, row, rowEnd, pixel, windowRow = {};
};

class DirectConv {
public:
  DirectConv(KernelContext &context, graph::ConvOp op, const ConvPlan &plan, PutRow put)
      : context(context), op(op), index(context.builder, context.loc), plan(plan), shape(plan.shape),
        accumulator(getElementTypeOrSelf(op.getResult().getType())), put(std::move(put)) {}

  void emit();
  void emitRows(const ConvRows &rows);

private:
  void open();
  void emitUnit(const Unit &unit);
  void stageInput(const Unit &unit);
  void stageRow(const Unit &unit, Value source, Value target);
  void stagePixels(const Unit &unit, Value source, Value target);
  Value isInside(Value shifted, const graph::WindowDim &dim);
  void emitPanel(const Unit &unit, Value panel);
  void emitRow(const Unit &unit, Value panel, Value row, ArrayRef<ColumnPiece> pieces, int64_t columns);
  void emitPixels(const Unit &unit, Value panel, Value row, Value pixel, int64_t pixels, ArrayRef<ColumnPiece> pieces,
                  int64_t columns);
  bool seesPadding(Value pixel, int64_t pixels);
  GemmTile describeTile(const Unit &unit, Value panel, Value row, Value pixel, int64_t pixels);
  void addPrefetch(const Unit &unit, Value row, int64_t ahead, GemmTile &tile);
  SmallVector<Value> startSums(const Unit &unit, const GemmTile &tile, Value row, Value at);
  void endSums(const Unit &unit, const GemmTile &tile, Value row, Value at, ArrayRef<Value> made,
               llvm::function_ref<void()> putAll);
  /// Group and panel within the group.
  std::pair<Value, Value> splitPanel(Value panel);

  KernelContext &context;
  graph::ConvOp op;
  IndexBuilder index;
  ConvPlan plan;
  graph::ConvShape shape;
  Type accumulator;
  PutRow put;
  /// partialSums: of a block, where panels are taken by rows of the window.
  Value input, filter, staged, partialSums;
};

} // namespace

void DirectConv::open() {
  input = getRootBuffer(context, op.getInput());
  filter = getRootBuffer(context, op.getFilter());
  const graph::WindowDim &depthDim = shape.spatial[0];
  if (plan.isStaged)
    staged =
        emitScratch(index, context.scratch, 0, depthDim.window * plan.stagedRows * plan.stagedPixels * shape.inChannels,
                    getStagedType(accumulator, plan.interleave));
  if (plan.takesWindowRows)
    partialSums =
        emitScratch(index, context.scratch, 0, plan.rowBlock * shape.spatial[2].output * plan.width, accumulator);
}

void DirectConv::emitUnit(const Unit &unit) {
  if (plan.isStaged)
    stageInput(unit);
  Value end = index.min(index.add(unit.panel, plan.panelBlock), index.constant(shape.groups * plan.groupPanels));
  index.loop(unit.panel, end, 1, [&](Value panel) { emitPanel(unit, panel); });
}

void DirectConv::emit() {
  if (plan.units() == 0)
    return;
  open();
  index.loop(context.begin, context.end, 1, [&](Value number) {
    SmallVector<Value> at = index.delinearize(
        number, {plan.panelBlocks, shape.batch, shape.spatial[0].output, plan.rowBlocks, plan.pixelBlocks});
    Value row = index.mul(at[3], plan.rowBlock);
    Value rowEnd = index.min(index.add(row, plan.rowBlock), index.constant(shape.spatial[1].output));
    emitUnit({index.mul(at[0], plan.panelBlock), at[1], at[2], row, rowEnd, index.mul(at[4], plan.pixelBlock)});
  });
}

void DirectConv::emitRows(const ConvRows &rows) {
  open();
  Value zero = index.constant(0);
  emitUnit({zero, rows.image, zero, rows.begin, rows.end, zero});
}

/// Whether a position, shifted by the padding to stay non-negative, is in the input.
Value DirectConv::isInside(Value shifted, const graph::WindowDim &dim) {
  Value low = index.constant(dim.padLow), high = index.constant(dim.padLow + dim.input);
  Value above = dim.padLow == 0 ? index.equal(low, low) : index.lessThan(index.constant(dim.padLow - 1), shifted);
  return index.both(above, index.lessThan(shifted, high));
}

/// Copies the pixels that a block of a row sees, one by one.
void DirectConv::stagePixels(const Unit &unit, Value source, Value target) {
  const graph::WindowDim &dim = shape.spatial[2];
  int64_t channels = shape.inChannels;
  index.loop(plan.stagedPixels, [&](Value i) {
    Value pixel = index.add(index.mul(unit.pixel, dim.stride), i);
    Value to = index.add(target, index.mul(i, channels));
    auto copy = [&](Value from) {
      emitStagedLine(index, {from ? input : Value(), from, staged, to, 0, channels, 0, plan.lanes});
    };
    index.ifThen(
        isInside(pixel, dim), [&] { copy(index.add(source, index.mul(index.add(pixel, -dim.padLow), channels))); },
        [&] { copy(Value()); });
  });
}

/// Copies one row of pixels between its zeros.
void DirectConv::stageRow(const Unit &unit, Value source, Value target) {
  const graph::WindowDim &dim = shape.spatial[2];
  if (source && plan.pixelBlocks > 1)
    return stagePixels(unit, source, target);
  int64_t left = std::min(dim.padLow, plan.stagedPixels);
  int64_t middle = std::min(dim.input, plan.stagedPixels - left);
  int64_t right = plan.stagedPixels - left - middle, channels = shape.inChannels;
  emitStagedLine(index, {source ? input : Value(), source, staged, target, left * channels, middle * channels,
                         right * channels, plan.lanes});
}

void DirectConv::stageInput(const Unit &unit) {
  const graph::WindowDim &depthDim = shape.spatial[0], &rowDim = shape.spatial[1], &pixelDim = shape.spatial[2];
  index.loop(depthDim.window, [&](Value window) {
    Value depth = index.add(index.mul(unit.depth, depthDim.stride), index.mul(window, depthDim.dilation));
    index.loop(plan.stagedRows, [&](Value line) {
      Value row = index.add(index.mul(unit.row, rowDim.stride), line);
      Value target =
          index.mul(index.add(index.mul(window, plan.stagedRows), line), plan.stagedPixels * shape.inChannels);
      index.ifThen(
          index.both(isInside(depth, depthDim), isInside(row, rowDim)),
          [&] {
            Value plane = index.add(index.mul(unit.image, depthDim.input), index.add(depth, -depthDim.padLow));
            Value from = index.add(index.mul(plane, rowDim.input), index.add(row, -rowDim.padLow));
            stageRow(unit, index.mul(from, pixelDim.input * shape.inChannels), target);
          },
          [&] { stageRow(unit, Value(), target); });
    });
  });
}

std::pair<Value, Value> DirectConv::splitPanel(Value panel) {
  if (shape.groups == 1)
    return {index.constant(0), panel};
  return {index.div(panel, plan.groupPanels), index.rem(panel, plan.groupPanels)};
}

void DirectConv::emitPanel(const Unit &unit, Value panel) {
  int64_t tail = plan.groupOutputs() % plan.width;
  auto rows = [&](ArrayRef<ColumnPiece> pieces, int64_t columns) {
    if (!plan.takesWindowRows)
      return index.loop(unit.row, unit.rowEnd, 1, [&](Value row) { emitRow(unit, panel, row, pieces, columns); });
    index.loop(shape.spatial[1].window, [&](Value windowRow) {
      Unit part = unit;
      part.windowRow = windowRow;
      index.loop(unit.row, unit.rowEnd, 1, [&](Value row) {
        auto [first, last] = getWindowRange(index, shape.spatial[1], row);
        Value isSeen =
            index.both(index.lessThan(index.sub(first, index.constant(1)), windowRow), index.lessThan(windowRow, last));
        index.ifThen(isSeen, [&] { emitRow(part, panel, row, pieces, columns); });
      });
    });
  };
  SmallVector<ColumnPiece> pieces = splitColumns(plan.width, plan.lanes);
  if (tail == 0)
    return rows(pieces, plan.width);
  // A filter read in place has no zeros past its last column.
  SmallVector<ColumnPiece> rest = plan.isPacked ? coverColumns(tail, plan.lanes) : splitColumns(tail, plan.lanes);
  Value isTail = index.equal(splitPanel(panel).second, index.constant(plan.groupPanels - 1));
  if (plan.groupPanels == 1)
    return rows(rest, tail);
  index.ifThen(
      isTail, [&] { rows(rest, tail); }, [&] { rows(pieces, plan.width); });
}

void DirectConv::emitRow(const Unit &unit, Value panel, Value row, ArrayRef<ColumnPiece> pieces, int64_t columns) {
  int64_t pixels = shape.spatial[2].output, full = pixels / plan.pixelTile * plan.pixelTile;
  if (!plan.isStaged && plan.pixelBlocks == 1) {
    auto emitOuter = [&](int64_t begin, int64_t end) {
      for (int64_t pixel = begin * plan.pixelTile; pixel < std::min(end * plan.pixelTile, pixels);
           pixel += plan.pixelTile)
        emitPixels(unit, panel, row, index.constant(pixel), std::min(plan.pixelTile, pixels - pixel), pieces, columns);
    };
    emitOuter(0, plan.inner.first);
    index.loop(index.constant(plan.inner.first * plan.pixelTile), index.constant(plan.inner.second * plan.pixelTile),
               plan.pixelTile,
               [&](Value pixel) { emitPixels(unit, panel, row, pixel, plan.pixelTile, pieces, columns); });
    return emitOuter(plan.inner.second, plan.tiles);
  }
  Value blockEnd = index.add(unit.pixel, plan.pixelBlock);
  index.loop(unit.pixel, index.min(blockEnd, index.constant(full)), plan.pixelTile,
             [&](Value pixel) { emitPixels(unit, panel, row, pixel, plan.pixelTile, pieces, columns); });
  if (pixels > full)
    index.ifThen(index.lessThan(index.constant(full), blockEnd),
                 [&] { emitPixels(unit, panel, row, index.constant(full), pixels - full, pieces, columns); });
}

/// Only tiles at known places of their row do.
bool DirectConv::seesPadding(Value pixel, int64_t pixels) {
  const graph::WindowDim &dim = shape.spatial[2];
  std::optional<int64_t> known = getConstant(pixel);
  if (!known || (!dim.padLow && !dim.padHigh))
    return false;
  int64_t first = *known * dim.stride - dim.padLow;
  int64_t last = first + (pixels - 1) * dim.stride + (dim.window - 1) * dim.dilation;
  return first < 0 || last >= dim.input;
}

GemmTile DirectConv::describeTile(const Unit &unit, Value panel, Value row, Value pixel, int64_t pixels) {
  const graph::WindowDim &depthDim = shape.spatial[0], &rowDim = shape.spatial[1], &pixelDim = shape.spatial[2];
  int64_t channels = shape.inChannels, group = plan.groupInputs();
  int64_t rowLength = (plan.isStaged ? plan.stagedPixels : pixelDim.input) * channels;
  int64_t planeLength = (plan.isStaged ? plan.stagedRows : rowDim.input) * rowLength;
  GemmTile tile;
  tile.accumulator = accumulator;
  tile.lhs = plan.isStaged ? staged : input;
  tile.rhs = filter;
  tile.chains = plan.chains;
  int64_t together = plan.interleave, steps = (group + together - 1) / together;
  tile.interleave = tile.lhsStep = together;
  tile.rhsStep = plan.isPacked ? plan.width * together : shape.outChannels;
  int64_t windowLength = pixelDim.window * steps * tile.rhsStep;
  tile.segments.push_back(
      {depthDim.window, plan.isStaged ? planeLength : depthDim.dilation * planeLength, rowDim.window * windowLength});
  tile.segments.push_back({rowDim.window, rowDim.dilation * rowLength, windowLength});
  if (!plan.isStaged) {
    std::tie(tile.segments[0].begin, tile.segments[0].end) = getWindowRange(index, depthDim, unit.depth);
    std::tie(tile.segments[1].begin, tile.segments[1].end) = getWindowRange(index, rowDim, row);
  }
  if (unit.windowRow)
    tile.segments[1].begin = unit.windowRow, tile.segments[1].end = index.add(unit.windowRow, 1);
  bool isWhole = plan.isStaged || !seesPadding(pixel, pixels);
  if (!isWhole)
    tile.spans = plan.listSpans(*getConstant(pixel), pixels, tile.rhsStep);
  else if (!plan.isContiguous())
    tile.segments.push_back({pixelDim.window, pixelDim.dilation * channels, steps * tile.rhsStep});
  tile.depth = index.constant((plan.isContiguous() ? pixelDim.window : 1) * (group / together));
  tile.tail = group % together;
  if (*getConstant(tile.depth) < 2 * tile.chains)
    tile.chains = 1;

  auto [groupNumber, inGroup] = splitPanel(panel);
  Value start;
  if (plan.isStaged) {
    start = index.add(index.mul(index.sub(pixel, unit.pixel), pixelDim.stride * channels),
                      index.mul(index.sub(row, unit.row), rowDim.stride * rowLength));
  } else {
    Value zero = index.constant(0);
    Value plane = index.add(index.mul(unit.image, depthDim.input), getInputPosition(index, depthDim, unit.depth, zero));
    Value line = index.add(index.mul(plane, rowDim.input), getInputPosition(index, rowDim, row, zero));
    start = index.add(index.mul(line, rowLength), index.mul(getInputPosition(index, pixelDim, pixel, zero), channels));
  }
  start = index.add(start, index.mul(groupNumber, group));
  for (int64_t i = 0; i < pixels; ++i)
    tile.rowOffsets.push_back(index.add(start, i * pixelDim.stride * channels));
  int64_t window = depthDim.window * rowDim.window * pixelDim.window;
  int64_t panelLength = graph::countPanelRows(window, group, together) * tile.rhsStep;
  tile.panelOffsets.push_back(
      plan.isPacked ? index.add(index.mul(panel, panelLength), graph::countHeadRows(together) * tile.rhsStep)
                    : index.add(index.mul(groupNumber, plan.groupOutputs()), index.mul(inGroup, plan.width)));
  if (plan.fetchRows)
    addPrefetch(unit, row, unit.windowRow ? windowLength : panelLength, tile);
  return tile;
}

/// Rows before the last one of a block share the lines of the next panel, or of its next part, wherever in it they
/// stand: `ahead` elements behind. The others touch lines that they read anyway. What follows the last panel are the
/// weights of the next kernel.
void DirectConv::addPrefetch(const Unit &unit, Value row, int64_t ahead, GemmTile &tile) {
  constexpr int64_t line = 16, unroll = 4;
  int64_t lines = unroll * plan.width / line;
  tile.unroll = unroll;
  tile.prefetches = std::max<int64_t>(1, lines / plan.fetchRows);
  tile.prefetchLine = line;
  Value left = index.sub(index.sub(unit.rowEnd, row), index.constant(2));
  Value fetches =
      index.both(index.lessThan(index.constant(-1), left), index.lessThan(left, index.constant(plan.fetchRows)));
  Value first = index.add(index.mul(left, tile.prefetches * line), ahead);
  tile.prefetch = arith::SelectOp::create(index.builder, index.loc, fetches, first, index.constant(0));
}

/// What sums begin with, or what rows of the window before have given. The tile's first sum is at `at`.
SmallVector<Value> DirectConv::startSums(const Unit &unit, const GemmTile &tile, Value row, Value at) {
  SmallVector<Value> start = emitStart(index, tile);
  if (!unit.windowRow)
    return start;
  Value isFirst = index.equal(unit.windowRow, getWindowRange(index, shape.spatial[1], row).first);
  for (auto [i, sum] : llvm::enumerate(start)) {
    const ColumnPiece &piece = tile.pieces[i % tile.pieces.size()];
    int64_t pixel = static_cast<int64_t>(i / tile.pieces.size());
    Value before = emitLoad(index, partialSums, index.add(at, pixel * plan.width + piece.offset), piece.lanes);
    sum = arith::SelectOp::create(index.builder, index.loc, isFirst, sum, before);
  }
  return start;
}

/// Puts the results when no rows of the window follow.
void DirectConv::endSums(const Unit &unit, const GemmTile &tile, Value row, Value at, ArrayRef<Value> made,
                         llvm::function_ref<void()> putAll) {
  if (!unit.windowRow)
    return putAll();
  Value last = getWindowRange(index, shape.spatial[1], row).second;
  index.ifThen(index.equal(index.add(unit.windowRow, 1), last), putAll, [&] {
    for (auto [i, sum] : llvm::enumerate(made)) {
      const ColumnPiece &piece = tile.pieces[i % tile.pieces.size()];
      int64_t pixel = static_cast<int64_t>(i / tile.pieces.size());
      emitStore(index, sum, partialSums, index.add(at, pixel * plan.width + piece.offset));
    }
  });
}

void DirectConv::emitPixels(const Unit &unit, Value panel, Value row, Value pixel, int64_t pixels,
                            ArrayRef<ColumnPiece> pieces, int64_t columns) {
  GemmTile tile = describeTile(unit, panel, row, pixel, pixels);
  tile.pieces.assign(pieces.begin(), pieces.end());
  loadFactorsAgain(index, tile, shape.depth(), context.target);
  auto [group, inGroup] = splitPanel(panel);
  Value column = index.add(index.mul(group, plan.groupOutputs()), index.mul(inGroup, plan.width));
  auto locate = [&](Value number) {
    Value outer = row, inner = index.add(pixel, number);
    if (plan.isTurned)
      std::swap(outer, inner);
    return getOutputIndex(shape, unit.image, unit.depth, outer, inner);
  };
  if (fetchesRows(context, op.getResult()))
    fetchRows(index, tile, /*isCheap=*/true,
              [&](Value number) { emitFetchRow(context, op.getResult(), locate(number), column, columns); });
  Value at = index.add(index.mul(index.sub(row, unit.row), shape.spatial[2].output), pixel);
  at = index.mul(at, plan.width);
  SmallVector<Value> sums = emitTile(index, tile, startSums(unit, tile, row, at));
  endSums(unit, tile, row, at, sums, [&] {
    for (int64_t i = 0; i < pixels; ++i)
      put(locate(index.constant(i)), column, pieces, ArrayRef<Value>(sums).slice(i * pieces.size(), pieces.size()),
          columns);
  });
}

void cpu::emitDirectConv(KernelContext &context, graph::ConvOp op) {
  DirectConv(context, op, ConvPlan(op, context.target), putInResult(context, op.getResult())).emit();
}

void cpu::emitDirectRows(KernelContext &context, graph::ConvOp op, const ConvPlan &plan, const ConvRows &rows) {
  DirectConv(context, op, plan, rows.put).emitRows(rows);
}
