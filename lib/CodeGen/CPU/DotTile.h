//===- DotTile.h - a few columns of products as dot products ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_CODEGEN_CPU_DOTTILE_H
#define HGC_LIB_CODEGEN_CPU_DOTTILE_H

#include "hgc/CodeGen/CPU/GemmPlan.h"
#include "hgc/CodeGen/CPU/GemmTile.h"

#include <functional>

namespace hgc::cpu {

/// A panel whose first kTailColumns columns are to lie one after the other: where each of `depth` rows begins, and how
/// far columns are apart then. fetch: emits what is fetched for later beside each row, if given.
struct TurnedColumns {
  mlir::Value panel, panelAt;
  int64_t step, depth;
  mlir::Value turned;
  int64_t stride;
  std::function<void(mlir::Value row)> fetch;
};
void emitTurnColumns(IndexBuilder &index, const TurnedColumns &columns);

/// Products of some rows with turned columns. Rows are contiguous, as many as sums fill a vector at most.
struct DotTile {
  mlir::Value lhs;
  llvm::SmallVector<mlir::Value> rowOffsets;
  mlir::Value turned;
  int64_t stride, depth, lanes;
};

/// One vector that has the sums of each row side by side, row after row. Each is added up in the same way whatever
/// rows are beside it.
mlir::Value emitDotTile(IndexBuilder &index, const DotTile &tile);

} // namespace hgc::cpu

#endif // HGC_LIB_CODEGEN_CPU_DOTTILE_H
