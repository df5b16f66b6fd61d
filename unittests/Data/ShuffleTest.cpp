//===- ShuffleTest.cpp - random order without a table ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Data/Shuffle.h"

#include "gtest/gtest.h"
#include <cmath>
#include <vector>

using namespace hgc;

TEST(ShuffleTest, IsAPermutation) {
  for (uint64_t count : {1, 2, 3, 4, 5, 16, 17, 100, 1000, 4097, 60000}) {
    Shuffle shuffle(count, 7, 3);
    std::vector<bool> seen(count);
    for (uint64_t i = 0; i < count; ++i) {
      uint64_t row = shuffle(i);
      ASSERT_LT(row, count);
      ASSERT_FALSE(seen[row]);
      seen[row] = true;
    }
  }
}

// Whatever the machine, the order is this one.
TEST(ShuffleTest, IsFixed) {
  std::vector<uint64_t> rows;
  Shuffle shuffle(10, 42, 0);
  for (uint64_t i = 0; i < 10; ++i)
    rows.push_back(shuffle(i));
  EXPECT_EQ(rows, std::vector<uint64_t>({1, 9, 4, 5, 6, 3, 7, 0, 2, 8}));
}

TEST(ShuffleTest, SeedsAndEpochsDiffer) {
  auto differ = [](const Shuffle &a, const Shuffle &b) {
    int count = 0;
    for (uint64_t i = 0; i < 1000; ++i)
      count += a(i) != b(i);
    return count;
  };
  EXPECT_GT(differ(Shuffle(1000, 1, 0), Shuffle(1000, 2, 0)), 950);
  EXPECT_GT(differ(Shuffle(1000, 1, 0), Shuffle(1000, 1, 1)), 950);
  EXPECT_EQ(differ(Shuffle(1000, 1, 1), Shuffle(1000, 1, 1)), 0);
}

// Over many epochs every row comes about equally often to every place.
TEST(ShuffleTest, IsFair) {
  constexpr int kRows = 10, kEpochs = 20000;
  int seen[kRows][kRows] = {};
  for (uint64_t epoch = 0; epoch < kEpochs; ++epoch) {
    Shuffle shuffle(kRows, 5, epoch);
    for (int i = 0; i < kRows; ++i)
      ++seen[i][shuffle(i)];
  }
  for (auto &row : seen)
    for (int count : row)
      EXPECT_NEAR(count, kEpochs / kRows, 5 * std::sqrt(kEpochs / kRows));
}
