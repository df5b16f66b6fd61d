//===- Philox.h - random bits of a counter ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_GRAPH_PHILOX_H
#define HGC_GRAPH_PHILOX_H

#include <array>
#include <cstdint>

namespace hgc {

using PhiloxBlock = std::array<uint32_t, 4>;

/// Constants of Philox4x32 (Salmon et al., 2011).
struct PhiloxConstants {
  static constexpr int kRounds = 10;
  static constexpr uint64_t kMultiplier0 = 0xD2511F53, kMultiplier1 = 0xCD9E8D57;
  static constexpr uint32_t kWeyl0 = 0x9E3779B9, kWeyl1 = 0xBB67AE85;
};

/// Ten rounds of Philox4x32.
inline PhiloxBlock philox4x32(PhiloxBlock counter, std::array<uint32_t, 2> key) {
  using C = PhiloxConstants;
  for (int round = 0; round < C::kRounds; ++round) {
    uint64_t product0 = C::kMultiplier0 * counter[0];
    uint64_t product1 = C::kMultiplier1 * counter[2];
    counter = {static_cast<uint32_t>(product1 >> 32) ^ counter[1] ^ key[0], static_cast<uint32_t>(product1),
               static_cast<uint32_t>(product0 >> 32) ^ counter[3] ^ key[1], static_cast<uint32_t>(product0)};
    key[0] += C::kWeyl0;
    key[1] += C::kWeyl1;
  }
  return counter;
}

} // namespace hgc

#endif // HGC_GRAPH_PHILOX_H
