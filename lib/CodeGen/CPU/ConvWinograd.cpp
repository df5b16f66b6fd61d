//===- ConvWinograd.cpp - 3x3 convolution by squares of results -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Squares of pixels are transformed to scratch, point by point: squares are rows and
// channels the depth of one product for each point, with a panel of the transformed
// filter. The products, transformed back, are squares of results. Vectors run along the
// channels throughout.
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/ConvPlan.h"
#include "hgc/CodeGen/CPU/GemmStore.h"
#include "hgc/CodeGen/CPU/WinogradPlan.h"
#include "hgc/CodeGen/Common/Lanes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

namespace {

/// A panel of those [first, end) whose products are in scratch together, a point of the
/// squares, and the input channels whose products are added.
struct Slab {
  Value first, end, panel, point, channel;
  int64_t channels;
};

class WinogradConv {
public:
  WinogradConv(KernelContext &context, graph::ConvOp op, const WinogradPlan &plan, PutRow put)
      : context(context), op(op), index(context.builder, context.loc), plan(plan), shape(plan.shape),
        element(context.builder.getF32Type()), put(std::move(put)) {}

  void emit();
  void emitRows(const ConvRows &rows);

private:
  void open();
  void emitShare(Value group, Value number, Value first, Value end);
  void emitBlock(const WinogradBlock &block);
  void transformInput(const WinogradBlock &block);
  void forPanel(Value panel, llvm::function_ref<void(ArrayRef<ColumnPiece>, int64_t)> body);
  void emitPanels(const WinogradBlock &block, Value first, Value end);
  void emitCompactPanel(const WinogradBlock &block, Slab slab, ArrayRef<ColumnPiece> pieces, int64_t columns);
  void emitProducts(const WinogradBlock &block, const Slab &slab, ArrayRef<ColumnPiece> pieces);
  /// Whether a panel of so many columns is made of dot products.
  bool isDots(int64_t columns) const { return plan.hasDots && columns < plan.width; }
  void emitDots(const WinogradBlock &block, const Slab &slab);
  void emitTileAt(const WinogradBlock &block, const Slab &slab, Value tile, int64_t rows, ArrayRef<ColumnPiece> pieces);
  Value slabOffset(const WinogradBlock &block, Value panel, Value point);
  Value tapOffset(const WinogradBlock &block, Value panel, Value tap, Value channel);
  Value choose(Value condition, Value yes, Value no);
  Value nextSlab(const WinogradBlock &block, const Slab &slab);
  void addPrefetch(const WinogradBlock &block, const Slab &slab, Value tile, GemmTile &product);
  void addCompactPrefetch(const WinogradBlock &block, const Slab &slab, Value tile, GemmTile &product);
  SmallVector<Value> startSums(const Slab &slab, const GemmTile &product, Value from);
  Value sumOffset(Value point, Value first, Value panel, Value tile);

  KernelContext &context;
  graph::ConvOp op;
  IndexBuilder index;
  WinogradPlan plan;
  graph::ConvShape shape;
  Type element;
  PutRow put;
  /// `slabs`: transformed filters that products read, `filter` itself unless it is compact.
  Value input, filter, data, sums, turned, slabs;
  /// Whether other threads have units of this kernel, where that can be; null otherwise.
  Value isShared;
};

} // namespace

void WinogradConv::open() {
  input = getRootBuffer(context, op.getInput());
  filter = getRootBuffer(context, op.getFilter());
  data = emitScratch(index, context.scratch, 0, plan.points() * plan.dataPlane, element);
  sums = emitScratch(index, context.scratch, plan.sumScratch, plan.points() * plan.sumPlane, element);
  if (plan.hasDots)
    turned = emitScratch(index, context.scratch, plan.turnedScratch, kTailColumns * plan.dataStride, element);
  slabs = filter;
  if (plan.isCompact)
    slabs = emitScratch(index, context.scratch, plan.filterScratch, plan.points() * plan.filterPlane, element);
}

