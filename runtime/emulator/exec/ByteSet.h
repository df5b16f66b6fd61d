//===- ByteSet.h - bytes of device memory a launch touched ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HGC_EMU_BYTE_SET_H
#define HGC_EMU_BYTE_SET_H

#include "Launch.h"

#include <cstdint>
#include <vector>

namespace hgc::emu {

/// Which bytes of device memory a launch touched: one bit each.
class ByteSet {
public:
  ~ByteSet();
  /// Reserves for `bytes` addresses from `base` on; false without memory.
  bool reserve(uint64_t base, uint64_t bytes);
  void add(uint64_t address, uint64_t bytes);
  /// Appends the runs in order and forgets them.
  void drain(std::vector<Interval> &into);

private:
  uint64_t base = 0;
  uint64_t reserved = 0;
  uint8_t *bits = nullptr;
  uint8_t *touched = nullptr; ///< One flag per 4096 addresses.
  uint64_t lowPage = ~0ull, highPage = 0;
};

} // namespace hgc::emu

#endif // HGC_EMU_BYTE_SET_H
