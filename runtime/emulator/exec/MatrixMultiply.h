//===- MatrixMultiply.h - mma.sync ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HGC_EMU_MATRIX_MULTIPLY_H
#define HGC_EMU_MATRIX_MULTIPLY_H

#include "Decoder.h"
#include "Machine.h"

namespace hgc::emu {

bool decodeMma(Decoder &d);

/// Fails unless all lanes are active.
bool wholeWarp(Warp &w, const Inst &inst);

} // namespace hgc::emu

#endif // HGC_EMU_MATRIX_MULTIPLY_H
