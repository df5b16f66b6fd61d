//===- ContractionIndex.cpp - addresses of operands and results -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/GPU/Contraction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::gpu;
using codegen::IndexBuilder;

std::pair<Value, Value> hgc::gpu::emitDivRem(IndexBuilder &index, Value value, int64_t divisor, int64_t bound) {
  bool isNarrow = bound <= (int64_t(1) << 31) && !llvm::isPowerOf2_64(divisor);
  if (!isNarrow || codegen::getConstant(value))
    return {index.div(value, divisor), index.rem(value, divisor)};
  OpBuilder &b = index.builder;
  Value narrow = arith::IndexCastUIOp::create(b, index.loc, b.getI32Type(), value);
  Value by = arith::ConstantIntOp::create(b, index.loc, divisor, 32);
  Value quotient = arith::DivUIOp::create(b, index.loc, narrow, by);
  Value whole = arith::MulIOp::create(b, index.loc, quotient, by, arith::IntegerOverflowFlags::nsw);
  Value rest = arith::SubIOp::create(b, index.loc, narrow, whole, arith::IntegerOverflowFlags::nsw);
  auto widen = [&](Value v) { return arith::IndexCastUIOp::create(b, index.loc, b.getIndexType(), v); };
  return {widen(quotient), widen(rest)};
}

/// Values of digits with the given extents (most significant first).
static SmallVector<Value> emitDigits(IndexBuilder &index, ArrayRef<int64_t> extents, Value linear, int64_t bound) {
  SmallVector<Value> digits(extents.size());
  for (size_t i = extents.size(); i-- > 1;) {
    auto [quotient, rest] = emitDivRem(index, linear, std::max<int64_t>(1, extents[i]), bound);
    digits[i] = rest;
    linear = quotient;
  }
  if (!digits.empty())
    digits[0] = linear;
  return digits;
}

static MapPart emitPart(IndexBuilder &index, const OperandMap &map, ArrayRef<MapDigit> digits, Value linear,
                        int64_t bound) {
  SmallVector<int64_t> extents;
  for (const MapDigit &digit : digits)
    extents.push_back(digit.extent);
  SmallVector<Value> values = emitDigits(index, extents, linear, bound);
  MapPart part{index.constant(0), SmallVector<Value>(map.positions.size(), index.constant(0))};
  for (auto [digit, value] : llvm::zip_equal(digits, values)) {
    if (digit.position >= 0)
      part.positions[digit.position] = index.add(part.positions[digit.position], index.mul(value, digit.step));
    else
      part.offset = index.add(part.offset, index.mul(value, digit.stride));
  }
  return part;
}

MapPart hgc::gpu::emitRowPart(IndexBuilder &index, const OperandMap &map, Value linear, int64_t bound) {
  MapPart part = emitPart(index, map, map.rows, linear, bound);
  for (auto [value, position] : llvm::zip_equal(part.positions, map.positions)) {
    value = index.add(value, position.origin);
    // Both halves of an address are linear where nothing is divided.
    if (position.divisor == 1)
      part.offset = index.add(part.offset, index.mul(value, position.stride));
  }
  return part;
}

MapPart hgc::gpu::emitDepthPart(IndexBuilder &index, const OperandMap &map, Value linear, int64_t bound) {
  MapPart part = emitPart(index, map, map.depth, linear, bound);
  for (auto [value, position] : llvm::zip_equal(part.positions, map.positions))
    if (position.divisor == 1)
      part.offset = index.add(part.offset, index.mul(value, position.stride));
  return part;
}

MapElement hgc::gpu::emitElement(IndexBuilder &index, const OperandMap &map, const MapPart &row, const MapPart &depth) {
  OpBuilder &b = index.builder;
  MapElement element{index.add(row.offset, depth.offset), Value()};
  auto require = [&](Value condition) {
    element.exists = element.exists ? index.both(element.exists, condition) : condition;
  };
  for (auto [number, position] : llvm::enumerate(map.positions)) {
    Value at = index.add(row.positions[number], depth.positions[number]);
    // Seen as unsigned, a negative position is a large one.
    Value limit = index.constant(position.extent * position.divisor);
    require(b.createOrFold<arith::CmpIOp>(index.loc, arith::CmpIPredicate::ult, at, limit));
    if (position.divisor == 1)
      continue;
    auto [quotient, rest] = emitDivRem(index, at, position.divisor, INT64_MAX);
    require(index.equal(rest, index.constant(0)));
    element.offset = index.add(element.offset, index.mul(quotient, position.stride));
  }
  return element;
}

Value hgc::gpu::emitBatchOffset(IndexBuilder &index, ArrayRef<int64_t> extents, ArrayRef<int64_t> strides,
                                Value batch) {
  Value offset = index.constant(0);
  if (llvm::all_of(strides, [](int64_t stride) { return stride == 0; }))
    return offset;
  for (auto [digit, stride] : llvm::zip_equal(emitDigits(index, extents, batch, int64_t(1) << 31), strides))
    if (stride)
      offset = index.add(offset, index.mul(digit, stride));
  return offset;
}

SmallVector<Value> hgc::gpu::emitResultIndex(IndexBuilder &index, const Contraction &problem, Value batch, Value row,
                                             Value column) {
  SmallVector<Value> at(problem.resultShape.size(), index.constant(0));
  auto place = [&](ArrayRef<ResultDigit> digits, Value linear, int64_t bound) {
    SmallVector<int64_t> extents;
    for (const ResultDigit &digit : digits)
      extents.push_back(digit.extent);
    for (auto [digit, value] : llvm::zip_equal(digits, emitDigits(index, extents, linear, bound)))
      at[digit.dim] = index.add(at[digit.dim], index.mul(value, digit.step));
  };
  place(problem.batchDigits, batch, problem.batch);
  place(problem.rowDigits, row, problem.rows);
  place(problem.columnDigits, column, problem.columns);
  return at;
}
