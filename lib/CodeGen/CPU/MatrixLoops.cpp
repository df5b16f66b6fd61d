//===- MatrixLoops.cpp - loops of a product by the matrix unit ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "MatrixLoops.h"

#include "hgc/CodeGen/CPU/GemmStore.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

MatrixLoops::MatrixLoops(KernelContext &context, Value result, Value source, int64_t sourceDepth, Value rhs,
                         const MatrixPlan &plan)
    : source(source), sourceDepth(sourceDepth), context(context), result(result), rhs(rhs),
      index(context.builder, context.loc), plan(plan) {
  Type element = context.builder.getIntegerType(8 * static_cast<unsigned>(unit()));
  int64_t copies = plan.writesAhead ? 2 : 1;
  rows.buffer = emitScratch(index, context.scratch, plan.lhsScratch, copies * plan.lhsBytes() / unit(), element);
  rows.start = index.constant(0);
  rows.row = kLine / unit();
  rows.part = plan.lhsPart() / unit();
  Type accumulator = getElementTypeOrSelf(result.getType());
  if (plan.writesAhead)
    stickies = emitScratch(index, context.scratch, plan.lhsScratch + copies * plan.lhsBytes(), copies * kSide,
                           context.builder.getF32Type());
  sums = emitScratch(index, context.scratch, plan.sumScratch, plan.sumElements(), accumulator);
  if (plan.shape.isWhole)
    parts = emitScratch(index, context.scratch, plan.partScratch, 2 * plan.partBytes() / unit(), element);
  if (plan.depthBlocks > 1)
    waiting =
        emitScratch(index, context.scratch, plan.waitScratch, (plan.scratchBytes - plan.waitScratch) / 4, accumulator);
}

/// The quotient of non-negative values, rounded up.
static Value divideUp(IndexBuilder &index, Value a, Value b) {
  if (getConstant(b) == 1)
    return a;
  return arith::CeilDivUIOp::create(index.builder, index.loc, a, b);
}

Value MatrixLoops::countTiles(const MatrixBlock &block) { return index.div(index.add(block.rows, kSide - 1), kSide); }

Value MatrixLoops::countPairs(const MatrixBlock &block) { return index.div(index.add(countTiles(block), 1), 2); }

Value MatrixLoops::locateRow(Value row) {
  Value both = index.div(row, MatrixPlan::kRows);
  Value first = index.add(rows.start, index.mul(both, plan.depthBlock * plan.lhsStep() / unit()));
  return index.add(first, index.mul(index.rem(row, MatrixPlan::kRows), kLine / unit()));
}

Value MatrixLoops::locateTile(Value tile) { return locateRow(index.mul(tile, kSide)); }

Value MatrixLoops::locateStep(Value step) {
  return index.mul(plan.depthBlocks > 1 ? index.rem(step, plan.depthBlock) : step, plan.lhsStep() / unit());
}

Value MatrixLoops::countElements(Value) { return index.constant(graph::getTileDepth(plan.shape.interleave)); }

/// Units are numbered by batch entry, then by rows, then by panels: a thread writes the rows of each block that it has
/// a part of once.
void MatrixLoops::emit() {
  if (plan.units() == 0)
    return;
  emitConfigure(index, emitScratch(index, context.scratch, 0, kLine, context.builder.getI8Type()));
  int64_t panels = plan.panelBlocks, rows = plan.rowUnits;
  Value begin = index.div(context.begin, panels), end = index.div(index.add(context.end, panels - 1), panels);
  index.loop(index.div(begin, rows), index.div(index.add(end, rows - 1), rows), 1, [&](Value entry) {
    Value base = index.mul(entry, rows);
    Value first = index.sub(index.max(begin, base), base);
    Value count = index.sub(index.min(index.sub(end, base), index.constant(rows)), first);
    Value blocks = divideUp(index, count, countJoined()), each = divideUp(index, count, blocks);
    index.loop(index.constant(0), blocks, 1, [&](Value i) {
      Value unit = index.add(first, index.mul(i, each));
      Value left = index.sub(index.add(first, count), unit);
      emitRows(entry, unit, index.min(each, left));
    });
  });
  emitRelease(index);
}

