//===- MemoryPlanner.h - offsets for buffers with lifetimes -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plain arithmetic: intervals of time in, byte offsets out. Knows nothing of IR.
//===----------------------------------------------------------------------===//

#ifndef HGC_CONVERSION_MEMORYPLANNER_H
#define HGC_CONVERSION_MEMORYPLANNER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>
#include <vector>

namespace hgc {

/// A buffer of `bytes` bytes in use from time `first` to time `last`, both
/// included.
struct BufferInterval {
  int64_t bytes = 0;
  int64_t first = 0;
  int64_t last = 0;

  bool overlaps(const BufferInterval &other) const { return first <= other.last && other.first <= last; }
};

/// Where each buffer lies, and how good that is.
struct MemoryPlan {
  /// One per interval, in their order; multiples of the alignment.
  std::vector<int64_t> offsets;
  /// Size of the arena.
  int64_t bytes = 0;
  /// No plan can be smaller: the most bytes in use at one time.
  int64_t lowerBound = 0;
};

/// `value` rounded up to a multiple of `alignment`.
constexpr int64_t alignTo(int64_t value, int64_t alignment) { return (value + alignment - 1) / alignment * alignment; }

/// The most bytes in use at one time, each buffer rounded up to `alignment`.
int64_t computeMaxLiveBytes(llvm::ArrayRef<BufferInterval> intervals, int64_t alignment);

/// Gives buffers that are in use at the same time disjoint bytes. Buffers are
/// placed from the largest to the smallest, each into the smallest gap between
/// its already placed contemporaries that takes it; other orders are tried when
/// that misses the lower bound, and the smallest arena wins. Deterministic.
/// Buffers whose times do not overlap are kept apart, too, where `conflict` says
/// that the end of one is not waited for.
MemoryPlan planMemory(llvm::ArrayRef<BufferInterval> intervals, int64_t alignment = 64,
                      llvm::function_ref<bool(size_t, size_t)> conflict = nullptr);

} // namespace hgc

#endif // HGC_CONVERSION_MEMORYPLANNER_H
