//===- TrainingMode.h - ops that differ while training ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_AUTODIFF_TRAINING_TRAININGMODE_H
#define HGC_LIB_AUTODIFF_TRAINING_TRAININGMODE_H

#include "lib/Autodiff/GradBuilder.h"

namespace hgc::training {

/// Rows of a batch that count.
struct Rows {
  /// i1 for each row, and how many are true, f32 of rank 0.
  mlir::Value mask, count;

  int64_t size() const { return shapeOf(mask)[0]; }
  /// The mask with `rank` dims.
  mlir::Value spreadMask(const GradBuilder &b, int64_t rank) const;
  /// The mean of the rows that count; `values` has one number a row.
  mlir::Value mean(const GradBuilder &b, mlir::Value values) const;
};

/// Name of the parameter that keys the random numbers of dropout.
inline constexpr llvm::StringLiteral kSeedParameter = "random.seed";

/// Whether the function drops elements at random while training.
bool hasDropout(mlir::func::FuncOp function);

/// Parameters that batch normalisation reads as statistics, which training updates
/// without a gradient.
llvm::SetVector<mlir::StringAttr> findStatistics(mlir::func::FuncOp function);

/// Makes dropout drop and batch normalisation use the statistics of the batch;
/// running statistics get their next values at the end of the call. `step` is i64
/// of rank 0. Parameters that are frozen keep their layer as it is.
void enterTrainingMode(mlir::func::FuncOp function, const Rows &rows, mlir::Value step);

} // namespace hgc::training

#endif // HGC_LIB_AUTODIFF_TRAINING_TRAININGMODE_H
