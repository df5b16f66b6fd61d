//===- MoveData.h - data of loads and stores ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory holds values side by side, registers hold lanes side by side. The
// common shapes of accesses have loops without gathers.
//
//===----------------------------------------------------------------------===//
#ifndef HGC_EMU_MOVE_DATA_H
#define HGC_EMU_MOVE_DATA_H

#include "Access.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace hgc::emu {

#if defined(__AVX2__)
/// Eight lanes of four 32-bit values each: a transposition.
inline void loadQuads(const uint8_t *origin, const uint64_t *address,
                      uint32_t *const (&d)[4], unsigned lane) {
  auto pair = [&](unsigned i) {
    const __m128i low = _mm_loadu_si128(
        reinterpret_cast<const __m128i *>(origin + address[lane + i]));
    const __m128i high = _mm_loadu_si128(
        reinterpret_cast<const __m128i *>(origin + address[lane + i + 4]));
    return _mm256_set_m128i(high, low);
  };
  __m256i a = pair(0), b = pair(1), c = pair(2), e = pair(3);
  __m256i ab0 = _mm256_unpacklo_epi32(a, b), ab1 = _mm256_unpackhi_epi32(a, b);
  __m256i ce0 = _mm256_unpacklo_epi32(c, e), ce1 = _mm256_unpackhi_epi32(c, e);
  auto put = [&](unsigned v, __m256i value) {
    _mm256_store_si256(reinterpret_cast<__m256i *>(d[v] + lane), value);
  };
  put(0, _mm256_unpacklo_epi64(ab0, ce0));
  put(1, _mm256_unpackhi_epi64(ab0, ce0));
  put(2, _mm256_unpacklo_epi64(ab1, ce1));
  put(3, _mm256_unpackhi_epi64(ab1, ce1));
}
#endif

template <class T, unsigned V>
inline void loadLanes(const uint8_t *origin, const Access &access,
                      T *const (&d)[V]) {
  const uint64_t *address = access.address;
  if (access.mask != ~0u) {
    HGC_EMU_ACTIVE(access.mask)
    for (unsigned v = 0; v < V; ++v)
      std::memcpy(d[v] + i, origin + address[i] + v * sizeof(T), sizeof(T));
    return;
  }
  if (access.pattern->uniform) {
    for (unsigned v = 0; v < V; ++v) {
      T value;
      std::memcpy(&value, origin + access.first + v * sizeof(T), sizeof(T));
      T *target = d[v];
      HGC_EMU_LANES target[i] = value;
    }
    return;
  }
  if constexpr (V == 1)
    if (access.pattern->contiguous) {
      std::memcpy(d[0], origin + access.first, lanes * sizeof(T));
      return;
    }
#if defined(__AVX2__)
  if constexpr (V == 4 && sizeof(T) == 4) {
    for (unsigned lane = 0; lane < lanes; lane += 8)
      loadQuads(origin, address, d, lane);
    return;
  }
#endif
  for (unsigned i = 0; i < lanes; ++i)
    for (unsigned v = 0; v < V; ++v)
      std::memcpy(d[v] + i, origin + address[i] + v * sizeof(T), sizeof(T));
}

template <class T, unsigned V>
inline void storeLanes(uint8_t *origin, const Access &access,
                       const T *const (&s)[V]) {
  if constexpr (V == 1)
    if (access.pattern->contiguous) {
      std::memcpy(origin + access.first, s[0], lanes * sizeof(T));
      return;
    }
  HGC_EMU_ACTIVE(access.mask)
  for (unsigned v = 0; v < V; ++v)
    std::memcpy(origin + access.address[i] + v * sizeof(T), s[v] + i,
                sizeof(T));
}

} // namespace hgc::emu

#endif // HGC_EMU_MOVE_DATA_H
