//===- Placement.cpp - constants and variables of decoded code ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Decoder.h"

#include <cstring>

using namespace hgc::emu;
using namespace hgc::emu::ptx;

static void writeLanes(uint8_t *at, uint64_t bits, unsigned bytes) {
  for (unsigned i = 0; i < 32; ++i)
    std::memcpy(at + i * bytes, &bits, bytes);
}

int32_t Decoder::constant(uint64_t bits, unsigned bytes) {
  if (bytes < 2)
    bytes = 2;
  auto [found, fresh] = constants.try_emplace({bits, bytes}, 0);
  if (fresh) {
    size_t offset = program.pool.size();
    program.pool.resize(offset + 32 * bytes);
    writeLanes(&program.pool[offset], bits, bytes);
    found->second = static_cast<int32_t>(offset) | poolBit;
  }
  return found->second;
}

int32_t Decoder::special(Special what, unsigned bytes) {
  auto [found, fresh] =
      specials.try_emplace({unsigned(what), bytes}, int32_t(registers.size()));
  if (fresh) {
    registers.push_back(
        {bytes == 8 ? Type::U64 : Type::U32, uint8_t(bytes), -1});
    // The offset is known after register allocation.
    program.specials.push_back({what, uint32_t(found->second), uint8_t(bytes)});
  }
  return found->second;
}

int32_t Decoder::addMore(const std::vector<int32_t> &operands) {
  draft->inst.more = static_cast<uint32_t>(program.more.size());
  draft->moreCount = static_cast<uint32_t>(operands.size());
  program.more.insert(program.more.end(), operands.begin(), operands.end());
  return static_cast<int32_t>(draft->inst.more);
}

uint32_t Decoder::placeShared(uint64_t bytes, uint32_t alignment) {
  uint64_t at =
      (program.staticShared + alignment - 1) & ~uint64_t(alignment - 1);
  if (at + bytes > windowBytes - 4096) {
    fail("too much shared memory");
    return 0;
  }
  program.staticShared = static_cast<uint32_t>(at + bytes);
  return static_cast<uint32_t>(at + sharedBase);
}

const Place *Decoder::placeOf(const Operand &operand) {
  Place &place = operand.variable < 0 ? modulePlaces[~operand.variable]
                                      : frame->places[operand.variable];
  if (place.dynamic && place.alignment > sharedAlignment)
    sharedAlignment = place.alignment;
  if (!place.placed) {
    place.address = placeShared(place.bytes, place.alignment);
    place.placed = true;
  }
  return error.empty() ? &place : nullptr;
}

int32_t Decoder::addressConstant(const Place &place, uint64_t offset,
                                 unsigned bytes) {
  if (!place.dynamic)
    return constant(place.address + offset, bytes);
  size_t pool = program.pool.size();
  program.pool.resize(pool + 32 * bytes);
  int32_t operand = static_cast<int32_t>(pool) | poolBit;
  dynamicUses.push_back({operand, offset, bytes});
  return operand;
}

void Decoder::placeDynamicShared() {
  uint32_t mask = sharedAlignment - 1;
  if (!dynamicUses.empty())
    program.staticShared = (program.staticShared + mask) & ~mask;
  uint64_t base = sharedBase + program.staticShared;
  for (const DynamicUse &use : dynamicUses)
    writeLanes(&program.pool[use.pool & ~poolBit], base + use.offset,
               use.bytes);
}

void Decoder::usesShared(unsigned bytes) {
  if (bytes < program.granule)
    program.granule = bytes;
}
