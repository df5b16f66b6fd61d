//===- HappensBefore.h - conflicting accesses without an order ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Remembers for each byte of device and host memory its last write and the
// reads since then. Operations arrive in an order that respects all
// dependencies; two accesses of which one writes must then be ordered by
// vector clocks, or the program has a race, whatever the schedule showed.
//
//===----------------------------------------------------------------------===//
#ifndef HGC_EMU_HAPPENS_BEFORE_H
#define HGC_EMU_HAPPENS_BEFORE_H

#include "VectorClock.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hgc::emu::driver {

/// Who accessed memory: a tick of a slot, and its name for messages.
struct Stamp {
  unsigned slot = 0;
  uint64_t tick = 0;
  std::shared_ptr<const std::string> who;
};

/// An earlier access that nothing orders before the new one.
struct Conflict {
  Stamp other;
  bool otherWrote = false;
  uint64_t begin = 0, end = 0;
};

/// Accesses to all memory, device and host: the addresses are disjoint.
class AccessHistory {
public:
  /// Records an access and returns its first conflict.
  std::optional<Conflict> access(uint64_t begin, uint64_t end, bool write,
                                 const Stamp &who, const VectorClock &clock);
  /// An access to the range that `clock` does not cover.
  std::optional<Conflict> unfinished(uint64_t begin, uint64_t end,
                                     const VectorClock &clock) const;
  /// Drops what is known of a range that was freed.
  void forget(uint64_t begin, uint64_t end);
  /// Drops all accesses `clock` covers: none can conflict any more with an
  /// operation whose clock includes this one.
  void prune(const VectorClock &clock);
  size_t segments() const { return map.size(); }

private:
  struct Segment {
    uint64_t end = 0;
    std::optional<Stamp> write;
    std::vector<Stamp> reads; ///< At most one per slot.
  };
  using Map = std::map<uint64_t, Segment>;

  /// Makes `at` a boundary of segments.
  void split(uint64_t at);
  static std::optional<Conflict> conflictIn(uint64_t begin, const Segment &,
                                            bool write, const VectorClock &);
  static void addRead(Segment &segment, const Stamp &who);

  Map map;
};

} // namespace hgc::emu::driver

#endif // HGC_EMU_HAPPENS_BEFORE_H
