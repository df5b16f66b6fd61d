//===- GemmPack.cpp - copy a matrix into panel order ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/GemmPack.h"

#include "hgc/CodeGen/CPU/GemmTile.h"
#include "hgc/CodeGen/Common/Lanes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace hgc::cpu;

void hgc::cpu::emitPanelCopy(IndexBuilder &index, const PanelCopy &copy) {
  Type element = cast<MemRefType>(copy.target.getType()).getElementType();
  // Neighbouring columns are copied as vectors, others one by one.
  int64_t lanes = copy.columnStride == 1 ? copy.lanes : 1;
  SmallVector<ColumnPiece> pieces = splitColumns(copy.columns, lanes);
  SmallVector<ColumnPiece> padding = splitColumns(copy.width - copy.columns, copy.lanes);
  index.loop(index.constant(0), copy.depth, 1, [&](Value k) {
    Value from = index.add(copy.sourceBase, index.mul(k, copy.depthStride));
    Value to = index.add(copy.targetBase, index.mul(k, copy.width));
    for (const ColumnPiece &piece : pieces) {
      Value value = emitLoad(index, copy.source, index.add(from, piece.offset * copy.columnStride), piece.lanes);
      emitStore(index, emitWiden(index, value, element), copy.target, index.add(to, piece.offset));
    }
    for (const ColumnPiece &piece : padding)
      emitStore(index, emitZero(index, getLaneType(element, piece.lanes)), copy.target,
                index.add(to, copy.columns + piece.offset));
  });
}
