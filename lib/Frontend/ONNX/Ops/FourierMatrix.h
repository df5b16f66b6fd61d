//===- FourierMatrix.h - Fourier transforms as matrix products --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_FRONTEND_ONNX_OPS_FOURIERMATRIX_H
#define HGC_FRONTEND_ONNX_OPS_FOURIERMATRIX_H

#include "lib/Frontend/ONNX/Node.h"

namespace hgc::onnx {

/// A transform of the middle dim of [rows, points, parts]: parts are the real and,
/// if there are two, the imaginary one. The result is [rows, outputs, 2], of an
/// inverse transform of half a spectrum [rows, outputs, 1].
struct Fourier {
  /// Number of points N; fewer given points are followed by zeros, of more the
  /// first are taken. Absent: `runTimeLength`.
  std::optional<int64_t> length;
  /// N as a rank-0 i64. Points beyond it do not count.
  mlir::Value runTimeLength;
  /// Results 0 to `outputs` - 1 are wanted.
  int64_t outputs = 0;
  bool inverse = false;
  /// The input is the first half of the spectrum of something real.
  bool fromHalf = false;

  /// Null, after a report, when the matrices would be too large.
  mlir::Value build(Node &node, mlir::Value x) const;

private:
  mlir::Value buildDirect(Node &node, mlir::Value x) const;
  mlir::Value buildSplit(Node &node, mlir::Value x, int64_t factor) const;
  mlir::Value buildRunTime(Node &node, mlir::Value x) const;
  mlir::Value completeSpectrum(Node &node, mlir::Value x) const;
  double getSign() const { return inverse ? 1 : -1; }
};

} // namespace hgc::onnx

#endif // HGC_FRONTEND_ONNX_OPS_FOURIERMATRIX_H
