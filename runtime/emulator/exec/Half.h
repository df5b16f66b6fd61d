//===- Half.h - scalar conversions between float formats ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exact in every rounding mode of PTX; none depends on the host's mode.
//
//===----------------------------------------------------------------------===//
#ifndef HGC_EMU_HALF_H
#define HGC_EMU_HALF_H

#include <cmath>
#include <cstdint>
#include <cstring>

#if defined(__F16C__)
#include <immintrin.h>
#endif

namespace hgc::emu {

enum class Rounding : uint8_t {
  NearestEven,
  Zero,
  Down,
  Up,
  NearestAway, ///< .rna: ties go away from zero.
};

/// A binary float format of at most 32 bits.
struct FloatFormat {
  unsigned mantissa; ///< Stored bits.
  unsigned exponent; ///< Bits.
  bool infinity = true;
};
constexpr FloatFormat formatF16{10, 5}, formatBF16{7, 8}, formatTF32{10, 8},
    formatF32{23, 8}, formatE4M3{3, 4, false}, formatE5M2{2, 5};

/// Bits of `value` in `format`; finite values too large become infinite, or
/// the largest number where the rounding says so or `saturate` is set. NaNs
/// become the canonical NaN of the format.
uint32_t narrow(double value, FloatFormat format, Rounding rounding,
                bool saturate = false);
/// Value of the bits in `format`.
double widen(uint32_t bits, FloatFormat format);

inline float fromHalf(uint16_t bits) {
#if defined(__F16C__)
  return _cvtsh_ss(bits);
#else
  return static_cast<float>(widen(bits, formatF16));
#endif
}

/// Nearest even.
inline uint16_t toHalf(float value) {
  if (value != value)
    return 0x7fff;
#if defined(__F16C__)
  return _cvtss_sh(value, _MM_FROUND_TO_NEAREST_INT);
#else
  return static_cast<uint16_t>(narrow(value, formatF16, Rounding::NearestEven));
#endif
}

inline float fromBrain(uint16_t bits) {
  uint32_t wide = uint32_t(bits) << 16;
  float value;
  std::memcpy(&value, &wide, 4);
  return value;
}

/// Nearest even.
inline uint16_t toBrain(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  if (value != value)
    return 0x7fff;
  return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/// a * b + c rounded to odd: rounding it again to 11 bits or fewer gives what
/// one rounding of the exact value would.
double fusedToOdd(double a, double b, double c);

} // namespace hgc::emu

#endif // HGC_EMU_HALF_H
