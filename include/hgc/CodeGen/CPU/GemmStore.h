//===- GemmStore.h - from accumulators to the output buffer -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_CPU_GEMMSTORE_H
#define HGC_CODEGEN_CPU_GEMMSTORE_H

#include "hgc/CodeGen/CPU/GemmTile.h"
#include "hgc/CodeGen/CPU/KernelContext.h"

namespace hgc::cpu {

/// Finishes one row of a panel: takes `sums` (one vector per piece) as elements
/// of the root's `result` from column `column` on, evaluates the ops after the
/// root and stores the first `columns` of them. `at` is the index in the result
/// without the column.
void emitStoreRow(KernelContext &context, mlir::Value result, llvm::ArrayRef<mlir::Value> at, mlir::Value column,
                  llvm::ArrayRef<ColumnPiece> pieces, llvm::ArrayRef<mlir::Value> sums, int64_t columns);

/// The same for one of many rows whose sums are all known. LLVM would take the functions of their elements one by one
/// and put all stores behind the last of them; here a row's vectors go side by side, and are stored before the next
/// row begins, so that processors overlap the rows with each other and with what follows.
void emitStoreNextRow(KernelContext &context, mlir::Value result, llvm::ArrayRef<mlir::Value> at, mlir::Value column,
                      llvm::ArrayRef<ColumnPiece> pieces, llvm::ArrayRef<mlir::Value> sums, int64_t columns);

/// Fetches the lines that storing `columns` columns of a row will touch and that hardly are in the
/// first-level cache: those of large results, and of operands of the ops after the root that have the
/// shape of its `result`.
void emitFetchRow(KernelContext &context, mlir::Value result, llvm::ArrayRef<mlir::Value> at, mlir::Value column,
                  int64_t columns);

/// Whether there are any.
bool fetchesRows(KernelContext &context, mlir::Value result);

/// Where a row of `tensor`, a value of the kernel that is not its result, goes instead:
/// to `buffer` from `offset` on.
struct RowTarget {
  mlir::Value tensor, buffer, offset;
};

/// The same for that tensor, whatever becomes of it afterwards.
void emitStoreRowTo(KernelContext &context, const RowTarget &target, mlir::Value result,
                    llvm::ArrayRef<mlir::Value> at, mlir::Value column, llvm::ArrayRef<ColumnPiece> pieces,
                    llvm::ArrayRef<mlir::Value> sums, int64_t columns);

} // namespace hgc::cpu

#endif // HGC_CODEGEN_CPU_GEMMSTORE_H
