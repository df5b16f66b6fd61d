//===- HostTensorCompare.cpp - the error measure --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Eval/ElementDispatch.h"
#include "dialects/Graph/Eval/HostTensor.h"

#include <cfloat>

using namespace mlir;
using namespace hgc;

/// Smallest scale differences are measured against: the least normal number of
/// a float type, one for integers.
static long double smallestScale(Type element) {
  if (element.isF64())
    return DBL_MIN;
  if (element.isF16())
    return 0x1p-14;
  return isa<FloatType>(element) ? FLT_MIN : 1.0;
}

/// Element as long double: exact for every element type, ui64 included.
static std::vector<long double> widen(const HostTensor &tensor) {
  std::vector<long double> result(tensor.getNumElements());
  dispatchElement(tensor.getElementType(), [&](auto tag) {
    using T = decltype(tag);
    const T *in = reinterpret_cast<const T *>(tensor.data());
    for (size_t i = 0; i < result.size(); ++i) {
      if constexpr (std::is_integral_v<T>)
        result[i] = in[i];
      else
        result[i] = ElementTraits<T>::toDouble(in[i]);
    }
  });
  return result;
}

/// Whether a NaN or infinity in either is the same in both.
static bool samePattern(long double a, long double b) {
  if (std::isfinite(a) && std::isfinite(b))
    return true;
  return std::isnan(b) ? std::isnan(a) : a == b;
}

Comparison hgc::compare(const HostTensor &actual, const HostTensor &expected, double bound) {
  Comparison result;
  result.comparable = actual.getElementType() == expected.getElementType() && actual.getShape() == expected.getShape();
  if (!result.comparable || !actual)
    return result;
  std::vector<long double> a = widen(actual), b = widen(expected);
  long double largest = 0, squares = 0;
  size_t finite = 0;
  for (long double value : b) {
    if (!std::isfinite(value))
      continue;
    largest = std::max(largest, std::fabs(value));
    squares += value * value;
    ++finite;
  }
  long double rms = finite ? std::sqrt(squares / finite) : 0;
  long double scale = std::max({largest, 1e-3L * rms, smallestScale(actual.getElementType())});
  long double worst = 0;
  for (size_t i = 0; i < b.size(); ++i) {
    bool matches = samePattern(a[i], b[i]);
    long double difference = matches && std::isfinite(b[i]) ? std::fabs(a[i] - b[i]) : 0;
    worst = std::max(worst, difference);
    result.patternsMatch &= matches;
    if (result.firstBad < 0 && (!matches || difference > bound * scale))
      result.firstBad = static_cast<int64_t>(i);
  }
  result.error = static_cast<double>(worst / scale);
  return result;
}
