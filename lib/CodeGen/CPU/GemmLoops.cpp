//===- GemmLoops.cpp - loops of a matrix product --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread cuts its range of units into blocks of rows times blocks of panels.
// Inside a block the depth is cut so that operands fit the caches; a panel is swept
// over all row tiles before the next one. Sums that wait for the next depth block
// rest in scratch, and the ops after the product see only complete sums.
//===----------------------------------------------------------------------===//

#include "GemmLoops.h"

#include "DotTile.h"
#include "GemmDots.h"
#include "dialects/Graph/Panels.h"
#include "hgc/CodeGen/CPU/GemmPack.h"
#include "hgc/CodeGen/CPU/MatrixProducts.h"
#include "hgc/CodeGen/Common/IterationSpace.h"
#include "hgc/CodeGen/Common/Lanes.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

void GemmLoops::emit() {
  if (plan.units(shape) == 0 || shape.rows == 0 || shape.columns == 0)
    return;
  findScratch();
  if (plan.tailDots)
    turnTail();
  emitUnits();
}

void GemmLoops::findScratch() {
  if (plan.packLhs)
    packedLhs =
        emitScratch(index, context.scratch, 0, plan.lhsElements(), getStagedType(accumulator, shape.interleave));
  if (plan.packRhs)
    packedRhs = emitScratch(index, context.scratch, plan.rhsScratch, plan.panelBlock * plan.width * plan.depthBlock,
                            accumulator);
  if (plan.overlaps)
    partialSums = emitScratch(index, context.scratch, plan.sumScratch, plan.rowTile * plan.width, accumulator);
  if (plan.depthBlocks > 1)
    partialSums =
        emitScratch(index, context.scratch, plan.sumScratch, plan.rowBlock * plan.panelBlock * plan.width, accumulator);
}

void GemmLoops::turnTail() {
  turnedTail = emitScratch(index, context.scratch, plan.turnedScratch, kTailColumns * plan.turnedStride, accumulator);
  Value panel = index.constant(problem.rhsOffset + (plan.panels - 1) * problem.panelElements());
  emitTurnColumns(index, {rhs, panel, problem.rhsDepthStride, shape.depth, turnedTail, plan.turnedStride, {}});
}

