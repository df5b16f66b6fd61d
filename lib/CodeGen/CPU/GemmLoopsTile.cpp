//===- GemmLoopsTile.cpp - one tile of a matrix product -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a tile finds its operands, what it fetches for later ones, and what becomes
// of its sums: they wait for the next block of the depth, or are stored.
//===----------------------------------------------------------------------===//

#include "GemmLoops.h"

#include "dialects/Graph/Panels.h"
#include "hgc/CodeGen/CPU/GemmStore.h"
#include "hgc/CodeGen/Common/ElementEmitter.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

GemmTile GemmLoops::describeTile(const GemmBlock &block, const GemmPlace &place) {
  GemmTile tile;
  tile.accumulator = accumulator;
  tile.pieces = place.pieces;
  tile.depth = block.depth;
  tile.chains = getConstant(block.depth) ? plan.chains : 1;
  tile.interleave = shape.interleave;
  int64_t group = shape.interleave;
  if (group > 1) {
    tile.tail = plan.packLhs ? 0 : shape.depth % group;
    tile.depth = index.constant((shape.depth - tile.tail + group - 1) / group);
  }
  Value row, panel;
  int64_t rowStride, panelStride;
  if (plan.packLhs) {
    tile.lhs = packedLhs;
    tile.lhsStep = plan.lhsStride ? group : place.rows;
    row = index.mul(index.sub(place.row, block.row), plan.lhsStride ? plan.lhsStride : plan.depthBlock);
    rowStride = plan.lhsStride ? plan.lhsStride : 1;
  } else {
    tile.lhs = lhs;
    tile.lhsStep = problem.lhsDepthStride * group;
    row = index.add(index.add(block.lhs, index.mul(block.depthStart, problem.lhsDepthStride)),
                    index.mul(place.row, problem.lhsRowStride));
    rowStride = problem.lhsRowStride;
  }
  if (plan.packRhs) {
    tile.rhs = packedRhs;
    tile.rhsStep = plan.width;
    panelStride = plan.depthBlock * plan.width;
    panel = index.mul(index.sub(place.panel, block.panel), panelStride);
  } else {
    tile.rhs = rhs;
    tile.rhsStep = problem.rhsDepthStride * group;
    panelStride = isDirect() ? plan.width : problem.panelElements();
    panel = index.add(index.add(block.rhs, index.mul(block.depthStart, problem.rhsDepthStride)),
                      index.mul(place.panel, panelStride));
    panel = index.add(panel, graph::countHeadRows(group) * tile.rhsStep);
  }
  if (plan.prefetchRhs) {
    tile.unroll = 4;
    addPrefetch(block, place, tile, panel);
  }
  for (int64_t i = 0; i < place.rows; ++i)
    tile.rowOffsets.push_back(index.add(row, i * rowStride));
  for (int64_t i = 0; i < place.panels; ++i)
    tile.panelOffsets.push_back(index.add(panel, i * panelStride));
  loadFactorsAgain(index, tile, shape.depth, context.target);
  return tile;
}

/// The panel `ahead` of the one that starts at `panel`: of the same depth or, after the
/// last panel of the block, of the next depth. What follows the last panel of all are the
/// weights of the next kernel.
Value GemmLoops::nextPanel(const GemmBlock &block, const GemmPlace &place, Value panel, Value ahead) {
  int64_t stride = shape.depth * plan.width;
  Value number = index.add(place.panel, ahead), next = index.add(panel, index.mul(ahead, stride));
  if (plan.depthBlocks == 1)
    return next;
  Value blockEnd = index.min(index.add(block.panel, plan.panelBlock), index.constant(plan.panels));
  Value back = index.mul(index.sub(blockEnd, block.panel), stride), start = index.mul(block.depthStart, plan.width);
  Value deeper = index.sub(index.add(next, plan.depthBlock * plan.width), back);
  Value afterEnd = choose(block.isLastDepth, index.sub(next, start), deeper);
  return choose(index.lessThan(number, blockEnd), next, afterEnd);
}