/// Units of rows that a block joins at most: one where another thread has some of their panels.
Value MatrixLoops::countJoined() {
  Value one = index.constant(1), zero = index.constant(0);
  int64_t most = plan.rowBlock / plan.rowUnit;
  if (most == 1)
    return one;
  Value hasAll = index.both(index.equal(index.rem(context.begin, plan.panelBlocks), zero),
                            index.equal(index.rem(context.end, plan.panelBlocks), zero));
  return arith::SelectOp::create(context.builder, index.loc, hasAll, index.constant(most), one);
}

void MatrixLoops::emitRows(Value entry, Value unit, Value count) {
  Value base = index.mul(index.add(index.mul(entry, plan.rowUnits), unit), plan.panelBlocks);
  Value first = index.sub(index.max(context.begin, base), base);
  Value end = index.min(index.sub(context.end, base), index.constant(plan.panelBlocks));
  Value row = index.mul(unit, plan.rowUnit);
  Value blockRows = index.min(index.sub(index.constant(plan.shape.rows), row), index.mul(count, plan.rowUnit));
  Value panelEnd = index.min(index.mul(end, plan.panelBlock), index.constant(plan.panels));
  Value last = index.sub(panelEnd, index.constant(1));
  Value firstPanel = index.mul(first, plan.panelBlock), steps = index.constant(plan.shape.groups);
  if (plan.writesAhead)
    startAhead(index.add(index.mul(entry, plan.rowUnits), unit));
  Value isOdd = stageRows({entry, row, blockRows, index.constant(0), steps, firstPanel, last});
  index.loop(plan.depthBlocks, [&](Value depth) {
    Value step = index.mul(depth, plan.depthBlock);
    Value stepEnd = index.min(index.add(step, plan.depthBlock), steps);
    emitBlock({entry, row, blockRows, step, stepEnd, firstPanel, last}, isOdd);
  });
}

SmallVector<Value> MatrixLoops::writeDepth(const MatrixBlock &block, Value first, int64_t count) {
  SmallVector<Value> start;
  if (plan.parts() > 1)
    start.push_back(emitStickyStart(index));
  Value step = index.div(first, graph::getTileDepth(plan.shape.interleave));
  return index.loop(index.constant(0), block.rows, 1, start, [&](Value row, ValueRange carried) {
    Value at = index.add(locateRow(row), MatrixLoops::locateStep(step));
    MatrixRun run{source,   index.add(locateSource(block, row), first), count, rows.buffer, at, plan.lhsStep() / unit(),
                  rows.part};
    return emitRun(index, run, carried);
  });
}

Value MatrixLoops::writeRows(const MatrixBlock &block) {
  if (isStaged())
    return {};
  if (plan.writesAhead)
    return finishAhead(block);
  int64_t deep = graph::getTileDepth(plan.shape.interleave), each = plan.depthBlock * deep;
  Value first = index.mul(block.step, deep);
  SmallVector<Type> types(plan.parts() > 1, VectorType::get({kSide}, context.builder.getF32Type()));
  SmallVector<Value> written = index.select(
      index.equal(block.stepEnd, index.constant(plan.shape.groups)), types,
      [&] { return writeDepth(block, first, sourceDepth - (plan.depthBlocks - 1) * each); },
      [&] { return writeDepth(block, first, each); });
  return written.empty() ? Value() : emitIsOdd(index, written.front());
}

void MatrixLoops::emitBlock(const MatrixBlock &block, Value isOdd) {
  Value panel = block.firstPanel;
  if (Value isPartOdd = writeRows(block))
    isOdd = isPartOdd;
  if (parts)
    splitPanel(block, panel, index.constant(0));
  Value panelEnd = index.add(block.lastPanel, 1);
  int64_t full = plan.shape.columns / plan.shape.width, tail = plan.shape.columns % plan.shape.width;
  if (full)
    index.loop(panel, index.min(panelEnd, index.constant(full)), 1,
               [&](Value number) { emitPanel(block, number, isOdd, plan.shape.width); });
  if (tail)
    index.ifThen(index.lessThan(index.constant(full), panelEnd),
                 [&] { emitPanel(block, index.constant(full), isOdd, tail); });
  if (plan.writesAhead)
    writeRest(block, index.sub(panelEnd, panel));
}

