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

/// A block of squares of one group, and the panels of a thread.
struct SquareBlock {
  Value group, firstTile, tileCount, firstPanel, endPanel;
};

/// A panel of those [first, end) whose products are in scratch together, and a point
/// of the squares.
struct Slab {
  Value first, end, panel, point;
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
  void emitBlock(const SquareBlock &block);
  WinogradSquare locate(const SquareBlock &block, Value tile);
  void transformInput(const SquareBlock &block);
  void forPanel(Value panel, llvm::function_ref<void(ArrayRef<ColumnPiece>, int64_t)> body);
  void emitPanels(const SquareBlock &block, Value first, Value end);
  void emitProducts(const SquareBlock &block, const Slab &slab, ArrayRef<ColumnPiece> pieces);
  /// Whether a panel of so many columns is made of dot products.
  bool isDots(int64_t columns) const { return plan.hasDots && columns < plan.width; }
  void emitDots(const SquareBlock &block, const Slab &slab);
  void emitTileAt(const SquareBlock &block, const Slab &slab, Value tile, int64_t rows, ArrayRef<ColumnPiece> pieces);
  Value slabOffset(const SquareBlock &block, Value panel, Value point);
  Value choose(Value condition, Value yes, Value no);
  Value nextSlab(const SquareBlock &block, const Slab &slab);
  void addPrefetch(const SquareBlock &block, const Slab &slab, Value tile, GemmTile &product);
  void transformOutput(Value from, ArrayRef<ColumnPiece> pieces);
  void fetchSquare(const SquareBlock &block, Value tile, Value panel, int64_t columns);
  void storeSquare(const SquareBlock &block, Value from, Value tile, Value panel, int64_t columns);
  Value sumOffset(Value point, Value first, Value panel, Value tile);

  KernelContext &context;
  graph::ConvOp op;
  IndexBuilder index;
  WinogradPlan plan;
  graph::ConvShape shape;
  Type element;
  PutRow put;
  Value input, filter, data, sums, turned;
};

} // namespace

void WinogradConv::open() {
  input = getRootBuffer(context, op.getInput());
  filter = getRootBuffer(context, op.getFilter());
  data = emitScratch(index, context.scratch, 0, plan.points() * plan.dataPlane, element);
  sums = emitScratch(index, context.scratch, plan.sumScratch, plan.points() * plan.sumPlane, element);
  if (plan.hasDots)
    turned =
        emitScratch(index, context.scratch, plan.turnedScratch, WinogradPlan::kDotColumns * plan.dataStride, element);
}

void WinogradConv::emitBlock(const SquareBlock &block) {
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
  int64_t panels = plan.groupPanels;
  Value end = index.div(index.add(context.end, panels - 1), panels);
  index.loop(index.div(context.begin, panels), end, 1, [&](Value number) {
    SmallVector<Value> at = index.delinearize(number, {shape.groups, plan.tileBlocks});
    auto firstTile = [&](Value block) {
      Value rounded = index.add(index.mul(block, plan.rowTiles), plan.tileBlocks / 2);
      return index.mul(index.div(rounded, plan.tileBlocks), plan.rowTile);
    };
    SquareBlock block;
    block.group = at[0];
    block.firstTile = firstTile(at[1]);
    block.tileCount = index.sub(index.min(firstTile(index.add(at[1], 1)), index.constant(plan.tiles)), block.firstTile);
    Value base = index.mul(number, panels);
    block.firstPanel = index.sub(index.max(context.begin, base), base);
    block.endPanel = index.min(index.sub(context.end, base), index.constant(panels));
    emitBlock(block);
  });
}

WinogradSquare WinogradConv::locate(const SquareBlock &block, Value tile) {
  SmallVector<Value> at =
      index.delinearize(index.add(block.firstTile, tile), {shape.batch, plan.tileRows, plan.tileColumns});
  return {at[0], index.mul(at[1], plan.form.tile), index.mul(at[2], plan.form.tile)};
}

