//===- ExecApprox.h - results as inexact as hardware's --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX bounds the error of `.approx` instructions and leaves the rest to the
// hardware. Code must not depend on more: with LaunchConfig::approxSeed results
// are drawn from all that the bound allows.
//
//===----------------------------------------------------------------------===//
#ifndef HGC_EMU_EXEC_APPROX_H
#define HGC_EMU_EXEC_APPROX_H

#include "Lanes.h"

namespace hgc::emu {

/// Functions with an `.approx` form of f32.
enum class Approx : uint32_t {
  Rcp,
  Sqrt,
  Rsqrt,
  Ex2,
  Lg2,
  Sin,
  Cos,
  Tanh,
  Div
};

/// Instructions whose handler is `exact` and whose Inst::aux says which
/// function and whether subnormal numbers count as zero.
bool runApprox(Warp &w, const Inst &inst, Handler exact);
constexpr uint32_t approxAux(Approx function, bool ftz) {
  return static_cast<uint32_t>(function) << 1 | uint32_t(ftz);
}

template <Handler exact> bool approximate(Warp &w, const Inst &inst) {
  return runApprox(w, inst, exact);
}

} // namespace hgc::emu

#endif // HGC_EMU_EXEC_APPROX_H
