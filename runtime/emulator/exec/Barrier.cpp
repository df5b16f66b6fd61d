//===- Barrier.cpp - barriers of a block, clocks of its warps -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Control.h"

#include <algorithm>

using namespace hgc::emu;

uint32_t Block::liveThreads() const {
  uint32_t count = 0;
  for (const Warp &warp : warps)
    count += __builtin_popcount(warp.alive);
  return count;
}

bool Block::complete(unsigned barrier) const {
  const Barrier &state = barriers[barrier];
  if (!state.participants)
    return false;
  if (state.expected)
    return state.arrivedWarps * lanes >= state.expected;
  return state.arrivedThreads >= liveThreads();
}

void Block::updateSafe(unsigned warp) {
  uint32_t lowest = UINT32_MAX;
  for (unsigned other = 0; other < warps.size(); ++other)
    if (other != warp)
      lowest = std::min(lowest, clock[warp][other]);
  safe[warp] = lowest;
}

/// Everyone who waited knows what all participants had done on arrival.
void Block::release(unsigned barrier) {
  Barrier &state = barriers[barrier];
  finishReduction(*this, barrier);
  uint32_t joined[maxWarps] = {};
  for (unsigned u = 0; u < warps.size(); ++u)
    if (state.participants >> u & 1) {
      for (unsigned x = 0; x < warps.size(); ++x)
        joined[x] = std::max(joined[x], clock[u][x]);
      joined[u] = std::max(joined[u], state.arrivedEpoch[u]);
    }
  for (unsigned u = 0; u < warps.size(); ++u) {
    Warp &warp = warps[u];
    size_t kept = 0;
    bool waited = false;
    for (const Waiting &waiting : warp.waiting) {
      if (waiting.barrier != barrier) {
        warp.waiting[kept++] = waiting;
        continue;
      }
      warp.others.push_back({waiting.pc, waiting.mask, false});
      waited = true;
    }
    warp.waiting.resize(kept);
    if (!waited)
      continue;
    for (unsigned x = 0; x < warps.size(); ++x)
      clock[u][x] = std::max(clock[u][x], joined[x]);
    updateSafe(u);
  }
  ++epoch;
  state = Barrier();
}
