//===- KernelMerger.h - two kernels in one pass over memory -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_CONVERSION_KERNELMERGER_H
#define HGC_LIB_CONVERSION_KERNELMERGER_H

#include "KernelBodies.h"
#include "MergedOperands.h"

#include "hgc/Analysis/Pricing.h"

#include "mlir/IR/SymbolTable.h"
#include <map>

namespace hgc {

/// Makes one launch of two. What the second reads of the first's results stays in
/// registers; what nobody else reads is not written at all.
class KernelMerger {
public:
  explicit KernelMerger(mlir::ModuleOp module) : symbols(module), pricing(module) {}

  /// Whether one kernel could do both, as far as their bodies and buffers say (MergeRules.h).
  /// Whether they may meet is the caller's question.
  bool canMerge(exec::LaunchOp first, exec::LaunchOp second);

  /// Replaces both by a launch before `position`, where all buffers are declared.
  exec::LaunchOp merge(exec::LaunchOp first, exec::LaunchOp second, mlir::Operation *position);

  /// Products that read parts of tensors are called what they were before, where that
  /// name is free: for when kernels that nobody launches are gone.
  void restoreNames(mlir::ModuleOp module);

  exec::KernelOp getKernel(exec::LaunchOp launch) { return symbols.lookup<exec::KernelOp>(launch.getKernel()); }

private:
  exec::KernelOp getMerged(exec::KernelOp first, exec::KernelOp second, const MergedOperands &operands);
  exec::KernelOp build(exec::KernelOp first, exec::KernelOp second, const MergedOperands &operands);
  int64_t price(exec::KernelOp kernel);

  mlir::SymbolTable symbols;
  Pricing pricing;
  std::map<std::tuple<std::string, std::string, std::vector<int64_t>>, exec::KernelOp> merged;
  /// Of products that read parts of tensors: the kernel that was there before.
  llvm::StringMap<std::string> productNames;
};

} // namespace hgc

#endif // HGC_LIB_CONVERSION_KERNELMERGER_H