/// Units are numbered by batch entry and block of panels, then by rows: a range of
/// them covers a run of rows in each group it touches. Or rows come before panels.
void GemmLoops::emitUnits() {
  int64_t count = plan.rowUnits;
  if (plan.rowsFirst)
    return index.loop(context.begin, context.end, 1, [&](Value unit) {
      SmallVector<Value> at = index.delinearize(unit, {shape.batch, count, plan.panelBlocks});
      Value row = index.mul(at[1], plan.rowUnit);
      emitGroup(index.add(index.mul(at[0], plan.panelBlocks), at[2]), row, index.add(row, plan.rowUnit));
    });
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

GemmBlock GemmLoops::locateEntry(Value entry) {
  GemmBlock block;
  block.batch = index.delinearize(entry, problem.batchExtents);
  block.panel = index.constant(0);
  block.lhs = index.constant(problem.lhsOffset), block.rhs = index.constant(problem.rhsOffset);
  for (auto [i, position] : llvm::enumerate(block.batch)) {
    block.lhs = index.add(block.lhs, index.mul(position, problem.lhsBatchStrides[i]));
    block.rhs = index.add(block.rhs, index.mul(position, problem.rhsBatchStrides[i]));
  }
  return block;
}

void GemmLoops::emitGroup(Value group, Value firstRow, Value endRow) {
  SmallVector<Value> at = index.delinearize(group, {shape.batch, plan.panelBlocks});
  GemmBlock block = locateEntry(at[0]);
  block.panel = index.mul(at[1], plan.panelBlock);
  block.row = firstRow, block.rowEnd = endRow;
  emitBlock(block);
}

void GemmLoops::packEntry(GemmBlock block) {
  takeDepth(block, index.constant(0));
  if (plan.packRhs)
    packRhs(block);
}

void GemmLoops::emitRange(GemmBlock block) {
  takeDepth(block, index.constant(0));
  emitRowBlock(block);
}

void GemmLoops::takeDepth(GemmBlock &block, Value start) {
  block.depthStart = start;
  block.depth = index.min(index.constant(plan.depthBlock), index.sub(index.constant(shape.depth), start));
  if (shape.depth % plan.depthBlock == 0 && shape.depth > 0)
    block.depth = index.constant(plan.depthBlock);
  block.isFirstDepth = index.equal(start, index.constant(0));
  block.isLastDepth = index.equal(index.add(start, block.depth), index.constant(shape.depth));
}

void GemmLoops::emitBlock(GemmBlock &block) {
  index.loop(index.constant(0), index.constant(std::max<int64_t>(shape.depth, 1)), plan.depthBlock, [&](Value start) {
    takeDepth(block, start);
    emitDepthBlock(block);
  });
}

void GemmLoops::emitDepthBlock(GemmBlock &block) {
  if (plan.packRhs)
    packRhs(block);
  if (!plan.sharesPanels())
    return emitRowBlock(block);
  forEachBlock(block.row, block.rowEnd, [&](Value row, Value rowEnd) {
    GemmBlock part = block;
    part.row = row, part.rowEnd = rowEnd;
    emitRowBlock(part);
  });
}

void GemmLoops::emitRowBlock(const GemmBlock &block) {
  if (plan.packLhs)
    packLhs(block);
  emitPanels(block);
}

void GemmLoops::packLhs(const GemmBlock &block) {
  if (plan.lhsStride) {
    return index.loop(block.row, index.min(block.rowEnd, index.constant(shape.rows)), 1, [&](Value row) {
      Value source = index.add(block.lhs, index.add(index.mul(row, problem.lhsRowStride), block.depthStart));
      Value target = index.mul(index.sub(row, block.row), plan.lhsStride);
      emitRowCopy(index, lhs, source, packedLhs, target, block.depth, plan.lanes);
      // The last step reads zeros behind the depth.
      Type element = cast<MemRefType>(packedLhs.getType()).getElementType();
      for (int64_t i = shape.depth; i % shape.interleave; ++i)
        emitStore(index, emitZero(index, element), packedLhs, index.add(target, i));
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

void GemmLoops::packRhs(const GemmBlock &block) {
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

void GemmLoops::emitPanels(const GemmBlock &block) {
  // Panels read in place have no zeros past the last column: the tail is a tile
  // of its own. Packed panels are all alike, unless the last one needs less.
  SmallVector<ColumnPiece> tail = tailPieces();
  int64_t panels = tail.empty() ? plan.panels : shape.columns / plan.width;
  int64_t full = panels / plan.panelTile * plan.panelTile;
  SmallVector<ColumnPiece> pieces = splitColumns(plan.width, plan.lanes);
  if (plan.overlaps)
    emitOverlapped(block, pieces);
  Value blockEnd = index.add(block.panel, plan.panelBlock);
  index.loop(block.panel, index.min(blockEnd, index.constant(full)), plan.panelTile,
             [&](Value panel) { emitRows(block, panel, plan.panelTile, pieces); });
  if (int64_t rest = panels % plan.panelTile)
    index.ifThen(index.lessThan(index.constant(full), blockEnd),
                 [&] { emitRows(block, index.constant(full), rest, pieces); });
  if (!tail.empty())
    index.ifThen(index.lessThan(index.constant(panels), blockEnd),
                 [&] { plan.tailDots ? emitTailDots(block) : emitRows(block, index.constant(panels), 1, tail); });
}

/// The last panel's columns of a block: as many rows at a time as have sums for all lanes.
void GemmLoops::emitTailDots(const GemmBlock &block) {
  int64_t most = plan.lanes / kTailColumns;
  Value end = index.min(block.rowEnd, index.constant(shape.rows));
  Value whole = index.add(block.row, index.mul(index.div(index.sub(end, block.row), most), most));
  index.loop(block.row, whole, most, [&](Value row) { emitTailRows(block, row, most); });
  index.loop(whole, end, 1, [&](Value row) { emitTailRows(block, row, 1); });
}

void GemmLoops::emitTailRows(const GemmBlock &block, Value row, int64_t rows) {
  DotTile tile{lhs, {}, turnedTail, plan.turnedStride, shape.depth, plan.lanes};
  Value from = index.add(block.lhs, index.mul(row, problem.lhsRowStride));
  for (int64_t i = 0; i < rows; ++i)
    tile.rowOffsets.push_back(index.add(from, i * problem.lhsRowStride));
  Value sums = emitDotTile(index, tile);
  ColumnPiece piece{0, kTailColumns};
  GemmPlace place{row, index.constant(plan.panels - 1), rows, 1, {piece}};
  for (int64_t i = 0; i < rows; ++i) {
    Value part = slice(index.builder, index.loc, sums, i * kTailColumns, kTailColumns);
    storeRow(block, place, index.constant(i), 0, piece, part, tailColumns());
  }
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

void GemmLoops::emitRows(const GemmBlock &block, Value panel, int64_t panels, ArrayRef<ColumnPiece> pieces) {
  if (!plan.overlaps)
    index.loop(block.row, index.min(block.rowEnd, index.constant(fullRows())), plan.rowTile, [&](Value row) {
      emitTileAt(block, {row, panel, plan.rowTile, panels, SmallVector<ColumnPiece>(pieces)});
    });
  if (int64_t rest = shape.rows % plan.rowTile)
    index.ifThen(index.lessThan(index.constant(fullRows()), block.rowEnd), [&] {
      emitTileAt(block, {index.constant(fullRows()), panel, rest, panels, SmallVector<ColumnPiece>(pieces)});
    });
}

SmallVector<int64_t> cpu::mergeRowDims(ArrayRef<Value> ends, Value result, const Matmul &problem) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(result.getType()).getShape();
  SmallVector<LinearForm> forms = identityForms(shape.size());
  SmallVector<Access> accesses{getRowMajorAccess(shape, forms)};
  for (Value end : ends)
    collectAccesses(end, forms, result, accesses);
  size_t first = problem.batchExtents.size(), count = problem.rowExtents.size();
  SmallVector<unsigned> kinds(shape.size(), 0);
  std::fill_n(kinds.begin() + first, count, 1);
  SmallVector<int64_t> extents(count, 1);
  for (const Axis &axis : mergeDims(shape, kinds, accesses))
    if (axis.kind == 1)
      extents[axis.dim - first] = axis.extent;
  return extents;
}

void cpu::emitGemm(KernelContext &context, Value result, Matmul problem, Value lhs, Value rhs) {
  SmallVector<Value> ends =
      llvm::map_to_vector(context.kernel.getStores(), [](exec::StoreOp store) { return Value(store.getValue()); });
  problem.rowExtents = mergeRowDims(ends, result, problem);
  if (graph::isTiled(problem.shape.interleave))
    return emitMatrixMatmul(context, result, problem, lhs, rhs);
  GemmPlan plan = planGemm(problem.shape, context.target);
  if (plan.isDot)
    emitDotProducts(context, result, problem, plan, lhs, rhs);
  else
    GemmLoops(context, result, problem, lhs, rhs).emit();
}
