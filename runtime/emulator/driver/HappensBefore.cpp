//===- HappensBefore.cpp - conflicting accesses without an order ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "HappensBefore.h"

using namespace hgc::emu::driver;

void AccessHistory::split(uint64_t at) {
  auto it = map.upper_bound(at);
  if (it == map.begin())
    return;
  --it;
  if (it->first == at || it->second.end <= at)
    return;
  Segment right = it->second;
  it->second.end = at;
  map.emplace_hint(std::next(it), at, std::move(right));
}

std::optional<Conflict> AccessHistory::conflictIn(uint64_t begin,
                                                  const Segment &segment,
                                                  bool write,
                                                  const VectorClock &clock) {
  const std::optional<Stamp> &last = segment.write;
  if (last && !clock.covers(last->slot, last->tick))
    return Conflict{*last, true, begin, segment.end};
  if (write)
    for (const Stamp &read : segment.reads)
      if (!clock.covers(read.slot, read.tick))
        return Conflict{read, false, begin, segment.end};
  return std::nullopt;
}

void AccessHistory::addRead(Segment &segment, const Stamp &who) {
  for (Stamp &read : segment.reads) {
    if (read.slot != who.slot)
      continue;
    if (read.tick < who.tick)
      read = who;
    return;
  }
  segment.reads.push_back(who);
}

std::optional<Conflict> AccessHistory::access(uint64_t begin, uint64_t end,
                                              bool write, const Stamp &who,
                                              const VectorClock &clock) {
  if (begin >= end)
    return std::nullopt;
  split(begin);
  split(end);
  std::optional<Conflict> found;
  auto it = map.lower_bound(begin);
  for (auto walk = it; walk != map.end() && walk->first < end && !found; ++walk)
    found = conflictIn(walk->first, walk->second, write, clock);
  if (write) {
    while (it != map.end() && it->first < end)
      it = map.erase(it);
    map.emplace_hint(it, begin, Segment{end, who, {}});
    return found;
  }
  uint64_t at = begin;
  while (at < end) {
    if (it != map.end() && it->first == at) {
      addRead(it->second, who);
      at = it->second.end;
      ++it;
      continue;
    }
    uint64_t gapEnd = it != map.end() ? std::min(it->first, end) : end;
    map.emplace_hint(it, at, Segment{gapEnd, std::nullopt, {who}});
    at = gapEnd;
  }
  return found;
}

std::optional<Conflict>
AccessHistory::unfinished(uint64_t begin, uint64_t end,
                          const VectorClock &clock) const {
  auto it = map.upper_bound(begin);
  if (it != map.begin() && std::prev(it)->second.end > begin)
    --it;
  for (; it != map.end() && it->first < end; ++it)
    if (auto found = conflictIn(it->first, it->second, true, clock))
      return found;
  return std::nullopt;
}

void AccessHistory::forget(uint64_t begin, uint64_t end) {
  split(begin);
  split(end);
  auto it = map.lower_bound(begin);
  while (it != map.end() && it->first < end)
    it = map.erase(it);
}

void AccessHistory::prune(const VectorClock &clock) {
  for (auto it = map.begin(); it != map.end();) {
    Segment &segment = it->second;
    auto covered = [&](const Stamp &s) { return clock.covers(s.slot, s.tick); };
    if (segment.write && covered(*segment.write))
      segment.write.reset();
    segment.reads.erase(
        std::remove_if(segment.reads.begin(), segment.reads.end(), covered),
        segment.reads.end());
    it =
        segment.write || !segment.reads.empty() ? std::next(it) : map.erase(it);
  }
}
