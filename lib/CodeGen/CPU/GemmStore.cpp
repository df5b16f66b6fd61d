//===- GemmStore.cpp - from accumulators to the output buffer -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/GemmStore.h"

#include "hgc/CodeGen/CPU/ElementEmitter.h"
#include "hgc/CodeGen/CPU/Lanes.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

LogicalResult cpu::verifyRootOperands(Operation *root) {
  for (auto [number, operand] : llvm::enumerate(root->getOperands())) {
    if (operand.getDefiningOp<exec::LoadOp>())
      continue;
    InFlightDiagnostic diag = root->emitOpError() << "has operand " << number << " computed inside its kernel";
    diag.attachNote() << "hint: contractions read their operands from buffers; keep the producer out of the kernel";
    return diag;
  }
  return success();
}

Value cpu::getRootBuffer(KernelContext &context, Value operand) {
  return context.buffers.lookup(operand.getDefiningOp<exec::LoadOp>().getBuffer());
}

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
