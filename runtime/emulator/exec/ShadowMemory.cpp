//===- ShadowMemory.cpp - who touched shared memory, and when -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses of different warps must be ordered by a barrier unless both read or
// both are atomic. Lanes of one warp run in step, so that their order is that
// of the program. A granule is as small as the smallest access of the kernel.
//
//===----------------------------------------------------------------------===//

#include "Access.h"

using namespace hgc::emu;

namespace {

/// What one warp may see without a race.
struct View {
  const Block &block;
  uint32_t me;
  uint32_t oldest; ///< Stamps below it are of other blocks: never written.
  uint32_t known;  ///< Stamps up to it are ordered, whoever made them.

  explicit View(const Warp &w)
      : block(*w.block), me(w.index), oldest(block.firstEpoch << 8),
        known(block.safe[me] << 8 | 0xff) {}

  bool races(uint32_t stamp, bool atomic) const {
    uint32_t who = stamp & 0x7f, epoch = stamp >> 8;
    if (stamp < oldest || who == me || (atomic && (stamp & atomicStamp)))
      return false;
    return epoch > (who == manyWarps ? block.safe[me] : block.clock[me][who]);
  }
  /// A warp that read and whose read is not ordered before this, or -1.
  int racingReader(uint64_t reads) const {
    uint32_t epoch = static_cast<uint32_t>(reads >> 32);
    if (epoch < block.firstEpoch)
      return -1;
    uint32_t others = static_cast<uint32_t>(reads) & ~(1u << me);
    HGC_EMU_ACTIVE(others) if (epoch > block.clock[me][i]) return int(i);
    return -1;
  }
};

unsigned laneAt(const Access &access, uint64_t address) {
  HGC_EMU_ACTIVE(access.mask)
  if (address + 16 > access.address[i] &&
      address < access.address[i] + access.bytes)
    return i;
  return __builtin_ctz(access.mask);
}

std::string whose(uint32_t who) {
  return who == manyWarps ? "several warps" : "warp " + std::to_string(who);
}

/// Looks at the granules one by one and reports what is wrong.
bool explainRead(Warp &w, const Inst &inst, const Access &access,
                 uint64_t granule, uint32_t stamp, bool atomic) {
  View view(w);
  uint64_t address = sharedBase + (granule << w.block->shadow.granuleShift);
  unsigned lane = laneAt(access, address);
  if (stamp == pendingStamp)
    return w.fail(inst, Finding::AsyncRace, lane, address,
                  "reads shared address " + hex(address) +
                      " before the cp.async that fills it was waited for");
  if (stamp < view.oldest) {
    if (!w.worker->config->checkUninitialised)
      return true;
    return w.fail(inst, Finding::Uninitialised, lane, address,
                  "reads shared address " + hex(address) +
                      ", which nobody has written yet");
  }
  if (w.worker->config->checkRaces && view.races(stamp, atomic))
    return w.fail(inst, Finding::SharedRace, lane, address,
                  "warp " + std::to_string(w.index) + " reads shared address " +
                      hex(address) + ", which " + whose(stamp & 0x7f) +
                      " wrote without a barrier in between");
  return true;
}

bool explainWrite(Warp &w, const Inst &inst, const Access &access,
                  uint64_t granule, uint32_t stamp, uint64_t reads,
                  bool atomic) {
  View view(w);
  uint64_t address = sharedBase + (granule << w.block->shadow.granuleShift);
  unsigned lane = laneAt(access, address);
  std::string text = "warp " + std::to_string(w.index) +
                     " writes shared address " + hex(address) + ", which ";
  if (stamp == pendingStamp)
    return w.fail(inst, Finding::AsyncRace, lane, address,
                  "writes shared address " + hex(address) +
                      " while a cp.async to it is under way");
  if (view.races(stamp, atomic))
    return w.fail(inst, Finding::SharedRace, lane, address,
                  text + whose(stamp & 0x7f) +
                      " wrote without a barrier in between");
  int reader = view.racingReader(reads);
  if (reader >= 0)
    return w.fail(inst, Finding::SharedRace, lane, address,
                  text + whose(reader) + " read without a barrier in between");
  return true;
}

} // namespace

bool hgc::emu::shadowRead(Warp &w, const Inst &inst, const Access &access) {
  Block &block = *w.block;
  SharedShadow &shadow = block.shadow;
  View view(w);
  bool races = w.worker->config->checkRaces && !(inst.flags & strong);
  bool atomic = w.program->info[w.pcOf(inst)].kind == Counters::Atomic;
  uint64_t mine = 1ull << w.index, now = uint64_t(block.epoch) << 32;
  const Pattern &p = *access.pattern;
  for (unsigned s = 0; s < p.segmentCount; ++s) {
    uint64_t begin = (access.first + p.segments[s].delta - sharedBase) >>
                     shadow.granuleShift;
    uint32_t count = p.segments[s].bytes >> shadow.granuleShift;
    const uint32_t *writes = &shadow.writes[begin];
    uint32_t bad = 0;
    for (uint32_t k = 0; k < count; ++k) {
      uint32_t stamp = writes[k];
      bad |=
          uint32_t(stamp < view.oldest) |
          (uint32_t(stamp > view.known) & uint32_t((stamp & 0xff) != view.me));
    }
    if (bad)
      for (uint32_t k = 0; k < count; ++k) {
        bool skip = (inst.flags & strong) && writes[k] != pendingStamp &&
                    writes[k] >= view.oldest;
        if (!skip &&
            !explainRead(w, inst, access, begin + k, writes[k], atomic))
          return false;
      }
    if (!races || atomic)
      continue;
    uint64_t *reads = &shadow.reads[begin];
    for (uint32_t k = 0; k < count; ++k) {
      uint64_t old = reads[k];
      reads[k] = ((old >> 32) == block.epoch ? old : now) | mine;
    }
  }
  return true;
}

bool hgc::emu::shadowWrite(Warp &w, const Inst &inst, const Access &access,
                           Mode mode) {
  Block &block = *w.block;
  SharedShadow &shadow = block.shadow;
  View view(w);
  bool atomic = mode == Mode::Atomic;
  bool races = w.worker->config->checkRaces && !(inst.flags & strong);
  uint32_t stamp = block.epoch << 8 | w.index | (atomic ? atomicStamp : 0);
  const Pattern &p = *access.pattern;
  for (unsigned s = 0; s < p.segmentCount; ++s) {
    uint64_t begin = (access.first + p.segments[s].delta - sharedBase) >>
                     shadow.granuleShift;
    uint32_t count = p.segments[s].bytes >> shadow.granuleShift;
    uint32_t *writes = &shadow.writes[begin];
    const uint64_t *reads = races ? &shadow.reads[begin] : nullptr;
    uint32_t bad = 0;
    for (uint32_t k = 0; races && k < count; ++k) {
      bad |= uint32_t(writes[k] > view.known) &
             uint32_t((writes[k] & 0xff) != view.me);
      bad |= uint32_t(uint32_t(reads[k] >> 32) > block.safe[w.index]) &
             uint32_t((uint32_t(reads[k]) & ~(1u << w.index)) != 0);
    }
    if (bad)
      for (uint32_t k = 0; k < count; ++k)
        if (!explainWrite(w, inst, access, begin + k, writes[k], reads[k],
                          atomic))
          return false;
    for (uint32_t k = 0; k < count; ++k) {
      bool shared = atomic && (writes[k] & atomicStamp) &&
                    writes[k] >> 8 == block.epoch &&
                    (writes[k] & 0x7f) != w.index;
      writes[k] = shared ? stamp | manyWarps : stamp;
    }
  }
  return true;
}
