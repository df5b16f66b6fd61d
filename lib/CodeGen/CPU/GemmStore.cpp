//===- GemmStore.cpp - from accumulators to the output buffer -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/GemmStore.h"

#include "hgc/CodeGen/Common/ElementEmitter.h"
#include "hgc/CodeGen/Common/Lanes.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

void cpu::emitStoreRow(KernelContext &context, Value result, ArrayRef<Value> at, Value column,
                       ArrayRef<ColumnPiece> pieces, ArrayRef<Value> sums, int64_t columns) {
  IndexBuilder index(context.builder, context.loc);
  for (auto [piece, sum] : llvm::zip_equal(pieces, sums)) {
    int64_t valid = std::min(piece.lanes, columns - piece.offset);
    // The last columns may end inside the vector: store it in parts.
    for (const ColumnPiece &part : splitColumns(valid, piece.lanes)) {
      ElementEmitter element(context, part.lanes);
      element.bind(result, slice(context.builder, context.loc, sum, part.offset, part.lanes));
      SmallVector<LaneIndex> where(at.begin(), at.end());
      where.push_back({index.add(column, piece.offset + part.offset), part.lanes > 1 ? 1 : 0});
      element.storeResult(where);
    }
  }
}
