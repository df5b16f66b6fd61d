//===- ByteSet.cpp - bytes of device memory a launch touched --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ByteSet.h"

#include <algorithm>
#include <cstring>
#include <sys/mman.h>

using namespace hgc::emu;

static constexpr uint64_t pageBytes = 4096;

ByteSet::~ByteSet() {
  if (bits)
    munmap(bits, reserved / 8);
  if (touched)
    munmap(touched, reserved / pageBytes);
}

bool ByteSet::reserve(uint64_t first, uint64_t bytes) {
  base = first;
  reserved = (bytes + (1u << 20)) & ~((1ull << 20) - 1);
  auto map = [](uint64_t size) {
    void *result = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return result == MAP_FAILED ? nullptr : static_cast<uint8_t *>(result);
  };
  bits = map(reserved / 8);
  touched = map(reserved / pageBytes);
  return bits && touched;
}

void ByteSet::add(uint64_t address, uint64_t bytes) {
  uint64_t at = address - base, end = at + bytes;
  uint64_t firstPage = at / pageBytes, lastPage = (end - 1) / pageBytes;
  for (uint64_t page = firstPage; page <= lastPage; ++page)
    touched[page] = 1;
  lowPage = std::min(lowPage, firstPage);
  highPage = std::max(highPage, lastPage);
  while (at < end) {
    uint64_t shift = at % 64;
    uint64_t count = std::min(64 - shift, end - at);
    uint64_t ones = count == 64 ? ~0ull : ((1ull << count) - 1) << shift;
    uint64_t word;
    uint8_t *where = bits + at / 64 * 8;
    std::memcpy(&word, where, 8);
    word |= ones;
    std::memcpy(where, &word, 8);
    at += count;
  }
}

void ByteSet::drain(std::vector<Interval> &into) {
  auto append = [&](uint64_t begin, uint64_t end) {
    if (!into.empty() && into.back().end == base + begin)
      into.back().end = base + end;
    else
      into.push_back({base + begin, base + end});
  };
  for (uint64_t page = lowPage; page <= highPage && lowPage != ~0ull; ++page) {
    if (!touched[page])
      continue;
    for (uint64_t k = 0; k < pageBytes / 64; ++k) {
      uint64_t at = page * pageBytes + k * 64, word;
      std::memcpy(&word, bits + at / 8, 8);
      while (word) {
        unsigned from = __builtin_ctzll(word);
        uint64_t rest = ~(word >> from);
        unsigned length =
            rest ? std::min<unsigned>(__builtin_ctzll(rest), 64 - from)
                 : 64 - from;
        append(at + from, at + from + length);
        word &= from + length == 64 ? (1ull << from) - 1
                                    : ~(((1ull << length) - 1) << from);
      }
    }
  }
}
