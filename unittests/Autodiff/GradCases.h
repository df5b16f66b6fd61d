//===- GradCases.h - functions whose gradients are checked ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_UNITTESTS_AUTODIFF_GRADCASES_H
#define HGC_UNITTESTS_AUTODIFF_GRADCASES_H

#include <string>
#include <vector>

namespace hgc {

/// A function of `%a0`, `%a1`, ... that gives `%y`. Floats are f64.
struct GradCase {
  /// `3x4` for an f64 that is differentiated by; `3x4xi64=0,1,...` for a given
  /// value that is not.
  std::vector<std::string> inputs;
  std::string body;
  /// Shape of `%y`.
  std::string result;
  /// Range of the inputs that are differentiated by.
  double low = -1.5, high = 1.5;
};

/// `tensor<3x4xf64>` for `3x4`, `tensor<f64>` for nothing.
inline std::string f64(const std::string &shape) { return "tensor<" + shape + (shape.empty() ? "" : "x") + "f64>"; }

using GradCases = std::vector<GradCase>;

void addElementwiseCases(GradCases &cases);
void addContractionCases(GradCases &cases);
void addReductionCases(GradCases &cases);
void addMovementCases(GradCases &cases);
void addControlCases(GradCases &cases);

} // namespace hgc

#endif // HGC_UNITTESTS_AUTODIFF_GRADCASES_H
