//===- ConvertScalar.h - cvt of one value ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HGC_EMU_CONVERT_SCALAR_H
#define HGC_EMU_CONVERT_SCALAR_H

#include "../ptx/Ast.h"
#include "Half.h"

namespace hgc::emu {

/// A conversion with its modifiers.
struct Conversion {
  ptx::Type to = ptx::Type::None, from = ptx::Type::None;
  Rounding rounding = Rounding::NearestEven;
  bool toIntegral = false; ///< .rni and the like.
  bool ftz = false, sat = false, satFinite = false, relu = false;
};

/// Converts the low bits of `bits`; the result is extended to 64 bits by the
/// sign of an integer type.
uint64_t convertScalar(const Conversion &how, uint64_t bits);

} // namespace hgc::emu

#endif // HGC_EMU_CONVERT_SCALAR_H
