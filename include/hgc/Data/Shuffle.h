//===- Shuffle.h - random order without a table -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_DATA_SHUFFLE_H
#define HGC_DATA_SHUFFLE_H

#include <array>
#include <cstdint>

namespace hgc {

/// A random order of `count` rows that depends on seed and epoch alone, the
/// same on every machine. Any position can be asked for, so that a run can go
/// on in the middle of an epoch.
class Shuffle {
public:
  Shuffle(uint64_t count, uint64_t seed, uint64_t epoch);

  /// The row at a position below `count`.
  uint64_t operator()(uint64_t position) const;

private:
  static constexpr int kRounds = 8;

  uint64_t scramble(uint64_t value) const;

  uint64_t count;
  unsigned halfBits = 1;
  std::array<uint64_t, kRounds> keys;
};

} // namespace hgc

#endif // HGC_DATA_SHUFFLE_H
