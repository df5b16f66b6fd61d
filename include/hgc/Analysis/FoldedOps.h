//===- FoldedOps.h - what is evaluated while compiling ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_ANALYSIS_FOLDEDOPS_H
#define HGC_ANALYSIS_FOLDEDOPS_H

#include "hgc/Analysis/Invariance.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"

namespace hgc {

/// Ops of one function that take no time in a call: they are made from immutable
/// parameters and constants, and hgc-fold-packs makes parameters of their
/// results. Expressions that would grow stay, unless they are packs.
class FoldedOps {
public:
  /// With `packsOnly` nothing but packs, and what only they read, is folded.
  FoldedOps(mlir::func::FuncOp function, const Invariance &invariance, bool packsOnly = false);

  bool contains(mlir::Operation *op) const { return absorbed.contains(op); }

  /// Those whose results something at run time needs; last ops first.
  llvm::ArrayRef<mlir::Operation *> getNeeded() const { return needed; }

  /// Adds the reads and constants that `op` is made from to `leaves`; the sum of
  /// their bytes.
  static int64_t collectSources(mlir::Operation *op, llvm::SetVector<mlir::Operation *> &leaves);

private:
  llvm::DenseSet<mlir::Operation *> absorbed;
  llvm::SmallVector<mlir::Operation *> needed;
};

} // namespace hgc

#endif // HGC_ANALYSIS_FOLDEDOPS_H