void WinogradConv::emitBlock(const WinogradBlock &block) {
  transformInput(block);
  index.loop(block.firstPanel, block.endPanel, plan.panelBlock, [&](Value panel) {
    emitPanels(block, panel, index.min(index.add(panel, plan.panelBlock), block.endPanel));
  });
}

void WinogradConv::emitRows(const ConvRows &rows) {
  open();
  int64_t side = plan.form.tile;
  Value first = index.div(rows.begin, side), end = index.div(index.add(rows.end, side - 1), side);
  index.loop(shape.groups, [&](Value group) {
    emitBlock({group, index.mul(index.add(index.mul(rows.image, plan.tileRows), first), plan.tileColumns),
               index.mul(index.sub(end, first), plan.tileColumns), index.constant(0),
               index.constant(plan.groupPanels)});
  });
}

void WinogradConv::emit() {
  if (plan.units() == 0)
    return;
  open();
  if (plan.fetchesPixels)
    isShared = index.lessThan(index.sub(context.end, context.begin), index.constant(plan.units()));
  int64_t units = plan.tileBlocks * plan.groupPanels;
  Value groupEnd = index.div(index.add(context.end, units - 1), units);
  index.loop(index.div(context.begin, units), groupEnd, 1, [&](Value group) {
    Value base = index.mul(group, units);
    Value first = index.sub(index.max(context.begin, base), base);
    Value end = index.min(index.sub(context.end, base), index.constant(units));
    index.loop(plan.tileBlocks, [&](Value number) { emitShare(group, number, first, end); });
  });
}

/// What units [first, end) of a group have of a block.
void WinogradConv::emitShare(Value group, Value number, Value first, Value end) {
  int64_t blocks = plan.tileBlocks, panels = plan.groupPanels;
  auto firstTile = [&](Value block) {
    Value rounded = index.add(index.mul(block, plan.rowTiles), blocks / 2);
    return index.mul(index.div(rounded, blocks), plan.rowTile);
  };
  // Panels before `unit`.
  auto countPanels = [&](Value unit) {
    if (plan.sharesPanels)
      return index.div(index.max(index.sub(index.add(unit, blocks - 1), number), index.constant(0)), blocks);
    Value rest = index.sub(unit, index.mul(number, panels));
    return index.min(index.max(rest, index.constant(0)), index.constant(panels));
  };
  WinogradBlock block;
  block.group = group;
  block.firstTile = firstTile(number);
  block.tileCount = index.sub(index.min(firstTile(index.add(number, 1)), index.constant(plan.tiles)), block.firstTile);
  block.firstPanel = countPanels(first);
  block.endPanel = countPanels(end);
  index.ifThen(index.lessThan(block.firstPanel, block.endPanel), [&] { emitBlock(block); });
}

WinogradSquare cpu::locateSquare(IndexBuilder &index, const WinogradPlan &plan, const WinogradBlock &block,
                                 Value tile) {
  SmallVector<Value> at =
      index.delinearize(index.add(block.firstTile, tile), {plan.shape.batch, plan.tileRows, plan.tileColumns});
  return {at[0], index.mul(at[1], plan.form.tile), index.mul(at[2], plan.form.tile)};
}

