//===- Clock.h - virtual time ---------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Time is computed over the recorded operations in the order the host issued
// them, whatever order they ran in: every schedule gives the same clock.
// Durations come from the device table and the counters of a launch. The host
// pays for each call and waits at synchronisations.
//
//===----------------------------------------------------------------------===//
#ifndef HGC_EMU_CLOCK_H
#define HGC_EMU_CLOCK_H

#include "../exec/Launch.h"
#include "DeviceTable.h"

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace hgc::emu::driver {

struct Op;

/// Part of a device that works by itself.
class Engine {
public:
  /// Reserves `share` of the engine for `seconds` at the first time from
  /// `ready` on when that much is free; returns the begin.
  double place(double ready, double seconds, double share);
  /// Nothing will be placed before `now` any more.
  void forgetBefore(double now);

private:
  struct Busy {
    double begin, end, share;
  };
  double shareUsed(double begin, double end) const;

  std::vector<Busy> busy;
};

enum class EngineKind { None, Compute, HostToDevice, DeviceToHost, Peer };
constexpr unsigned engineKinds = 5;
using Engines = std::array<Engine, engineKinds>;

/// Fixed costs in seconds. Launches that depend on each other take 4 to 5 us
/// on real GPUs, a copy 5 to 7 us to submit.
struct Latency {
  static constexpr double call = 0.2e-6; ///< Host, of a call that only queues.
  static constexpr double launch = 2e-6; ///< Host, of a kernel launch.
  static constexpr double kernel = 3e-6; ///< From ready to running.
  static constexpr double copy = 6e-6;   ///< From ready to moving.
  static constexpr double sync = 1e-6;   ///< Host, after what it waited for.
};

/// Time an operation occupies its engine, and how much of the engine.
struct Cost {
  double seconds = 0;
  double share = 1;
};

/// Cost of a launch. `uniqueBytes` is device memory touched at least once: what
/// is touched again comes from the L2 cache.
Cost kernelCost(const DeviceTable &table, const Counters &counters,
                unsigned blocksAtOnce, uint64_t uniqueBytes);
/// Cost of `bytes` through an engine of the device.
Cost copyCost(const DeviceTable &table, EngineKind engine, uint64_t bytes);

/// Issues and waits of the host, in order.
class Timeline {
public:
  void issue(std::shared_ptr<Op> op) {
    entries.push_back({std::move(op), false});
  }
  void hostWait(std::shared_ptr<Op> op) {
    entries.push_back({std::move(op), true});
  }
  /// Times everything up to the first operation that has not run.
  void advance();
  /// The operation whose run must come first, or null when all are timed.
  std::shared_ptr<Op> blockedBy() const;
  double hostTime() const { return now; }

private:
  struct Entry {
    std::shared_ptr<Op> op;
    bool wait;
  };
  void time(Op &op);

  std::deque<Entry> entries;
  double now = 0;
};

} // namespace hgc::emu::driver

#endif // HGC_EMU_CLOCK_H
