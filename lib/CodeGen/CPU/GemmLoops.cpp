//===- GemmLoops.cpp - loops of a matrix product --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread cuts its range of units into blocks of rows times blocks of panels.
// Inside a block the depth is cut so that operands fit the caches; a panel is swept
// over all row tiles before the next one. Sums that wait for the next depth block
// rest in scratch, and the ops after the product see only complete sums.
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/GemmPack.h"
#include "hgc/CodeGen/CPU/GemmStore.h"
#include "hgc/CodeGen/CPU/Matmul.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

namespace {

/// Where the loops stand: one block of rows, panels and depth.
struct Block {
  SmallVector<Value> batch;
  /// Start of the operands' matrices.
  Value lhs, rhs;
  Value row, rowEnd, panel;
  Value depthStart, depth;
  Value isFirstDepth, isLastDepth;
};

/// A tile inside a block.
struct Place {
  Value row, panel;
  int64_t rows, panels;
  /// Vectors of each panel; shorter than the panel only when the right operand
  /// is read in place.
  SmallVector<ColumnPiece> pieces;
};

class GemmLoops {
public:
  GemmLoops(KernelContext &context, Value result, const Matmul &problem, Value lhs, Value rhs)
      : context(context), result(result), index(context.builder, context.loc), problem(problem), shape(problem.shape),
        plan(planGemm(shape, context.target)), accumulator(getElementTypeOrSelf(result.getType())), lhs(lhs), rhs(rhs) {
  }

  void emit();

private:
  void emitUnits();
  void forEachBlock(Value firstRow, Value endRow, llvm::function_ref<void(Value, Value)> body);
  void emitGroup(Value group, Value firstRow, Value endRow);
  void emitBlock(Block &block);
  void emitDepthBlock(Block &block);
  void emitRowBlock(const Block &block);
  void emitPanels(const Block &block);
  void emitRows(const Block &block, Value panel, int64_t panels, ArrayRef<ColumnPiece> pieces);
  void emitTileAt(const Block &block, const Place &place);
  GemmTile describeTile(const Block &block, const Place &place);
  Value nextPanel(const Block &block, const Place &place, Value panel);
  void addPrefetch(const Block &block, const Place &place, GemmTile &tile, Value panel);
  void packLhs(const Block &block);
  void packRhs(const Block &block);
  void storePanel(const Block &block, const Place &place, int64_t panel, ArrayRef<Value> sums, int64_t columns);
  void storeTile(const Block &block, const Place &place, ArrayRef<Value> sums);
  /// Offset of a tile's vector in the partial sums.
  Value sumOffset(const Block &block, const Place &place, int64_t row, int64_t panel, int64_t column);
  void prefetchSums(const Block &block, const Place &place);
  SmallVector<Value> addSums(const Block &block, const Place &place, ArrayRef<Value> sums);
  void saveSums(const Block &block, const Place &place, ArrayRef<Value> sums);

  Value choose(Value condition, Value yes, Value no) {
    return arith::SelectOp::create(index.builder, index.loc, condition, yes, no);
  }
  bool isDirect() const { return shape.rhs == RhsLayout::RowMajor && !plan.packRhs; }
  int64_t fullRows() const { return shape.rows / plan.rowTile * plan.rowTile; }
  int64_t tailColumns() const { return shape.columns % plan.width; }
  SmallVector<ColumnPiece> tailPieces() const;

  KernelContext &context;
  Value result;
  IndexBuilder index;
  const Matmul &problem;
  GemmShape shape;
  GemmPlan plan;
  Type accumulator;
  Value lhs, rhs, packedLhs, packedRhs, partialSums;
};

} // namespace

void GemmLoops::emit() {
  if (plan.units(shape) == 0 || shape.rows == 0 || shape.columns == 0)
    return;
  if (plan.packLhs)
    packedLhs = emitScratch(index, context.scratch, 0, plan.lhsElements(), accumulator);
  if (plan.packRhs)
    packedRhs = emitScratch(index, context.scratch, plan.rhsScratch, plan.panelBlock * plan.width * plan.depthBlock,
                            accumulator);
  if (plan.depthBlocks > 1)
    partialSums =
        emitScratch(index, context.scratch, plan.sumScratch, plan.rowBlock * plan.panelBlock * plan.width, accumulator);
  emitUnits();
}

