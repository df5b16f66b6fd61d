//===- GpuKernels.h - limits of the GPU's kernels ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes that prepare kernels and the code that emits them must agree on these.
//===----------------------------------------------------------------------===//

#ifndef HGC_TARGET_GPUKERNELS_H
#define HGC_TARGET_GPUKERNELS_H

#include <cstdint>

namespace hgc {

/// Most features (of queries, and of results) that attention in one kernel has.
inline constexpr int64_t kMostAttentionFeatures = 256;

} // namespace hgc

#endif // HGC_TARGET_GPUKERNELS_H
