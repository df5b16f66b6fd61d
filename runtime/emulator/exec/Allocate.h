//===- Allocate.h - register allocation -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HGC_EMU_ALLOCATE_H
#define HGC_EMU_ALLOCATE_H

#include "Decoder.h"

namespace hgc::emu {

/// Gives every virtual register of `decoder.drafts` (whose targets are pcs by
/// now) an offset in the register file, so that registers that are never live
/// at once share room: a small file stays in the host's cache. Sets the
/// register fields of `program`; returns the 32-bit registers live at once.
uint32_t allocateRegisters(Decoder &decoder, Program &program);

} // namespace hgc::emu

#endif // HGC_EMU_ALLOCATE_H
