//===- Optimizers.h - how parameters follow gradients -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_AUTODIFF_TRAINING_OPTIMIZERS_H
#define HGC_LIB_AUTODIFF_TRAINING_OPTIMIZERS_H

#include "Schedules.h"

namespace hgc::training {

/// A tensor that an optimiser keeps for each parameter.
struct Slot {
  /// Behind the parameter's name: `adam_m`.
  std::string suffix;
  /// Every element at the start.
  double start = 0;
};

/// An optimiser of Keras.
class Optimizer {
public:
  static llvm::FailureOr<Optimizer> parse(mlir::Location loc, llvm::StringRef text);

  llvm::SmallVector<Slot> getSlots() const;

  /// Numbers that are the same for all parameters of a step.
  struct StepNumbers {
    /// The learning rate, and for some optimisers the corrected one.
    mlir::Value rate, corrected;
  };
  StepNumbers buildStep(const GradBuilder &b, const Schedule &schedule, mlir::Value step) const;

  /// Gradients cut to the lengths the user asks for.
  void clip(const GradBuilder &b, llvm::MutableArrayRef<mlir::Value> gradients) const;

  /// The next value of a parameter; `slots` become the next ones.
  mlir::Value update(const GradBuilder &b, const StepNumbers &numbers, mlir::Value parameter, mlir::Value gradient,
                     llvm::MutableArrayRef<mlir::Value> slots) const;

private:
  explicit Optimizer(Settings settings) : settings(std::move(settings)) {}

  mlir::Value updateSgd(const GradBuilder &b, mlir::Value rate, mlir::Value p, mlir::Value g,
                        llvm::MutableArrayRef<mlir::Value> slots) const;
  mlir::Value updateAdam(const GradBuilder &b, mlir::Value corrected, mlir::Value p, mlir::Value g,
                         llvm::MutableArrayRef<mlir::Value> slots) const;
  mlir::Value updateRmsprop(const GradBuilder &b, mlir::Value rate, mlir::Value p, mlir::Value g,
                            llvm::MutableArrayRef<mlir::Value> slots) const;
  mlir::Value updateAdadelta(const GradBuilder &b, mlir::Value rate, mlir::Value p, mlir::Value g,
                             llvm::MutableArrayRef<mlir::Value> slots) const;
  mlir::Value updateLion(const GradBuilder &b, mlir::Value rate, mlir::Value p, mlir::Value g,
                         llvm::MutableArrayRef<mlir::Value> slots) const;

  Settings settings;
};

} // namespace hgc::training

#endif // HGC_LIB_AUTODIFF_TRAINING_OPTIMIZERS_H
