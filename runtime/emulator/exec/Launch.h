//===- Launch.h - run a kernel --------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a grid to its end on the host. Everything a kernel does wrong becomes a
// finding; the first error ends the launch. Results, findings and counters do
// not depend on the number of host threads.
//
//===----------------------------------------------------------------------===//
#ifndef HGC_EMU_LAUNCH_H
#define HGC_EMU_LAUNCH_H

#include "Memory.h"
#include "Module.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hgc::emu {

/// What a launch did, summed over its blocks.
struct Counters {
  /// Classes of warp instructions.
  enum Class : unsigned {
    Integer,
    Float,   ///< add, mul, fma, ... of any float type
    Special, ///< ex2, rcp, sqrt, div, ...
    Convert, ///< cvt
    Move,    ///< mov, selp, setp, predicates
    GlobalLoad,
    GlobalStore,
    SharedLoad, ///< ldmatrix too
    SharedStore,
    LocalMemory,
    ParamMemory, ///< ld.param, ld.const
    Atomic,
    AsyncCopy,
    Matrix,  ///< mma
    Warp,    ///< shfl, vote, match, redux
    Control, ///< bra, call, ret, exit
    Barrier,
    classCount
  };
  static const char *name(unsigned index);

  uint64_t launches = 0;
  uint64_t blocks = 0;
  uint64_t warpInstructions = 0;
  uint64_t threadInstructions = 0; ///< Active threads of each of them.
  uint64_t byClass[classCount] = {};
  uint64_t globalBytesLoaded = 0; ///< Asked for by threads.
  uint64_t globalBytesStored = 0;
  uint64_t globalSectors = 0;      ///< 32-byte sectors touched, per request.
  uint64_t globalSectorsIdeal = 0; ///< Fewest that could serve the bytes.
  uint64_t sharedWavefronts = 0;   ///< Bank conflicts make more than ideal.
  uint64_t sharedWavefrontsIdeal = 0;
  uint64_t barriers = 0; ///< Completed, per block.
  uint64_t divergentBranches = 0;
  uint64_t flops = 0; ///< f16/f32/f64 arithmetic, an fma counts 2; mma too.

  void add(const Counters &other);
};

/// Something a kernel did that is wrong on hardware.
struct Finding {
  enum Kind : unsigned {
    OutOfBounds,
    Misaligned,
    Uninitialised,
    UseAfterFree,
    ReadOnlyWrite,
    SharedRace,
    GlobalRace, ///< Two blocks of a launch, one of which writes.
    AsyncRace,  ///< A cp.async target used before its wait.
    DivergentBarrier,
    Deadlock,
    BadMask, ///< .sync instruction without the threads of its mask.
    InstructionLimit,
    Trap,
    BadLaunch, ///< Geometry or sizes the kernel does not allow.
    Unsupported,
  };
  static const char *name(Kind kind);

  Kind kind = BadLaunch;
  std::string text;     ///< Whole sentence without function and place.
  std::string function; ///< Kernel, or the device function called by it.
  unsigned line = 0;    ///< Of the PTX text; 0: of the launch as a whole.
  std::string source;   ///< The PTX instruction.
  uint32_t block[3] = {0, 0, 0};
  uint32_t thread[3] = {0, 0, 0};
  uint64_t address = 0;

  /// "out of bounds: ... (kernel 'k', PTX line 12, block (0,0,0), thread
  /// (1,0,0)): st.global.b32 ..."
  std::string message() const;
};

/// Half-open range of device addresses.
struct Interval {
  uint64_t begin = 0;
  uint64_t end = 0;
};

/// Geometry and settings of one launch.
struct LaunchConfig {
  uint32_t grid[3] = {1, 1, 1};
  uint32_t block[3] = {1, 1, 1};
  uint32_t dynamicShared = 0;
  const void *params = nullptr; ///< Packed as Kernel::params says.
  size_t paramBytes = 0;

  uint32_t maxShared = 227 * 1024; ///< Static and dynamic; of the device.
  uint32_t multiprocessors = 108;  ///< %nsmid
  unsigned sm = 80;
  bool checkRaces = true;
  bool checkUninitialised = true;
  /// Races of blocks in global memory; not of kernels with atomics or volatile
  /// accesses, which may order their blocks. Takes one host thread.
  bool checkBlocks = false;
  uint64_t approxSeed = 0;  ///< Not 0: `.approx` results vary, drawn from it.
  bool trackRanges = false; ///< Fill LaunchResult::reads and writes.
  unsigned threads = 1;     ///< Host threads.
  uint64_t instructionLimit = 1ull << 32; ///< Warp instructions of one block.
  unsigned maxFindings = 8; ///< Races are collected up to this number.
};

/// How a launch ended.
struct LaunchResult {
  std::vector<Finding> findings; ///< Empty: all well.
  /// Device memory read and written: sorted, disjoint, exact to the byte.
  std::vector<Interval> reads, writes;
  bool ok() const { return findings.empty(); }
};

/// Runs `kernel` over the grid; counters are added to `counters`.
LaunchResult launch(const Kernel &kernel, const LaunchConfig &config,
                    Memory &memory, Counters &counters);

} // namespace hgc::emu

#endif // HGC_EMU_LAUNCH_H