/// Units are numbered by batch entry and block of panels, then by rows: a range of
/// them covers a run of rows in each group it touches.
void GemmLoops::emitUnits() {
  int64_t count = plan.rowUnits;
  if (plan.rowBlock == plan.rowUnit && !plan.sharesPanels())
    return index.loop(context.begin, context.end, 1, [&](Value unit) {
      SmallVector<Value> at = index.delinearize(unit, {plan.units(shape) / count, count});
      Value row = index.mul(at[1], plan.rowUnit);
      emitGroup(at[0], row, index.add(row, plan.rowUnit));
    });
  index.loop(index.div(context.begin, count), index.div(index.add(context.end, count - 1), count), 1, [&](Value group) {
    Value base = index.mul(group, count);
    Value first = index.sub(index.max(context.begin, base), base);
    Value end = index.min(index.sub(context.end, base), index.constant(count));
    Value firstRow = index.mul(first, plan.rowUnit), endRow = index.mul(end, plan.rowUnit);
    if (plan.sharesPanels())
      return emitGroup(group, firstRow, endRow);
    forEachBlock(firstRow, endRow, [&](Value row, Value rowEnd) { emitGroup(group, row, rowEnd); });
  });
}

/// Cuts whole units of rows into blocks of about the same size.
void GemmLoops::forEachBlock(Value firstRow, Value endRow, llvm::function_ref<void(Value, Value)> body) {
  int64_t perBlock = plan.rowBlock / plan.rowUnit;
  Value length = index.div(index.sub(endRow, firstRow), plan.rowUnit);
  Value blocks = index.div(index.add(length, perBlock - 1), perBlock);
  auto boundary = [&](Value block) {
    Value part = arith::DivUIOp::create(index.builder, index.loc, index.mul(length, block), blocks);
    return index.add(firstRow, index.mul(part, plan.rowUnit));
  };
  index.loop(index.constant(0), blocks, 1, [&](Value block) { body(boundary(block), boundary(index.add(block, 1))); });
}

void GemmLoops::emitGroup(Value group, Value firstRow, Value endRow) {
  SmallVector<Value> at = index.delinearize(group, {shape.batch, plan.panelBlocks});
  Block block;
  block.batch = index.delinearize(at[0], problem.batchExtents);
  block.panel = index.mul(at[1], plan.panelBlock);
  block.row = firstRow, block.rowEnd = endRow;
  block.lhs = block.rhs = index.constant(0);
  for (auto [i, position] : llvm::enumerate(block.batch)) {
    block.lhs = index.add(block.lhs, index.mul(position, problem.lhsBatchStrides[i]));
    block.rhs = index.add(block.rhs, index.mul(position, problem.rhsBatchStrides[i]));
  }
  emitBlock(block);
}

void GemmLoops::emitBlock(Block &block) {
  index.loop(index.constant(0), index.constant(std::max<int64_t>(shape.depth, 1)), plan.depthBlock, [&](Value start) {
    block.depthStart = start;
    block.depth = index.min(index.constant(plan.depthBlock), index.sub(index.constant(shape.depth), start));
    if (shape.depth % plan.depthBlock == 0 && shape.depth > 0)
      block.depth = index.constant(plan.depthBlock);
    block.isFirstDepth = index.equal(start, index.constant(0));
    block.isLastDepth = index.equal(index.add(start, block.depth), index.constant(shape.depth));
    emitDepthBlock(block);
  });
}

void GemmLoops::emitDepthBlock(Block &block) {
  if (plan.packRhs)
    packRhs(block);
  if (!plan.sharesPanels())
    return emitRowBlock(block);
  forEachBlock(block.row, block.rowEnd, [&](Value row, Value rowEnd) {
    Block part = block;
    part.row = row, part.rowEnd = rowEnd;
    emitRowBlock(part);
  });
}

