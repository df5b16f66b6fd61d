//===- PadIndex.cpp - where a pad reads -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/Common/PadIndex.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace hgc::codegen {

using graph::PadMode;

/// Remainder with the sign of the (positive) divisor.
static Value floorMod(IndexBuilder &b, Value value, int64_t by) {
  Value rest = arith::RemSIOp::create(b.builder, b.loc, value, b.constant(by));
  Value isNegative = b.lessThan(rest, b.constant(0));
  return arith::SelectOp::create(b.builder, b.loc, isNegative, b.add(rest, by), rest);
}

Value emitPadSource(IndexBuilder &b, PadMode mode, Value position, int64_t low, int64_t extent) {
  Value index = b.add(position, -low);
  switch (mode) {
  case PadMode::Constant:
    return index;
  case PadMode::Edge:
    return b.max(b.min(index, b.constant(extent - 1)), b.constant(0));
  case PadMode::Wrap:
    return floorMod(b, index, extent);
  case PadMode::Reflect:
    break;
  }
  if (extent == 1)
    return b.constant(0);
  int64_t period = 2 * (extent - 1);
  Value folded = floorMod(b, index, period);
  return b.min(folded, b.sub(b.constant(period), folded));
}

} // namespace hgc::codegen
