//===- Access.cpp - checks of global, shared and local memory -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Access.h"

#include <algorithm>

using namespace hgc::emu;

static const char *verb(Mode mode) {
  return mode == Mode::Load ? "load" : mode == Mode::Store ? "store" : "atomic";
}

static std::string what(const Access &access, Mode mode) {
  return std::string(verb(mode)) + " of " + std::to_string(access.bytes) +
         " bytes";
}

static bool isAligned(const Access &access) {
  return ((access.first | access.pattern->bits) & (access.bytes - 1)) == 0;
}

static bool failAligned(Warp &w, const Inst &inst, const Access &access,
                        Mode mode) {
  HGC_EMU_ACTIVE(access.mask)
  if (access.address[i] & (access.bytes - 1))
    return w.fail(inst, Finding::Misaligned, i, access.address[i],
                  what(access, mode) + " at " + hex(access.address[i]) +
                      ", which is not a multiple of " +
                      std::to_string(access.bytes));
  return true;
}

static bool allWritten(const uint8_t *valid, uint32_t bytes) {
  uint64_t word = ~0ull, next;
  uint32_t k = 0;
  for (; k + 8 <= bytes; k += 8) {
    std::memcpy(&next, valid + k, 8);
    word &= next;
  }
  uint8_t rest = 0xff;
  for (; k < bytes; ++k)
    rest &= valid[k];
  return word == ~0ull && rest == 0xff;
}

/// Finds the allocation of every lane; the lanes may be in different ones.
static bool lookUp(Warp &w, const Inst &inst, Site &site, const Access &access,
                   Mode mode) {
  Memory &memory = *w.worker->memory;
  bool readOnly = false;
  const Allocation *found = nullptr;
  HGC_EMU_ACTIVE(access.mask) {
    uint64_t address = access.address[i];
    if (!found || address < found->begin ||
        address + access.bytes > found->end())
      found = memory.find(address);
    if (!found || access.bytes > found->end() - address) {
      std::string where = memory.describe(address, access.bytes);
      bool freed = where.find("were freed") != std::string::npos;
      return w.fail(inst, freed ? Finding::UseAfterFree : Finding::OutOfBounds,
                    i, address, std::string(verb(mode)) + ": " + where);
    }
    if (found->readOnly && mode != Mode::Load)
      return w.fail(inst, Finding::ReadOnlyWrite, i, address,
                    what(access, mode) + " at " + hex(address) +
                        " writes constant memory");
    readOnly |= found->readOnly;
  }
  site.low = found->begin;
  site.high = found->end();
  site.readOnly = readOnly;
  return true;
}

static bool failUnwritten(Warp &w, const Inst &inst, const Access &access,
                          const uint8_t *validAt) {
  HGC_EMU_ACTIVE(access.mask)
  for (uint32_t k = 0; k < access.bytes; ++k)
    if (validAt[access.address[i] + k] != 0xff)
      return w.fail(inst, Finding::Uninitialised, i, access.address[i],
                    "load of " + std::to_string(access.bytes) + " bytes at " +
                        hex(access.address[i]) + ", of which byte " +
                        std::to_string(k) + " was never written");
  return true;
}

static void countSectors(Counters &counters, const Access &access, Mode mode) {
  const Pattern &p = *access.pattern;
  uint64_t bytes = uint64_t(access.bytes) * __builtin_popcount(access.mask);
  if (mode != Mode::Store)
    counters.globalBytesLoaded += bytes;
  if (mode != Mode::Load)
    counters.globalBytesStored += bytes;
  uint64_t last = ~0ull, sectors = 0;
  for (unsigned k = 0; k < p.segmentCount; ++k) {
    uint64_t begin = access.first + p.segments[k].delta;
    uint64_t from = begin / 32, to = (begin + p.segments[k].bytes - 1) / 32;
    sectors += to - from + (from != last);
    last = to;
  }
  counters.globalSectors += sectors;
  counters.globalSectorsIdeal += (p.uniqueBytes + 31) / 32;
}

