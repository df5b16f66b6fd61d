//===- GemmStore.cpp - from accumulators to the output buffer -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/GemmStore.h"

#include "hgc/CodeGen/Common/ElementEmitter.h"
#include "hgc/CodeGen/Common/Lanes.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

/// Calls `store` with an emitter that knows the root's result, the index and the first
/// column of each part of the row.
static void forEachPart(KernelContext &context, Value result, ArrayRef<Value> at, Value column,
                        ArrayRef<ColumnPiece> pieces, ArrayRef<Value> sums, int64_t columns,
                        llvm::function_ref<void(ElementEmitter &, ArrayRef<LaneIndex>)> store) {
  IndexBuilder index(context.builder, context.loc);
  for (auto [piece, sum] : llvm::zip_equal(pieces, sums)) {
    int64_t valid = std::min(piece.lanes, columns - piece.offset);
    // The last columns may end inside the vector: store it in parts.
    for (const ColumnPiece &part : splitColumns(valid, piece.lanes)) {
      ElementEmitter element(context, part.lanes);
      element.bind(result, slice(context.builder, context.loc, sum, part.offset, part.lanes));
      SmallVector<LaneIndex> where(at.begin(), at.end());
      where.push_back({index.add(column, piece.offset + part.offset), part.lanes > 1 ? 1 : 0});
      store(element, where);
    }
  }
}

void cpu::emitStoreRow(KernelContext &context, Value result, ArrayRef<Value> at, Value column,
                       ArrayRef<ColumnPiece> pieces, ArrayRef<Value> sums, int64_t columns) {
  forEachPart(context, result, at, column, pieces, sums, columns,
              [](ElementEmitter &element, ArrayRef<LaneIndex> where) { element.storeResult(where); });
}

void cpu::emitStoreRowTo(KernelContext &context, const RowTarget &target, Value result, ArrayRef<Value> at, Value column,
                         ArrayRef<ColumnPiece> pieces, ArrayRef<Value> sums, int64_t columns) {
  IndexBuilder index(context.builder, context.loc);
  forEachPart(context, result, at, column, pieces, sums, columns,
              [&](ElementEmitter &element, ArrayRef<LaneIndex> where) {
                LaneIndex offset = where.back();
                offset.base = index.add(target.offset, offset.base);
                element.store(element.eval(target.tensor, where), target.buffer, offset,
                              getElementTypeOrSelf(target.tensor.getType()));
              });
}
