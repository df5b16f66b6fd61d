//===- Config.h - settings of the emulated GPU ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All settings come from HGC_EMU_* variables, read at the first call into the
// library; docs/emulator.md lists them. A bad value is a configuration error
// that fails cuInit, never a silent default.
//
//===----------------------------------------------------------------------===//
#ifndef HGC_EMU_CONFIG_H
#define HGC_EMU_CONFIG_H

#include "DeviceTable.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hgc::emu::driver {

/// When recorded operations run.
enum class Schedule { Lazy, Eager, Seed };

/// One rule of HGC_EMU_FAIL or HGC_EMU_SKIP: the `call`-th call of `function`.
struct FailureRule {
  std::string function; ///< Without version suffix; "any": all functions.
  uint64_t call = 0;    ///< From 1.
  int code = 0;         ///< 0: a code that suits the function.
};

/// The settings of a process.
struct Config {
  std::vector<const DeviceTable *> devices; ///< HGC_EMU_DEVICE(S)
  uint64_t memoryBytes = 0;                 ///< HGC_EMU_MEMORY; 0: by table
  Schedule schedule = Schedule::Lazy;       ///< HGC_EMU_SCHEDULE
  uint64_t seed = 0;
  std::vector<FailureRule> failures; ///< HGC_EMU_FAIL
  std::vector<FailureRule> skips;    ///< HGC_EMU_SKIP
  std::string callsFile;             ///< HGC_EMU_CALLS
  std::string countersFile;          ///< HGC_EMU_COUNTERS
  bool reportLeaks = false;          ///< HGC_EMU_LEAKS
  bool checkRaces = true;            ///< HGC_EMU_CHECKS: races
  bool checkInit = true;             ///< HGC_EMU_CHECKS: init
  bool checkOrder = true;            ///< HGC_EMU_CHECKS: order
  bool checkBlocks = false;          ///< HGC_EMU_CHECKS: blocks
  uint64_t approxSeed = 0;           ///< HGC_EMU_APPROX; 0: most exact
  unsigned threads = 1;              ///< HGC_EMU_THREADS
  int driverVersion = 13000;         ///< HGC_EMU_DRIVER
  std::string error;                 ///< What is wrong with a variable.

  static Config fromEnvironment();
};

/// Newest PTX a driver of that version takes: 12000 gives 80.
unsigned newestPtx(int driverVersion);

} // namespace hgc::emu::driver

#endif // HGC_EMU_CONFIG_H
