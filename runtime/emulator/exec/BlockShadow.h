//===- BlockShadow.h - which block touched which byte ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks of a launch run in any order: what one writes no other may touch. Each
// byte of device memory remembers the block that wrote it and the one that read
// it, for the length of a launch.
//
//===----------------------------------------------------------------------===//
#ifndef HGC_EMU_BLOCK_SHADOW_H
#define HGC_EMU_BLOCK_SHADOW_H

#include <cstdint>
#include <string>

namespace hgc::emu {

class BlockShadow {
public:
  ~BlockShadow();
  /// Reserves for `bytes` addresses from `base` on; false without memory.
  bool reserve(uint64_t base, uint64_t bytes);
  /// Record an access of block number `block`. False when another one wrote, or
  /// (a write) read, a byte of it; `address` is then that byte and `text` says
  /// who did what.
  bool read(uint64_t &address, uint64_t bytes, uint64_t block,
            std::string &text);
  bool write(uint64_t &address, uint64_t bytes, uint64_t block,
             std::string &text);

private:
  uint64_t base = 0;
  uint64_t reserved = 0;
  uint32_t *writers = nullptr; ///< Number of a block plus one; 0: none.
  uint32_t *readers = nullptr; ///< The same, or several.
};

} // namespace hgc::emu

#endif // HGC_EMU_BLOCK_SHADOW_H
