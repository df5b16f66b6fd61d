//===- MatrixAhead.cpp - rows of the next block become tiles --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where panels stay near, vectors have nothing to do beside products: they write the
// parts of the rows that come next. A thread writes those of its first block before, and what the
// last step of a row has beyond whole vectors when its block begins.
//===----------------------------------------------------------------------===//

#include "MatrixLoops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

/// Elements that become a row of a tile of each part.
static constexpr int64_t kLineElements = 32;

MatrixBlock MatrixLoops::getUnit(Value number) {
  SmallVector<Value> at = index.delinearize(number, {plan.shape.batch, plan.rowUnits});
  MatrixBlock block;
  block.entry = at[0], block.row = index.mul(at[1], plan.rowUnit);
  block.rows = index.min(index.sub(index.constant(plan.shape.rows), block.row), index.constant(plan.rowUnit));
  return block;
}

/// Unit `number` of rows is the block; the one behind it comes next, or itself again for nothing.
void MatrixLoops::startAhead(Value number) {
  int64_t panels = plan.panelBlocks, each = plan.lhsBytes() / unit();
  Value end = index.div(index.add(context.end, panels - 1), panels), other = index.rem(index.add(number, 1), 2);
  next = getUnit(index.min(index.add(number, 1), index.sub(end, index.constant(1))));
  rows.start = index.mul(index.rem(number, 2), each), nextStart = index.mul(other, each);
  sticky = index.mul(index.rem(number, 2), kSide), nextSticky = index.mul(other, kSide);
  index.ifThen(index.equal(number, index.div(context.begin, panels)), [&] {
    int64_t whole = sourceDepth / kLineElements * kLineElements;
    emitStore(index, writeDepth(getUnit(number), index.constant(0), whole).front(), stickies, sticky);
  });
  emitStore(index, emitStickyStart(index), stickies, nextSticky);
}

Value MatrixLoops::finishAhead(const MatrixBlock &block) {
  Value all = emitLoad(index, stickies, sticky, kSide);
  int64_t whole = sourceDepth / kLineElements * kLineElements;
  if (whole < sourceDepth) {
    Value last = writeDepth(block, index.constant(whole), sourceDepth - whole).front();
    all = arith::AddFOp::create(context.builder, index.loc, all, last);
  }
  return emitIsOdd(index, all);
}

Value MatrixLoops::countAhead() { return index.mul(next.rows, sourceDepth / kLineElements); }

void MatrixLoops::writeAhead(Value line) {
  int64_t steps = sourceDepth / kLineElements;
  Value row = index.div(line, steps), step = index.rem(line, steps);
  Value at = index.add(index.sub(locateRow(row), rows.start), nextStart);
  MatrixRun run{source, locateSource(next, row), sourceDepth, rows.buffer, at, plan.lhsStep() / unit(), rows.part};
  Value sum = arith::AddFOp::create(context.builder, index.loc, emitLoad(index, stickies, nextSticky, kSide),
                                    emitSplitStep(index, run, step));
  emitStore(index, sum, stickies, nextSticky);
}

void MatrixLoops::writeNext(const MatrixBlock &block, Value panel, Value tile, MatrixTile &product) {
  if (sourceDepth < kLineElements)
    return;
  int64_t each = plan.aheadLines();
  Value pairs = countPairs(block);
  Value before = index.add(index.mul(index.sub(panel, block.firstPanel), pairs), index.div(tile, 2));
  Value start = index.mul(before, plan.shape.groups), last = index.sub(countAhead(), index.constant(1));
  product.workBeside = [this, each, start, last](Value step, int64_t i, int64_t count) {
    Value first = index.mul(index.add(start, step), each);
    for (int64_t line = i * each / count; line < (i + 1) * each / count; ++line)
      writeAhead(index.min(index.add(first, line), last));
  };
}

void MatrixLoops::writeRest(const MatrixBlock &block, Value panels) {
  Value pairs = countPairs(block);
  Value done = index.mul(index.mul(panels, pairs), plan.shape.groups * plan.aheadLines());
  index.loop(done, countAhead(), 1, [&](Value line) { writeAhead(line); });
}
