//===- Random.h - reproducible random numbers -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Philox4x32-10 is a function from (counter, key) to 128 bits, without state:
// element i of a tensor depends on the seed and on i alone, so that values are
// the same in any order, on any number of threads, and in the runtime.
//
//   key     = (low 32 bits of seed, high 32 bits)
//   counter = (low 32 bits of i, high 32 bits, attempt, 0)
//   uniform = top 53 bits of (word0 << 32 | word1), times 2^-53: in [0, 1)
//   normal  = sqrt(-2 ln(1 - uniform)) * cos(2 pi uniform'), uniform' likewise
//             from words 2 and 3
//
// `attempt` is 0; a truncated normal counts it up until the draw is accepted.
//===----------------------------------------------------------------------===//

#ifndef HGC_SUPPORT_RANDOM_H
#define HGC_SUPPORT_RANDOM_H

#include "dialects/Graph/Eval/HostTensor.h"
#include "dialects/Graph/Philox.h"

#include <array>
#include <cstdint>

namespace hgc {

/// Random numbers of one seed, addressed by element.
class Philox {
public:
  explicit Philox(uint64_t seed) : key{static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)} {}

  /// Uniform in [0, 1).
  double uniform(uint64_t index) const;
  /// Normal with mean 0 and deviation 1.
  double normal(uint64_t index) const;
  /// As normal(), redrawn until it lies within two deviations.
  double truncatedNormal(uint64_t index) const;
  /// 64 uniform bits.
  uint64_t bits(uint64_t index) const;

private:
  double normal(uint64_t index, uint32_t attempt) const;
  PhiloxBlock draw(uint64_t index, uint32_t attempt) const;

  std::array<uint32_t, 2> key;
};

/// Test data: floats uniform in [-1, 1); i1 a fair coin; 8-bit integers over
/// their whole range; wider ones in [-100, 100], unsigned in [0, 200].
HostTensor makeRandomTensor(mlir::Type element, llvm::ArrayRef<int64_t> shape, uint64_t seed);

/// Integers from `least` to below `end`, which is more.
HostTensor makeRandomIntegers(mlir::Type element, llvm::ArrayRef<int64_t> shape, uint64_t seed, int64_t least,
                              int64_t end);

} // namespace hgc

#endif // HGC_SUPPORT_RANDOM_H
