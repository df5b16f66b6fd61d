//===- ExecMemory.cpp - ld and st -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// op[0] is the address; the values are op[1] to op[4], or Program::more when
// there are eight. imm is the offset, aux the size in memory and in registers.
//
//===----------------------------------------------------------------------===//

#include "DecodeMemory.h"
#include "MoveData.h"

using namespace hgc::emu;
using namespace hgc::emu::ptx;

namespace {

/// aux: bytes in memory, bytes in the register, sign, elements.
uint32_t packAux(unsigned memory, unsigned reg, bool sign, unsigned count) {
  return memory | reg << 8 | uint32_t(sign) << 16 | count << 24;
}

const int32_t *values(Warp &w, const Inst &inst, unsigned count) {
  return count > 4 ? &w.program->more[inst.more] : inst.op + 1;
}

/// Values whose registers have the size they have in memory.
struct SameSize {
  template <class T, unsigned V>
  static void load(Warp &w, const Inst &inst, const uint8_t *origin,
                   const Access &access) {
    T *d[V];
    const int32_t *ops = values(w, inst, V);
    for (unsigned v = 0; v < V; ++v)
      d[v] = lanesOf<T>(w, ops[v]);
    loadLanes<T, V>(origin, access, d);
  }
  template <class T, unsigned V>
  static void store(Warp &w, const Inst &inst, uint8_t *origin,
                    const Access &access) {
    const T *s[V];
    const int32_t *ops = values(w, inst, V);
    for (unsigned v = 0; v < V; ++v)
      s[v] = sourceOf<T>(w, ops[v]);
    storeLanes<T, V>(origin, access, s);
  }
};

/// Values that are widened or narrowed on the way.
void loadWidened(Warp &w, const Inst &inst, const uint8_t *origin,
                 const Access &access) {
  unsigned memory = inst.aux & 0xff, reg = inst.aux >> 8 & 0xff;
  unsigned count = inst.aux >> 24;
  bool sign = inst.aux >> 16 & 1;
  for (unsigned v = 0; v < count; ++v) {
    uint8_t *d = lanesOf<uint8_t>(w, values(w, inst, count)[v]);
    HGC_EMU_ACTIVE(access.mask) {
      uint64_t value = 0;
      std::memcpy(&value, origin + access.address[i] + v * memory, memory);
      unsigned shift = 64 - memory * 8;
      if (sign)
        value = static_cast<uint64_t>(static_cast<int64_t>(value << shift) >>
                                      shift);
      std::memcpy(d + i * reg, &value, reg);
    }
  }
}

void storeNarrowed(Warp &w, const Inst &inst, uint8_t *origin,
                   const Access &access) {
  unsigned memory = inst.aux & 0xff, reg = inst.aux >> 8 & 0xff;
  unsigned count = inst.aux >> 24;
  for (unsigned v = 0; v < count; ++v) {
    const uint8_t *s = sourceOf<uint8_t>(w, values(w, inst, count)[v]);
    HGC_EMU_ACTIVE(access.mask)
    std::memcpy(origin + access.address[i] + v * memory, s + i * reg, memory);
  }
}

/// T = void: of sizes in aux.
template <class T, unsigned V>
void load(Warp &w, const Inst &inst, const uint8_t *origin,
          const Access &access) {
  if constexpr (V == 0)
    loadWidened(w, inst, origin, access);
  else
    SameSize::load<T, V>(w, inst, origin, access);
}
template <class T, unsigned V>
void store(Warp &w, const Inst &inst, uint8_t *origin, const Access &access) {
  if constexpr (V == 0)
    storeNarrowed(w, inst, origin, access);
  else
    SameSize::store<T, V>(w, inst, origin, access);
}

template <class T, unsigned V> uint32_t bytesOf(const Inst &inst) {
  return V ? V * sizeof(T) : (inst.aux & 0xff) * (inst.aux >> 24);
}

template <class T, unsigned V, Mode mode>
bool globalAt(Warp &w, const Inst &inst, int64_t offset, uint32_t number) {
  Access access;
  computeAddresses(w, inst.op[0], offset, inst.flags & narrowAddress,
                   bytesOf<T, V>(inst), w.active, access);
  Site &site = w.worker->sites[number];
  matchPattern(site, access, /*shared=*/false);
  if (!checkGlobal(w, inst, site, access, mode))
    return false;
  if constexpr (mode == Mode::Load)
    load<T, V>(w, inst, w.worker->memory->bytesAt(), access);
  else
    store<T, V>(w, inst, w.worker->memory->bytesAt(), access);
  return true;
}

template <class T, unsigned V, Mode mode>
bool sharedAt(Warp &w, const Inst &inst, int64_t offset, uint32_t number) {
  Access access;
  computeAddresses(w, inst.op[0], offset, inst.flags & narrowAddress,
                   bytesOf<T, V>(inst), w.active, access);
  matchPattern(w.worker->sites[number], access, /*shared=*/true);
  if (!checkShared(w, inst, access, mode))
    return false;
  if constexpr (mode == Mode::Load)
    load<T, V>(w, inst, w.block->shared - sharedBase, access);
  else
    store<T, V>(w, inst, w.block->shared - sharedBase, access);
  return true;
}

/// Local addresses become offsets into the memory of all lanes.
template <class T, unsigned V, Mode mode>
bool localAt(Warp &w, const Inst &inst, int64_t offset, uint32_t number) {
  Access access;
  computeAddresses(w, inst.op[0], offset, inst.flags & narrowAddress,
                   bytesOf<T, V>(inst), w.active, access);
  if (!checkLocal(w, inst, access, mode))
    return false;
  HGC_EMU_LANES access.address[i] += i * w.program->localBytes;
  matchPattern(w.worker->sites[number], access, /*shared=*/false);
  if constexpr (mode == Mode::Load)
    load<T, V>(w, inst, w.local, access);
  else
    store<T, V>(w, inst, w.local, access);
  return true;
}

template <class T, unsigned V>
bool paramAt(Warp &w, const Inst &inst, int64_t offset, uint32_t number) {
  Access access;
  uint32_t bytes = bytesOf<T, V>(inst);
  computeAddresses(w, inst.op[0], offset, inst.flags & narrowAddress, bytes,
                   w.active, access);
  uint64_t end = w.program->paramBytes;
  HGC_EMU_ACTIVE(access.mask) {
    uint64_t address = access.address[i];
    if (address > end || bytes > end - address)
      return w.fail(inst, Finding::OutOfBounds, i, address,
                    "load of " + std::to_string(bytes) +
                        " bytes at parameter offset " + hex(address) + " of " +
                        std::to_string(end));
  }
  matchPattern(w.worker->sites[number], access, /*shared=*/false);
  load<T, V>(w, inst, w.worker->params, access);
  return true;
}

/// A generic address names its space: each space gets its lanes.
template <class T, unsigned V, Mode mode>
bool generic(Warp &w, const Inst &inst) {
  Access access;
  computeAddresses(w, inst.op[0], inst.imm, inst.flags & narrowAddress,
                   bytesOf<T, V>(inst), w.active, access);
  struct Window {
    uint64_t begin;
    bool (*run)(Warp &, const Inst &, int64_t, uint32_t);
  };
  static constexpr Window windows[] = {
      {sharedWindow, sharedAt<T, V, mode>},
      {localWindow, localAt<T, V, mode>},
      {paramWindow, mode == Mode::Load ? paramAt<T, V> : nullptr}};
  uint32_t saved = w.active, rest = saved;
  for (const Window &window : windows) {
    uint32_t mine = 0;
    HGC_EMU_ACTIVE(saved)
    mine |= uint32_t(access.address[i] - window.begin < windowBytes) << i;
    if (!mine)
      continue;
    if (!window.run)
      return w.fail(inst, Finding::ReadOnlyWrite, __builtin_ctz(mine),
                    access.address[__builtin_ctz(mine)],
                    "store to the parameters of the kernel");
    w.active = mine;
    bool ok =
        window.run(w, inst, inst.imm - int64_t(window.begin), inst.site + 1);
    w.active = saved;
    if (!ok)
      return false;
    rest &= ~mine;
  }
  if (!rest)
    return true;
  w.active = rest;
  bool ok = globalAt<T, V, mode>(w, inst, inst.imm, inst.site);
  w.active = saved;
  return ok;
}

template <class T, unsigned V, Mode mode>
bool global(Warp &w, const Inst &inst) {
  return globalAt<T, V, mode>(w, inst, inst.imm, inst.site);
}
template <class T, unsigned V, Mode mode>
bool shared(Warp &w, const Inst &inst) {
  return sharedAt<T, V, mode>(w, inst, inst.imm, inst.site);
}
template <class T, unsigned V, Mode mode>
bool local(Warp &w, const Inst &inst) {
  return localAt<T, V, mode>(w, inst, inst.imm, inst.site);
}
template <class T, unsigned V> bool param(Warp &w, const Inst &inst) {
  return paramAt<T, V>(w, inst, inst.imm, inst.site);
}

template <class T, unsigned V, Mode mode> Handler forSpace(Space space) {
  switch (space) {
  case Space::Generic:
    return generic<T, V, mode>;
  case Space::Global:
  case Space::Const:
    return global<T, V, mode>;
  case Space::Shared:
    return shared<T, V, mode>;
  case Space::Local:
    return local<T, V, mode>;
  case Space::Param:
    return mode == Mode::Load ? param<T, V> : nullptr;
  }
  return nullptr;
}

template <class T, Mode mode> Handler forCount(Space space, unsigned count) {
  switch (count) {
  case 1:
    return forSpace<T, 1, mode>(space);
  case 2:
    return forSpace<T, 2, mode>(space);
  case 4:
    return forSpace<T, 4, mode>(space);
  case 8:
    return sizeof(T) == 4 ? forSpace<uint32_t, 8, mode>(space) : nullptr;
  }
  return nullptr;
}

} // namespace

template <Mode mode>
static Handler pick(Space space, unsigned memory, unsigned reg,
                    unsigned count) {
  if (memory != reg)
    return forSpace<uint32_t, 0, mode>(space);
  switch (memory) {
  case 2:
    return forCount<uint16_t, mode>(space, count);
  case 4:
    return forCount<uint32_t, mode>(space, count);
  case 8:
    return forCount<uint64_t, mode>(space, count);
  }
  return nullptr;
}

Handler hgc::emu::accessHandler(bool isLoad, Space space, unsigned memory,
                                unsigned reg, bool sign, unsigned count,
                                uint32_t &aux) {
  aux = packAux(memory, reg, sign, count);
  return isLoad ? pick<Mode::Load>(space, memory, reg, count)
                : pick<Mode::Store>(space, memory, reg, count);
}
