//===- Windows.cpp - indices of sliding windows ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/Common/Windows.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

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

} // namespace hgc::codegen
