//===- Window.h - canonical form of convolutions and pools ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One to three spatial dims become always three (missing ones lead and are 1),
// so that evaluator, cost model and emitters are written once.
//===----------------------------------------------------------------------===//

#ifndef HGC_GRAPH_WINDOW_H
#define HGC_GRAPH_WINDOW_H

#include <array>
#include <cstdint>

namespace hgc::graph {

/// A sliding window over one dim.
struct WindowDim {
  int64_t input = 1, output = 1, window = 1;
  int64_t stride = 1, dilation = 1, padLow = 0, padHigh = 0;
};

/// Extents of a convolution or pool. For a pool, channels in = channels out.
struct ConvShape {
  int64_t batch = 1, inChannels = 1, outChannels = 1, groups = 1;
  std::array<WindowDim, 3> spatial;
  bool channelsLast = true;
  /// Spatial dims of the tensors (1 to 3).
  unsigned rank = 2;

  /// Elements of one filter and group: window volume times channels a group.
  int64_t depth() const;
  /// Output pixels of one image.
  int64_t outPixels() const;
  int64_t inPixels() const;
};

} // namespace hgc::graph

#endif // HGC_GRAPH_WINDOW_H
