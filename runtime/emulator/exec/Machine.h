//===- Machine.h - state of running blocks and warps ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HGC_EMU_MACHINE_H
#define HGC_EMU_MACHINE_H

#include "BlockShadow.h"
#include "ByteSet.h"
#include "Launch.h"
#include "Program.h"

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace hgc::emu {

struct Block;
struct Worker;

constexpr unsigned lanes = 32;
constexpr unsigned maxWarps = 32;
constexpr unsigned maxBarriers = 16;

/// Lanes of a warp that are at the same instruction.
struct Group {
  uint32_t pc = 0;
  uint32_t mask = 0;
  bool parked = false; ///< Waits for other lanes to come to the same place.
};

/// Lanes that wait at a barrier; they go on at `pc`.
struct Waiting {
  uint32_t pc = 0;
  uint32_t mask = 0;
  uint32_t barrier = 0;
};

/// A cp.async of a warp that is not complete.
struct PendingCopy {
  uint32_t mask = 0;
  uint32_t group = 0; ///< Of all its lanes.
  uint32_t bytes = 0;
  uint32_t pc = 0;
  uint32_t sourceBytes[lanes];
  uint64_t target[lanes];
  uint64_t source[lanes];
};

struct Warp {
  uint8_t *registers = nullptr;
  const uint8_t *constants = nullptr;
  uint32_t *predicates = nullptr;
  uint32_t active = 0;
  uint32_t alive = 0; ///< Lanes that have not exited.
  uint32_t pc = 0;
  uint32_t nextStop = ~0u; ///< Where another group waits for this one.
  uint32_t index = 0;      ///< In the block.
  uint32_t carry = 0;      ///< CC.CF of each lane.
  const Program *program = nullptr;
  Block *block = nullptr;
  Worker *worker = nullptr;
  std::vector<Group> others;
  std::vector<Waiting> waiting;
  std::deque<PendingCopy> copies;
  uint32_t committed[lanes] = {}; ///< cp.async groups of each lane.
  uint8_t *local = nullptr;       ///< localBytes per lane.
  uint8_t *localValid = nullptr;

  /// Pure instructions may write the lanes of exited threads as well.
  bool converged() const { return active == alive; }
  bool finished() const { return alive == 0; }
  bool runnable() const { return active != 0 || !others.empty(); }
  uint32_t pcOf(const Inst &inst) const {
    return static_cast<uint32_t>(&inst - program->code.data());
  }
  /// Records a finding of `lane`; always false.
  bool fail(const Inst &inst, Finding::Kind kind, unsigned lane,
            uint64_t address, const std::string &text);
  /// Takes the groups apart and together again: the lowest one runs.
  bool reschedule();
  /// Lets `mask` of the active lanes go on elsewhere.
  void jump(uint32_t mask, uint32_t target);
};

/// A named barrier of a block.
struct Barrier {
  uint32_t arrivedThreads = 0;
  uint32_t arrivedWarps = 0; ///< Arrivals, each counting as a whole warp.
  uint32_t expected = 0;     ///< Threads; 0: all of the block.
  uint32_t participants = 0; ///< Warps.
  uint32_t reduceCount = 0;  ///< bar.red: threads whose predicate holds.
  uint32_t arrivedEpoch[maxWarps] = {};
};

/// Who touched a granule of shared memory. Stamps are epoch << 8 | atomic << 7
/// | warp; reads hold the epoch and the set of warps.
struct SharedShadow {
  std::vector<uint32_t> writes;
  std::vector<uint64_t> reads;
  uint32_t granuleShift = 2;
};
constexpr uint32_t pendingStamp = 0xffffffffu; ///< A cp.async is on its way.
constexpr uint32_t atomicStamp = 0x80;
constexpr uint32_t manyWarps = 0x7f;
constexpr uint32_t lastEpoch = 0xfffff0;

struct Block {
  uint32_t index[3] = {0, 0, 0};
  uint32_t threads = 0;
  uint8_t *shared = nullptr; ///< Byte of shared address a is shared[a - base].
  uint32_t sharedBytes = 0;
  std::vector<Warp> warps;
  Barrier barriers[maxBarriers];
  SharedShadow shadow;
  uint32_t epoch = 1;      ///< Rises with every barrier.
  uint32_t firstEpoch = 1; ///< Older stamps are of other blocks.
  /// clock[w][u]: warp w knows what warp u did up to that epoch.
  uint32_t clock[maxWarps][maxWarps] = {};
  uint32_t safe[maxWarps] = {}; ///< Lowest of the row, without w itself.
  uint64_t budget = 0;          ///< Warp instructions left.

  uint32_t liveThreads() const;
  /// Threads that have reached `barrier` and how many it needs.
  bool complete(unsigned barrier) const;
  void release(unsigned barrier);
  void updateSafe(unsigned warp);
};

/// Half-open runs of addresses, relative to the first active lane.
struct Segment {
  int64_t delta = 0;
  uint32_t bytes = 0;
};

/// The shape of a warp's access. Loops repeat it at other addresses.
struct Pattern {
  uint32_t mask = 0; ///< 0: empty.
  uint32_t segmentCount = 0;
  int64_t delta[lanes] = {};
  int64_t minDelta = 0;
  int64_t extent = 0; ///< From the lowest to behind the highest byte.
  uint64_t bits = 0;  ///< All deltas, ored: their alignment.
  uint32_t uniqueBytes = 0;
  uint32_t wavefronts = 0;
  uint32_t idealWavefronts = 0;
  bool contiguous = false; ///< All lanes, in order, side by side.
  bool uniform = false;    ///< All active lanes at one address.
  bool overlap = false;    ///< Lanes share bytes.
  Segment segments[lanes];
};

/// Per memory instruction and worker.
struct Site {
  Pattern pattern;
  uint64_t low = 1, high = 0; ///< Allocation met last.
  bool readOnly = false;
};

/// One host thread and the block it runs.
struct Worker {
  const Kernel *kernel = nullptr;
  const Program *program = nullptr;
  const LaunchConfig *config = nullptr;
  Memory *memory = nullptr;
  const uint8_t *params = nullptr;
  Block block;
  std::vector<Site> sites;
  std::vector<uint8_t> arena; ///< Registers, predicates, shared, local.
  Counters counters;
  /// Starts minus ends of straight runs by instruction: the running sum counts
  /// executions, by warp and by thread.
  std::vector<int64_t> warpRuns, threadRuns;
  std::vector<Finding> findings; ///< Of the current block.
  bool fatal = false;
  ByteSet reads, writes;
  bool track = false;
  BlockShadow *blocks = nullptr; ///< Of the launch; null: not asked for.
  uint64_t blockNumber = 0;

  void setUp();
  void startBlock(uint64_t number);
  void runBlock();
  void finishCounters();
};

/// Runs until the warp ends, waits or fails.
void runWarp(Warp &warp);

} // namespace hgc::emu

#endif // HGC_EMU_MACHINE_H
