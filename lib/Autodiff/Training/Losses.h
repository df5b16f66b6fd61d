//===- Losses.h - what training makes small ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_AUTODIFF_TRAINING_LOSSES_H
#define HGC_LIB_AUTODIFF_TRAINING_LOSSES_H

#include "Spec.h"

#include "lib/Autodiff/GradBuilder.h"

namespace hgc::training {

/// A loss of Keras: a number for each row of the model's output.
class Loss {
public:
  static llvm::FailureOr<Loss> parse(mlir::Location loc, llvm::StringRef text);

  /// The labels for an output of this type; fails if it does not fit the loss.
  llvm::FailureOr<mlir::RankedTensorType> getLabelsType(mlir::Location loc, mlir::RankedTensorType output) const;

  /// The loss of each row. Where `output` ends in softmax or sigmoid, the
  /// logits before it are used.
  mlir::Value build(const GradBuilder &b, mlir::Value output, mlir::Value labels) const;

  /// Labels are class numbers.
  bool isSparse() const;
  /// The output is one probability, or logit, for each of several yes-or-no questions.
  bool isBinary() const;
  /// The output is a distribution over classes.
  bool isCategorical() const;
  /// The user says that the output is not the result of softmax or sigmoid.
  bool isFromLogits() const { return settings.has("from_logits") && settings.get("from_logits") != 0; }

private:
  explicit Loss(Settings settings) : settings(std::move(settings)) {}

  mlir::Value buildCategorical(const GradBuilder &b, mlir::Value output, mlir::Value labels) const;
  mlir::Value buildBinary(const GradBuilder &b, mlir::Value output, mlir::Value labels) const;
  mlir::Value buildElements(const GradBuilder &b, mlir::Value output, mlir::Value labels) const;
  mlir::Value buildMargin(const GradBuilder &b, mlir::Value output, mlir::Value labels) const;
  mlir::Value buildLast(const GradBuilder &b, mlir::Value output, mlir::Value labels) const;

  Settings settings;
};

/// Class numbers as ones among zeros: `[..., n]` of the type of `like`.
mlir::Value makeOneHot(const GradBuilder &b, mlir::Value labels, mlir::Value like);

/// The mean over all dims but the first.
mlir::Value makeRowMeans(const GradBuilder &b, mlir::Value values);

/// `value` with its elements held between two bounds.
mlir::Value clamp(const GradBuilder &b, mlir::Value value, double least, double most);

} // namespace hgc::training

#endif // HGC_LIB_AUTODIFF_TRAINING_LOSSES_H
