//===- Kernel.h - limits of a kernel --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef HGC_EMU_KERNEL_H
#define HGC_EMU_KERNEL_H

#include "Driver.h"

namespace hgc::emu::driver {

/// Registers of a thread: those live at once, where an assembler would need
/// about as many.
unsigned registersOf(const Kernel &kernel);
/// Most threads of a block, by .reqntid, .maxntid or the GPU.
unsigned threadLimit(const Kernel &kernel);

} // namespace hgc::emu::driver

#endif // HGC_EMU_KERNEL_H
