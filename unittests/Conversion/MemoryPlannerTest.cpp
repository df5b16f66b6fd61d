//===- MemoryPlannerTest.cpp - offsets for intervals ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Conversion/MemoryPlanner.h"

#include <gtest/gtest.h>
#include <random>

using namespace hgc;

namespace {

/// Checks everything a plan promises, pair by pair and time by time.
void expectSound(const std::vector<BufferInterval> &buffers, const MemoryPlan &plan, int64_t alignment) {
  ASSERT_EQ(plan.offsets.size(), buffers.size());
  int64_t end = 0;
  for (size_t i = 0; i < buffers.size(); ++i) {
    EXPECT_GE(plan.offsets[i], 0);
    EXPECT_EQ(plan.offsets[i] % alignment, 0);
    end = std::max(end, plan.offsets[i] + buffers[i].bytes);
    for (size_t j = 0; j < i; ++j) {
      bool sameTime = std::max(buffers[i].first, buffers[j].first) <= std::min(buffers[i].last, buffers[j].last);
      bool sameBytes = std::max(plan.offsets[i], plan.offsets[j]) <
                       std::min(plan.offsets[i] + buffers[i].bytes, plan.offsets[j] + buffers[j].bytes);
      EXPECT_FALSE(sameTime && sameBytes) << "buffers " << i << " and " << j;
    }
  }
  EXPECT_GE(plan.bytes, end);
  EXPECT_LT(plan.bytes - end, alignment);

  int64_t most = 0;
  for (const BufferInterval &at : buffers) {
    int64_t live = 0;
    for (const BufferInterval &other : buffers)
      if (other.first <= at.first && at.first <= other.last)
        live += (other.bytes + alignment - 1) / alignment * alignment;
    most = std::max(most, live);
  }
  EXPECT_EQ(plan.lowerBound, most);
  EXPECT_GE(plan.bytes, plan.lowerBound);
}

TEST(MemoryPlanner, NothingNeedsNothing) {
  MemoryPlan plan = planMemory({});
  EXPECT_EQ(plan.bytes, 0);
  EXPECT_EQ(plan.lowerBound, 0);
}

TEST(MemoryPlanner, ChainTakesTwoBuffers) {
  std::vector<BufferInterval> chain;
  for (int64_t i = 0; i < 10; ++i)
    chain.push_back({1000, i, i + 1});
  MemoryPlan plan = planMemory(chain);
  expectSound(chain, plan, 64);
  EXPECT_EQ(plan.bytes, 2 * 1024);
}

TEST(MemoryPlanner, TouchingEndsOverlap) {
  // Last use of one and first use of the other are the same op.
  MemoryPlan plan = planMemory({{64, 0, 3}, {64, 3, 5}});
  EXPECT_NE(plan.offsets[0], plan.offsets[1]);
}

TEST(MemoryPlanner, EmptyBuffersTakeNoPlace) {
  std::vector<BufferInterval> buffers = {{0, 0, 9}, {128, 0, 9}, {0, 0, 9}};
  MemoryPlan plan = planMemory(buffers);
  expectSound(buffers, plan, 64);
  EXPECT_EQ(plan.bytes, 128);
}

TEST(MemoryPlanner, PicksTheSmallestGapThatFits) {
  // Between four long-lived buffers two gaps open, of 128 and of 64 bytes; the
  // small late buffer belongs into the second.
  std::vector<BufferInterval> buffers = {{1024, 0, 9}, {128, 0, 1}, {960, 0, 9}, {64, 0, 1}, {896, 0, 9}, {64, 5, 6}};
  MemoryPlan plan = planMemory(buffers);
  expectSound(buffers, plan, 64);
  EXPECT_EQ(plan.bytes, plan.lowerBound);
}

TEST(MemoryPlanner, HonoursOtherAlignments) {
  std::vector<BufferInterval> buffers = {{1, 0, 1}, {257, 0, 1}, {5000, 1, 2}};
  MemoryPlan plan = planMemory(buffers, 256);
  expectSound(buffers, plan, 256);
}

TEST(MemoryPlanner, IsDeterministic) {
  std::vector<BufferInterval> buffers;
  for (int64_t i = 0; i < 40; ++i)
    buffers.push_back({64 * (1 + i % 5), i / 2, i / 2 + i % 7});
  EXPECT_EQ(planMemory(buffers).offsets, planMemory(buffers).offsets);
}

TEST(MemoryPlanner, RandomSetsAreSound) {
  std::mt19937_64 random(7);
  auto below = [&](int64_t limit) { return static_cast<int64_t>(random() % limit); };
  double total = 0, bound = 0;
  for (int round = 0; round < 300; ++round) {
    std::vector<BufferInterval> buffers(1 + below(40));
    for (BufferInterval &buffer : buffers) {
      buffer.bytes = below(8) == 0 ? 0 : 1 + below(4096);
      buffer.first = below(60);
      buffer.last = buffer.first + below(round % 2 ? 5 : 40);
    }
    MemoryPlan plan = planMemory(buffers);
    expectSound(buffers, plan, 64);
    total += plan.bytes;
    bound += plan.lowerBound;
  }
  // Random sets are harder than networks; even there the mean waste is small.
  EXPECT_LT(total, 1.10 * bound);
}

/// Smallest arena over all orders of first-fit placement; small sets only.
int64_t findOptimum(const std::vector<BufferInterval> &buffers) {
  std::vector<size_t> order(buffers.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  int64_t best = INT64_MAX;
  do {
    std::vector<int64_t> offsets(buffers.size(), -1);
    int64_t end = 0;
    for (size_t index : order) {
      int64_t offset = 0;
      for (bool moved = true; moved;) {
        moved = false;
        for (size_t other = 0; other < buffers.size(); ++other)
          if (offsets[other] >= 0 && buffers[other].overlaps(buffers[index]) &&
              offset < offsets[other] + buffers[other].bytes && offsets[other] < offset + buffers[index].bytes) {
            offset = offsets[other] + buffers[other].bytes;
            moved = true;
          }
      }
      offsets[index] = offset;
      end = std::max(end, offset + buffers[index].bytes);
    }
    best = std::min(best, end);
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

TEST(MemoryPlanner, IsCloseToTheOptimumOfSmallSets) {
  std::mt19937_64 random(11);
  auto below = [&](int64_t limit) { return static_cast<int64_t>(random() % limit); };
  int optimal = 0;
  for (int round = 0; round < 100; ++round) {
    std::vector<BufferInterval> buffers(6);
    for (BufferInterval &buffer : buffers) {
      buffer.bytes = 64 * (1 + below(8));
      buffer.first = below(8);
      buffer.last = buffer.first + below(4);
    }
    int64_t best = findOptimum(buffers);
    MemoryPlan plan = planMemory(buffers);
    EXPECT_LE(plan.lowerBound, best);
    EXPECT_LE(plan.bytes, best * 3 / 2);
    optimal += plan.bytes == best;
  }
  EXPECT_GE(optimal, 90);
}

TEST(MemoryPlanner, KeepsApartWhatIsNotWaitedFor) {
  // One after the other in time; the first and the last run on streams that do
  // not wait for each other.
  std::vector<BufferInterval> buffers = {{64, 0, 1}, {64, 2, 3}, {64, 4, 5}};
  auto conflict = [](size_t a, size_t b) { return a + b == 2 && a != b; };
  MemoryPlan plan = planMemory(buffers, 64, conflict);
  EXPECT_NE(plan.offsets[0], plan.offsets[2]);
  EXPECT_EQ(plan.bytes, 128);
  EXPECT_EQ(plan.lowerBound, 64);
  EXPECT_EQ(planMemory(buffers).bytes, 64);
}

} // namespace