void GemmLoops::emitRowBlock(const Block &block) {
  if (plan.packLhs)
    packLhs(block);
  emitPanels(block);
}

void GemmLoops::packLhs(const Block &block) {
  if (plan.lhsStride) {
    return index.loop(block.row, index.min(block.rowEnd, index.constant(shape.rows)), 1, [&](Value row) {
      Value source = index.add(block.lhs, index.add(index.mul(row, problem.lhsRowStride), block.depthStart));
      Value target = index.mul(index.sub(row, block.row), plan.lhsStride);
      emitRowCopy(index, lhs, source, packedLhs, target, block.depth, plan.lanes);
    });
  }
  auto copy = [&](Value row, int64_t rows) {
    Value source = index.add(block.lhs, index.add(index.mul(row, problem.lhsRowStride),
                                                  index.mul(block.depthStart, problem.lhsDepthStride)));
    Value target = index.mul(index.sub(row, block.row), plan.depthBlock);
    emitPanelCopy(index, {lhs, source, packedLhs, target, rows, rows, problem.lhsRowStride, problem.lhsDepthStride,
                          block.depth, plan.lanes});
  };
  index.loop(block.row, index.min(block.rowEnd, index.constant(fullRows())), plan.rowTile,
             [&](Value row) { copy(row, plan.rowTile); });
  if (int64_t rest = shape.rows % plan.rowTile)
    index.ifThen(index.lessThan(index.constant(fullRows()), block.rowEnd),
                 [&] { copy(index.constant(fullRows()), rest); });
}

void GemmLoops::packRhs(const Block &block) {
  auto copy = [&](Value panel, int64_t columns) {
    Value column = index.mul(panel, plan.width * problem.rhsColumnStride);
    Value source = index.add(block.rhs, index.add(column, index.mul(block.depthStart, problem.rhsDepthStride)));
    Value target = index.mul(index.sub(panel, block.panel), plan.depthBlock * plan.width);
    emitPanelCopy(index, {rhs, source, packedRhs, target, columns, plan.width, problem.rhsColumnStride,
                          problem.rhsDepthStride, block.depth, plan.lanes});
  };
  int64_t full = shape.columns / plan.width;
  Value end = index.min(index.add(block.panel, plan.panelBlock), index.constant(full));
  index.loop(block.panel, end, 1, [&](Value panel) { copy(panel, plan.width); });
  if (tailColumns())
    index.ifThen(index.lessThan(index.constant(full), index.add(block.panel, plan.panelBlock)),
                 [&] { copy(index.constant(full), tailColumns()); });
}

void GemmLoops::emitPanels(const Block &block) {
  // Panels read in place have no zeros past the last column: the tail is a tile
  // of its own. Packed panels are all alike, unless the last one needs less.
  SmallVector<ColumnPiece> tail = tailPieces();
  int64_t panels = tail.empty() ? plan.panels : shape.columns / plan.width;
  int64_t full = panels / plan.panelTile * plan.panelTile;
  SmallVector<ColumnPiece> pieces = splitColumns(plan.width, plan.lanes);
  Value blockEnd = index.add(block.panel, plan.panelBlock);
  index.loop(block.panel, index.min(blockEnd, index.constant(full)), plan.panelTile,
             [&](Value panel) { emitRows(block, panel, plan.panelTile, pieces); });
  if (int64_t rest = panels % plan.panelTile)
    index.ifThen(index.lessThan(index.constant(full), blockEnd),
                 [&] { emitRows(block, index.constant(full), rest, pieces); });
  if (!tail.empty())
    index.ifThen(index.lessThan(index.constant(panels), blockEnd),
                 [&] { emitRows(block, index.constant(panels), 1, tail); });
}

/// Columns of the last panel where it has a tile of its own.
SmallVector<ColumnPiece> GemmLoops::tailPieces() const {
  if (!tailColumns())
    return {};
  if (isDirect())
    return splitColumns(tailColumns(), plan.lanes);
  SmallVector<ColumnPiece> pieces = coverColumns(tailColumns(), plan.lanes);
  bool isShorter = pieces.back().offset + pieces.back().lanes < plan.width;
  return isShorter && plan.panelTile == 1 ? pieces : SmallVector<ColumnPiece>();
}

