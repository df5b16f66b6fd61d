//===- GemmPack.cpp - copy a matrix into panel order ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/GemmPack.h"

#include "hgc/CodeGen/CPU/GemmTile.h"
#include "hgc/CodeGen/Common/Lanes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace hgc::cpu;

/// Steps of the depth that are transposed at once.
static constexpr int64_t kSteps = 8;
/// Columns that are interleaved at once.
static constexpr int64_t kGroup = 4;

/// `a` and `b` interleaved in pieces of `size` elements: in each group of four the
/// first or the second half of both.
static Value interleave(IndexBuilder &index, Value a, Value b, int64_t size, bool upper) {
  SmallVector<int64_t> lanes;
  for (int64_t group = 0; group < kSteps; group += kGroup)
    for (int64_t i = 0; i < kGroup; ++i) {
      int64_t source = i / size % 2, place = i / (2 * size) * size + i % size;
      lanes.push_back(source * kSteps + group + (upper ? kGroup / 2 : 0) + place);
    }
  return vector::ShuffleOp::create(index.builder, index.loc, a, b, lanes);
}

/// Copies kSteps steps of kGroup columns that lie along the depth.
static void emitTransposed(IndexBuilder &index, const PanelCopy &copy, Type element, Value from, Value to) {
  auto load = [&](int64_t column) {
    return emitWiden(index, emitLoad(index, copy.source, index.add(from, column * copy.columnStride), kSteps), element);
  };
  Value a = load(0), b = load(1), c = load(2), d = load(3);
  for (bool upper : {false, true}) {
    Value ab = interleave(index, a, b, 1, upper), cd = interleave(index, c, d, 1, upper);
    for (bool odd : {false, true}) {
      Value both = interleave(index, ab, cd, 2, odd);
      int64_t step = 2 * upper + odd;
      for (int64_t k = 0; k < kSteps; k += kGroup)
        emitStore(index, slice(index.builder, index.loc, both, k, kGroup), copy.target,
                  index.add(to, (k + step) * copy.width));
    }
  }
}

/// Copies the columns from `first` on, step by step.
static void emitSteps(IndexBuilder &index, const PanelCopy &copy, Type element, int64_t first, Value begin, Value end) {
  // Neighbouring columns are copied as vectors, others one by one.
  int64_t lanes = copy.columnStride == 1 ? copy.lanes : 1;
  SmallVector<ColumnPiece> pieces = splitColumns(copy.columns - first, lanes);
  SmallVector<ColumnPiece> padding = splitColumns(copy.width - copy.columns, copy.lanes);
  index.loop(begin, end, 1, [&](Value k) {
    Value from = index.add(copy.sourceBase, index.mul(k, copy.depthStride));
    Value to = index.add(copy.targetBase, index.mul(k, copy.width));
    for (const ColumnPiece &piece : pieces) {
      int64_t column = first + piece.offset;
      Value value = emitLoad(index, copy.source, index.add(from, column * copy.columnStride), piece.lanes);
      emitStore(index, emitWiden(index, value, element), copy.target, index.add(to, column),
                copy.isStreamed && piece.lanes == copy.lanes);
    }
    for (const ColumnPiece &piece : padding)
      emitStore(index, emitZero(index, getLaneType(element, piece.lanes)), copy.target,
                index.add(to, copy.columns + piece.offset));
  });
}

void hgc::cpu::emitPanelCopy(IndexBuilder &index, const PanelCopy &copy) {
  Type element = cast<MemRefType>(copy.target.getType()).getElementType();
  bool isTransposed = copy.depthStride == 1 && copy.columnStride != 1;
  if (!isTransposed || copy.columns < kGroup || copy.lanes < kGroup)
    return emitSteps(index, copy, element, 0, index.constant(0), copy.depth);
  // Whole groups as squares, the rest of the columns and of the depth one by one.
  int64_t grouped = copy.columns / kGroup * kGroup;
  Value main = index.mul(index.div(copy.depth, kSteps), kSteps);
  index.loop(index.constant(0), main, kSteps, [&](Value k) {
    for (int64_t column = 0; column < grouped; column += kGroup)
      emitTransposed(index, copy, element, index.add(copy.sourceBase, index.add(k, column * copy.columnStride)),
                     index.add(index.add(copy.targetBase, index.mul(k, copy.width)), column));
  });
  if (grouped < copy.width)
    emitSteps(index, copy, element, grouped, index.constant(0), main);
  emitSteps(index, copy, element, 0, main, copy.depth);
}

void hgc::cpu::emitRowCopy(IndexBuilder &index, Value source, Value sourceBase, Value target, Value targetBase,
                           Value depth, int64_t lanes) {
  Type element = cast<MemRefType>(target.getType()).getElementType();
  auto copy = [&](Value begin, Value end, int64_t step) {
    index.loop(begin, end, step, [&](Value k) {
      Value value = emitLoad(index, source, index.add(sourceBase, k), step);
      emitStore(index, emitWiden(index, value, element), target, index.add(targetBase, k));
    });
  };
  Value main = index.mul(index.div(depth, lanes), lanes);
  copy(index.constant(0), main, lanes);
  copy(main, depth, 1);
}
