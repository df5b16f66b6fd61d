//===- Resample.h - interpolation along one dim -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Coordinates and weights are f32 values of the graph: constants once they are
// evaluated, unless the scales are known only at run time. ONNX does not tell their
// precision; in f32 the nearest elements are those that ONNX Runtime takes.
//===----------------------------------------------------------------------===//

#ifndef HGC_FRONTEND_ONNX_OPS_RESAMPLE_H
#define HGC_FRONTEND_ONNX_OPS_RESAMPLE_H

#include "Indexing.h"

namespace hgc::onnx {

/// The function that weighs the neighbours of a point.
enum class Kernel { Nearest, Linear, Cubic };

struct ResampleMode {
  Kernel kernel = Kernel::Nearest;
  /// Coordinate transformation and rounding by their names in the specification;
  /// the rounding `simple` is that of ops before opset 11.
  llvm::StringRef transform, rounding;
  double cubicFactor = -0.75;
  bool antialias = false, excludeOutside = false;
};

/// One dim of a resize from extent `from` to `to`. Scale, exact size of the
/// result and the region of interest are scalars.
struct ResampleAxis {
  int64_t dim, from, to;
  mlir::Value scale, width, roiStart, roiEnd;
};

/// Weights of neighbours at these distances from a point.
mlir::Value weightAt(Builder &b, Kernel kernel, mlir::Value distance, double cubicFactor);

/// Coordinates in the input of the result's elements along the axis.
mlir::Value getCoordinates(Builder &b, const ResampleMode &mode, const ResampleAxis &axis);

/// Interpolates `value` at coordinates along the axis.
mlir::Value resample(Builder &b, mlir::Value value, const ResampleMode &mode, const ResampleAxis &axis,
                     mlir::Value coordinates);

} // namespace hgc::onnx

#endif // HGC_FRONTEND_ONNX_OPS_RESAMPLE_H
