//===- Rows.cpp - rows of arrays as a model wants them --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Data/Rows.h"

#include "hgc/Support/Error.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <cstring>

using namespace hgc;

/// Significant bits of a float type.
static int precisionOf(mlir::Type type) {
  return static_cast<int>(mlir::cast<mlir::FloatType>(type).getFPMantissaWidth());
}

/// Smallest and largest value of an integer type, exact for less than 64 bits.
static std::pair<double, double> rangeOf(mlir::Type type) {
  int width = static_cast<int>(type.getIntOrFloatBitWidth());
  if (width == 1)
    return {0, 1};
  if (type.isUnsignedInteger())
    return {0, std::ldexp(1.0, width) - 1};
  return {-std::ldexp(1.0, width - 1), std::ldexp(1.0, width - 1) - 1};
}

/// Whether every value of one type is a value of the other.
static bool alwaysFits(mlir::Type from, mlir::Type to) {
  if (from == to)
    return true;
  bool fromFloat = mlir::isa<mlir::FloatType>(from), toFloat = mlir::isa<mlir::FloatType>(to);
  if (fromFloat)
    return toFloat && to.getIntOrFloatBitWidth() > from.getIntOrFloatBitWidth();
  auto [low, high] = rangeOf(from);
  if (toFloat)
    return std::max(std::fabs(low), high) <= std::ldexp(1.0, std::min(precisionOf(to), 15));
  auto [least, most] = rangeOf(to);
  return low >= least && high <= most;
}

/// Whether a value keeps its meaning in a type.
static bool fits(const HostTensor &array, int64_t index, mlir::Type to) {
  double value = array.getDouble(index);
  if (array.isFloat() && mlir::isa<mlir::FloatType>(to))
    return !std::isfinite(value) || std::isfinite(roundToFloat(to, value));
  if (mlir::isa<mlir::FloatType>(to))
    return roundToFloat(to, value) == value;
  auto [least, most] = rangeOf(to);
  // 2^63 and 2^64 are not values of 64-bit types, although rounding says so.
  bool isWide = to.getIntOrFloatBitWidth() == 64;
  if (!(value >= least && (isWide ? value < std::ldexp(1.0, to.isUnsignedInteger() ? 64 : 63) : value <= most)))
    return false;
  return !array.isFloat() || value == std::trunc(value);
}

static std::string spellType(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

llvm::Error hgc::checkConversion(const HostTensor &array, mlir::Type element) {
  if (alwaysFits(array.getElementType(), element))
    return llvm::Error::success();
  int64_t rowElements = array.getRank() && array.getDim(0) ? array.getNumElements() / array.getDim(0) : 1;
  for (int64_t i = 0, n = array.getNumElements(); i < n; ++i)
    if (!fits(array, i, element))
      return makeError(llvm::formatv("row {0} has the {1} value {2}, which {3} cannot hold", i / rowElements,
                                     spellType(array.getElementType()), array.getDouble(i), spellType(element)),
                       "convert the data before, or in an entry 'preprocess' of the model");
  return llvm::Error::success();
}

bool hgc::isSameRow(llvm::ArrayRef<int64_t> a, llvm::ArrayRef<int64_t> b) {
  auto squeeze = [](llvm::ArrayRef<int64_t> shape) {
    return llvm::filter_to_vector(shape, [](int64_t extent) { return extent != 1; });
  };
  llvm::SmallVector<int64_t> x = squeeze(a), y = squeeze(b);
  if (x == y)
    return true;
  std::optional<int64_t> xs = countElements(x), ys = countElements(y);
  return xs && xs == ys && (x.size() == 1 || y.size() == 1);
}

namespace {

/// Calls `fn` with a value of the C type of an element; false for types C lacks.
template <typename Fn> bool dispatch(mlir::Type type, Fn fn) {
  if (type.isF32())
    return fn(float()), true;
  if (type.isF64())
    return fn(double()), true;
  if (!mlir::isa<mlir::IntegerType>(type) || type.isInteger(1))
    return false;
  bool isUnsigned = type.isUnsignedInteger();
  switch (type.getIntOrFloatBitWidth()) {
  case 8:
    return (isUnsigned ? fn(uint8_t()) : fn(int8_t())), true;
  case 16:
    return (isUnsigned ? fn(uint16_t()) : fn(int16_t())), true;
  case 32:
    return (isUnsigned ? fn(uint32_t()) : fn(int32_t())), true;
  default:
    return (isUnsigned ? fn(uint64_t()) : fn(int64_t())), true;
  }
}

void convertRow(const HostTensor &from, int64_t fromRow, HostTensor &to, int64_t toRow, int64_t elements) {
  const char *in = from.data() + fromRow * elements * from.getElementBytes();
  char *out = to.mutableData() + toRow * elements * to.getElementBytes();
  bool isDone = false;
  dispatch(from.getElementType(), [&](auto source) {
    isDone = dispatch(to.getElementType(), [&](auto target) {
      const auto *values = reinterpret_cast<const decltype(source) *>(in);
      auto *results = reinterpret_cast<decltype(target) *>(out);
      for (int64_t i = 0; i < elements; ++i)
        results[i] = static_cast<decltype(target)>(values[i]);
    });
  });
  for (int64_t i = 0; i < elements && !isDone; ++i) {
    if (to.isFloat())
      to.setDouble(toRow * elements + i, from.getDouble(fromRow * elements + i));
    else
      to.setInt(toRow * elements + i, from.getInt(fromRow * elements + i));
  }
}

} // namespace

void hgc::gatherRows(const HostTensor &from, llvm::ArrayRef<int64_t> rows, HostTensor &to) {
  int64_t room = to.getDim(0), elements = room ? to.getNumElements() / room : 0;
  int64_t rowBytes = elements * to.getElementBytes();
  bool isSame = from.getElementType() == to.getElementType();
  char *out = to.mutableData();
  for (auto [i, row] : llvm::enumerate(rows)) {
    if (isSame)
      std::memcpy(out + i * rowBytes, from.data() + row * rowBytes, rowBytes);
    else
      convertRow(from, row, to, static_cast<int64_t>(i), elements);
  }
  for (int64_t i = static_cast<int64_t>(rows.size()); i < room && !rows.empty(); ++i)
    std::memcpy(out + i * rowBytes, out, rowBytes);
}
