//===- Roofline.h - the longer of computing and moving ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_TARGET_ROOFLINE_H
#define HGC_LIB_TARGET_ROOFLINE_H

#include "dialects/Graph/Cost.h"

#include <algorithm>
#include <cmath>

namespace hgc::detail {

/// Picoseconds of `cost` at `rates` operations and `bandwidth` bytes a second.
inline int64_t estimateRoofline(const std::array<double, graph::kFlopClasses> &rates, double bandwidth,
                                const graph::OpCost &cost) {
  double compute = 0;
  for (size_t i = 0; i < graph::kFlopClasses; ++i)
    if (cost.flops[i] > 0)
      compute += static_cast<double>(cost.flops[i]) / rates[i];
  double bytes = static_cast<double>(cost.bytesRead) + static_cast<double>(cost.bytesWritten);
  double picoseconds = std::ceil(std::max(compute, bytes / bandwidth) * 1e12);
  constexpr double most = 9.2e18; // just below the largest int64
  return static_cast<int64_t>(std::min(picoseconds, most));
}

} // namespace hgc::detail

#endif // HGC_LIB_TARGET_ROOFLINE_H