void GemmLoops::emitRows(const Block &block, Value panel, int64_t panels, ArrayRef<ColumnPiece> pieces) {
  index.loop(block.row, index.min(block.rowEnd, index.constant(fullRows())), plan.rowTile, [&](Value row) {
    emitTileAt(block, {row, panel, plan.rowTile, panels, SmallVector<ColumnPiece>(pieces)});
  });
  if (int64_t rest = shape.rows % plan.rowTile)
    index.ifThen(index.lessThan(index.constant(fullRows()), block.rowEnd), [&] {
      emitTileAt(block, {index.constant(fullRows()), panel, rest, panels, SmallVector<ColumnPiece>(pieces)});
    });
}

GemmTile GemmLoops::describeTile(const Block &block, const Place &place) {
  GemmTile tile;
  tile.accumulator = accumulator;
  tile.pieces = place.pieces;
  tile.depth = block.depth;
  tile.chains = getConstant(block.depth) ? plan.chains : 1;
  Value row, panel;
  int64_t rowStride, panelStride;
  if (plan.packLhs) {
    tile.lhs = packedLhs;
    tile.lhsStep = plan.lhsStride ? 1 : place.rows;
    row = index.mul(index.sub(place.row, block.row), plan.lhsStride ? plan.lhsStride : plan.depthBlock);
    rowStride = plan.lhsStride ? plan.lhsStride : 1;
  } else {
    tile.lhs = lhs;
    tile.lhsStep = problem.lhsDepthStride;
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
    tile.rhsStep = problem.rhsDepthStride;
    panelStride = isDirect() ? plan.width : shape.depth * plan.width;
    panel = index.add(index.add(block.rhs, index.mul(block.depthStart, problem.rhsDepthStride)),
                      index.mul(place.panel, panelStride));
  }
  if (plan.prefetchRhs) {
    tile.unroll = 4;
    addPrefetch(block, place, tile, panel);
  }
  for (int64_t i = 0; i < place.rows; ++i)
    tile.rowOffsets.push_back(index.add(row, i * rowStride));
  for (int64_t i = 0; i < place.panels; ++i)
    tile.panelOffsets.push_back(index.add(panel, i * panelStride));
  return tile;
}

/// What follows the block that starts at `panel`: the next panel of the same depth or,
/// after the last panel, the next depth of the first one.
Value GemmLoops::nextPanel(const Block &block, const Place &place, Value panel) {
  int64_t stride = shape.depth * plan.width;
  Value next = index.add(panel, stride), start = index.mul(block.depthStart, plan.width);
  Value isLast = index.equal(place.panel, index.constant(plan.panels - 1));
  if (plan.depthBlocks == 1)
    return choose(isLast, panel, next);
  Value back = index.mul(index.sub(place.panel, block.panel), stride);
  Value deeper = index.sub(index.add(panel, plan.depthBlock * plan.width), back);
  Value isBlockEnd = index.equal(place.panel, index.add(block.panel, plan.panelBlock - 1));
  Value afterEnd = choose(block.isLastDepth, choose(isLast, panel, index.sub(next, start)), deeper);
  return choose(isBlockEnd, afterEnd, choose(isLast, afterEnd, next));
}

/// The tiles of a panel share the lines of what follows it. Tiles past the first few
/// that are needed touch the same lines again and again, which costs nothing.
void GemmLoops::addPrefetch(const Block &block, const Place &place, GemmTile &tile, Value panel) {
  int64_t line = 64 / graph::getElementBytes(cast<MemRefType>(tile.rhs.getType()).getElementType());
  int64_t lines = std::max<int64_t>(1, tile.unroll * plan.width / line);
  int64_t tiles = std::min(lines, plan.rowBlock / plan.rowTile);
  tile.prefetches = (lines + tiles - 1) / tiles;
  int64_t step = tile.prefetches * line / tile.unroll;
  Value number = index.div(index.sub(place.row, block.row), plan.rowTile);
  Value share = index.add(nextPanel(block, place, panel), index.mul(number, index.mul(block.depth, step)));
  Value fetches = index.lessThan(number, index.constant((lines + tile.prefetches - 1) / tile.prefetches));
  tile.prefetch = choose(fetches, share, panel);
  tile.prefetchStep = choose(fetches, index.constant(step), index.constant(0));
  tile.prefetchLine = line;
}

