//===- ConvStage.cpp - what convolutions read, and where results go -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/ConvPlan.h"
#include "hgc/CodeGen/CPU/GemmStore.h"
#include "hgc/CodeGen/Common/Lanes.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

PutRow cpu::putInResult(KernelContext &context, Value result) {
  return [&context, result](ArrayRef<Value> at, Value column, ArrayRef<ColumnPiece> pieces, ArrayRef<Value> sums,
                            int64_t columns) { emitStoreRow(context, result, at, column, pieces, sums, columns); };
}

void cpu::emitStagedLine(IndexBuilder &index, const StagedLine &line) {
  Type element = cast<MemRefType>(line.target.getType()).getElementType();
  // `put(at, lanes)` for elements [0, count): vectors, then ever shorter ones.
  auto forEach = [&](int64_t count, llvm::function_ref<void(Value, int64_t)> put) {
    int64_t main = count / line.lanes * line.lanes;
    index.loop(index.constant(0), index.constant(main), line.lanes, [&](Value at) { put(at, line.lanes); });
    for (const ColumnPiece &piece : splitColumns(count - main, line.lanes))
      put(index.constant(main + piece.offset), piece.lanes);
  };
  auto fill = [&](int64_t begin, int64_t count) {
    forEach(count, [&](Value at, int64_t lanes) {
      emitStore(index, emitZero(index, getLaneType(element, lanes)), line.target,
                index.add(line.to, index.add(at, begin)));
    });
  };
  if (!line.source)
    return fill(0, line.left + line.count + line.right);
  fill(0, line.left);
  forEach(line.count, [&](Value at, int64_t lanes) {
    Value value = emitLoad(index, line.source, index.add(line.from, at), lanes);
    emitStore(index, emitWiden(index, value, element), line.target, index.add(line.to, index.add(at, line.left)));
  });
  fill(line.left + line.count, line.right);
}