/// Whether no other block of the launch has to do with the bytes.
static bool checkBlocks(Warp &w, const Inst &inst, const Access &access,
                        uint64_t begin, uint32_t bytes, Mode mode) {
  Worker &worker = *w.worker;
  std::string text;
  uint64_t at = begin;
  if (mode == Mode::Load
          ? worker.blocks->read(at, bytes, worker.blockNumber, text)
          : worker.blocks->write(at, bytes, worker.blockNumber, text))
    return true;
  unsigned lane = unsigned(__builtin_ctz(access.mask));
  HGC_EMU_ACTIVE(access.mask)
  if (at - access.address[i] < access.bytes)
    lane = i;
  return w.fail(inst, Finding::GlobalRace, lane, at,
                what(access, mode) + " at " + hex(at) + ", which " + text);
}

bool hgc::emu::checkGlobal(Warp &w, const Inst &inst, Site &site,
                           const Access &access, Mode mode) {
  const Pattern &p = *access.pattern;
  Worker &worker = *w.worker;
  uint64_t low = access.first + p.minDelta, high = low + p.extent;
  bool known = low >= site.low && high <= site.high && low < high &&
               (mode == Mode::Load || !site.readOnly);
  if (!known && !lookUp(w, inst, site, access, mode))
    return false;
  if (!isAligned(access))
    return failAligned(w, inst, access, mode);
  countSectors(worker.counters, access, mode);
  uint8_t *validAt = worker.memory->validAt();
  for (unsigned k = 0; k < p.segmentCount; ++k) {
    uint64_t begin = access.first + p.segments[k].delta;
    uint32_t bytes = p.segments[k].bytes;
    if (worker.blocks && !checkBlocks(w, inst, access, begin, bytes, mode))
      return false;
    if (mode != Mode::Store) {
      if (worker.config->checkUninitialised &&
          !allWritten(validAt + begin, bytes) &&
          !failUnwritten(w, inst, access, validAt))
        return false;
      if (worker.track)
        worker.reads.add(begin, bytes);
    }
    if (mode != Mode::Load) {
      std::memset(validAt + begin, 0xff, bytes);
      if (worker.track)
        worker.writes.add(begin, bytes);
    }
  }
  return true;
}

bool hgc::emu::checkShared(Warp &w, const Inst &inst, const Access &access,
                           Mode mode) {
  const Pattern &p = *access.pattern;
  uint64_t low = access.first + p.minDelta;
  uint64_t end = sharedBase + w.block->sharedBytes;
  if (low < sharedBase || low > end || uint64_t(p.extent) > end - low) {
    HGC_EMU_ACTIVE(access.mask) {
      uint64_t address = access.address[i];
      if (address < sharedBase || address > end || access.bytes > end - address)
        return w.fail(inst, Finding::OutOfBounds, i, address,
                      what(access, mode) + " at shared address " +
                          hex(address) + "; the block has " + hex(sharedBase) +
                          " to " + hex(end));
    }
    return false;
  }
  if (!isAligned(access))
    return failAligned(w, inst, access, mode);
  w.worker->counters.sharedWavefronts += p.wavefronts;
  w.worker->counters.sharedWavefrontsIdeal += p.idealWavefronts;
  if (mode == Mode::Load)
    return shadowRead(w, inst, access);
  if (mode == Mode::Atomic && !shadowRead(w, inst, access))
    return false;
  return shadowWrite(w, inst, access, mode);
}

bool hgc::emu::checkLocal(Warp &w, const Inst &inst, const Access &access,
                          Mode mode) {
  uint64_t end = w.program->localBytes;
  HGC_EMU_ACTIVE(access.mask) {
    uint64_t address = access.address[i];
    if (address < 64 || address > end || access.bytes > end - address)
      return w.fail(inst, Finding::OutOfBounds, i, address,
                    what(access, mode) + " at local address " + hex(address) +
                        "; the thread has 0x40 to " + hex(end));
    if (address & (access.bytes - 1))
      return failAligned(w, inst, access, mode);
    uint8_t *valid = w.localValid + i * end + address;
    if (mode == Mode::Load) {
      if (w.worker->config->checkUninitialised &&
          !allWritten(valid, access.bytes))
        return w.fail(inst, Finding::Uninitialised, i, address,
                      what(access, mode) + " at local address " + hex(address) +
                          ", which was never written");
    } else
      std::memset(valid, 0xff, access.bytes);
  }
  return true;
}
