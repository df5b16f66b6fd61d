//===- Schedules.h - the learning rate of a step ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_AUTODIFF_TRAINING_SCHEDULES_H
#define HGC_LIB_AUTODIFF_TRAINING_SCHEDULES_H

#include "Spec.h"

#include "lib/Autodiff/GradBuilder.h"

namespace hgc::training {

/// A function of the number of the step.
class Schedule {
public:
  static llvm::FailureOr<Schedule> parse(mlir::Location loc, llvm::StringRef text);

  /// The learning rate, f32 of rank 0, in `step` (i64 of rank 0, from 1 on).
  mlir::Value build(const GradBuilder &b, mlir::Value step, double learningRate) const;

private:
  explicit Schedule(Settings settings) : settings(std::move(settings)) {}

  /// The factor of the rate `done` steps behind the warm-up.
  mlir::Value buildFactor(const GradBuilder &b, mlir::Value done, double learningRate) const;

  Settings settings;
};

} // namespace hgc::training

#endif // HGC_LIB_AUTODIFF_TRAINING_SCHEDULES_H
