//===- MatrixPanels.cpp - weights of a product by the matrix unit ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Panels are tiles already, and fetched ahead; or they hold f32, and become tiles in
// working memory: those of the next panel are written while this one is multiplied, each pair
// of tiles of rows doing its share.
//===----------------------------------------------------------------------===//

#include "MatrixLoops.h"
#include "MatrixRows.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

/// Elements that become a row of a tile of each part.
static constexpr int64_t kLineElements = 32;
/// How many bytes ahead elements that become parts are fetched: measured.
static constexpr int64_t kSplitAhead = 1024;

int64_t MatrixLoops::stepElements() const {
  return 8 * plan.storedStep() / cast<MemRefType>(rhs.getType()).getElementTypeBitWidth();
}

Value MatrixLoops::locatePanel(const MatrixBlock &block, Value panel) {
  int64_t steps = plan.panelBytes() / plan.storedStep();
  return index.add(locatePanels(block.entry), index.mul(panel, steps * stepElements()));
}

Value MatrixLoops::locateParts(Value panel) { return index.mul(index.rem(panel, 2), plan.partBytes() / unit()); }

Value MatrixLoops::locateTiles(const MatrixBlock &block, Value panel) {
  if (!parts)
    return emitAddress(index, rhs, locatePanel(block, panel));
  return index.sub(emitAddress(index, parts, locateParts(panel)), index.mul(block.step, plan.rhsStep()));
}

//===----------------------------------------------------------------------===//
// The next panel
//===----------------------------------------------------------------------===//

/// What a pair of tiles does of work on `extent` lines: all pairs of a block of the most rows do `each`, those of half
/// as many rows or fewer do twice as many.
struct MatrixLoops::Share {
  int64_t each;
  Value isDouble;
};

MatrixLoops::Share MatrixLoops::getShare(const MatrixBlock &block, int64_t extent) {
  int64_t pairs = plan.tilePairs();
  Value most = index.constant(pairs / 2 * 2);
  Value isDouble =
      plan.rowBlock > plan.rowUnit ? index.lessThan(countTiles(block), index.add(most, 1)) : index.lessThan(most, most);
  return {(extent + pairs - 1) / pairs, isDouble};
}

Value MatrixLoops::countDone(const Share &share, Value times) {
  Value once = index.mul(times, share.each);
  return index.select(
      share.isDouble, once.getType(), [&]() -> SmallVector<Value> { return {index.mul(once, 2)}; },
      [&]() -> SmallVector<Value> { return {once}; })[0];
}

/// Calls `body` for each line of the `i`-th of `count` parts of it.
void MatrixLoops::forShare(const Share &share, int64_t i, int64_t count, llvm::function_ref<void(int64_t)> body) {
  auto run = [&](int64_t offset) {
    for (int64_t line = i * share.each / count; line < (i + 1) * share.each / count; ++line)
      body(offset + line);
  };
  run(0);
  index.ifThen(share.isDouble, [&] { run(share.each); });
}

/// Fetches the line of an address into the first- or second-level cache.
static void emitFetch(IndexBuilder &index, Value address, unsigned level) {
  LLVM::Prefetch::create(index.builder, index.loc, toPointer(index, address), /*rw=*/0, /*hint=*/4 - level,
                         /*cache=*/1);
}

void MatrixLoops::fetchNext(const MatrixBlock &block, Value tile, MatrixTile &product) {
  int64_t lines = plan.rhsStep() / kLine;
  Share share = getShare(block, lines);
  Value done = countDone(share, index.div(tile, 2)), most = countDone(share, index.constant(1));
  Value first = index.min(done, index.sub(index.constant(lines), most));
  Value start = index.add(product.rhs, index.add(index.mul(first, kLine), plan.panelBytes()));
  product.workBeside = [this, start, share](Value step, int64_t i, int64_t count) {
    forShare(share, i, count, [&](int64_t line) {
      Value at = index.add(start, line * kLine);
      emitFetch(index, index.add(at, index.mul(step, plan.rhsStep())), /*level=*/2);
    });
  };
}

Value MatrixLoops::getNextPanel(const MatrixBlock &block, Value panel) {
  return index.min(index.add(panel, 1), block.lastPanel);
}

Value MatrixLoops::countLines(const MatrixBlock &block) {
  return index.mul(index.sub(block.stepEnd, block.step), plan.shape.width);
}

void MatrixLoops::splitLine(const MatrixBlock &block, Value panel, Value line) {
  int64_t width = plan.shape.width;
  Value from = index.add(locatePanel(block, panel), index.mul(block.step, stepElements()));
  from = index.add(from, index.mul(line, kLineElements));
  Value to = index.add(locateParts(panel), index.mul(index.div(line, width), plan.rhsStep() / unit()));
  to = index.add(to, index.mul(index.rem(line, width), kLineElements));
  Value address = emitAddress(index, rhs, from);
  for (int64_t ahead = kSplitAhead; ahead < kSplitAhead + 2 * kLine; ahead += kLine)
    emitFetch(index, index.add(address, ahead), /*level=*/1);
  emitPairs(index, emitLoad(index, rhs, from, kSide), emitLoad(index, rhs, index.add(from, kSide), kSide), parts, to,
            width * kLineElements);
}

void MatrixLoops::splitPanel(const MatrixBlock &block, Value panel, Value line) {
  index.loop(line, countLines(block), 1, [&](Value i) { splitLine(block, panel, i); });
}

void MatrixLoops::splitNext(const MatrixBlock &block, Value panel, Value tile, MatrixTile &product) {
  Share share = getShare(block, plan.shape.width);
  Value next = getNextPanel(block, panel);
  Value last = index.sub(countLines(block), index.constant(1));
  Value start = index.mul(index.div(tile, 2), index.sub(block.stepEnd, block.step));
  product.workBeside = [this, block, share, next, last, start](Value step, int64_t i, int64_t count) {
    Value first = countDone(share, index.add(start, index.sub(step, block.step)));
    forShare(share, i, count, [&](int64_t line) { splitLine(block, next, index.min(index.add(first, line), last)); });
  };
}

void MatrixLoops::splitRest(const MatrixBlock &block, Value panel) {
  Share share = getShare(block, plan.shape.width);
  Value pairs = countPairs(block), steps = index.sub(block.stepEnd, block.step);
  splitPanel(block, getNextPanel(block, panel), countDone(share, index.mul(pairs, steps)));
}

//===----------------------------------------------------------------------===//
// The rest of the depth
//===----------------------------------------------------------------------===//

MatrixLoops::RestFactors MatrixLoops::loadRest(Value panel, int64_t pieces) {
  RestFactors factors;
  Value last = index.add(panel, plan.shape.groups * stepElements());
  for (int64_t k = 0; k < plan.shape.rest; ++k)
    for (int64_t i = 0; i < pieces; ++i) {
      if (k == 0)
        factors.emplace_back();
      int64_t offset = graph::locateInTiles(k / 2 * 2, i * kSide, 0, plan.shape.width, plan.shape.interleave);
      factors[i].push_back(loadColumns(index.add(last, offset), index.constant(k % 2)));
    }
  return factors;
}

void MatrixLoops::addRest(const MatrixBlock &block, Value row, const RestFactors &factors,
                          MutableArrayRef<Value> values) {
  for (int64_t k = 0; k < plan.shape.rest; ++k) {
    Value factor = loadFactor(block, row, plan.shape.groups * graph::getTileDepth(plan.shape.interleave) + k);
    for (auto [value, columns] : llvm::zip_equal(values, factors))
      value = emitMultiplyAdd(index, factor, columns[k], value);
  }
}
