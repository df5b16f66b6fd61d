//===- TuneTasks.h - kernels that can be measured alone ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_TUNING_TUNETASKS_H
#define HGC_LIB_TUNING_TUNETASKS_H

#include "hgc/Pipeline/Pipeline.h"
#include "hgc/Tuning/TuneCache.h"

#include "mlir/IR/OwningOpRef.h"

namespace hgc::tuning {

/// What a choice must save to be taken instead of the plain one: measurements are not exact either.
inline constexpr double kLeastGain = 0.98;

/// A kernel around a contraction; all of the module that are alike.
struct Task {
  /// Version, machine, shapes, types, what is fused, and the forms that may be chosen.
  std::string key;
  /// Forms that are allowed, the cost model's first; the plain one of products is empty.
  std::vector<std::string> forms;
  /// The contractions in the module.
  llvm::SmallVector<mlir::Operation *> ops;
  /// The kernel as a model.
  mlir::OwningOpRef<mlir::ModuleOp> model;
  /// Modelled time of one launch, and of all in one call.
  int64_t modelledPs = 0;
  double totalPs = 0;
};

/// Tasks of the CPU's contractions, the longest first; none where the module cannot be fused.
std::vector<Task> collectTasks(mlir::ModuleOp module, const CompileOptions &options);

/// The contraction of a task's model, at any stage up to exec; null if it is not there.
mlir::Operation *findContraction(mlir::ModuleOp model);

/// Notes at the tasks' ops what is fastest of what `cache` has. Contractions with the same weights get one
/// form, so that these are stored once.
void applyRecords(llvm::ArrayRef<Task> tasks, const TuneCache &cache);

} // namespace hgc::tuning

#endif // HGC_LIB_TUNING_TUNETASKS_H
