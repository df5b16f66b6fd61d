//===- Memory.cpp - address space of an emulated GPU ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Memory.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <sys/mman.h>

using namespace hgc::emu;

static constexpr uint64_t redZone = 256;
static constexpr uint64_t pageBytes = 4096;
/// What memory holds that nobody has written, as long as filling it is cheap.
static constexpr uint8_t poisonByte = 0xcb;
static constexpr uint64_t poisonLimit = 64ull << 20;

static uint8_t *reserve(uint64_t bytes) {
  void *result = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return result == MAP_FAILED ? nullptr : static_cast<uint8_t *>(result);
}

Memory::Memory(unsigned device, uint64_t capacity)
    : base(firstAddress + device * bytesPerDevice), limit(capacity),
      top(base + redZone) {
  // Freed memory stays out of use as long as there are fresh addresses.
  reserved =
      std::min(std::max<uint64_t>(capacity * 4, 64ull << 30), bytesPerDevice);
  for (; reserved >= 64ull << 20; reserved /= 2) {
    data = reserve(reserved);
    valid = data ? reserve(reserved) : nullptr;
    if (valid)
      return;
    if (data)
      munmap(data, reserved);
    data = nullptr;
  }
  reserved = 0;
}

Memory::~Memory() {
  if (reserved) {
    munmap(data, reserved);
    munmap(valid, reserved);
  }
}

void Memory::forget(uint64_t address, uint64_t bytes) {
  uint64_t begin = (address - base + pageBytes - 1) & ~(pageBytes - 1);
  uint64_t end = (address - base + bytes) & ~(pageBytes - 1);
  if (end > begin + (1u << 20)) {
    // Whole pages go back to the system, which hands out zeroes.
    madvise(valid + begin, end - begin, MADV_DONTNEED);
    madvise(data + begin, end - begin, MADV_DONTNEED);
    std::memset(valid + (address - base), 0, begin - (address - base));
    std::memset(valid + end, 0, address - base + bytes - end);
  } else
    std::memset(valid + (address - base), 0, bytes);
}

bool Memory::recycle(uint64_t bytes, uint64_t alignment, uint64_t &begin) {
  uint64_t at = base + redZone;
  for (auto it = allocations.begin(); it != allocations.end();) {
    if (it->second.freed) {
      it = allocations.erase(it);
      continue;
    }
    begin = (at + alignment - 1) & ~(alignment - 1);
    if (begin + bytes + redZone <= it->second.begin)
      return true;
    at = it->second.end() + redZone;
    ++it;
  }
  begin = (at + alignment - 1) & ~(alignment - 1);
  return begin + bytes + redZone <= base + reserved;
}

uint64_t Memory::allocate(uint64_t bytes, uint64_t alignment, bool readOnly) {
  if (bytes == 0 || bytes > limit || live > limit - bytes)
    return 0;
  alignment = std::max<uint64_t>(alignment, 256);
  uint64_t begin = (top + alignment - 1) & ~(alignment - 1);
  if (begin + bytes + redZone > base + reserved) {
    if (!recycle(bytes, alignment, begin))
      return 0;
    forget(begin, bytes);
  }
  top = std::max(top, begin + bytes + redZone);
  Allocation &entry = allocations[begin];
  entry.begin = begin;
  entry.bytes = bytes;
  entry.readOnly = readOnly;
  live += bytes;
  highest = std::max(highest, live);
  ++liveCount;
  if (bytes <= poisonLimit)
    std::memset(data + (begin - base), poisonByte, bytes);
  return begin;
}

bool Memory::free(uint64_t address) {
  auto it = allocations.find(address);
  if (it == allocations.end() || it->second.freed)
    return false;
  it->second.freed = true;
  live -= it->second.bytes;
  --liveCount;
  forget(address, it->second.bytes);
  return true;
}

const Allocation *Memory::find(uint64_t address) const {
  auto it = allocations.upper_bound(address);
  if (it == allocations.begin())
    return nullptr;
  --it;
  const Allocation &entry = it->second;
  return !entry.freed && address < entry.end() ? &entry : nullptr;
}

bool Memory::check(uint64_t address, uint64_t bytes, std::string *error) const {
  const Allocation *entry = find(address);
  if (entry && bytes <= entry->end() - address)
    return true;
  if (error)
    *error = describe(address, bytes);
  return false;
}

