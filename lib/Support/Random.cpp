//===- Random.cpp - reproducible random numbers ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Support/Random.h"

#include <cmath>

using namespace mlir;
using namespace hgc;

PhiloxBlock Philox::draw(uint64_t index, uint32_t attempt) const {
  return philox4x32({static_cast<uint32_t>(index), static_cast<uint32_t>(index >> 32), attempt, 0}, key);
}

static double toUnit(uint32_t high, uint32_t low) {
  return static_cast<double>((static_cast<uint64_t>(high) << 32 | low) >> 11) * 0x1p-53;
}

double Philox::uniform(uint64_t index) const {
  PhiloxBlock block = draw(index, 0);
  return toUnit(block[0], block[1]);
}

uint64_t Philox::bits(uint64_t index) const {
  PhiloxBlock block = draw(index, 0);
  return static_cast<uint64_t>(block[0]) << 32 | block[1];
}

double Philox::normal(uint64_t index, uint32_t attempt) const {
  constexpr double kTwoPi = 6.283185307179586;
  PhiloxBlock block = draw(index, attempt);
  double radius = std::sqrt(-2 * std::log1p(-toUnit(block[0], block[1])));
  return radius * std::cos(kTwoPi * toUnit(block[2], block[3]));
}

double Philox::normal(uint64_t index) const { return normal(index, 0); }

double Philox::truncatedNormal(uint64_t index) const {
  // One draw in 22 is refused; the loop ends with probability one.
  for (uint32_t attempt = 0;; ++attempt) {
    double value = normal(index, attempt);
    if (std::fabs(value) <= 2)
      return value;
  }
}

HostTensor hgc::makeRandomTensor(Type element, llvm::ArrayRef<int64_t> shape, uint64_t seed) {
  Philox philox(seed);
  int64_t count = *countElements(shape);
  if (isa<FloatType>(element)) {
    std::vector<double> values(count);
    for (int64_t i = 0; i < count; ++i)
      values[i] = 2 * philox.uniform(i) - 1;
    HostTensor result = HostTensor::fromDoubles(element, shape, values);
    // Rounding to a narrow type may reach 1, which the range excludes.
    for (int64_t i = 0; i < count; ++i)
      if (result.getDouble(i) >= 1)
        result.setDouble(i, 0);
    return result;
  }
  std::vector<int64_t> values(count);
  bool isWide = element.getIntOrFloatBitWidth() > 8;
  for (int64_t i = 0; i < count; ++i) {
    uint64_t bits = philox.bits(i);
    values[i] = isWide ? static_cast<int64_t>(bits % 201) - (element.isUnsignedInteger() ? 0 : 100)
                       : static_cast<int64_t>(bits >> 40);
  }
  return HostTensor::fromInts(element, shape, values);
}

HostTensor hgc::makeRandomIntegers(Type element, llvm::ArrayRef<int64_t> shape, uint64_t seed, int64_t least,
                                   int64_t end) {
  Philox philox(seed);
  std::vector<int64_t> values(*countElements(shape));
  uint64_t count = static_cast<uint64_t>(end) - static_cast<uint64_t>(least);
  for (auto [i, value] : llvm::enumerate(values))
    value = static_cast<int64_t>(static_cast<uint64_t>(least) + philox.bits(i) % count);
  return HostTensor::fromInts(element, shape, values);
}
