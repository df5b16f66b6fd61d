//===- Metrics.h - what training reports beside the loss --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_AUTODIFF_TRAINING_METRICS_H
#define HGC_LIB_AUTODIFF_TRAINING_METRICS_H

#include "Losses.h"

#include <vector>

namespace hgc::training {

/// A number for each row of the output; its mean is reported.
class Metric {
public:
  /// Reads a list such as `accuracy,top_5_accuracy`.
  static llvm::FailureOr<std::vector<Metric>> parseAll(mlir::Location loc, llvm::StringRef text);

  /// The name of the output.
  llvm::StringRef getName() const { return name; }

  /// Fails if the metric says nothing about such an output.
  llvm::LogicalResult check(mlir::Location loc, const Loss &loss, mlir::RankedTensorType output) const;

  mlir::Value build(const GradBuilder &b, const Loss &loss, mlir::Value output, mlir::Value labels) const;

private:
  enum Id { Accuracy, TopK, MeanSquaredError, MeanAbsoluteError };

  mlir::Value buildAccuracy(const GradBuilder &b, const Loss &loss, mlir::Value output, mlir::Value labels) const;
  mlir::Value buildTopK(const GradBuilder &b, const Loss &loss, mlir::Value output, mlir::Value labels) const;

  Id id = Accuracy;
  int64_t k = 5;
  std::string name;
};

} // namespace hgc::training

#endif // HGC_LIB_AUTODIFF_TRAINING_METRICS_H