/// The tiles of a group of panels share the lines of the next group. Tiles past the
/// first few that are needed touch the same lines again and again, which costs nothing.
void GemmLoops::addPrefetch(const GemmBlock &block, const GemmPlace &place, GemmTile &tile, Value panel) {
  int64_t line = 64 / graph::getElementBytes(cast<MemRefType>(tile.rhs.getType()).getElementType());
  int64_t lines = std::max<int64_t>(1, tile.unroll * plan.width / line);
  int64_t tiles = std::min(lines * plan.panelTile, plan.rowBlock / plan.rowTile);
  tile.prefetches = (lines * plan.panelTile + tiles - 1) / tiles;
  // A tile fetches from one panel.
  while (lines % tile.prefetches)
    ++tile.prefetches;
  int64_t shares = lines / tile.prefetches, step = tile.prefetches * line / tile.unroll;
  Value number = index.div(index.sub(place.row, block.row), plan.rowTile);
  Value next = nextPanel(block, place, panel, index.add(index.div(number, shares), place.panels));
  Value share = index.add(next, index.mul(index.rem(number, shares), index.mul(block.depth, step)));
  Value fetches = index.lessThan(number, index.constant(shares * plan.panelTile));
  tile.prefetch = choose(fetches, share, panel);
  tile.prefetchStep = choose(fetches, index.constant(step), index.constant(0));
  tile.prefetchLine = line;
}

Value GemmLoops::sumOffset(const GemmBlock &block, const GemmPlace &place, int64_t row, int64_t panel, int64_t column) {
  Value panels = index.mul(index.sub(place.panel, block.panel), plan.rowBlock * plan.width);
  Value rows = index.mul(index.sub(place.row, block.row), plan.width);
  return index.add(index.add(panels, rows), (panel * plan.rowBlock + row) * plan.width + column);
}

void GemmLoops::prefetchSums(const GemmBlock &block, const GemmPlace &place) {
  for (int64_t row = 0; row < place.rows; ++row)
    for (int64_t panel = 0; panel < place.panels; ++panel)
      for (int64_t column = 0; column < plan.width; column += 64 / shape.accumulatorBytes)
        memref::PrefetchOp::create(index.builder, index.loc, partialSums, sumOffset(block, place, row, panel, column),
                                   /*isWrite=*/true, /*localityHint=*/3, /*isDataCache=*/true);
}

SmallVector<Value> GemmLoops::addSums(const GemmBlock &block, const GemmPlace &place, ArrayRef<Value> sums) {
  SmallVector<Value> result;
  for (int64_t row = 0; row < place.rows; ++row)
    for (int64_t panel = 0; panel < place.panels; ++panel)
      for (const ColumnPiece &piece : place.pieces) {
        Value earlier = emitLoad(index, partialSums, sumOffset(block, place, row, panel, piece.offset), piece.lanes);
        result.push_back(emitAdd(index, earlier, sums[result.size()]));
      }
  return result;
}

void GemmLoops::saveSums(const GemmBlock &block, const GemmPlace &place, ArrayRef<Value> sums) {
  size_t next = 0;
  for (int64_t row = 0; row < place.rows; ++row)
    for (int64_t panel = 0; panel < place.panels; ++panel)
      for (const ColumnPiece &piece : place.pieces)
        emitStore(index, sums[next++], partialSums, sumOffset(block, place, row, panel, piece.offset));
}

void GemmLoops::emitTileAt(const GemmBlock &block, const GemmPlace &place) {
  GemmTile tile = describeTile(block, place);
  if (plan.depthBlocks == 1) {
    fetchEnd(block, place, tile);
    return storeTile(block, place, emitTile(index, tile, emitStart(index, tile)));
  }
  // Earlier sums are added at the end: until then they have time to arrive.
  prefetchSums(block, place);
  SmallVector<Value> sums = emitTile(index, tile, emitZeros(index, tile));
  sums = index.select(
      block.isFirstDepth, getAccumulatorTypes(tile), [&] { return sums; }, [&] { return addSums(block, place, sums); });
  index.ifThen(
      block.isLastDepth, [&] { storeTile(block, place, sums); }, [&] { saveSums(block, place, sums); });
}

/// Few steps are over before a line is there.
void GemmLoops::fetchEnd(const GemmBlock &block, const GemmPlace &place, GemmTile &tile) {
  constexpr int64_t leastSteps = 64;
  if (sink || shape.depth < leastSteps || !fetchesRows(context, result))
    return;
  Value column = index.mul(place.panel, plan.width);
  int64_t columns = (place.panels - 1) * plan.width + place.pieces.back().offset + place.pieces.back().lanes;
  // Rows of several dims take divisions.
  bool isCheap = llvm::count_if(problem.rowExtents, [](int64_t extent) { return extent != 1; }) <= 1;
  fetchRows(index, tile, isCheap, [this, block, place, column, columns](Value row) {
    SmallVector<Value> at(block.batch);
    llvm::append_range(at, index.delinearize(index.add(place.row, row), problem.rowExtents));
    emitFetchRow(context, result, at, column, columns);
  });
}

