//===- EvalWindow.h - loops of sliding windows ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to dialects/Graph/Eval.
//===----------------------------------------------------------------------===//

#ifndef HGC_GRAPH_EVAL_EVALWINDOW_H
#define HGC_GRAPH_EVAL_EVALWINDOW_H

#include "dialects/Graph/Eval/EvalContext.h"
#include "dialects/Graph/Infer.h"

namespace hgc::graph {

/// Canonical extents of a window op on the channels-last value `input`.
llvm::FailureOr<ConvShape> getWindowShape(mlir::Operation *op, const HostTensor &input, int64_t outChannels,
                                          const WindowAttrs &attrs, EvalContext &context);

/// Channels-last shape of the result.
llvm::SmallVector<int64_t> getOutputShape(const ConvShape &shape);

/// Calls `fn(n, d, h, w)` for every output pixel in row-major order.
template <typename Fn> void forEachOutput(const ConvShape &shape, Fn &&fn) {
  for (int64_t n = 0; n < shape.batch; ++n)
    for (int64_t d = 0; d < shape.spatial[0].output; ++d)
      for (int64_t h = 0; h < shape.spatial[1].output; ++h)
        for (int64_t w = 0; w < shape.spatial[2].output; ++w)
          fn(n, d, h, w);
}

/// Calls `fn(pixel, tap)` for every element of the window at output (d, h, w)
/// that lies inside the input: its pixel in the image, its number in the window.
template <typename Fn> void forEachTap(const ConvShape &shape, int64_t d, int64_t h, int64_t w, Fn &&fn) {
  auto at = [](const WindowDim &dim, int64_t out, int64_t tap) {
    return out * dim.stride - dim.padLow + tap * dim.dilation;
  };
  auto isInside = [](const WindowDim &dim, int64_t i) { return i >= 0 && i < dim.input; };
  const auto &[depth, height, width] = shape.spatial;
  for (int64_t kd = 0; kd < depth.window; ++kd) {
    int64_t id = at(depth, d, kd);
    if (!isInside(depth, id))
      continue;
    for (int64_t kh = 0; kh < height.window; ++kh) {
      int64_t ih = at(height, h, kh);
      if (!isInside(height, ih))
        continue;
      for (int64_t kw = 0; kw < width.window; ++kw) {
        int64_t iw = at(width, w, kw);
        if (isInside(width, iw))
          fn((id * height.input + ih) * width.input + iw, (kd * height.window + kh) * width.window + kw);
      }
    }
  }
}

} // namespace hgc::graph

#endif // HGC_GRAPH_EVAL_EVALWINDOW_H
