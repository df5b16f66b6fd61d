//===- Launch.cpp - run a grid --------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Launch.h"
#include "Machine.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <thread>

using namespace hgc::emu;

namespace {

std::string triple(const uint32_t (&values)[3]) {
  return "(" + std::to_string(values[0]) + "," + std::to_string(values[1]) +
         "," + std::to_string(values[2]) + ")";
}

/// Why the kernel cannot run with this geometry, or nothing.
std::string badGeometry(const Kernel &kernel, const LaunchConfig &config) {
  uint64_t threads =
      uint64_t(config.block[0]) * config.block[1] * config.block[2];
  for (unsigned i = 0; i < 3; ++i)
    if (!config.grid[i] || !config.block[i])
      return "grid " + triple(config.grid) + " or block " +
             triple(config.block) + " is empty";
  if (config.grid[0] > 0x7fffffffu || config.grid[1] > 65535 ||
      config.grid[2] > 65535)
    return "grid " + triple(config.grid) + " is too large";
  if (config.block[0] > 1024 || config.block[1] > 1024 ||
      config.block[2] > 64 || threads > 1024)
    return "block " + triple(config.block) + " has too many threads";
  uint64_t most = uint64_t(kernel.maxThreads[0]) * kernel.maxThreads[1] *
                  kernel.maxThreads[2];
  if (most && threads > most)
    return "block " + triple(config.block) + " exceeds .maxntid " +
           triple(kernel.maxThreads);
  if (kernel.reqThreads[0] &&
      !std::equal(config.block, config.block + 3, kernel.reqThreads))
    return "block " + triple(config.block) + " differs from .reqntid " +
           triple(kernel.reqThreads);
  uint64_t shared = uint64_t(kernel.staticShared) + config.dynamicShared;
  if (shared > config.maxShared)
    return std::to_string(shared) + " bytes of shared memory, the device has " +
           std::to_string(config.maxShared);
  if (config.paramBytes != kernel.paramBytes)
    return std::to_string(config.paramBytes) +
           " bytes of parameters, the kernel takes " +
           std::to_string(kernel.paramBytes);
  return std::string();
}

/// Blocks are handed out in order; the lowest failing one decides the result,
/// whatever the other host threads met meanwhile.
struct Grid {
  std::atomic<uint64_t> next{0};
  std::atomic<uint64_t> stop{UINT64_MAX};
  uint64_t blocks = 0;
  std::mutex mutex;
  std::vector<Finding> findings;

  void work(Worker &worker) {
    worker.setUp();
    for (uint64_t number; (number = next++) < blocks && number < stop;) {
      worker.startBlock(number);
      worker.runBlock();
      ++worker.counters.blocks;
      if (worker.findings.empty())
        continue;
      std::lock_guard<std::mutex> lock(mutex);
      if (number < stop) {
        stop = number;
        findings = std::move(worker.findings);
      }
      break;
    }
    worker.finishCounters();
  }
};

/// Union of two sorted lists of disjoint intervals.
void merge(std::vector<Interval> &into, const std::vector<Interval> &from) {
  into.insert(into.end(), from.begin(), from.end());
  std::sort(into.begin(), into.end(), [](const Interval &a, const Interval &b) {
    return a.begin < b.begin;
  });
  size_t kept = 0;
  for (const Interval &next : into) {
    if (kept && next.begin <= into[kept - 1].end)
      into[kept - 1].end = std::max(into[kept - 1].end, next.end);
    else
      into[kept++] = next;
  }
  into.resize(kept);
}

} // namespace

LaunchResult hgc::emu::launch(const Kernel &kernel, const LaunchConfig &config,
                              Memory &memory, Counters &counters) {
  LaunchResult result;
  std::string wrong = badGeometry(kernel, config);
  if (!wrong.empty()) {
    Finding finding;
    finding.text = wrong;
    finding.function = kernel.name;
    result.findings.push_back(finding);
    return result;
  }
  Grid grid;
  grid.blocks = uint64_t(config.grid[0]) * config.grid[1] * config.grid[2];
  uint64_t count =
      std::min<uint64_t>(std::max(config.threads, 1u), grid.blocks);
  BlockShadow blocks;
  uint64_t base = memory.firstByte(), bytes = memory.lastByte() - base;
  bool checkBlocks = config.checkBlocks && !kernel.program->ordered &&
                     blocks.reserve(base, bytes);
  if (kernel.program->ordered || checkBlocks)
    count = 1;
  std::vector<std::unique_ptr<Worker>> workers;
  for (uint64_t i = 0; i < count; ++i) {
    workers.push_back(std::make_unique<Worker>());
    Worker &worker = *workers.back();
    worker.kernel = &kernel;
    worker.program = kernel.program.get();
    worker.config = &config;
    worker.memory = &memory;
    worker.params = static_cast<const uint8_t *>(config.params);
    worker.blocks = checkBlocks ? &blocks : nullptr;
    worker.track = config.trackRanges && worker.reads.reserve(base, bytes) &&
                   worker.writes.reserve(base, bytes);
  }
  std::vector<std::thread> threads;
  for (uint64_t i = 1; i < count; ++i)
    threads.emplace_back([&grid, &workers, i] { grid.work(*workers[i]); });
  grid.work(*workers[0]);
  for (std::thread &thread : threads)
    thread.join();
  for (std::unique_ptr<Worker> &worker : workers) {
    counters.add(worker->counters);
    if (!worker->track)
      continue;
    std::vector<Interval> reads, writes;
    worker->reads.drain(reads);
    worker->writes.drain(writes);
    merge(result.reads, reads);
    merge(result.writes, writes);
  }
  ++counters.launches;
  result.findings = std::move(grid.findings);
  return result;
}
