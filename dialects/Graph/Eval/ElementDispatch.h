//===- ElementDispatch.h - from an element type to a C++ type ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_GRAPH_EVAL_ELEMENTDISPATCH_H
#define HGC_GRAPH_EVAL_ELEMENTDISPATCH_H

#include "dialects/Graph/Eval/Half.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/ErrorHandling.h"
#include <cstdint>
#include <utility>

namespace hgc {

/// One byte of an i1 tensor; any nonzero byte is true.
struct Bool {
  uint8_t byte;
};

/// Truncates toward zero and saturates; NaN gives 0. Values from 2^63 to 2^64
/// give the bits of the unsigned number.
inline int64_t truncateToInt(double value) {
  if (!(value >= -0x1p63))
    return std::isnan(value) ? 0 : INT64_MIN;
  if (value >= 0x1p64)
    return -1;
  return value >= 0x1p63 ? static_cast<int64_t>(static_cast<uint64_t>(value)) : static_cast<int64_t>(value);
}

/// Calls `fn` with a value of the type that holds one element in memory: Half,
/// BFloat, float, double, Bool (i1) or a sized integer.
template <typename Fn> decltype(auto) dispatchElement(mlir::Type element, Fn &&fn) {
  if (element.isF32())
    return fn(float());
  if (element.isF64())
    return fn(double());
  if (element.isF16())
    return fn(Half());
  if (element.isBF16())
    return fn(BFloat());
  bool isUnsigned = element.isUnsignedInteger();
  switch (element.getIntOrFloatBitWidth()) {
  case 1:
    return fn(Bool());
  case 8:
    return isUnsigned ? fn(uint8_t()) : fn(int8_t());
  case 16:
    return isUnsigned ? fn(uint16_t()) : fn(int16_t());
  case 32:
    return isUnsigned ? fn(uint32_t()) : fn(int32_t());
  case 64:
    return isUnsigned ? fn(uint64_t()) : fn(int64_t());
  }
  llvm_unreachable("not an element type of the graph dialect");
}

/// Conversions between memory form and the evaluator's registers. Unsigned
/// 64-bit values travel through int64_t with their bits unchanged.
template <typename T> struct ElementTraits {
  static double toDouble(T value) { return static_cast<double>(value); }
  static int64_t toInt(T value) { return static_cast<int64_t>(value); }
  static T fromDouble(double value) { return static_cast<T>(truncateToInt(value)); }
  static T fromInt(int64_t value) { return static_cast<T>(value); }
};
template <> struct ElementTraits<Bool> {
  static double toDouble(Bool value) { return value.byte != 0; }
  static int64_t toInt(Bool value) { return value.byte != 0; }
  static Bool fromDouble(double value) { return {value != 0}; }
  static Bool fromInt(int64_t value) { return {static_cast<uint8_t>(value & 1)}; }
};
template <> struct ElementTraits<float> {
  static double toDouble(float value) { return value; }
  static int64_t toInt(float value) { return truncateToInt(value); }
  static float fromDouble(double value) { return static_cast<float>(value); }
  static float fromInt(int64_t value) { return static_cast<float>(value); }
};
template <> struct ElementTraits<double> {
  static double toDouble(double value) { return value; }
  static int64_t toInt(double value) { return truncateToInt(value); }
  static double fromDouble(double value) { return value; }
  static double fromInt(int64_t value) { return static_cast<double>(value); }
};
template <int N> struct ElementTraits<Float16<N>> {
  static double toDouble(Float16<N> value) { return value.toDouble(); }
  static int64_t toInt(Float16<N> value) { return truncateToInt(value.toDouble()); }
  static Float16<N> fromDouble(double value) { return Float16<N>::fromDouble(value); }
  static Float16<N> fromInt(int64_t value) { return Float16<N>::fromDouble(static_cast<double>(value)); }
};

} // namespace hgc

#endif // HGC_GRAPH_EVAL_ELEMENTDISPATCH_H
