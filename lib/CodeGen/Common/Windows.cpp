//===- Windows.cpp - indices of sliding windows ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/Common/Windows.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <numeric>
#include <tuple>

using namespace mlir;

namespace hgc::codegen {

std::pair<Value, Value> getWindowRange(IndexBuilder &index, const graph::WindowDim &dim, Value output) {
  Value zero = index.constant(0), start = index.mul(output, dim.stride);
  // ceil((limit - start) / dilation), at least 0.
  auto positions = [&](int64_t limit) {
    Value distance = index.max(zero, index.sub(index.constant(limit), start));
    return index.div(index.add(distance, dim.dilation - 1), dim.dilation);
  };
  Value first = dim.padLow ? positions(dim.padLow) : zero;
  Value last = index.constant(dim.window);
  if (dim.padHigh)
    last = index.min(last, positions(dim.padLow + dim.input));
  return {first, last};
}

Value getInputPosition(IndexBuilder &index, const graph::WindowDim &dim, Value output, Value window) {
  return index.add(index.add(index.mul(output, dim.stride), index.mul(window, dim.dilation)), -dim.padLow);
}

/// ceil(max(0, limit - window * dilation) / stride).
static Value countOutputs(IndexBuilder &index, const graph::WindowDim &dim, int64_t limit, Value window) {
  Value distance = index.sub(index.constant(limit), index.mul(window, dim.dilation));
  return index.div(index.add(index.max(index.constant(0), distance), dim.stride - 1), dim.stride);
}

std::pair<Value, Value> getOutputRange(IndexBuilder &index, const graph::WindowDim &dim, Value window) {
  Value last = countOutputs(index, dim, dim.padLow + dim.input, window);
  return {countOutputs(index, dim, dim.padLow, window), index.min(index.constant(dim.output), last)};
}

int64_t getTapStep(const graph::WindowDim &dim) { return dim.stride / std::gcd(dim.stride, dim.dilation); }

/// The number that times `value` leaves the remainder 1 modulo `modulus`, to which
/// it is prime.
static int64_t invert(int64_t value, int64_t modulus) {
  int64_t a = value % modulus, b = modulus, x = 1, y = 0;
  while (b != 0) {
    int64_t quotient = a / b;
    std::tie(a, b) = std::make_pair(b, a - quotient * b);
    std::tie(x, y) = std::make_pair(y, x - quotient * y);
  }
  return (x % modulus + modulus) % modulus;
}

Value getFirstTap(IndexBuilder &index, const graph::WindowDim &dim, Value input) {
  int64_t step = getTapStep(dim), common = dim.stride / step;
  // Window positions k with k * dilation = input + padLow modulo the stride.
  Value rest = index.rem(index.add(input, dim.padLow), dim.stride);
  Value first = index.rem(index.mul(index.div(rest, common), invert(dim.dilation / common, step)), step);
  if (common == 1)
    return first;
  Value exists = index.equal(index.rem(rest, common), index.constant(0));
  return arith::SelectOp::create(index.builder, index.loc, exists, first, index.constant(dim.window));
}

SmallVector<Value> loopTaps(IndexBuilder &index, const graph::WindowDim &dim, bool isTransposed, Value at,
                            ValueRange init, llvm::function_ref<SmallVector<Value>(Value, Value, ValueRange)> body) {
  if (!isTransposed) {
    auto [first, last] = getWindowRange(index, dim, at);
    return index.loop(first, last, 1, init, [&](Value window, ValueRange carried) {
      return body(window, getInputPosition(index, dim, at, window), carried);
    });
  }
  // 0 <= (at + padLow - window * dilation) / stride < output.
  int64_t step = getTapStep(dim);
  Value place = index.add(at, dim.padLow), zero = index.constant(0);
  Value last = index.min(index.constant(dim.window), index.add(index.div(place, dim.dilation), 1));
  Value beyond = index.max(zero, index.add(place, -(dim.output - 1) * dim.stride));
  Value least = index.div(index.add(beyond, dim.dilation - 1), dim.dilation);
  Value first = getFirstTap(index, dim, at);
  Value skipped = index.div(index.add(index.max(zero, index.sub(least, first)), step - 1), step);
  first = index.add(first, index.mul(skipped, step));
  return index.loop(first, last, step, init, [&](Value window, ValueRange carried) {
    Value distance = index.sub(place, index.mul(window, dim.dilation));
    return body(window, index.div(distance, dim.stride), carried);
  });
}

} // namespace hgc::codegen
