//===- Values.cpp - what importers compute with scalars and coordinates ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Values.h"

#include <limits>

using namespace mlir;

namespace hgc::frontend {

using graph::ComparePredicate;

Extents stridesOf(Shape shape) {
  Extents strides(shape.size(), 1);
  for (int64_t i = static_cast<int64_t>(shape.size()) - 2; i >= 0; --i)
    strides[i] = strides[i + 1] * shape[i + 1];
  return strides;
}

int64_t product(Shape extents) {
  int64_t total = 1;
  for (int64_t extent : extents)
    total *= extent;
  return total;
}

//===----------------------------------------------------------------------===//
// Scalars and lists
//===----------------------------------------------------------------------===//

Value i64(Builder &b, int64_t value) { return b.reshape(b.ints({value}), {}); }

Value f32(Builder &b, double value) { return b.scalar(b.getBuilder().getF32Type(), value); }

Value extreme(Builder &b, Type type, bool isGreatest) {
  auto integer = dyn_cast_or_null<IntegerType>(type);
  if (!integer) {
    double infinity = std::numeric_limits<double>::infinity();
    return b.scalar(type, isGreatest ? infinity : -infinity);
  }
  // Bits of a narrow type are wrapped into place.
  unsigned width = integer.getWidth();
  bool isSigned = !integer.isUnsigned() && width > 1;
  APInt least = isSigned ? APInt::getSignedMinValue(width) : APInt::getZero(width);
  APInt bits = isGreatest ? ~least : least;
  return b.constant(HostTensor::fromInts(type, {}, {bits.sextOrTrunc(64).getSExtValue()}));
}

Value asList(Builder &b, Value value) { return b.flatten(b.cast(value, b.getBuilder().getI64Type())); }

Value element(Builder &b, Value list, int64_t index) { return b.reshape(b.slice(list, {index}, {1}), {}); }

Value listOf(Builder &b, ArrayRef<Value> scalars) {
  Values parts;
  for (Value scalar : scalars)
    parts.push_back(b.reshape(scalar, {1}));
  return b.concat(parts, 0);
}

Value both(Builder &b, Value a, Value c) { return b.create<graph::AndOp>(a, c); }

Value inRange(Builder &b, Value value, Value low, Value high) {
  return both(b, b.compare(ComparePredicate::GE, value, low), b.compare(ComparePredicate::LT, value, high));
}

Value clamp(Builder &b, Value value, Value low, Value high) { return b.min(b.max(value, low), high); }

Value fromFront(Builder &b, Value index, int64_t extent) {
  return fromFront(b, index, b.scalar(Builder::elementOf(index), extent));
}

Value fromFront(Builder &b, Value index, Value extent) {
  Type type = Builder::elementOf(index);
  Value isNegative = b.compare(ComparePredicate::LT, index, b.scalar(type, 0));
  return b.select(isNegative, b.add(index, b.cast(extent, type)), index);
}

Value modulo(Builder &b, Value value, Value divisor) {
  Value rest = b.create<graph::RemOp>(value, divisor);
  return b.create<graph::RemOp>(b.add(rest, divisor), divisor);
}

//===----------------------------------------------------------------------===//
// Coordinates
//===----------------------------------------------------------------------===//

Value along(Builder &b, Value list, int64_t rank, int64_t axis) {
  if (!list)
    return {};
  Extents shape(rank, 1);
  shape[axis] = Builder::countOf(list);
  return b.reshape(list, shape);
}

Value count(Builder &b, int64_t extent, int64_t rank, int64_t axis) {
  Extents shape(rank, 1);
  shape[axis] = extent;
  return b.iota(shape, axis, b.getBuilder().getI64Type());
}

Value flatIndex(Builder &b, ArrayRef<Value> coordinates, Shape shape) {
  Value total = i64(b, 0);
  for (auto [coordinate, stride] : llvm::zip_equal(coordinates, stridesOf(shape)))
    total = b.add(total, b.mul(coordinate, i64(b, stride)));
  return total;
}

Value pick(Builder &b, Value value, ArrayRef<Value> coordinates, Shape result) {
  if (!value)
    return {};
  return b.gatherFlat(value, b.broadcast(flatIndex(b, coordinates, Builder::shapeOf(value)), result));
}

} // namespace hgc::frontend
