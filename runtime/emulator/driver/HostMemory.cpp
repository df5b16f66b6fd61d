//===- HostMemory.cpp - pinned ranges and copies to and from the host -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "HostMemory.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sys/uio.h>
#include <unistd.h>

using namespace hgc::emu::driver;

namespace {

constexpr size_t pageBytes = 4096;
constexpr size_t chunkBytes = 1 << 16;

/// Moves bytes with process_vm_readv or -writev; a system that forbids those
/// calls gets a plain copy.
template <typename Move>
bool moveThroughKernel(Move move, void *ours, uint64_t theirs, size_t bytes) {
  iovec local{ours, bytes};
  iovec remote{reinterpret_cast<void *>(theirs), bytes};
  while (local.iov_len > 0) {
    ssize_t moved = move(getpid(), &local, 1, &remote, 1, 0);
    if (moved <= 0)
      return false;
    for (iovec *v : {&local, &remote}) {
      v->iov_base = static_cast<char *>(v->iov_base) + moved;
      v->iov_len -= size_t(moved);
    }
  }
  return true;
}

} // namespace

HostMemory::~HostMemory() {
  for (const auto &[address, block] : blocks)
    if (!block.registered)
      std::free(reinterpret_cast<void *>(address));
}

void *HostMemory::allocate(Context &context, size_t bytes, unsigned flags) {
  size_t rounded = (bytes + pageBytes - 1) / pageBytes * pageBytes;
  void *memory =
      rounded < bytes ? nullptr : std::aligned_alloc(pageBytes, rounded);
  if (!memory)
    return nullptr;
  std::memset(memory, poison, bytes);
  blocks[reinterpret_cast<uint64_t>(memory)] = {&context, bytes, false, flags};
  return memory;
}

bool HostMemory::free(void *pointer) {
  auto it = blocks.find(reinterpret_cast<uint64_t>(pointer));
  if (it == blocks.end() || it->second.registered)
    return false;
  blocks.erase(it);
  std::free(pointer);
  return true;
}

Result HostMemory::pin(Context &context, void *pointer, size_t bytes,
                       unsigned flags) {
  uint64_t begin = reinterpret_cast<uint64_t>(pointer);
  auto next = blocks.lower_bound(begin);
  bool overlaps = next != blocks.end() && next->first < begin + bytes;
  if (overlaps || find(begin))
    return cuda::hostAlreadyRegistered;
  blocks[begin] = {&context, bytes, true, flags};
  return HGC_CU_SUCCESS;
}

Result HostMemory::unpin(void *pointer) {
  auto it = blocks.find(reinterpret_cast<uint64_t>(pointer));
  if (it == blocks.end() || !it->second.registered)
    return cuda::hostNotRegistered;
  blocks.erase(it);
  return HGC_CU_SUCCESS;
}

const Block *HostMemory::find(uint64_t address, uint64_t *begin) const {
  auto it = blocks.upper_bound(address);
  if (it == blocks.begin())
    return nullptr;
  --it;
  if (address - it->first >= it->second.bytes)
    return nullptr;
  if (begin)
    *begin = it->first;
  return &it->second;
}

void HostMemory::dropContext(const Context &context) {
  for (auto it = blocks.begin(); it != blocks.end();) {
    if (it->second.context != &context) {
      ++it;
      continue;
    }
    if (!it->second.registered)
      std::free(reinterpret_cast<void *>(it->first));
    it = blocks.erase(it);
  }
}

bool HostMemory::read(void *target, uint64_t address, size_t bytes) {
  if (moveThroughKernel(process_vm_readv, target, address, bytes))
    return true;
  if (errno != ENOSYS && errno != EPERM)
    return false;
  std::memcpy(target, reinterpret_cast<const void *>(address), bytes);
  return true;
}

bool HostMemory::write(uint64_t address, const void *source, size_t bytes) {
  if (moveThroughKernel(process_vm_writev, const_cast<void *>(source), address,
                        bytes))
    return true;
  if (errno != ENOSYS && errno != EPERM)
    return false;
  std::memcpy(reinterpret_cast<void *>(address), source, bytes);
  return true;
}

bool HostMemory::fillPoison(uint64_t address, size_t bytes) {
  std::vector<uint8_t> chunk(std::min(chunkBytes, bytes), poison);
  for (size_t at = 0; at < bytes; at += chunkBytes)
    if (!write(address + at, chunk.data(), std::min(chunkBytes, bytes - at)))
      return false;
  return true;
}

std::optional<uint64_t> HostMemory::digest(uint64_t address, size_t bytes) {
  std::vector<uint64_t> chunk(chunkBytes / 8 + 1);
  uint64_t sum = bytes;
  for (size_t at = 0; at < bytes; at += chunkBytes) {
    size_t part = std::min(chunkBytes, bytes - at);
    chunk[part / 8] = 0; // the tail of a partial word
    if (!read(chunk.data(), address + at, part))
      return std::nullopt;
    for (size_t i = 0; i < (part + 7) / 8; ++i) {
      sum = (sum ^ chunk[i]) * 0x9e3779b97f4a7c15u;
      sum ^= sum >> 29;
    }
  }
  return sum;
}

bool HostMemory::isPoisoned(uint64_t address, size_t bytes) {
  std::vector<uint8_t> chunk(chunkBytes);
  for (size_t at = 0; at < bytes; at += chunkBytes) {
    size_t part = std::min(chunkBytes, bytes - at);
    if (!read(chunk.data(), address + at, part))
      return false;
    if (std::any_of(chunk.begin(), chunk.begin() + ptrdiff_t(part),
                    [](uint8_t b) { return b != poison; }))
      return false;
  }
  return true;
}
