//===- Program.h - decoded code of a kernel -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel with all its calls inlined. Registers are offsets into a register
// file whose entries hold 32 lanes; a constant is 32 equal lanes in a pool.
//
//===----------------------------------------------------------------------===//
#ifndef HGC_EMU_PROGRAM_H
#define HGC_EMU_PROGRAM_H

#include "../ptx/Ast.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hgc::emu {

struct Warp;
struct Inst;

/// Runs one instruction for the active lanes. False ends the run of the warp:
/// it failed, or waits for other warps.
using Handler = bool (*)(Warp &warp, const Inst &inst);

/// Operand bit that tells a constant of the pool from a register.
constexpr int32_t poolBit = INT32_MIN;

/// A decoded instruction; one cache line.
struct alignas(64) Inst {
  Handler fn = nullptr;
  Handler guarded = nullptr; ///< What `fn` calls when it is the guard.
  int64_t imm = 0;
  int32_t op[6] = {}; ///< Register file or pool offsets, or predicate slots.
  uint32_t aux = 0;
  uint32_t more = 0;  ///< First of the operands beyond `op`, in Program::more.
  uint32_t site = 0;  ///< Number of the memory access.
  int16_t guard = -1; ///< Predicate slot.
  uint8_t guardNegated = 0;
  uint8_t flags = 0;
};
static_assert(sizeof(Inst) == 64, "an instruction is one cache line");

/// Inst::flags
enum : uint8_t {
  narrowAddress = 1, ///< The address register has 32 bits.
  aligned = 2,       ///< Barrier that whole warps must reach together.
  strong = 4, ///< Volatile, relaxed, acquire, ...: takes part in no race.
};

/// What findings and counters need to know of an instruction.
struct InstInfo {
  unsigned line = 0;
  uint8_t kind = 0;       ///< Counters::Class
  bool control = false;   ///< Ends a straight run of instructions.
  uint32_t flops = 0;     ///< Per active thread.
  uint32_t warpFlops = 0; ///< Per warp.
  uint32_t function = 0;  ///< Into Program::functions.
  std::string text;
};

/// Registers whose value the machine sets before the first instruction.
enum class Special : uint8_t {
  TidX,
  TidY,
  TidZ,
  NtidX,
  NtidY,
  NtidZ,
  CtaidX,
  CtaidY,
  CtaidZ,
  NctaidX,
  NctaidY,
  NctaidZ,
  LaneId,
  WarpId,
  NwarpId,
  SmId,
  NsmId,
  GridId,
  LanemaskEq,
  LanemaskLe,
  LanemaskLt,
  LanemaskGe,
  LanemaskGt,
  DynamicShared,
  TotalShared,
  Clock,   ///< Counted when read.
  Clock64, ///< Counted when read.
  Count
};

struct Program {
  struct SpecialUse {
    Special what;
    uint32_t offset; ///< Into the register file.
    uint8_t bytes;
  };

  std::string name;
  std::vector<Inst> code;
  std::vector<InstInfo> info;
  std::vector<uint32_t> runEnd; ///< First control instruction from here on.
  std::vector<int32_t> more;
  std::vector<uint8_t> pool; ///< Aligned by poolOffset.
  uint32_t poolOffset = 0;
  std::vector<std::string> functions;
  std::vector<SpecialUse> specials;
  uint32_t registerBytes = 0; ///< Register file of a warp.
  uint32_t predicates = 0;    ///< Slot 0 is false, slot 1 true.
  uint32_t sites = 0;
  uint32_t granule = 4; ///< Smallest access to shared memory.
  uint32_t staticShared = 0;
  uint32_t localBytes = 0;
  uint32_t paramBytes = 0;
  bool entryReads = false; ///< Reads registers nobody has written.
  bool ordered = false;    ///< Blocks see each other's work: one host thread.

  const uint8_t *constants() const { return pool.data() + poolOffset; }
};

/// First address of shared memory; below lie no variables, as on hardware.
constexpr uint64_t sharedBase = 1024;
/// Generic addresses of the spaces that are not global memory. They are no
/// host addresses either.
constexpr uint64_t sharedWindow = 0x800001000000ull;
constexpr uint64_t localWindow = 0x800010000000ull;
constexpr uint64_t paramWindow = 0x800020000000ull;
constexpr uint64_t windowBytes = 1ull << 24;

} // namespace hgc::emu

#endif // HGC_EMU_PROGRAM_H