/// Tiles of rows two by two, and one that may be left.
void MatrixLoops::emitPanel(const MatrixBlock &block, Value panel, Value isOdd, int64_t columns) {
  Value count = countTiles(block), even = index.mul(index.div(count, 2), 2);
  index.loop(index.constant(0), even, 2, [&](Value tile) { emitTiles(block, panel, isOdd, tile, 2, columns); });
  index.ifThen(index.lessThan(even, count), [&] { emitTiles(block, panel, isOdd, even, 1, columns); });
  if (parts)
    splitRest(block, panel);
}

void MatrixLoops::emitTiles(const MatrixBlock &block, Value panel, Value isOdd, Value tile, int64_t count,
                            int64_t columns) {
  Value start = locatePanel(block, panel);
  MatrixTile product;
  for (int64_t i = 0; i < count; ++i)
    product.lhs.push_back(emitAddress(index, rows.buffer, locateTile(index.add(tile, i))));
  product.lhsRow = rows.row * unit(), product.lhsPart = rows.part * unit();
  product.locateStep = [&](Value step) { return index.mul(locateStep(step), unit()); };
  product.begin = block.step, product.end = block.stepEnd;
  product.rhs = locateTiles(block, panel);
  product.columnTiles = columns > kSide ? 2 : 1;
  product.isByte = unit() == 1;
  Value wait = locateWaiting(panel, tile);
  if (wait)
    product.start = emitAddress(index, waiting, wait);
  if (parts)
    splitNext(block, panel, tile, product);
  else if (plan.fetchesAhead)
    fetchNext(block, tile, product);
  else if (plan.writesAhead)
    writeNext(block, panel, tile, product);
  emitMatrixTile(index, plan, product, emitAddress(index, sums, index.constant(0)));
  if (isOdd)
    index.ifThen(arith::OrIOp::create(context.builder, index.loc, isOdd, isFirstOdd(product.columnTiles)),
                 [&] { emitPlainSums(block, tile, count, start, wait, product.columnTiles); });
  if (!wait)
    return storeTiles(block, panel, tile, count, columns);
  index.ifThen(
      index.equal(block.stepEnd, index.constant(plan.shape.groups)),
      [&] { storeTiles(block, panel, tile, count, columns); },
      [&] {
        index.loop(index.constant(0), index.constant(count * kSide * plan.shape.width), kSide,
                   [&](Value i) { emitStore(index, emitLoad(index, sums, i, kSide), waiting, index.add(wait, i)); });
      });
}

Value MatrixLoops::locateWaiting(Value panel, Value tile) {
  if (!waiting)
    return {};
  Value number = index.add(index.mul(index.div(tile, 2), plan.panels), panel);
  return index.mul(number, plan.sumElements());
}

void MatrixLoops::storeTiles(const MatrixBlock &block, Value panel, Value tile, int64_t count, int64_t columns) {
  SmallVector<ColumnPiece> pieces;
  for (int64_t offset = 0; offset < columns; offset += kSide)
    pieces.push_back({offset, kSide});
  Value column = index.mul(panel, plan.shape.width);
  RestFactors rest = loadRest(locatePanel(block, panel), static_cast<int64_t>(pieces.size()));
  auto store = [&](Value row) {
    SmallVector<Value> values;
    for (const ColumnPiece &piece : pieces)
      values.push_back(emitLoad(index, sums, index.add(index.mul(row, plan.shape.width), piece.offset), kSide));
    addRest(block, index.add(index.mul(tile, kSide), row), rest, values);
    emitStoreRow(context, result, locateResult(block, tile, row), column, pieces, values, columns);
  };
  Value end = index.min(index.sub(block.rows, index.mul(tile, kSide)), index.constant(count * kSide));
  if (!hasResult(block, tile, index.constant(0)))
    return index.loop(index.constant(0), end, 1, store);
  index.loop(count * kSide, [&](Value row) { index.ifThen(hasResult(block, tile, row), [&] { store(row); }); });
}

/// Columns with an element that is not finite have no number in any row: one of them tells.
Value MatrixLoops::isFirstOdd(int64_t columnTiles) {
  Value first = emitStickyStart(index);
  for (int64_t i = 0; i < columnTiles; ++i)
    first = arith::AddFOp::create(context.builder, index.loc, first,
                                  emitLoad(index, sums, index.constant(i * kSide), kSide));
  return emitIsOdd(index, first);
}
