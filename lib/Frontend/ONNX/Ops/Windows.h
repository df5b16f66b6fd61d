//===- Windows.h - sliding windows of convolutions and pools ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_FRONTEND_ONNX_OPS_WINDOWS_H
#define HGC_FRONTEND_ONNX_OPS_WINDOWS_H

#include "Indexing.h"

namespace hgc::onnx {

/// A sliding window with `auto_pad` and `ceil_mode` resolved: one entry per
/// spatial dim in each list.
struct SlidingWindow {
  Extents input, kernel, strides, dilations, low, high;
  /// Extents of the result.
  Extents output;

  int64_t getRank() const { return kernel.size(); }
  /// Elements from the first to the last one the window reads.
  int64_t getReach(int64_t dim) const { return dilations[dim] * (kernel[dim] - 1) + 1; }
  /// Elements all windows of a transposed convolution reach, before pads.
  int64_t getFull(int64_t dim) const { return strides[dim] * (input[dim] - 1) + getReach(dim); }
  /// Low pads, then high pads.
  Extents getPads() const;
  /// Pads so that the last window ends inside: `ceil_mode` may let it hang over.
  Extents getCoveringPads() const;
  /// Whether some window of `dim` lies in the padding as a whole.
  bool hasEmptyWindow(int64_t dim) const;
};

/// Spatial extents of data of the form [N, C, spatial...]; fails (reported) when
/// hgc has no op of that many dims.
llvm::FailureOr<Extents> getSpatialExtents(Node &node, mlir::Value data);

/// Fails (reported) unless data has the form [N, C, ...].
llvm::LogicalResult checkChannels(Node &node, mlir::Value data);

/// The list `name` of a window attribute with `count` entries, all `otherwise`
/// when it is absent; fails (reported) for another number of entries.
llvm::FailureOr<Extents> getWindowList(Node &node, llvm::StringRef name, int64_t count, int64_t otherwise);

/// The window of a pool over `data`.
llvm::FailureOr<SlidingWindow> getPoolWindow(Node &node, mlir::Value data);

/// The window of a convolution of `data` with `filter`.
llvm::FailureOr<SlidingWindow> getFilterWindow(Node &node, mlir::Value data, mlir::Value filter);

/// The window of a node of op ConvTranspose.
llvm::FailureOr<SlidingWindow> getTransposedWindow(Node &node, mlir::Value data, mlir::Value filter);

/// The least number of a type; floats have minus infinity.
mlir::Value lowest(Node &node, mlir::Type element);

} // namespace hgc::onnx

#endif // HGC_FRONTEND_ONNX_OPS_WINDOWS_H
