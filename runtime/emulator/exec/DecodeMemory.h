//===- DecodeMemory.h - what loads, stores and atomics share --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HGC_EMU_DECODE_MEMORY_H
#define HGC_EMU_DECODE_MEMORY_H

#include "Decoder.h"

namespace hgc::emu {

/// Handler of a load or store of `count` values of `memory` bytes, held in
/// registers of `reg` bytes; null when there is none. Sets Inst::aux.
Handler accessHandler(bool isLoad, Space space, unsigned memory, unsigned reg,
                      bool sign, unsigned count, uint32_t &aux);

/// Takes `.weak`, `.relaxed.gpu` and the like. True when the access is strong.
bool takeOrdering(Decoder &d);
/// Takes `.global`, ..., or nothing for generic addresses.
Space takeSpace(Decoder &d);
/// Takes cache hints in any order. True: a cache policy operand follows.
bool takeCacheHints(Decoder &d);

} // namespace hgc::emu

#endif // HGC_EMU_DECODE_MEMORY_H