void WinogradConv::transformInput(const SquareBlock &block) {
  index.loop(index.constant(0), block.tileCount, 1, [&](Value tile) {
    emitWinogradData(index, plan, {input, index.mul(block.group, plan.groupInputs())}, locate(block, tile),
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
void WinogradConv::emitPanels(const SquareBlock &block, Value first, Value end) {
  index.loop(plan.points(), [&](Value point) {
    index.loop(first, end, 1, [&](Value panel) {
      forPanel(panel, [&](ArrayRef<ColumnPiece> pieces, int64_t columns) {
        Slab slab{first, end, panel, point};
        isDots(columns) ? emitDots(block, slab) : emitProducts(block, slab, pieces);
      });
    });
  });
  index.loop(first, end, 1, [&](Value panel) {
    forPanel(panel, [&](ArrayRef<ColumnPiece> pieces, int64_t columns) {
      // Sums of dot products lie side by side: a vector has those of several squares.
      int64_t stride = isDots(columns) ? WinogradPlan::kDotColumns : plan.width;
      int64_t together = isDots(columns) ? plan.lanes / stride : 1;
      Value start = sumOffset(index.constant(0), first, panel, index.constant(0));
      index.loop(index.constant(0), block.tileCount, together, [&](Value tile) {
        Value from = index.add(start, index.mul(tile, stride));
        Value end = index.min(index.add(tile, together), block.tileCount);
        auto forEach = [&](llvm::function_ref<void(Value)> body) {
          together == 1 ? body(tile) : index.loop(tile, end, 1, body);
        };
        if (fetchesRows(context, op.getResult()))
          forEach([&](Value square) { fetchSquare(block, square, panel, columns); });
        transformOutput(from, pieces);
        forEach([&](Value square) {
          storeSquare(block, index.add(start, index.mul(square, stride)), square, panel, columns);
        });
      });
    });
  });
}

/// Tiles of a panel with fewer vectors are taller, so that they have sums enough to hide their latency.
void WinogradConv::emitProducts(const SquareBlock &block, const Slab &slab, ArrayRef<ColumnPiece> pieces) {
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

void WinogradConv::emitDots(const SquareBlock &block, const Slab &slab) {
  WinogradDots dots;
  dots.data = data, dots.dataAt = index.mul(slab.point, plan.dataPlane), dots.squares = block.tileCount;
  dots.filter = filter, dots.filterAt = slabOffset(block, slab.panel, slab.point);
  dots.next = plan.fetchesAhead ? nextSlab(block, slab) : Value();
  dots.turned = turned;
  dots.sums = sums, dots.sumsAt = sumOffset(slab.point, slab.first, slab.panel, index.constant(0));
  emitWinogradDots(index, plan, dots);
}

Value WinogradConv::sumOffset(Value point, Value first, Value panel, Value tile) {
  Value row = index.add(index.mul(index.sub(panel, first), plan.tileBlock), tile);
  return index.add(index.mul(point, plan.sumPlane), index.mul(row, plan.width));
}

/// Where the filter's part of a panel and point starts.
Value WinogradConv::slabOffset(const SquareBlock &block, Value panel, Value point) {
  Value number = index.add(index.mul(block.group, plan.groupPanels), panel);
  return index.mul(index.add(index.mul(number, plan.points()), point), plan.groupInputs() * plan.width);
}

/// The slab of the next product.
Value WinogradConv::nextSlab(const SquareBlock &block, const Slab &slab) {
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
void WinogradConv::addPrefetch(const SquareBlock &block, const Slab &slab, Value tile, GemmTile &product) {
  int64_t line = 16, shares = std::max<int64_t>(1, plan.width / line);
  Value next = nextSlab(block, slab);
  Value number = index.div(tile, plan.rowTile);
  Value fetches = index.lessThan(number, index.constant(shares));
  product.prefetch = choose(fetches, index.add(next, index.mul(number, plan.groupInputs() * line)), next);
  product.prefetchStep = choose(fetches, index.constant(line), index.constant(0));
  product.prefetchLine = line;
  product.prefetches = product.unroll = 4;
}

void WinogradConv::emitTileAt(const SquareBlock &block, const Slab &slab, Value tile, int64_t rows,
                              ArrayRef<ColumnPiece> pieces) {
  int64_t channels = plan.groupInputs();
  GemmTile product;
  product.accumulator = element;
  product.lhs = data;
  product.rhs = filter;
  product.rhsStep = plan.width;
  product.depth = index.constant(channels);
  product.chains = plan.chains;
  product.pieces.assign(pieces.begin(), pieces.end());
  Value start = index.add(index.mul(slab.point, plan.dataPlane), index.mul(tile, plan.dataStride));
  for (int64_t i = 0; i < rows; ++i)
    product.rowOffsets.push_back(index.add(start, i * plan.dataStride));
  product.panelOffsets.push_back(slabOffset(block, slab.panel, slab.point));
  if (plan.fetchesAhead)
    addPrefetch(block, slab, tile, product);
  SmallVector<Value> made = emitTile(index, product, emitZeros(index, product));
  Value to = sumOffset(slab.point, slab.first, slab.panel, tile);
  for (int64_t i = 0; i < rows; ++i)
    for (auto [p, piece] : llvm::enumerate(product.pieces))
      emitStore(index, made[i * product.pieces.size() + p], sums, index.add(to, i * plan.width + piece.offset));
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// Results of a square take the place of its first products; the ops behind the
/// convolution see them one pixel at a time.
void WinogradConv::transformOutput(Value from, ArrayRef<ColumnPiece> pieces) {
  int64_t extent = plan.form.extent(), side = plan.form.tile;
  for (const ColumnPiece &piece : pieces) {
    Value start = index.add(from, piece.offset);
    std::vector<SmallVector<Value>> columns;
    for (int64_t j = 0; j < extent; ++j) {
      SmallVector<Value> products;
      for (int64_t i = 0; i < extent; ++i)
        products.push_back(emitLoad(index, sums, index.add(start, (i * extent + j) * plan.sumPlane), piece.lanes));
      columns.push_back(transformSums(index, side, products));
    }
    for (int64_t i = 0; i < side; ++i) {
      SmallVector<Value> row;
      for (int64_t j = 0; j < extent; ++j)
        row.push_back(columns[j][i]);
      for (auto [j, value] : llvm::enumerate(transformSums(index, side, row)))
        emitStore(index, value, sums, index.add(start, (i * side + static_cast<int64_t>(j)) * plan.sumPlane));
    }
  }
}

/// Lines that storing a square needs arrive while it is transformed; its last pixels stand for those past the result.
void WinogradConv::fetchSquare(const SquareBlock &block, Value tile, Value panel, int64_t columns) {
  WinogradSquare square = locate(block, tile);
  Value column = index.add(index.mul(block.group, plan.groupOutputs()), index.mul(panel, plan.width));
  auto clamp = [&](Value first, int64_t i, const graph::WindowDim &dim) {
    return index.min(index.add(first, i), index.constant(dim.output - 1));
  };
  for (int64_t i = 0; i < plan.form.tile; ++i)
    for (int64_t j = 0; j < plan.form.tile; ++j)
      emitFetchRow(context, op.getResult(),
                   getOutputIndex(shape, square.image, index.constant(0), clamp(square.row, i, shape.spatial[1]),
                                  clamp(square.pixel, j, shape.spatial[2])),
                   column, columns);
}

void WinogradConv::storeSquare(const SquareBlock &block, Value from, Value tile, Value panel, int64_t columns) {
  WinogradSquare square = locate(block, tile);
  Value side = index.constant(plan.form.tile);
  Value column = index.add(index.mul(block.group, plan.groupOutputs()), index.mul(panel, plan.width));
  SmallVector<ColumnPiece> pieces = splitColumns(columns, plan.lanes);
  auto left = [&](Value position, const graph::WindowDim &dim) {
    return index.min(side, index.sub(index.constant(dim.output), position));
  };
  index.loop(index.constant(0), left(square.row, shape.spatial[1]), 1, [&](Value i) {
    index.loop(index.constant(0), left(square.pixel, shape.spatial[2]), 1, [&](Value j) {
      Value point = index.add(index.mul(i, plan.form.tile), j);
      Value start = index.add(from, index.mul(point, plan.sumPlane));
      SmallVector<Value> values;
      for (const ColumnPiece &piece : pieces)
        values.push_back(emitLoad(index, sums, index.add(start, piece.offset), piece.lanes));
      put(getOutputIndex(shape, square.image, index.constant(0), index.add(square.row, i), index.add(square.pixel, j)),
          column, pieces, values, columns);
    });
  });
}

void cpu::emitWinogradConv(KernelContext &context, graph::ConvOp op) {
  WinogradConv(context, op, WinogradPlan(op, context.target), putInResult(context, op.getResult())).emit();
}

void cpu::emitWinogradRows(KernelContext &context, graph::ConvOp op, const WinogradPlan &plan, const ConvRows &rows) {
  WinogradConv(context, op, plan, rows.put).emitRows(rows);
}
