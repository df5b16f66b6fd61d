//===- CheckedRanges.h - integers that calls accept -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_ANALYSIS_CHECKEDRANGES_H
#define HGC_ANALYSIS_CHECKEDRANGES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace hgc {

/// The integers from `least` to below `end`.
struct IntegerRange {
  int64_t least = std::numeric_limits<int64_t>::min(), end = std::numeric_limits<int64_t>::max();

  bool isEmpty() const { return least >= end; }
  void intersect(const IntegerRange &other);
};

/// What the `hgc.check`s of an entry leave of each argument that they compare with
/// constants, element by element; nothing for other arguments. An integer within is
/// accepted at every place; some outside may be accepted at some.
llvm::SmallVector<std::optional<IntegerRange>> findCheckedRanges(mlir::func::FuncOp entry);

} // namespace hgc

#endif // HGC_ANALYSIS_CHECKEDRANGES_H
