//===- MergedOperands.h - buffers of two launches in one --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_CONVERSION_MERGEDOPERANDS_H
#define HGC_LIB_CONVERSION_MERGEDOPERANDS_H

#include "dialects/Exec/ExecOps.h"

namespace hgc {

/// The buffers of a merged launch, and which of them each part has.
struct MergedOperands {
  MergedOperands(exec::LaunchOp first, exec::LaunchOp second);

  llvm::SmallVector<mlir::Value> inputs, outputs;
  /// Of each operand of the first and of the second launch: its place among the
  /// inputs, or behind them among the outputs; -1 where it is no more.
  std::vector<int64_t> places;
  /// Of each operand of the second: the first's output that it is, or -1.
  std::vector<int64_t> links;

private:
  int64_t findPlace(mlir::Value buffer) const;
};

/// The place of `buffer` in a list of operands, or -1.
int64_t findIn(mlir::ValueRange list, mlir::Value buffer);

/// The same for a buffer that may have another shape there.
int64_t findWhole(mlir::ValueRange list, mlir::Value buffer);

/// Whether anybody but the two launches uses `buffer`, such as the caller.
bool isUsedElsewhere(mlir::Value buffer, mlir::Operation *first, mlir::Operation *second);

} // namespace hgc

#endif // HGC_LIB_CONVERSION_MERGEDOPERANDS_H
