//===- Scheduler.h - operations, and when they run ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stream operation is recorded with everything it depends on and runs when
// the schedule says: lazily (only when the host needs it), eagerly, or in an
// order drawn from a seed among those the dependencies allow.
//
//===----------------------------------------------------------------------===//
#ifndef HGC_EMU_SCHEDULER_H
#define HGC_EMU_SCHEDULER_H

#include "Clock.h"
#include "Config.h"
#include "HappensBefore.h"
#include "Objects.h"

#include <functional>
#include <list>
#include <random>

namespace hgc::emu::driver {

/// One recorded operation.
struct Op {
  std::string what; ///< "kernel 'gemm'", "cuMemcpyHtoDAsync of 400 bytes"
  std::function<void(Op &)> run;    ///< Null: nothing but an order.
  std::vector<Access> accesses;     ///< Known before, or filled by `run`.
  std::vector<OpPtr> dependencies;  ///< Until the operation is timed.
  bool hostCall = false;            ///< Client code that may do anything.
  bool always = false;              ///< Runs in a lost context as well.
  std::shared_ptr<Context> context; ///< Until the operation is timed.

  uint64_t id = 0;
  Stamp stamp;
  VectorClock clock;
  bool done = false;

  EngineKind engine = EngineKind::None;
  double hostCost = Latency::call;
  double latency = 0;
  Cost cost;
  bool timed = false;
  double begin = 0, end = 0;
};

class Scheduler {
public:
  explicit Scheduler(const Config &config)
      : config(config), random(config.seed) {}

  /// Gives `stream` a slot of its own.
  void attach(Stream &stream);
  /// The stream is gone; its slot is reused once nothing refers to it.
  void detach(Stream &stream);
  /// As detach(), for a stream of a living context: its work goes on.
  void destroy(const std::shared_ptr<Stream> &stream);

  /// Records an operation at the end of `stream`.
  OpPtr issue(const std::shared_ptr<Context> &context,
              const std::shared_ptr<Stream> &stream, OpPtr op);
  /// Runs an operation and all it depends on.
  void complete(const OpPtr &op);
  /// Runs one pending operation towards `op`, for clients that poll.
  void step(const OpPtr &op);
  /// As complete(); from then on the operation is before whatever the host
  /// does.
  void hostWait(const OpPtr &op);
  /// Runs all operations on a device, or everywhere.
  void completeDevice(const Device *device);
  /// Drops what never ran: the host memory it names may be gone.
  void abandon();
  /// The host waits for all operations of a context.
  void hostWaitContext(Context *context);
  /// Runs pending operations that touch a range, so that the host may.
  void completeOverlapping(uint64_t begin, uint64_t end);
  /// Whether a pending operation may write the range, or runs client code.
  bool mayBeWritten(uint64_t begin, uint64_t end) const;
  /// Times `op`, running what was issued before it if need be.
  void force(const OpPtr &op);
  /// The host must not touch the range before it waited; returns who does.
  std::optional<Conflict> inFlight(uint64_t begin, uint64_t end) const {
    return history.unfinished(begin, end, host);
  }
  void forget(uint64_t begin, uint64_t end) { history.forget(begin, end); }

  double hostTime();
  size_t pendingCount() const { return pending.size(); }

private:
  void execute(Op &op);
  void checkOrder(Op &op);
  bool ready(const Op &op) const;
  void runRandomReady();
  void dropFinishedOrphans(Context &context);
  void tidy();

  const Config &config;
  std::mt19937_64 random;
  std::list<OpPtr> pending; ///< In issue order.
  AccessHistory history;
  VectorClock host;
  Timeline timeline;
  uint64_t issued = 0;
  std::vector<uint64_t> ticks;   ///< Last tick of each slot.
  std::vector<unsigned> retired; ///< Slots of destroyed streams.
  std::vector<unsigned> freeSlots;
};

} // namespace hgc::emu::driver

#endif // HGC_EMU_SCHEDULER_H
