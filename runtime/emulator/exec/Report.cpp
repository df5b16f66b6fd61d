//===- Report.cpp - names and sums of what launches report ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Launch.h"

#include <cinttypes>
#include <cstdio>

using namespace hgc::emu;

const char *Counters::name(unsigned index) {
  static const char *const names[] = {
      "integer",      "float",        "special",      "convert",
      "move",         "global_load",  "global_store", "shared_load",
      "shared_store", "local_memory", "param_memory", "atomic",
      "async_copy",   "matrix",       "warp",         "control",
      "barrier"};
  static_assert(sizeof names / sizeof names[0] == classCount,
                "a class lacks its name");
  return index < classCount ? names[index] : "?";
}

void Counters::add(const Counters &other) {
  launches += other.launches;
  blocks += other.blocks;
  warpInstructions += other.warpInstructions;
  threadInstructions += other.threadInstructions;
  for (unsigned i = 0; i < classCount; ++i)
    byClass[i] += other.byClass[i];
  globalBytesLoaded += other.globalBytesLoaded;
  globalBytesStored += other.globalBytesStored;
  globalSectors += other.globalSectors;
  globalSectorsIdeal += other.globalSectorsIdeal;
  sharedWavefronts += other.sharedWavefronts;
  sharedWavefrontsIdeal += other.sharedWavefrontsIdeal;
  barriers += other.barriers;
  divergentBranches += other.divergentBranches;
  flops += other.flops;
}

const char *Finding::name(Kind kind) {
  static const char *const names[] = {"out of bounds",
                                      "misaligned",
                                      "uninitialised",
                                      "use after free",
                                      "read-only",
                                      "shared memory race",
                                      "global memory race",
                                      "async copy race",
                                      "divergent barrier",
                                      "deadlock",
                                      "bad member mask",
                                      "instruction limit",
                                      "trap",
                                      "bad launch",
                                      "unsupported"};
  static_assert(sizeof names / sizeof names[0] == Unsupported + 1,
                "a kind lacks its name");
  return names[kind];
}

std::string Finding::message() const {
  std::string result = std::string(name(kind)) + ": " + text;
  if (line == 0)
    return result + " (kernel '" + function + "')";
  char place[200];
  std::snprintf(place, sizeof place,
                "', PTX line %u, block (%u,%u,%u), thread (%u,%u,%u)): ", line,
                block[0], block[1], block[2], thread[0], thread[1], thread[2]);
  return result + " (kernel '" + function + place + source;
}
