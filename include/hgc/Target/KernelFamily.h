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
  Copy,
  Gemm,
  Conv,
  Depthwise,
  Reduction,
  Columns,
  Rows,
  Pool,
  Ordering,
  Scatter,
  Attention
};
inline constexpr size_t kKernelFamilies = 13;

/// Their names in a device table.
inline constexpr const char *kKernelFamilyNames[kKernelFamilies] = {
    "pointwise", "moving", "copy", "gemm",     "conv",    "depthwise", "reduction",
    "columns",   "rows",   "pool", "ordering", "scatter", "attention"};

} // namespace hgc

#endif // HGC_TARGET_KERNELFAMILY_H