std::string Memory::describe(uint64_t address, uint64_t bytes) const {
  char text[256];
  char what[64];
  std::snprintf(what, sizeof what, "%" PRIu64 " bytes at 0x%" PRIx64, bytes,
                address);
  auto next = allocations.upper_bound(address);
  const Allocation *after = next == allocations.end() ? nullptr : &next->second;
  const Allocation *before =
      next == allocations.begin() ? nullptr : &std::prev(next)->second;
  if (before && before->freed && address < before->end())
    std::snprintf(text, sizeof text,
                  "%s are inside %" PRIu64 " bytes at 0x%" PRIx64
                  " that were freed",
                  what, before->bytes, before->begin);
  else if (before && address < before->end())
    std::snprintf(text, sizeof text,
                  "%s reach %" PRIu64 " bytes past the end of %" PRIu64
                  " bytes at 0x%" PRIx64,
                  what, address + bytes - before->end(), before->bytes,
                  before->begin);
  else if (before && address - before->end() <
                         (after ? after->begin - address : bytesPerDevice))
    std::snprintf(text, sizeof text,
                  "%s are %" PRIu64 " bytes past the end of %" PRIu64
                  " bytes at 0x%" PRIx64,
                  what, address - before->end(), before->bytes, before->begin);
  else if (after)
    std::snprintf(text, sizeof text,
                  "%s are %" PRIu64 " bytes before %" PRIu64
                  " bytes at 0x%" PRIx64,
                  what, after->begin - address, after->bytes, after->begin);
  else
    std::snprintf(text, sizeof text, "%s are in no allocation", what);
  return text;
}

bool Memory::write(uint64_t address, const void *source, uint64_t bytes,
                   std::string *error) {
  if (!check(address, bytes, error))
    return false;
  std::memcpy(data + (address - base), source, bytes);
  std::memset(valid + (address - base), 0xff, bytes);
  return true;
}

bool Memory::read(void *target, uint64_t address, uint64_t bytes,
                  std::string *error) const {
  if (!check(address, bytes, error))
    return false;
  std::memcpy(target, data + (address - base), bytes);
  return true;
}

bool Memory::copy(uint64_t target, const Memory &from, uint64_t source,
                  uint64_t bytes, std::string *error) {
  if (!check(target, bytes, error) || !from.check(source, bytes, error))
    return false;
  std::memmove(data + (target - base), from.data + (source - from.base), bytes);
  std::memmove(valid + (target - base), from.valid + (source - from.base),
               bytes);
  return true;
}

bool Memory::fill(uint64_t address, uint32_t value, unsigned width,
                  uint64_t count, std::string *error) {
  uint64_t bytes = 0;
  if (__builtin_mul_overflow(count, uint64_t(width), &bytes))
    bytes = UINT64_MAX / 2;
  if (!check(address, bytes, error))
    return false;
  uint8_t *at = data + (address - base);
  if (width == 1)
    std::memset(at, static_cast<int>(value), bytes);
  else
    for (uint64_t i = 0; i < count; ++i)
      std::memcpy(at + i * width, &value, width);
  std::memset(valid + (address - base), 0xff, bytes);
  return true;
}

bool Memory::poison(uint64_t address, uint64_t bytes, std::string *error) {
  if (!check(address, bytes, error))
    return false;
  std::memset(valid + (address - base), 0, bytes);
  std::memset(data + (address - base), poisonByte, bytes);
  return true;
}

uint64_t Memory::firstUninitialised(uint64_t address, uint64_t bytes) const {
  const uint8_t *at = valid + (address - base);
  for (uint64_t i = 0; i < bytes; ++i) {
    uint64_t word;
    if (i + 8 <= bytes && (std::memcpy(&word, at + i, 8), word == ~0ull))
      i += 7;
    else if (at[i] != 0xff)
      return address + i;
  }
  return address + bytes;
}

uint8_t *Memory::host(uint64_t address, uint64_t bytes) {
  return check(address, bytes, nullptr) ? data + (address - base) : nullptr;
}

const uint8_t *Memory::host(uint64_t address, uint64_t bytes) const {
  return check(address, bytes, nullptr) ? data + (address - base) : nullptr;
}

void Memory::markWritten(uint64_t address, uint64_t bytes) {
  if (check(address, bytes, nullptr))
    std::memset(valid + (address - base), 0xff, bytes);
}
