//===- MemoryPlanner.cpp - greedy best fit --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finding the smallest arena is NP-hard. Best fit in order of size is within a
// few per cent of the bound on networks, and usually meets it.
//===----------------------------------------------------------------------===//

#include "hgc/Conversion/MemoryPlanner.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <map>
#include <tuple>

using namespace hgc;

namespace {

/// Bytes [begin, end) that are taken.
struct Range {
  int64_t begin, end;
};

/// Offset of the smallest gap between `taken` that holds `bytes`; past the last
/// range when there is none.
int64_t findBestGap(llvm::SmallVectorImpl<Range> &taken, int64_t bytes) {
  llvm::sort(taken, [](const Range &a, const Range &b) { return a.begin < b.begin; });
  int64_t cursor = 0, best = -1, bestSize = 0;
  for (const Range &range : taken) {
    int64_t gap = range.begin - cursor;
    if (gap >= bytes && (best < 0 || gap < bestSize)) {
      best = cursor;
      bestSize = gap;
    }
    cursor = std::max(cursor, range.end);
  }
  return best < 0 ? cursor : best;
}

/// Places the intervals in the given order.
MemoryPlan placeInOrder(llvm::ArrayRef<BufferInterval> intervals, llvm::ArrayRef<size_t> order, int64_t alignment,
                        llvm::function_ref<bool(size_t, size_t)> conflict) {
  MemoryPlan plan;
  plan.offsets.assign(intervals.size(), 0);
  llvm::SmallVector<size_t> placed;
  llvm::SmallVector<Range> taken;
  for (size_t index : order) {
    int64_t bytes = alignTo(intervals[index].bytes, alignment);
    // An empty buffer is nowhere in the way; it keeps offset 0.
    if (bytes == 0)
      continue;
    taken.clear();
    for (size_t other : placed)
      if (intervals[other].overlaps(intervals[index]) || (conflict && conflict(other, index)))
        taken.push_back({plan.offsets[other], plan.offsets[other] + alignTo(intervals[other].bytes, alignment)});
    plan.offsets[index] = findBestGap(taken, bytes);
    plan.bytes = std::max(plan.bytes, plan.offsets[index] + bytes);
    placed.push_back(index);
  }
  return plan;
}

} // namespace

int64_t hgc::computeMaxLiveBytes(llvm::ArrayRef<BufferInterval> intervals, int64_t alignment) {
  // At each time the bytes that come into use, less those that went out.
  std::map<int64_t, int64_t> change;
  for (const BufferInterval &interval : intervals) {
    int64_t bytes = alignTo(interval.bytes, alignment);
    change[interval.first] += bytes;
    change[interval.last + 1] -= bytes;
  }
  int64_t live = 0, most = 0;
  for (auto [time, bytes] : change) {
    live += bytes;
    most = std::max(most, live);
  }
  return most;
}

MemoryPlan hgc::planMemory(llvm::ArrayRef<BufferInterval> intervals, int64_t alignment,
                           llvm::function_ref<bool(size_t, size_t)> conflict) {
  auto bySize = [&](size_t a, size_t b) {
    const BufferInterval &x = intervals[a], &y = intervals[b];
    return std::tuple(-x.bytes, x.first, a) < std::tuple(-y.bytes, y.first, b);
  };
  auto byArea = [&](size_t a, size_t b) {
    auto area = [&](size_t i) {
      return static_cast<double>(intervals[i].bytes) * (intervals[i].last - intervals[i].first + 1);
    };
    return std::tuple(-area(a), a) < std::tuple(-area(b), b);
  };
  auto byTime = [&](size_t a, size_t b) {
    const BufferInterval &x = intervals[a], &y = intervals[b];
    return std::tuple(x.first, -x.bytes, a) < std::tuple(y.first, -y.bytes, b);
  };

  llvm::SmallVector<size_t> order = llvm::to_vector(llvm::seq<size_t>(0, intervals.size()));
  int64_t lowerBound = computeMaxLiveBytes(intervals, alignment);
  llvm::sort(order, bySize);
  MemoryPlan best = placeInOrder(intervals, order, alignment, conflict);
  auto tryOrder = [&](auto compare) {
    if (best.bytes == lowerBound)
      return;
    llvm::sort(order, compare);
    MemoryPlan plan = placeInOrder(intervals, order, alignment, conflict);
    if (plan.bytes < best.bytes)
      best = std::move(plan);
  };
  tryOrder(byArea);
  tryOrder(byTime);
  best.lowerBound = lowerBound;
  return best;
}
