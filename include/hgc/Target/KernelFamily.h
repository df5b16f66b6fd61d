//===- KernelFamily.h - kinds of kernels ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_TARGET_KERNELFAMILY_H
#define HGC_TARGET_KERNELFAMILY_H

#include <array>
#include <cstddef>

namespace hgc {

/// Kinds of kernels that come near their roofline by different degrees.
enum class KernelFamily {
  Pointwise,
  Moving,
  Gemm,
  Conv,
  Depthwise,
  Reduction,
  Rows,
  Pool,
  Ordering,
  Scatter,
  Attention
};
inline constexpr size_t kKernelFamilies = 11;

/// Their names in a device table.
inline constexpr const char *kKernelFamilyNames[kKernelFamilies] = {"pointwise", "moving",    "gemm",     "conv",
                                                                    "depthwise", "reduction", "rows",     "pool",
                                                                    "ordering",  "scatter",   "attention"};

} // namespace hgc

#endif // HGC_TARGET_KERNELFAMILY_H
