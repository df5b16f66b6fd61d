//===- ExecApprox.cpp - results as inexact as hardware's ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ExecApprox.h"
#include "FloatMath.h"

#include <cmath>

using namespace hgc::emu;

namespace {

/// Bounds of the PTX ISA: units in the last place, or an absolute error.
struct Bound {
  double ulps, absolute;
};
Bound boundOf(Approx function, double exact) {
  switch (function) {
  case Approx::Rcp:
  case Approx::Sqrt:
    return {1, 0};
  case Approx::Lg2:
    // Relative to numbers outside of (0.5, 2), whose logarithms exceed 1.
    return {0, std::fabs(exact) > 1 ? std::ldexp(std::fabs(exact), -22)
                                    : std::ldexp(1.0, -22)};
  case Approx::Sin:
  case Approx::Cos:
    return {0, std::exp2(-20.5)};
  case Approx::Tanh:
    return {0, std::ldexp(std::fabs(exact), -11)};
  default:
    return {2, 0};
  }
}

double evaluate(Approx function, double a, double b) {
  switch (function) {
  case Approx::Rcp:
    return 1 / a;
  case Approx::Sqrt:
    return std::sqrt(a);
  case Approx::Rsqrt:
    return 1 / std::sqrt(a);
  case Approx::Ex2:
    return std::exp2(a);
  case Approx::Lg2:
    return std::log2(a);
  case Approx::Sin:
    return std::sin(a);
  case Approx::Cos:
    return std::cos(a);
  case Approx::Tanh:
    return std::tanh(a);
  default:
    return a / b;
  }
}

/// In [-1, 1): equal for equal operands, as hardware is.
double draw(uint64_t seed, float a, float b) {
  uint64_t x =
      seed ^ (uint64_t(bitsAs<uint32_t>(a)) << 32) ^ bitsAs<uint32_t>(b);
  x ^= x >> 31;
  x *= 0x9e3779b97f4a7c15ull;
  x ^= x >> 29;
  x *= 0xbf58476d1ce4e5b9ull;
  x ^= x >> 32;
  return double(int64_t(x)) * 0x1p-63;
}

} // namespace

bool hgc::emu::runApprox(Warp &w, const Inst &inst, Handler exact) {
  uint64_t seed = w.worker->config->approxSeed;
  if (!seed)
    return exact(w, inst);
  auto function = static_cast<Approx>(inst.aux >> 1);
  bool ftz = inst.aux & 1, two = function == Approx::Div;
  float a[lanes], b[lanes];
  std::memcpy(a, sourceOf<float>(w, inst.op[1]), sizeof a);
  std::memcpy(b, two ? sourceOf<float>(w, inst.op[2]) : a, sizeof b);
  if (!exact(w, inst))
    return false;
  float *d = lanesOf<float>(w, inst.op[0]);
  HGC_EMU_ACTIVE(w.active) {
    // Zeros, infinities and what is close to them are prescribed.
    if (std::fpclassify(d[i]) != FP_NORMAL || std::fpclassify(a[i]) == FP_ZERO)
      continue;
    double x = ftz ? flush(a[i]) : a[i], y = ftz ? flush(b[i]) : b[i];
    double value = evaluate(function, x, y);
    double ulp = std::ldexp(1.0, std::ilogb(d[i]) - 23);
    Bound bound = boundOf(function, value);
    // The last rounding takes half a unit.
    double room = std::max(bound.absolute, bound.ulps * ulp) - ulp / 2;
    if (room <= 0)
      continue;
    float drawn = static_cast<float>(value + room * draw(seed, a[i], b[i]));
    d[i] = function == Approx::Tanh ? std::fmax(-1.0f, std::fmin(1.0f, drawn))
                                    : drawn;
  }
  return true;
}
