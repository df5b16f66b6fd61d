//===- Shuffle.cpp - random order without a table -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A Feistel network permutes the numbers of 2 * halfBits bits, whatever its
// round function is. What falls beyond the rows is permuted again until it does
// not; as at most three of four numbers are beyond, that ends soon.
//===----------------------------------------------------------------------===//

#include "hgc/Data/Shuffle.h"

#include "hgc/Support/Random.h"

using namespace hgc;

Shuffle::Shuffle(uint64_t count, uint64_t seed, uint64_t epoch) : count(count) {
  while (halfBits < 32 && (uint64_t(1) << (2 * halfBits)) < count)
    ++halfBits;
  Philox philox(seed);
  for (int round = 0; round < kRounds; ++round)
    keys[round] = philox.bits(epoch * kRounds + round);
}

uint64_t Shuffle::scramble(uint64_t value) const {
  uint64_t mask = (uint64_t(1) << halfBits) - 1;
  uint64_t left = value >> halfBits, right = value & mask;
  for (uint64_t key : keys) {
    uint64_t mixed = (right + key) * 0x9E3779B97F4A7C15u;
    mixed = (mixed ^ (mixed >> 29)) * 0xD1B54A32D192ED03u;
    left ^= (mixed >> 32) & mask;
    std::swap(left, right);
  }
  return left << halfBits | right;
}

uint64_t Shuffle::operator()(uint64_t position) const {
  do
    position = scramble(position);
  while (position >= count);
  return position;
}
