//===- Block.cpp - run the warps of one block -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Machine.h"

#include <algorithm>
#include <cstring>

using namespace hgc::emu;

/// Contents of shared memory and registers nobody has written.
static constexpr uint8_t poisonByte = 0xcb;

static size_t roundUp(size_t bytes) { return (bytes + 63) & ~size_t(63); }

void Worker::setUp() {
  const uint32_t *size = config->block;
  block.threads = size[0] * size[1] * size[2];
  unsigned warps = (block.threads + lanes - 1) / lanes;
  block.sharedBytes = program->staticShared + config->dynamicShared;
  sites.assign(program->sites, Site());
  warpRuns.assign(program->code.size() + 1, 0);
  threadRuns.assign(program->code.size() + 1, 0);
  size_t registers = roundUp(program->registerBytes);
  size_t predicates = roundUp(program->predicates * 4);
  size_t local = roundUp(size_t(program->localBytes) * lanes);
  size_t perWarp = registers + predicates + 2 * local;
  arena.assign(warps * perWarp + roundUp(block.sharedBytes + 64) + 64, 0);
  uint8_t *at = arena.data();
  at += 63 - (reinterpret_cast<uintptr_t>(at) + 63) % 64;
  block.warps.assign(warps, Warp());
  for (unsigned i = 0; i < warps; ++i) {
    Warp &warp = block.warps[i];
    warp.index = i;
    warp.program = program;
    warp.block = &block;
    warp.worker = this;
    warp.constants = program->constants();
    warp.registers = at;
    warp.predicates = reinterpret_cast<uint32_t *>(at + registers);
    warp.predicates[1] = ~0u;
    warp.local = at + registers + predicates;
    warp.localValid = warp.local + local;
    at += perWarp;
  }
  block.shared = at;
  block.shadow.granuleShift = __builtin_ctz(program->granule);
  size_t granules = (block.sharedBytes >> block.shadow.granuleShift) + 16;
  block.shadow.writes.assign(granules, 0);
  block.shadow.reads.assign(config->checkRaces ? granules : 0, 0);
  block.epoch = 1;
}

static uint64_t specialValue(const Worker &worker, Special what,
                             uint32_t thread) {
  const LaunchConfig &config = *worker.config;
  uint32_t lane = thread % lanes;
  switch (what) {
  case Special::TidX:
    return thread % config.block[0];
  case Special::TidY:
    return thread / config.block[0] % config.block[1];
  case Special::TidZ:
    return thread / config.block[0] / config.block[1];
  case Special::NtidX:
  case Special::NtidY:
  case Special::NtidZ:
    return config.block[unsigned(what) - unsigned(Special::NtidX)];
  case Special::CtaidX:
  case Special::CtaidY:
  case Special::CtaidZ:
    return worker.block.index[unsigned(what) - unsigned(Special::CtaidX)];
  case Special::NctaidX:
  case Special::NctaidY:
  case Special::NctaidZ:
    return config.grid[unsigned(what) - unsigned(Special::NctaidX)];
  case Special::LaneId:
    return lane;
  case Special::WarpId:
    return thread / lanes;
  case Special::NwarpId:
    return worker.block.warps.size();
  case Special::SmId:
    return worker.block.index[0] % config.multiprocessors;
  case Special::NsmId:
    return config.multiprocessors;
  case Special::LanemaskEq:
    return 1u << lane;
  case Special::LanemaskLe:
    return 0xffffffffu >> (31 - lane);
  case Special::LanemaskLt:
    return (1u << lane) - 1;
  case Special::LanemaskGe:
    return 0xffffffffu << lane;
  case Special::LanemaskGt:
    return (0xffffffffu << lane) << 1;
  case Special::DynamicShared:
    return config.dynamicShared;
  case Special::TotalShared:
    return worker.block.sharedBytes;
  default:
    return 0;
  }
}

void Worker::startBlock(uint64_t number) {
  blockNumber = number;
  block.index[0] = number % config->grid[0];
  block.index[1] = number / config->grid[0] % config->grid[1];
  block.index[2] = number / config->grid[0] / config->grid[1];
  block.budget = config->instructionLimit;
  if (++block.epoch >= lastEpoch / 2) {
    std::fill(block.shadow.writes.begin(), block.shadow.writes.end(), 0);
    std::fill(block.shadow.reads.begin(), block.shadow.reads.end(), 0);
    block.epoch = 1;
  }
  block.firstEpoch = block.epoch;
  for (Barrier &barrier : block.barriers)
    barrier = Barrier();
  for (unsigned i = 0; i < block.warps.size(); ++i) {
    std::fill_n(block.clock[i], maxWarps, block.epoch - 1);
    block.safe[i] = block.epoch - 1;
  }
  std::memset(block.shared, poisonByte, block.sharedBytes);
  for (Warp &warp : block.warps) {
    uint32_t rest = block.threads - warp.index * lanes;
    warp.active = warp.alive = rest >= lanes ? ~0u : (1u << rest) - 1;
    warp.pc = 0;
    warp.nextStop = ~0u;
    warp.others.clear();
    warp.waiting.clear();
    warp.copies.clear();
    std::fill_n(warp.committed, lanes, 0);
    std::memset(warp.localValid, 0, size_t(program->localBytes) * lanes);
    if (program->entryReads)
      std::memset(warp.registers, poisonByte, program->registerBytes);
    for (const Program::SpecialUse &use : program->specials)
      for (uint32_t lane = 0; lane < lanes; ++lane) {
        uint64_t value =
            specialValue(*this, use.what, warp.index * lanes + lane);
        std::memcpy(warp.registers + use.offset + lane * use.bytes, &value,
                    use.bytes);
      }
  }
}

/// Every warp waits for a barrier that cannot complete.
static void reportDeadlock(Block &block) {
  for (Warp &warp : block.warps) {
    if (warp.waiting.empty())
      continue;
    const Waiting &waiting = warp.waiting.front();
    const Barrier &state = block.barriers[waiting.barrier];
    uint32_t want = state.expected ? state.expected : block.liveThreads();
    uint32_t have =
        state.expected ? state.arrivedWarps * lanes : state.arrivedThreads;
    warp.fail(warp.program->code[waiting.pc - 1], Finding::Deadlock,
              __builtin_ctz(waiting.mask), 0,
              "barrier " + std::to_string(waiting.barrier) + " waits for " +
                  std::to_string(want) + " threads, only " +
                  std::to_string(have) + " can reach it");
    return;
  }
}

void Worker::runBlock() {
  while (!fatal) {
    bool progress = false, alive = false;
    for (Warp &warp : block.warps) {
      if (warp.runnable()) {
        runWarp(warp);
        progress = true;
        if (fatal)
          return;
      }
      alive |= !warp.finished();
    }
    for (unsigned i = 0; i < maxBarriers; ++i)
      if (block.complete(i)) {
        block.release(i);
        ++counters.barriers;
        progress = true;
      }
    if (!alive)
      return;
    if (!progress) {
      reportDeadlock(block);
      return;
    }
  }
}

void Worker::finishCounters() {
  int64_t warps = 0, threads = 0;
  for (size_t pc = 0; pc < program->code.size(); ++pc) {
    warps += warpRuns[pc];
    threads += threadRuns[pc];
    const InstInfo &info = program->info[pc];
    counters.warpInstructions += warps;
    counters.threadInstructions += threads;
    counters.byClass[info.kind] += warps;
    counters.flops += uint64_t(threads) * info.flops;
    counters.flops += uint64_t(warps) * info.warpFlops;
  }
}
