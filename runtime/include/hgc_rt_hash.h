/*===- hgc_rt_hash.h - content hash of weights files ------------------------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The compiler writes the hash into the model, the runtime compares it. Four
 * independent multiply-xor lanes of 8-byte words run at memory speed. It finds
 * stale, foreign and damaged files; it is no protection against an attacker.
 *===----------------------------------------------------------------------===*/
#ifndef HGC_RT_HASH_H
#define HGC_RT_HASH_H

#include <stddef.h>
#include <stdint.h>

/** Little-endian word at `p`, of `n` <= 8 bytes; missing ones are zero. */
static inline uint64_t hgc_rt_hash_word(const unsigned char *p, size_t n) {
  uint64_t w = 0;
  size_t i;
  if (n == 8) { /* One load; both supported machines are little-endian. */
    __builtin_memcpy(&w, p, 8);
    return w;
  }
  for (i = 0; i < n; ++i)
    w |= (uint64_t)p[i] << (8 * i);
  return w;
}

/** One step of a lane. */
static inline uint64_t hgc_rt_hash_mix(uint64_t lane, uint64_t word) {
  lane = (lane ^ word) * UINT64_C(0x9E3779B97F4A7C15);
  return lane ^ (lane >> 32);
}

/** Hash of `bytes` bytes at `data`. The empty input has a hash, too. */
static inline uint64_t hgc_rt_hash64(const void *data, size_t bytes) {
  const unsigned char *p = (const unsigned char *)data;
  uint64_t lane[4] = {
      UINT64_C(0x243F6A8885A308D3), UINT64_C(0x13198A2E03707344),
      UINT64_C(0xA4093822299F31D0), UINT64_C(0x082EFA98EC4E6C89)};
  uint64_t hash = (uint64_t)bytes;
  size_t left = bytes, i;
  for (; left >= 32; left -= 32, p += 32)
    for (i = 0; i < 4; ++i)
      lane[i] = hgc_rt_hash_mix(lane[i], hgc_rt_hash_word(p + 8 * i, 8));
  for (i = 0; left > 0; ++i) {
    size_t n = left < 8 ? left : 8;
    lane[i] = hgc_rt_hash_mix(lane[i], hgc_rt_hash_word(p, n));
    left -= n;
    p += n;
  }
  for (i = 0; i < 4; ++i)
    hash = hgc_rt_hash_mix(hash, lane[i]);
  return hash;
}

#endif /* HGC_RT_HASH_H */
