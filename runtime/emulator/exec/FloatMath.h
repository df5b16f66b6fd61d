//===- FloatMath.h - scalar float operations of PTX -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HGC_EMU_FLOAT_MATH_H
#define HGC_EMU_FLOAT_MATH_H

#include "Lanes.h"

#include <cfenv>
#include <cfloat>
#include <cmath>

namespace hgc::emu {

template <class T> struct FloatBits;
template <> struct FloatBits<float> {
  using type = uint32_t;
  static constexpr uint32_t sign = 0x80000000u, nan = 0x7fffffffu;
  static constexpr float least = FLT_MIN;
};
template <> struct FloatBits<double> {
  using type = uint64_t;
  static constexpr uint64_t sign = 0x8000000000000000ull,
                            nan = 0x7fffffffffffffffull;
  static constexpr double least = DBL_MIN;
};
template <class T> using BitsOf = typename FloatBits<T>::type;

/// Subnormal numbers become zero, with their sign.
inline float flush(float a) {
  uint32_t bits = bitsAs<uint32_t>(a);
  return (bits & 0x7f800000u) ? a : bitsAs<float>(bits & 0x80000000u);
}
template <bool ftz, class T> inline T maybeFlush(T a) {
  if constexpr (ftz && sizeof(T) == 4)
    return flush(a);
  else
    return a;
}
/// To [0, 1]; NaN becomes 0.
template <bool sat, class T> inline T maybeSaturate(T a) {
  if constexpr (sat)
    return a > T(0) ? (a < T(1) ? a : T(1)) : T(0);
  else
    return a;
}

template <class T> inline T canonicalNan() {
  return bitsAs<T>(BitsOf<T>(FloatBits<T>::nan));
}

/// The number wins over a NaN; -0 is below +0.
template <class T> inline T minimum(T a, T b) {
  BitsOf<T> x = bitsAs<BitsOf<T>>(a), y = bitsAs<BitsOf<T>>(b);
  T less = a < b ? a : b;
  T equal = a == b ? bitsAs<T>(x | y) : less;
  T left = a != a ? b : equal;
  T both = b != b ? a : left;
  return both != both ? canonicalNan<T>() : both;
}
template <class T> inline T maximum(T a, T b) {
  BitsOf<T> x = bitsAs<BitsOf<T>>(a), y = bitsAs<BitsOf<T>>(b);
  T more = a > b ? a : b;
  T equal = a == b ? bitsAs<T>(x & y) : more;
  T left = a != a ? b : equal;
  T both = b != b ? a : left;
  return both != both ? canonicalNan<T>() : both;
}

/// Runs `inner` with the host's rounding mode in Inst::aux.
template <Handler inner> bool rounded(Warp &w, const Inst &inst) {
  static constexpr int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD,
                                  FE_UPWARD};
  std::fesetround(modes[inst.aux & 3]);
  bool ok = inner(w, inst);
  std::fesetround(FE_TONEAREST);
  return ok;
}

} // namespace hgc::emu

#endif // HGC_EMU_FLOAT_MATH_H