Value GemmLoops::sumOffset(const Block &block, const Place &place, int64_t row, int64_t panel, int64_t column) {
  Value panels = index.mul(index.sub(place.panel, block.panel), plan.rowBlock * plan.width);
  Value rows = index.mul(index.sub(place.row, block.row), plan.width);
  return index.add(index.add(panels, rows), (panel * plan.rowBlock + row) * plan.width + column);
}

void GemmLoops::prefetchSums(const Block &block, const Place &place) {
  for (int64_t row = 0; row < place.rows; ++row)
    for (int64_t panel = 0; panel < place.panels; ++panel)
      for (int64_t column = 0; column < plan.width; column += 64 / shape.accumulatorBytes)
        memref::PrefetchOp::create(index.builder, index.loc, partialSums, sumOffset(block, place, row, panel, column),
                                   /*isWrite=*/true, /*localityHint=*/3, /*isDataCache=*/true);
}

SmallVector<Value> GemmLoops::addSums(const Block &block, const Place &place, ArrayRef<Value> sums) {
  SmallVector<Value> result;
  for (int64_t row = 0; row < place.rows; ++row)
    for (int64_t panel = 0; panel < place.panels; ++panel)
      for (const ColumnPiece &piece : place.pieces) {
        Value earlier = emitLoad(index, partialSums, sumOffset(block, place, row, panel, piece.offset), piece.lanes);
        result.push_back(emitAdd(index, earlier, sums[result.size()]));
      }
  return result;
}

void GemmLoops::saveSums(const Block &block, const Place &place, ArrayRef<Value> sums) {
  size_t next = 0;
  for (int64_t row = 0; row < place.rows; ++row)
    for (int64_t panel = 0; panel < place.panels; ++panel)
      for (const ColumnPiece &piece : place.pieces)
        emitStore(index, sums[next++], partialSums, sumOffset(block, place, row, panel, piece.offset));
}

void GemmLoops::emitTileAt(const Block &block, const Place &place) {
  GemmTile tile = describeTile(block, place);
  if (plan.depthBlocks == 1)
    return storeTile(block, place, emitTile(index, tile, emitZeros(index, tile)));
  // Earlier sums are added at the end: until then they have time to arrive.
  prefetchSums(block, place);
  SmallVector<Value> sums = emitTile(index, tile, emitZeros(index, tile));
  sums = index.select(
      block.isFirstDepth, getAccumulatorTypes(tile), [&] { return sums; }, [&] { return addSums(block, place, sums); });
  index.ifThen(
      block.isLastDepth, [&] { storeTile(block, place, sums); }, [&] { saveSums(block, place, sums); });
}

void GemmLoops::storePanel(const Block &block, const Place &place, int64_t panel, ArrayRef<Value> sums,
                           int64_t columns) {
  size_t vectors = place.pieces.size();
  Value column = index.mul(index.add(place.panel, panel), plan.width);
  for (int64_t row = 0; row < place.rows; ++row) {
    SmallVector<Value> at(block.batch);
    llvm::append_range(at, index.delinearize(index.add(place.row, row), problem.rowExtents));
    emitStoreRow(context, result, at, column, place.pieces, sums.slice((row * place.panels + panel) * vectors, vectors),
                 columns);
  }
}

void GemmLoops::storeTile(const Block &block, const Place &place, ArrayRef<Value> sums) {
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

void cpu::emitGemm(KernelContext &context, Value result, const Matmul &problem, Value lhs, Value rhs) {
  GemmPlan plan = planGemm(problem.shape, context.target);
  if (plan.isDot)
    emitDotProducts(context, result, problem, plan, lhs, rhs);
  else
    GemmLoops(context, result, problem, lhs, rhs).emit();
}
