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

static constexpr auto kNoWrap = arith::IntegerOverflowFlags::nsw;

namespace {
/// Arithmetic on values of one integer type. Constants fold.
struct Numbers {
  Numbers(IndexBuilder &index, Type type) : b(index.builder), loc(index.loc), type(type) {}

  Value constant(int64_t value) { return arith::ConstantOp::create(b, loc, type, b.getIntegerAttr(type, value)); }
  Value add(Value x, Value y) { return b.createOrFold<arith::AddIOp>(loc, x, y, kNoWrap); }
  Value mul(Value x, int64_t y) { return y == 1 ? x : b.createOrFold<arith::MulIOp>(loc, x, constant(y), kNoWrap); }
  /// Digits of a negative number would wrap, and what wraps is undefined.
  Value atLeastZero(Value x) { return b.createOrFold<arith::MaxSIOp>(loc, x, constant(0)); }
  Value compare(arith::CmpIPredicate predicate, Value x, int64_t y) {
    return b.createOrFold<arith::CmpIOp>(loc, predicate, x, constant(y));
  }
  std::pair<Value, Value> divRem(Value x, int64_t y) {
    Value quotient = y == 1 ? x : b.createOrFold<arith::DivUIOp>(loc, x, constant(y));
    Value whole = mul(quotient, y);
    return {quotient, b.createOrFold<arith::SubIOp>(loc, x, whole, kNoWrap)};
  }
  /// From and to an index.
  Value from(Value value) { return convert(value, type); }
  Value toIndex(Value value) { return convert(value, b.getIndexType()); }
  /// The same for values that are not negative: addresses take them as they are.
  Value toOffset(Value value) {
    if (value.getType().isIndex() || codegen::getConstant(value))
      return toIndex(value);
    return arith::IndexCastUIOp::create(b, loc, b.getIndexType(), value);
  }
  Value convert(Value value, Type to) {
    if (value.getType() == to)
      return value;
    if (auto known = codegen::getConstant(value))
      return arith::ConstantOp::create(b, loc, to, b.getIntegerAttr(to, *known));
    return arith::IndexCastOp::create(b, loc, to, value);
  }
  Value select(Value condition, Value x, Value y) { return b.createOrFold<arith::SelectOp>(loc, condition, x, y); }

  OpBuilder &b;
  Location loc;
  Type type;
};
} // namespace

static Numbers getNumbers(IndexBuilder &index, bool isNarrow) {
  OpBuilder &b = index.builder;
  return Numbers(index, isNarrow ? Type(b.getI32Type()) : Type(b.getIndexType()));
}

std::pair<Value, Value> hgc::gpu::emitDivRem(IndexBuilder &index, Value value, int64_t divisor, int64_t bound) {
  bool isNarrow = bound <= (int64_t(1) << 31) && !llvm::isPowerOf2_64(divisor);
  if (!isNarrow)
    return {index.div(value, divisor), index.rem(value, divisor)};
  Numbers numbers = getNumbers(index, true);
  auto [quotient, rest] = numbers.divRem(numbers.from(value), divisor);
  return {numbers.toIndex(quotient), numbers.toIndex(rest)};
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

/// What the digits of `linear` add to address and positions.
static MapPart emitPart(Numbers &numbers, const OperandMap &map, ArrayRef<MapDigit> digits, Value linear) {
  MapPart part{numbers.constant(0), SmallVector<Value>(map.positions.size(), numbers.constant(0))};
  for (size_t i = digits.size(); i-- > 0;) {
    const MapDigit &digit = digits[i];
    Value value = linear;
    if (i > 0)
      std::tie(linear, value) = numbers.divRem(linear, std::max<int64_t>(1, digit.extent));
    if (digit.position >= 0)
      part.positions[digit.position] = numbers.add(part.positions[digit.position], numbers.mul(value, digit.step));
    else
      part.offset = numbers.add(part.offset, numbers.mul(value, digit.stride));
  }
  return part;
}

/// Adds the positions to the address: it is linear where nothing is divided.
static void addPositions(Numbers &numbers, const OperandMap &map, MapPart &part) {
  for (auto [value, position] : llvm::zip_equal(part.positions, map.positions))
    if (position.divisor == 1)
      part.offset = numbers.add(part.offset, numbers.mul(value, position.stride));
}

MapPart hgc::gpu::emitRowPart(IndexBuilder &index, const OperandMap &map, Value row, Value base) {
  Numbers numbers = getNumbers(index, map.isNarrow());
  MapPart part = emitPart(numbers, map, map.rows, numbers.from(row));
  for (auto [value, position] : llvm::zip_equal(part.positions, map.positions))
    value = numbers.add(value, numbers.constant(position.origin));
  addPositions(numbers, map, part);
  part.offset = numbers.add(part.offset, numbers.from(base));
  return part;
}

static MapPart emitDepthPart(Numbers &numbers, const OperandMap &map, const MapDepth &depth) {
  Value start = numbers.from(depth.start), inTile = numbers.from(depth.inTile);
  const MapDigit *last = map.depth.empty() ? nullptr : &map.depth.back();
  MapPart part;
  // A tile inside one run of the last digit is cut into digits once for all.
  if (map.depth.size() > 1 && last->position < 0 && last->extent % depth.tile == 0) {
    part = emitPart(numbers, map, map.depth, start);
    part.offset = numbers.add(part.offset, numbers.mul(inTile, last->stride));
  } else {
    part = emitPart(numbers, map, map.depth, numbers.add(start, inTile));
  }
  addPositions(numbers, map, part);
  return part;
}

MapElement hgc::gpu::emitElement(IndexBuilder &index, const OperandMap &map, const MapPart &row,
                                 const MapDepth &depth) {
  Numbers numbers = getNumbers(index, map.isNarrow());
  Value exists;
  auto require = [&](Value condition) { exists = exists ? index.both(exists, condition) : condition; };
  MapDepth inside = depth;
  if (depth.mayBeNegative) {
    Value at = numbers.add(numbers.from(depth.start), numbers.from(depth.inTile));
    require(numbers.compare(arith::CmpIPredicate::sge, at, 0));
    inside = {numbers.atLeastZero(at), numbers.constant(0)};
  }
  MapPart part = emitDepthPart(numbers, map, inside);
  Value offset = numbers.add(row.offset, part.offset);
  for (auto [number, position] : llvm::enumerate(map.positions)) {
    Value at = numbers.add(row.positions[number], part.positions[number]);
    // Seen as unsigned, a negative position is a large one.
    require(numbers.compare(arith::CmpIPredicate::ult, at, position.extent * position.divisor));
    if (position.divisor == 1)
      continue;
    auto [quotient, rest] = numbers.divRem(numbers.atLeastZero(at), position.divisor);
    require(numbers.compare(arith::CmpIPredicate::eq, rest, 0));
    offset = numbers.add(offset, numbers.mul(quotient, position.stride));
  }
  if (exists)
    offset = numbers.select(exists, offset, numbers.constant(0));
  return {numbers.toOffset(offset), exists};
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