/// Pixels that another thread has computed come from its cache, many of them at once if they are fetched ahead.
void WinogradConv::transformInput(const WinogradBlock &block) {
  constexpr int64_t ahead = 2;
  BufferPlace from{input, index.mul(block.group, plan.groupInputs())};
  index.loop(index.constant(0), block.tileCount, 1, [&](Value tile) {
    if (isShared)
      index.ifThen(isShared, [&] {
        Value later = index.min(index.add(tile, ahead), index.sub(block.tileCount, index.constant(1)));
        emitFetchSquare(index, plan, from, locateSquare(index, plan, block, later));
      });
    emitWinogradData(index, plan, from, locateSquare(index, plan, block, tile),
                     {data, index.mul(tile, plan.dataStride)});
  });
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// Vectors and columns of a panel: the last one of a group may need fewer.
void WinogradConv::forPanel(Value panel, llvm::function_ref<void(ArrayRef<ColumnPiece>, int64_t)> body) {
  SmallVector<ColumnPiece> pieces = splitColumns(plan.width, plan.lanes);
  int64_t tail = plan.groupOutputs() % plan.width;
  if (tail == 0)
    return body(pieces, plan.width);
  SmallVector<ColumnPiece> rest = plan.hasDots ? splitColumns(plan.lanes, plan.lanes) : coverColumns(tail, plan.lanes);
  if (plan.groupPanels == 1)
    return body(rest, tail);
  index.ifThen(
      index.equal(panel, index.constant(plan.groupPanels - 1)), [&] { body(rest, tail); },
      [&] { body(pieces, plan.width); });
}

/// Panels [first, end) of a group: their products, then their results.
void WinogradConv::emitPanels(const WinogradBlock &block, Value first, Value end) {
  Slab slab{first, end, {}, {}, index.constant(0), plan.groupInputs()};
  if (plan.isCompact)
    index.loop(first, end, 1, [&](Value panel) {
      slab.panel = panel;
      forPanel(panel,
               [&](ArrayRef<ColumnPiece> pieces, int64_t columns) { emitCompactPanel(block, slab, pieces, columns); });
    });
  else
    index.loop(plan.points(), [&](Value point) {
      index.loop(first, end, 1, [&](Value panel) {
        slab.panel = panel, slab.point = point;
        forPanel(panel, [&](ArrayRef<ColumnPiece> pieces, int64_t columns) {
          isDots(columns) ? emitDots(block, slab) : emitProducts(block, slab, pieces);
        });
      });
    });
  index.loop(first, end, 1, [&](Value panel) {
    forPanel(panel, [&](ArrayRef<ColumnPiece> pieces, int64_t columns) {
      // Sums of dot products lie side by side: a vector has those of several squares.
      int64_t stride = isDots(columns) ? kTailColumns : plan.width;
      int64_t together = isDots(columns) ? plan.lanes / stride : 1;
      WinogradSums from{{sums, sumOffset(index.constant(0), first, panel, index.constant(0))}, stride, together};
      emitWinogradResults(context, op, plan, {block, panel, columns, pieces}, from, put);
    });
  });
}

/// The products of a panel whose filter is transformed here, some input channels at a time.
void WinogradConv::emitCompactPanel(const WinogradBlock &block, Slab slab, ArrayRef<ColumnPiece> pieces,
                                    int64_t columns) {
  int64_t inputs = plan.groupInputs(), width = isDots(columns) ? kTailColumns : plan.width;
  auto emitChannels = [&](Value channel, int64_t count) {
    slab.channel = channel, slab.channels = count;
    emitWinogradFilter(index, plan, {filter, tapOffset(block, slab.panel, index.constant(0), channel)}, count, width,
                       {slabs, index.constant(0)});
    index.loop(plan.points(), [&](Value point) {
      slab.point = point;
      isDots(columns) ? emitDots(block, slab) : emitProducts(block, slab, pieces);
    });
  };
  if (isDots(columns))
    return emitChannels(index.constant(0), inputs);
  int64_t whole = inputs / plan.depthBlock * plan.depthBlock;
  index.loop(index.constant(0), index.constant(whole), plan.depthBlock,
             [&](Value channel) { emitChannels(channel, plan.depthBlock); });
  if (whole < inputs)
    emitChannels(index.constant(whole), inputs - whole);
}

/// Tiles of a panel with fewer vectors are taller, so that they have sums enough to hide their latency.
void WinogradConv::emitProducts(const WinogradBlock &block, const Slab &slab, ArrayRef<ColumnPiece> pieces) {
  bool isNarrow = 2 * static_cast<int64_t>(pieces.size()) <= plan.vectors;
  Value tile = index.constant(0);
  auto emitRuns = [&](int64_t rows, bool endsPast = false) {
    Value end = endsPast ? block.tileCount : index.mul(index.div(block.tileCount, rows), rows);
    index.loop(tile, end, rows, [&](Value at) { emitTileAt(block, slab, at, rows, pieces); });
    tile = end;
  };
  if (isNarrow)
    emitRuns(2 * plan.rowTile);
  emitRuns(plan.rowTile, /*endsPast=*/plan.takesRows);
  if (plan.takesRows)
    return;
  // Only the last block has fewer squares.
  if (int64_t rest = plan.tiles % plan.rowTile)
    index.ifThen(index.lessThan(tile, block.tileCount), [&] { emitTileAt(block, slab, tile, rest, pieces); });
}

void WinogradConv::emitDots(const WinogradBlock &block, const Slab &slab) {
  WinogradDots dots;
  dots.data = data, dots.dataAt = index.mul(slab.point, plan.dataPlane), dots.squares = block.tileCount;
  dots.filter = slabs, dots.filterAt = slabOffset(block, slab.panel, slab.point);
  dots.filterStep = plan.isCompact ? kTailColumns : plan.width;
  dots.next = plan.fetchesAhead && !plan.isCompact ? nextSlab(block, slab) : Value();
  dots.turned = turned;
  dots.sums = sums, dots.sumsAt = sumOffset(slab.point, slab.first, slab.panel, index.constant(0));
  emitWinogradDots(index, plan, dots);
}

Value WinogradConv::sumOffset(Value point, Value first, Value panel, Value tile) {
  Value row = index.add(index.mul(index.sub(panel, first), plan.tileBlock), tile);
  return index.add(index.mul(point, plan.sumPlane), index.mul(row, plan.width));
}

/// Where the filter's part of a panel and point starts, among those that are in scratch if it is compact.
Value WinogradConv::slabOffset(const WinogradBlock &block, Value panel, Value point) {
  if (plan.isCompact)
    return index.mul(point, plan.filterPlane);
  Value number = index.add(index.mul(block.group, plan.groupPanels), panel);
  return index.mul(index.add(index.mul(number, plan.points()), point), plan.groupInputs() * plan.width);
}

/// Where the rows of a panel and tap start in a compact filter, from an input channel on.
Value WinogradConv::tapOffset(const WinogradBlock &block, Value panel, Value tap, Value channel) {
  constexpr int64_t taps = 9;
  Value number = index.add(index.mul(block.group, plan.groupPanels), panel);
  Value row = index.mul(index.add(index.mul(number, taps), tap), plan.groupInputs());
  return index.mul(index.add(row, channel), plan.width);
}

/// The slab of the next product.
Value WinogradConv::nextSlab(const WinogradBlock &block, const Slab &slab) {
  Value last = index.equal(index.add(slab.panel, 1), slab.end);
  Value nextPoint = index.min(index.add(slab.point, 1), index.constant(plan.points() - 1));
  Value nextPanel = choose(last, slab.first, index.add(slab.panel, 1));
  return slabOffset(block, nextPanel, choose(last, nextPoint, slab.point));
}

Value WinogradConv::choose(Value condition, Value yes, Value no) {
  return arith::SelectOp::create(index.builder, index.loc, condition, yes, no);
}

/// The first tiles share the lines of the next product's slab; the others touch one
/// line again and again, which costs nothing.
void WinogradConv::addPrefetch(const WinogradBlock &block, const Slab &slab, Value tile, GemmTile &product) {
  int64_t line = 16, shares = std::max<int64_t>(1, plan.width / line);
  Value next = nextSlab(block, slab);
  Value number = index.div(tile, plan.rowTile);
  Value fetches = index.lessThan(number, index.constant(shares));
  product.prefetch = choose(fetches, index.add(next, index.mul(number, plan.groupInputs() * line)), next);
  product.prefetchStep = choose(fetches, index.constant(line), index.constant(0));
  product.prefetchLine = line;
  product.prefetches = product.unroll = 4;
}

/// The first tile of a point fetches a part of what is transformed next: as many lines of a tap as it has steps.
void WinogradConv::addCompactPrefetch(const WinogradBlock &block, const Slab &slab, Value tile, GemmTile &product) {
  constexpr int64_t line = 16, taps = 9;
  int64_t shares = std::max<int64_t>(1, plan.width / line);
  Value channel = index.add(slab.channel, slab.channels);
  Value isLast = index.equal(channel, index.constant(plan.groupInputs()));
  Value panel = choose(isLast, index.min(index.add(slab.panel, 1), index.constant(plan.groupPanels - 1)), slab.panel);
  Value next = tapOffset(block, panel, index.div(slab.point, shares), choose(isLast, index.constant(0), channel));
  next = index.add(next, index.mul(index.rem(slab.point, shares), slab.channels * line));
  Value fetches =
      index.both(index.equal(tile, index.constant(0)), index.lessThan(slab.point, index.constant(shares * taps)));
  product.prefetchFrom = filter;
  product.prefetch = choose(fetches, next, index.constant(0));
  product.prefetchStep = choose(fetches, index.constant(line), index.constant(0));
  product.prefetchLine = line;
  product.prefetches = product.unroll = 4;
}

/// Zero, or what input channels before have given.
SmallVector<Value> WinogradConv::startSums(const Slab &slab, const GemmTile &product, Value from) {
  SmallVector<Value> start = emitZeros(index, product);
  if (slab.channels == plan.groupInputs())
    return start;
  Value isFirst = index.equal(slab.channel, index.constant(0));
  for (auto [i, zero] : llvm::enumerate(start)) {
    const ColumnPiece &piece = product.pieces[i % product.pieces.size()];
    int64_t row = static_cast<int64_t>(i / product.pieces.size());
    zero = choose(isFirst, zero, emitLoad(index, sums, index.add(from, row * plan.width + piece.offset), piece.lanes));
  }
  return start;
}

void WinogradConv::emitTileAt(const WinogradBlock &block, const Slab &slab, Value tile, int64_t rows,
                              ArrayRef<ColumnPiece> pieces) {
  GemmTile product;
  product.accumulator = element;
  product.lhs = data;
  product.rhs = slabs;
  product.rhsStep = plan.width;
  product.depth = index.constant(slab.channels);
  product.chains = plan.chains;
  product.pieces.assign(pieces.begin(), pieces.end());
  Value start =
      index.add(index.mul(slab.point, plan.dataPlane), index.add(index.mul(tile, plan.dataStride), slab.channel));
  for (int64_t i = 0; i < rows; ++i)
    product.rowOffsets.push_back(index.add(start, i * plan.dataStride));
  product.panelOffsets.push_back(slabOffset(block, slab.panel, slab.point));
  if (plan.fetchesAhead)
    plan.isCompact ? addCompactPrefetch(block, slab, tile, product) : addPrefetch(block, slab, tile, product);
  Value to = sumOffset(slab.point, slab.first, slab.panel, tile);
  SmallVector<Value> made = emitTile(index, product, startSums(slab, product, to));
  for (int64_t i = 0; i < rows; ++i)
    for (auto [p, piece] : llvm::enumerate(product.pieces))
      emitStore(index, made[i * product.pieces.size() + p], sums, index.add(to, i * plan.width + piece.offset));
}

void cpu::emitWinogradConv(KernelContext &context, graph::ConvOp op) {
  WinogradConv(context, op, WinogradPlan(op, context.target), putInResult(context, op.getResult())).emit();
}

void cpu::emitWinogradRows(KernelContext &context, graph::ConvOp op, const WinogradPlan &plan, const ConvRows &rows) {
  WinogradConv(context, op, plan, rows.put).emitRows(rows);
}
