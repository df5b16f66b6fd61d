//===- Infer.h - checks shared by the op families ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to dialects/Graph. Models are untrusted input: extents and attributes
// are bounded before arithmetic is done with them.
//===----------------------------------------------------------------------===//

#ifndef HGC_GRAPH_INFER_H
#define HGC_GRAPH_INFER_H

#include "dialects/Graph/GraphOps.h"

namespace hgc::graph {

/// Where an inference reports; null when it is only tried.
using MaybeLoc = std::optional<mlir::Location>;

/// Largest tensor in bytes.
inline constexpr int64_t kMaxTensorBytes = int64_t(1) << 40;

/// Largest window, stride, dilation or padding.
inline constexpr int64_t kMaxWindow = int64_t(1) << 24;

/// Product of extents; dynamic if one is, saturated instead of overflowing.
int64_t countElements(llvm::ArrayRef<int64_t> shape);

/// `shape` as text: 2x?x3.
std::string shapeToString(llvm::ArrayRef<int64_t> shape);

/// Fails unless 0 <= axis < rank.
llvm::LogicalResult checkAxis(MaybeLoc loc, int64_t axis, int64_t rank);

/// Fails unless `values` has `count` entries.
llvm::LogicalResult checkCount(MaybeLoc loc, llvm::StringRef name, llvm::ArrayRef<int64_t> values, size_t count);

/// Fails unless both tensors have the same element type.
llvm::LogicalResult checkElements(MaybeLoc loc, mlir::Type lhs, mlir::Type rhs);

/// Fails unless a static shape is within the size limit.
llvm::LogicalResult checkBytes(MaybeLoc loc, mlir::Type type);

/// Broadcasts `shape` into `result` as NumPy does.
llvm::LogicalResult broadcastShapes(MaybeLoc loc, llvm::SmallVectorImpl<int64_t> &result,
                                    llvm::ArrayRef<int64_t> shape);

/// Attributes of a sliding window; absent ones stand for ones and zeros.
struct WindowAttrs {
  llvm::ArrayRef<int64_t> window;
  std::optional<llvm::ArrayRef<int64_t>> strides, pads, dilations;

  WindowDim dim(size_t i, int64_t input) const;
};

/// Checks the attributes and gives the output extents of the spatial dims.
llvm::FailureOr<llvm::SmallVector<int64_t>> inferWindow(MaybeLoc loc, llvm::ArrayRef<int64_t> spatial,
                                                        const WindowAttrs &attrs);

/// Position of the first spatial dim and of the channel dim of rank `rank` data.
struct DataDims {
  DataDims(DataLayout layout, int64_t rank)
      : channel(layout == DataLayout::ChannelsLast ? rank - 1 : 1),
        spatial(layout == DataLayout::ChannelsLast ? 1 : 2) {}
  int64_t channel, spatial;
};

/// Canonical extents of a window op from its types and attributes.
ConvShape makeWindowShape(mlir::RankedTensorType input, mlir::RankedTensorType result, DataLayout layout,
                          const WindowAttrs &attrs);

/// Checks count and range of the attributes for `count` spatial dims.
llvm::LogicalResult checkWindow(MaybeLoc loc, const WindowAttrs &attrs, size_t count);

/// Checks the attributes of a transposed convolution and gives the extents of the
/// result's spatial dims: those `wanted`, or the smallest.
llvm::FailureOr<llvm::SmallVector<int64_t>> inferTransposedWindow(MaybeLoc loc, llvm::ArrayRef<int64_t> spatial,
                                                                  const WindowAttrs &attrs,
                                                                  std::optional<llvm::ArrayRef<int64_t>> wanted);

/// Whether both extents are static and differ.
bool differ(int64_t a, int64_t b);

/// `shape` of a filter in hwio order.
llvm::SmallVector<int64_t> toHwio(llvm::ArrayRef<int64_t> shape, FilterLayout layout);

/// Fails unless data and filter have the ranks of a convolution.
llvm::LogicalResult checkConvRanks(MaybeLoc loc, mlir::RankedTensorType input, mlir::RankedTensorType filter);

/// Fails unless `groups` divides the output channels.
llvm::LogicalResult checkGroups(MaybeLoc loc, int64_t groups, int64_t outputs);

/// Shape before packing of a filter that `hgc.pack` is said to have written.
llvm::FailureOr<llvm::SmallVector<int64_t>> inferPackedFilter(MaybeLoc loc, PackedAttr packed, FilterLayout layout,
                                                              int64_t groups, mlir::RankedTensorType input,
                                                              mlir::RankedTensorType filter);

} // namespace hgc::graph

#endif // HGC_GRAPH_INFER_H
