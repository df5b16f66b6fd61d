//===- ConvertScalar.cpp - cvt of one value -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ConvertScalar.h"
#include "FloatMath.h"

using namespace hgc::emu;
using namespace hgc::emu::ptx;

namespace {

FloatFormat formatOf(Type type) {
  switch (type) {
  case Type::F16:
    return formatF16;
  case Type::BF16:
    return formatBF16;
  case Type::TF32:
    return formatTF32;
  case Type::E4M3:
    return formatE4M3;
  case Type::E5M2:
    return formatE5M2;
  default:
    return formatF32;
  }
}

double readFloat(const Conversion &how, uint64_t bits) {
  if (how.from == Type::F64)
    return bitsAs<double>(bits);
  if (how.from == Type::F32) {
    float value = bitsAs<float>(uint32_t(bits));
    return how.ftz ? flush(value) : value;
  }
  return widen(uint32_t(bits), formatOf(how.from));
}

double toIntegral(double value, Rounding rounding) {
  switch (rounding) {
  case Rounding::Zero:
    return std::trunc(value);
  case Rounding::Down:
    return std::floor(value);
  case Rounding::Up:
    return std::ceil(value);
  default:
    return std::nearbyint(value);
  }
}

/// f64 to f32 in one rounding of any direction; NaNs are canonical.
uint32_t doubleToFloat(double value, Rounding rounding) {
  if (value != value)
    return 0x7fffffff;
  return narrow(value, formatF32, rounding);
}

uint64_t writeFloat(const Conversion &how, double value) {
  if (how.sat)
    value = value > 0 ? (value < 1 ? value : 1) : 0;
  if (how.relu && value == value && std::signbit(value))
    value = 0;
  if (how.to == Type::F64)
    return value != value ? FloatBits<double>::nan : bitsAs<uint64_t>(value);
  if (how.to == Type::F32) {
    uint32_t bits = doubleToFloat(value, how.rounding);
    return how.ftz ? bitsAs<uint32_t>(flush(bitsAs<float>(bits))) : bits;
  }
  uint32_t bits = narrow(value, formatOf(how.to), how.rounding, how.satFinite);
  // TF32 sits in the high bits of an f32.
  return how.to == Type::TF32 ? bits << 13 : bits;
}

struct Range {
  __int128 low, high;
};
Range rangeOf(Type type) {
  unsigned bits = sizeOf(type) * 8;
  __int128 one = 1;
  if (isSigned(type))
    return {-(one << (bits - 1)), (one << (bits - 1)) - 1};
  return {0, (one << bits) - 1};
}

__int128 readInteger(Type type, uint64_t bits) {
  unsigned shift = 64 - sizeOf(type) * 8;
  if (isSigned(type))
    return int64_t(bits << shift) >> shift;
  return bits << shift >> shift;
}

uint64_t floatToInteger(const Conversion &how, double value) {
  unsigned bits = sizeOf(how.to) * 8;
  if (value != value) {
    bool zero = how.from != Type::F64 && bits != 64;
    return zero ? 0 : uint64_t(readInteger(how.to, 1ull << (bits - 1)));
  }
  value = toIntegral(value, how.rounding);
  Range range = rangeOf(how.to);
  if (value <= double(range.low))
    return uint64_t(range.low);
  if (value >= double(range.high))
    return uint64_t(range.high);
  return uint64_t(__int128(value));
}

/// To f64 with the cut-off bits kept as a sticky last one, so that a later
/// rounding to fewer bits is that of the exact value.
double integerToOdd(__int128 value) {
  bool negative = value < 0;
  unsigned __int128 magnitude =
      negative ? 0 - (unsigned __int128)value : (unsigned __int128)value;
  unsigned dropped = 0;
  bool sticky = false;
  while (magnitude >> 53) {
    sticky |= magnitude & 1;
    magnitude >>= 1;
    ++dropped;
  }
  if (sticky)
    magnitude |= 1;
  double result = std::ldexp(double(uint64_t(magnitude)), int(dropped));
  return negative ? -result : result;
}

/// 64-bit integers to f64, in any rounding.
double integerToDouble(__int128 value, Rounding rounding) {
  bool negative = value < 0;
  uint64_t magnitude = uint64_t(negative ? -value : value);
  int shift = magnitude >> 53 ? 11 - __builtin_clzll(magnitude) : 0;
  uint64_t kept = magnitude >> shift, rest = magnitude - (kept << shift);
  uint64_t half = shift ? 1ull << (shift - 1) : 0;
  bool up = false;
  if (rest)
    switch (rounding) {
    case Rounding::Zero:
      break;
    case Rounding::Down:
      up = negative;
      break;
    case Rounding::Up:
      up = !negative;
      break;
    default:
      up = rest > half || (rest == half && (kept & 1));
    }
  double result = std::ldexp(double(kept + up), shift);
  return negative ? -result : result;
}

} // namespace

uint64_t hgc::emu::convertScalar(const Conversion &how, uint64_t bits) {
  if (isFloat(how.from)) {
    double value = readFloat(how, bits);
    if (!isFloat(how.to))
      return floatToInteger(how, value);
    if (how.toIntegral)
      value = toIntegral(value, how.rounding);
    return writeFloat(how, value);
  }
  __int128 value = readInteger(how.from, bits);
  if (how.to == Type::F64) {
    Conversion rest = how;
    return writeFloat(rest, integerToDouble(value, how.rounding));
  }
  if (isFloat(how.to))
    return writeFloat(how, integerToOdd(value));
  Range range = rangeOf(how.to);
  if (how.sat)
    value = value < range.low    ? range.low
            : value > range.high ? range.high
                                 : value;
  return uint64_t(readInteger(how.to, uint64_t(value)));
}
