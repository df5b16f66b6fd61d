//===- VectorClock.h - what is ordered before what ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every stream has a slot and counts its operations (ticks). The clock of an
// operation, or of the host, holds for each slot the last tick known to be
// finished before it.
//
//===----------------------------------------------------------------------===//
#ifndef HGC_EMU_VECTOR_CLOCK_H
#define HGC_EMU_VECTOR_CLOCK_H

#include <algorithm>
#include <cstdint>
#include <vector>

namespace hgc::emu::driver {

class VectorClock {
public:
  uint64_t at(unsigned slot) const {
    return slot < ticks.size() ? ticks[slot] : 0;
  }
  void set(unsigned slot, uint64_t tick) {
    if (slot >= ticks.size())
      ticks.resize(slot + 1);
    ticks[slot] = tick;
  }
  /// After this, everything before `other` is before this clock as well.
  void join(const VectorClock &other) {
    if (ticks.size() < other.ticks.size())
      ticks.resize(other.ticks.size());
    for (size_t i = 0; i < other.ticks.size(); ++i)
      ticks[i] = std::max(ticks[i], other.ticks[i]);
  }
  bool covers(unsigned slot, uint64_t tick) const { return at(slot) >= tick; }

private:
  std::vector<uint64_t> ticks;
};

} // namespace hgc::emu::driver

#endif // HGC_EMU_VECTOR_CLOCK_H
