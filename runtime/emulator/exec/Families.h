//===- Families.h - decoders that share opcodes ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `add` and its like mean different things for integers, f32/f64 and the
// 16-bit floats; ExecArithmetic.cpp sends them to the family of their type.
//
//===----------------------------------------------------------------------===//
#ifndef HGC_EMU_FAMILIES_H
#define HGC_EMU_FAMILIES_H

#include "Decoder.h"

namespace hgc::emu {

bool decodeInteger(Decoder &d); ///< add sub mul mad div rem abs neg min max ...
bool decodeCarry(Decoder &d);   ///< add.cc addc sub.cc subc mad.cc madc
bool decodeFloat(Decoder &d);   ///< f32 and f64
bool decodeHalf(Decoder &d);    ///< f16, f16x2, bf16, bf16x2

/// f16, bf16 and their pairs.
bool isHalf(Type type);

} // namespace hgc::emu

#endif // HGC_EMU_FAMILIES_H
