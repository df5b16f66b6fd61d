//===- BlockShadow.cpp - which block touched which byte -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BlockShadow.h"

#include <sys/mman.h>

using namespace hgc::emu;

/// More than one block read.
static constexpr uint32_t several = ~0u;

BlockShadow::~BlockShadow() {
  for (uint32_t *table : {writers, readers})
    if (table)
      munmap(table, reserved * sizeof(uint32_t));
}

bool BlockShadow::reserve(uint64_t first, uint64_t bytes) {
  base = first;
  reserved = (bytes + (1u << 20)) & ~((1ull << 20) - 1);
  auto map = [this]() -> uint32_t * {
    void *result =
        mmap(nullptr, reserved * sizeof(uint32_t), PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return result == MAP_FAILED ? nullptr : static_cast<uint32_t *>(result);
  };
  writers = map();
  readers = map();
  return writers && readers;
}

static std::string describe(uint32_t who, const char *verb) {
  std::string block = who == several
                          ? std::string("several blocks")
                          : "block number " + std::to_string(who - 1);
  return block + " " + verb + " in the same launch";
}

bool BlockShadow::read(uint64_t &address, uint64_t bytes, uint64_t block,
                       std::string &text) {
  uint32_t me = uint32_t(block + 1);
  uint32_t *writer = writers + (address - base);
  uint32_t *reader = readers + (address - base);
  uint32_t foreign = 0;
  for (uint64_t k = 0; k < bytes; ++k) {
    foreign |= uint32_t(writer[k] != 0) & uint32_t(writer[k] != me);
    reader[k] = reader[k] == 0 || reader[k] == me ? me : several;
  }
  for (uint64_t k = 0; foreign && k < bytes; ++k)
    if (writer[k] && writer[k] != me) {
      address += k;
      text = describe(writer[k], "wrote");
      return false;
    }
  return true;
}

bool BlockShadow::write(uint64_t &address, uint64_t bytes, uint64_t block,
                        std::string &text) {
  uint32_t me = uint32_t(block + 1);
  uint32_t *writer = writers + (address - base);
  uint32_t *reader = readers + (address - base);
  for (uint64_t k = 0; k < bytes; ++k) {
    bool written = writer[k] && writer[k] != me;
    if (written || (reader[k] && reader[k] != me)) {
      address += k;
      text =
          written ? describe(writer[k], "wrote") : describe(reader[k], "read");
      return false;
    }
    writer[k] = me;
  }
  return true;
}
