//===- Pattern.cpp - shapes of a warp's accesses --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Access.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

using namespace hgc::emu;

std::string hgc::emu::hex(uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%" PRIx64, value);
  return text;
}

void hgc::emu::computeAddresses(Warp &w, int32_t op, int64_t offset,
                                bool narrow, uint32_t bytes, uint32_t mask,
                                Access &access) {
  uint64_t *out = access.address;
  if (narrow) {
    const uint32_t *a = sourceOf<uint32_t>(w, op);
    HGC_EMU_LANES out[i] = a[i] + static_cast<uint64_t>(offset);
  } else {
    const uint64_t *a = sourceOf<uint64_t>(w, op);
    HGC_EMU_LANES out[i] = a[i] + static_cast<uint64_t>(offset);
  }
  uint64_t first = out[__builtin_ctz(mask)];
  if (mask != ~0u)
    HGC_EMU_LANES out[i] = mask >> i & 1 ? out[i] : first;
  access.first = first;
  access.mask = mask;
  access.bytes = bytes;
}

/// Passes shared memory needs for lanes that ask together: a pass serves one
/// 4-byte word of each of 32 banks.
static uint32_t wavefrontsOf(const Access &access, uint32_t lanesMask) {
  uint64_t words[lanes * 4];
  unsigned count = 0;
  HGC_EMU_ACTIVE(lanesMask) {
    uint64_t begin = access.address[i] / 4;
    uint64_t end = (access.address[i] + access.bytes + 3) / 4;
    for (uint64_t word = begin; word < end && count < lanes * 4; ++word)
      words[count++] = word;
  }
  std::sort(words, words + count);
  uint32_t perBank[32] = {}, most = 0;
  for (unsigned k = 0; k < count; ++k)
    if (k == 0 || words[k] != words[k - 1])
      most = std::max(most, ++perBank[words[k] % 32]);
  return most;
}

static void countWavefronts(Pattern &p, const Access &access) {
  unsigned together = access.bytes <= 4 ? 32 : access.bytes <= 8 ? 16 : 8;
  p.wavefronts = p.idealWavefronts = 0;
  for (unsigned lane = 0; lane < lanes; lane += together) {
    uint32_t mask = together == 32 ? ~0u : ((1u << together) - 1) << lane;
    mask &= access.mask;
    if (!mask)
      continue;
    p.wavefronts += wavefrontsOf(access, mask);
    ++p.idealWavefronts;
  }
}

/// Sorts the lanes' ranges and joins those that touch.
static void findSegments(Pattern &p, const Access &access) {
  int64_t sorted[lanes];
  unsigned count = 0;
  bool ascending = true;
  HGC_EMU_ACTIVE(access.mask) {
    ascending &= count == 0 || p.delta[i] >= sorted[count - 1];
    sorted[count++] = p.delta[i];
  }
  if (!ascending)
    std::sort(sorted, sorted + count);
  p.segmentCount = 0;
  p.uniqueBytes = 0;
  p.overlap = false;
  for (unsigned k = 0; k < count; ++k) {
    int64_t begin = sorted[k], end = begin + access.bytes;
    if (p.segmentCount) {
      Segment &last = p.segments[p.segmentCount - 1];
      int64_t lastEnd = last.delta + last.bytes;
      if (begin <= lastEnd) {
        p.overlap |= begin < lastEnd;
        last.bytes = static_cast<uint32_t>(std::max(end, lastEnd) - last.delta);
        continue;
      }
    }
    p.segments[p.segmentCount++] = {begin, access.bytes};
  }
  for (unsigned k = 0; k < p.segmentCount; ++k)
    p.uniqueBytes += p.segments[k].bytes;
  p.minDelta = sorted[0];
  p.extent = sorted[count - 1] + access.bytes - sorted[0];
}

static void buildPattern(Pattern &p, const Access &access, bool shared) {
  p.mask = access.mask;
  p.bits = 0;
  bool contiguous = access.mask == ~0u, uniform = true;
  for (unsigned i = 0; i < lanes; ++i) {
    p.delta[i] = static_cast<int64_t>(access.address[i] - access.first);
    p.bits |= static_cast<uint64_t>(p.delta[i]);
    contiguous &= p.delta[i] == int64_t(i) * access.bytes;
    uniform &= p.delta[i] == 0;
  }
  p.contiguous = contiguous;
  p.uniform = uniform;
  findSegments(p, access);
  if (shared)
    countWavefronts(p, access);
}

void hgc::emu::matchPattern(Site &site, Access &access, bool shared) {
  Pattern &p = site.pattern;
  const uint64_t *address = access.address;
  const int64_t *delta = p.delta;
  uint64_t first = access.first, differs = 0;
  HGC_EMU_LANES differs |= (address[i] - first) ^ uint64_t(delta[i]);
  if (differs || p.mask != access.mask)
    buildPattern(p, access, shared);
  access.pattern = &p;
}
