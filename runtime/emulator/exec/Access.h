//===- Access.h - checked memory accesses of a warp -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a warp's access touches is described once as a pattern relative to its
// first lane; as long as the pattern repeats, bounds, alignment, validity,
// races, sectors and bank conflicts are checked for whole runs of bytes.
//
//===----------------------------------------------------------------------===//
#ifndef HGC_EMU_ACCESS_H
#define HGC_EMU_ACCESS_H

#include "Lanes.h"

namespace hgc::emu {

enum class Mode : uint8_t { Load, Store, Atomic };

/// Addresses of one access. Inactive lanes repeat the first active one.
struct Access {
  alignas(64) uint64_t address[lanes];
  uint64_t first = 0;
  uint32_t mask = 0;
  uint32_t bytes = 0; ///< Per lane.
  const Pattern *pattern = nullptr;
};

/// Fills `access` for the lanes of `mask` from the address operand `op`, which
/// has 32 bits when `narrow`, plus `offset`.
void computeAddresses(Warp &w, int32_t op, int64_t offset, bool narrow,
                      uint32_t bytes, uint32_t mask, Access &access);
/// Finds the pattern; remembers it in `site`.
void matchPattern(Site &site, Access &access, bool shared);

/// Check an access whose pattern is known, count it, and record its effect on
/// validity, races and ranges. False: a finding that ends the launch.
bool checkGlobal(Warp &w, const Inst &inst, Site &site, const Access &access,
                 Mode mode);
bool checkShared(Warp &w, const Inst &inst, const Access &access, Mode mode);
bool checkLocal(Warp &w, const Inst &inst, const Access &access, Mode mode);

/// Shadow of shared memory, in ShadowMemory.cpp.
bool shadowRead(Warp &w, const Inst &inst, const Access &access);
bool shadowWrite(Warp &w, const Inst &inst, const Access &access, Mode mode);

/// "0x10"
std::string hex(uint64_t value);

} // namespace hgc::emu

#endif // HGC_EMU_ACCESS_H
