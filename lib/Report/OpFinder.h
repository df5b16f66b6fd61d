//===- OpFinder.h - ops of a plan in later stages ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_REPORT_OPFINDER_H
#define HGC_LIB_REPORT_OPFINDER_H

#include "hgc/Report/Plan.h"

#include "mlir/IR/Operation.h"
#include <deque>

namespace hgc::plans {

/// Finds the ops of an entry's plan again, once passes have added others. Ops are
/// asked for in program order.
class OpFinder {
public:
  explicit OpFinder(const EntryPlan &entry);

  /// The plan's name of `op` on `device`. What is computed a second time has the
  /// name of the first; what came later, like packing, has none.
  std::string take(mlir::Operation *op, llvm::StringRef device);

private:
  const EntryPlan &entry;
  /// By name without number, and kind.
  std::map<std::pair<std::string, std::string>, std::deque<size_t>> ops;
};

} // namespace hgc::plans

#endif // HGC_LIB_REPORT_OPFINDER_H
