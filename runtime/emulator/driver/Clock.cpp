//===- Clock.cpp - virtual time -------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Clock.h"
#include "Scheduler.h"

#include <algorithm>
#include <cmath>

using namespace hgc::emu;
using namespace hgc::emu::driver;

namespace {

/// How much faster the L2 cache is than memory.
constexpr double l2Speedup = 2.5;
/// Warp schedulers of a multiprocessor.
constexpr double schedulers = 4;
constexpr double sectorBytes = 32;

} // namespace

double Engine::shareUsed(double begin, double end) const {
  // The usage only rises where a reservation begins.
  auto usedAt = [&](double at) {
    double used = 0;
    for (const Busy &b : busy)
      if (b.begin <= at && at < b.end)
        used += b.share;
    return used;
  };
  double most = usedAt(begin);
  for (const Busy &b : busy)
    if (b.begin > begin && b.begin < end)
      most = std::max(most, usedAt(b.begin));
  return most;
}

double Engine::place(double ready, double seconds, double share) {
  constexpr double slack = 1e-9;
  std::vector<double> starts{ready};
  for (const Busy &b : busy)
    if (b.end > ready)
      starts.push_back(b.end);
  std::sort(starts.begin(), starts.end());
  double begin = starts.back();
  for (double start : starts) {
    if (shareUsed(start, start + seconds) + share > 1 + slack)
      continue;
    begin = start;
    break;
  }
  if (seconds > 0)
    busy.push_back({begin, begin + seconds, share});
  return begin;
}

void Engine::forgetBefore(double now) {
  busy.erase(std::remove_if(busy.begin(), busy.end(),
                            [&](const Busy &b) { return b.end <= now; }),
             busy.end());
}

Cost hgc::emu::driver::kernelCost(const DeviceTable &table,
                                  const Counters &counters,
                                  unsigned blocksAtOnce, uint64_t uniqueBytes) {
  double blocks = double(std::max<uint64_t>(counters.blocks, 1));
  double clock = table.clockMHz * 1e6;
  // The multiprocessor with most blocks decides.
  double worst = std::ceil(blocks / table.multiprocessors);
  double perBlock = worst / blocks;
  double issue = counters.warpInstructions * perBlock / (schedulers * clock);
  double shared = counters.sharedWavefronts * perBlock / clock;
  double matrix = 0;
  // An m16n8k16 instruction is 4096 operations; smaller shapes are rated alike.
  if (uint64_t count = counters.byClass[Counters::Matrix])
    matrix =
        count * 4096.0 * perBlock / (table.matrixFlops / table.multiprocessors);
  double memory = uniqueBytes / table.memoryBandwidth;
  double cache = counters.globalSectors * sectorBytes /
                 (table.memoryBandwidth * l2Speedup);
  Cost cost;
  cost.seconds = std::max({issue, shared, matrix, memory, cache});
  cost.share = std::min(1.0, blocks / (double(table.multiprocessors) *
                                       std::max(blocksAtOnce, 1u)));
  return cost;
}

Cost hgc::emu::driver::copyCost(const DeviceTable &table, EngineKind engine,
                                uint64_t bytes) {
  double rate = table.memoryBandwidth / 2; // read and written on the device
  if (engine == EngineKind::HostToDevice || engine == EngineKind::DeviceToHost)
    rate = table.hostLink;
  else if (engine == EngineKind::Peer)
    rate = table.peerLink;
  return {bytes / rate, 1};
}

void Timeline::time(Op &op) {
  now += op.hostCost;
  double ready = now;
  for (const OpPtr &before : op.dependencies)
    ready = std::max(ready, before->end);
  op.dependencies.clear();
  ready += op.latency;
  op.begin = ready;
  if (op.engine != EngineKind::None) {
    Engine &engine = op.context->device->engines[size_t(op.engine)];
    engine.forgetBefore(now);
    op.begin = engine.place(ready, op.cost.seconds, op.cost.share);
  }
  op.end = op.begin + op.cost.seconds;
  op.timed = true;
  op.context.reset(); // its streams refer to their last operation
}

void Timeline::advance() {
  while (!entries.empty() && entries.front().op->done) {
    Entry entry = std::move(entries.front());
    entries.pop_front();
    if (entry.wait)
      now = std::max(now, entry.op->end) + Latency::sync;
    else
      time(*entry.op);
  }
}

OpPtr Timeline::blockedBy() const {
  return entries.empty() ? nullptr : entries.front().op;
}
