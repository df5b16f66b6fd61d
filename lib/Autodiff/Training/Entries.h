//===- Entries.h - entries of a model that is trained -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_AUTODIFF_TRAINING_ENTRIES_H
#define HGC_LIB_AUTODIFF_TRAINING_ENTRIES_H

#include "Metrics.h"
#include "Optimizers.h"

namespace hgc::training {

/// How a model is trained.
struct Method {
  Loss loss;
  std::vector<Metric> metrics;
  Optimizer optimizer;
  Schedule schedule;
  /// Factors of the sum of |w| and of w^2 over all weights with two or more dims.
  double l1 = 0, l2 = 0;
  /// What is learnt, in the order of the module.
  llvm::SmallVector<graph::ParameterOp> trainable;
};

/// Adds the parameters that `train_step` needs beside the model's: the slots of the
/// optimiser behind each trained parameter, and the seed of dropout.
void addState(const Method &method, mlir::func::FuncOp variant);

/// Name of a slot of a parameter.
std::string getSlotName(graph::ParameterOp parameter, const Slot &slot);

/// Adds `train_step` (with gradients and updates) or `evaluate` for a variant of
/// the model's entry, behind `after`.
llvm::FailureOr<mlir::func::FuncOp> addStep(const Method &method, mlir::func::FuncOp variant, bool trains,
                                            mlir::Operation *after);

/// Adds `init`, which draws new values for what is learnt and starts the optimiser
/// and running statistics again.
mlir::func::FuncOp addInit(const Method &method, mlir::func::FuncOp variant, mlir::Operation *after);

/// An entry with no body but a block; `attributes` are names of arguments and
/// results.
mlir::func::FuncOp createEntry(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef name, llvm::StringRef of,
                               mlir::DictionaryAttr dims, mlir::FunctionType type);

} // namespace hgc::training

#endif // HGC_LIB_AUTODIFF_TRAINING_ENTRIES_H