void GemmLoops::storeRow(const GemmBlock &block, const GemmPlace &place, Value row, int64_t panel,
                         ArrayRef<ColumnPiece> pieces, ArrayRef<Value> sums, int64_t columns) {
  SmallVector<Value> at(block.batch);
  llvm::append_range(at, index.delinearize(index.add(place.row, row), problem.rowExtents));
  Value column = index.mul(index.add(place.panel, panel), plan.width);
  // A few rows go side by side anyway, and those of a saved tile between the steps of another one.
  constexpr int64_t leastRows = 4;
  if (sink)
    sink(place.row, row, at, column, pieces, sums, columns);
  else if (place.rows >= leastRows && !plan.overlaps)
    emitStoreNextRow(context, result, at, column, pieces, sums, columns);
  else
    emitStoreRow(context, result, at, column, pieces, sums, columns);
}

void GemmLoops::storePanel(const GemmBlock &block, const GemmPlace &place, int64_t panel, ArrayRef<Value> sums,
                           int64_t columns) {
  size_t vectors = place.pieces.size();
  for (int64_t row = 0; row < place.rows; ++row)
    storeRow(block, place, index.constant(row), panel, place.pieces,
             sums.slice((row * place.panels + panel) * vectors, vectors), columns);
}

void GemmLoops::storeTile(const GemmBlock &block, const GemmPlace &place, ArrayRef<Value> sums) {
  for (int64_t panel = 0; panel < place.panels; ++panel) {
    auto store = [&](int64_t columns) { storePanel(block, place, panel, sums, columns); };
    bool mayBeTail = panel == place.panels - 1 && tailColumns() && tailPieces().empty();
    if (int64_t width = place.pieces.back().offset + place.pieces.back().lanes; width < plan.width)
      store(tailColumns());
    else if (!mayBeTail)
      store(plan.width);
    else
      index.ifThen(
          index.equal(index.add(place.panel, place.panels), index.constant(plan.panels)), [&] { store(tailColumns()); },
          [&] { store(plan.width); });
  }
}

void GemmLoops::saveTile(ArrayRef<ColumnPiece> pieces, ArrayRef<Value> sums) {
  for (auto [i, sum] : llvm::enumerate(sums)) {
    int64_t row = i / pieces.size(), offset = pieces[i % pieces.size()].offset;
    emitStore(index, sum, partialSums, index.constant(row * plan.width + offset));
  }
}

/// The ops after the product for one vector of a saved tile.
void GemmLoops::storeSaved(const GemmBlock &block, const GemmPlace &place, Value row, size_t piece) {
  const ColumnPiece &part = place.pieces[piece];
  Value sum = emitLoad(index, partialSums, index.add(index.mul(row, plan.width), part.offset), part.lanes);
  storeRow(block, place, row, 0, part, sum, plan.width);
}

/// Whole tiles of a block, row by row. Each one's sums are saved, and go through the ops
/// after the product between the steps of the next tile.
void GemmLoops::emitOverlapped(const GemmBlock &block, ArrayRef<ColumnPiece> pieces) {
  Value rows = index.sub(index.min(block.rowEnd, index.constant(fullRows())), block.row);
  Value tiles = index.mul(index.div(rows, plan.rowTile), plan.panels);
  auto locate = [&](Value tile) {
    Value row = index.add(block.row, index.mul(index.div(tile, plan.panels), plan.rowTile));
    return GemmPlace{row, index.rem(tile, plan.panels), plan.rowTile, 1, SmallVector<ColumnPiece>(pieces)};
  };
  auto zeros = [&](const GemmTile &tile) { return emitZeros(index, tile); };
  index.ifThen(index.lessThan(index.constant(0), tiles), [&] {
    GemmTile first = describeTile(block, locate(index.constant(0)));
    saveTile(pieces, emitTile(index, first, zeros(first)));
    index.loop(index.constant(1), tiles, 1, [&](Value number) {
      GemmTile tile = describeTile(block, locate(number));
      GemmPlace before = locate(index.sub(number, index.constant(1)));
      saveTile(pieces, emitTileAround(index, tile, zeros(tile), plan.rowTile, pieces.size(),
                                      [&](Value row, int64_t piece) { storeSaved(block, before, row, piece); }));
    });
    GemmPlace last = locate(index.sub(tiles, index.constant(1)));
    index.loop(plan.rowTile, [&](Value row) {
      for (size_t piece = 0; piece < pieces.size(); ++piece)
        storeSaved(block, last, row, piece);
    });
  });
}
