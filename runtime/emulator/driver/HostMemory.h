//===- HostMemory.h - pinned ranges and copies to and from the host -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host memory of an operation in flight may be gone by the time the operation
// runs, so it is copied through the kernel, which reports bad addresses
// instead of faulting.
//
//===----------------------------------------------------------------------===//
#ifndef HGC_EMU_HOST_MEMORY_H
#define HGC_EMU_HOST_MEMORY_H

#include "Objects.h"

#include <optional>

namespace hgc::emu::driver {

class HostMemory {
public:
  /// Byte that fills destinations until their copy has run, and new memory.
  static constexpr uint8_t poison = 0xcb;

  ~HostMemory();

  /// New pinned memory, or null.
  void *allocate(Context &context, size_t bytes, unsigned flags);
  /// False unless `pointer` came from allocate().
  bool free(void *pointer);
  /// Pins the client's own memory.
  Result pin(Context &context, void *pointer, size_t bytes, unsigned flags);
  Result unpin(void *pointer);
  /// The pinned block that holds an address; `begin` is set to its begin.
  const Block *find(uint64_t address, uint64_t *begin = nullptr) const;
  /// Gives up everything that belongs to a context.
  void dropContext(const Context &context);

  const std::map<uint64_t, Block> &all() const { return blocks; }

  /// Copies that fail, instead of faulting, where the host has no memory.
  static bool read(void *target, uint64_t address, size_t bytes);
  static bool write(uint64_t address, const void *source, size_t bytes);
  /// Fills a range with `poison`; false: no such memory.
  static bool fillPoison(uint64_t address, size_t bytes);
  /// Digest of a range; nothing: no such memory.
  static std::optional<uint64_t> digest(uint64_t address, size_t bytes);
  static bool isPoisoned(uint64_t address, size_t bytes);

private:
  std::map<uint64_t, Block> blocks; ///< By address.
};

} // namespace hgc::emu::driver

#endif // HGC_EMU_HOST_MEMORY_H
