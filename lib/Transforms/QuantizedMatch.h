//===- QuantizedMatch.h - ops on dequantized integers -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_TRANSFORMS_QUANTIZEDMATCH_H
#define HGC_LIB_TRANSFORMS_QUANTIZEDMATCH_H

#include "LoadTimeValues.h"

#include "dialects/Graph/GraphOps.h"
#include "hgc/Analysis/Invariance.h"

#include <optional>

namespace hgc {

/// A contraction, or a mean, that can be computed in integers.
struct QuantizedMatch {
  mlir::Operation *op = nullptr;
  /// Activations (of a mean: less their zero point, in i32) and weights.
  mlir::Value data, weights;
  /// Whether weights become i8 only by taking away their zero point, and that.
  bool shiftsWeights = false;
  mlir::Value weightsZero;
  int64_t dataZero = 0;
  /// Products of both scales: one, or one per output channel.
  llvm::SmallVector<float> scales;
  /// Sums of the weights, less their zero point, per output channel.
  llvm::SmallVector<int64_t> sums;
  /// Dim of the result that counts output channels, and of the weights.
  int64_t axis = 0, weightsAxis = 0;
  /// What a sum is divided by: the elements of a mean.
  int64_t count = 1;
};

/// What makes 8-bit integers of rounded numbers: a zero point is added, and limits hold.
struct Quantization {
  graph::CastOp cast;
  int64_t zero = 0, least = 0, most = 0;
};

/// Finds them; never edits.
class QuantizedMatcher {
public:
  QuantizedMatcher(mlir::ModuleOp module, llvm::StringRef baseDir, const Invariance &invariance)
      : invariance(invariance), values(module, baseDir) {}

  std::optional<QuantizedMatch> match(mlir::Operation *op);

  /// The op that adds a bias in units of the sums to the contraction's result, and that
  /// bias, one number per output channel; null without one.
  graph::AddOp findBias(const QuantizedMatch &match, llvm::SmallVectorImpl<int64_t> &bias);

  /// The only readers of `round` and of each other, if they are a quantization.
  std::optional<Quantization> matchQuantization(graph::RoundOp round);

  /// The value of a scalar that is known while compiling; nothing otherwise.
  std::optional<double> evaluateScalar(mlir::Value value);

private:
  struct Dequantized;

  bool isKnown(mlir::Value value);
  std::optional<HostTensor> evaluate(mlir::Value value);
  static std::optional<Dequantized> matchDequantized(mlir::Value value);
  std::optional<QuantizedMatch> matchMean(graph::ReduceOp op);
  bool matchWeights(const Dequantized &weights, QuantizedMatch &match);
  bool matchData(const Dequantized &data, QuantizedMatch &match);

  const Invariance &invariance;
  LoadTimeValues values;
};

} // namespace hgc

#endif // HGC_LIB_TRANSFORMS_QUANTIZEDMATCH_H
