//===- Resample.cpp - interpolation along one dim -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Resample.h"

#include <cmath>

using namespace mlir;

namespace hgc::onnx {

using graph::ComparePredicate;

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// Value of a polynomial, highest power first.
static Value polynomial(Builder &b, Value x, ArrayRef<double> factors) {
  Type type = Builder::elementOf(x);
  Value sum = b.scalar(type, factors.front());
  for (double factor : factors.drop_front())
    sum = b.add(b.mul(sum, x), b.scalar(type, factor));
  return sum;
}

Value weightAt(Builder &b, Kernel kernel, Value distance, double a) {
  Value x = b.create<graph::AbsOp>(distance);
  if (!x)
    return {};
  Type type = Builder::elementOf(x);
  Value zero = b.scalar(type, 0);
  if (kernel == Kernel::Linear)
    return b.max(b.sub(b.scalar(type, 1), x), zero);
  Value near = polynomial(b, x, {a + 2, -(a + 3), 0, 1}), far = polynomial(b, x, {a, -5 * a, 8 * a, -4 * a});
  Value isFar = b.compare(ComparePredicate::LT, x, b.scalar(type, 2));
  return b.select(b.compare(ComparePredicate::LE, x, b.scalar(type, 1)), near, b.select(isFar, far, zero));
}

//===----------------------------------------------------------------------===//
// Coordinates
//===----------------------------------------------------------------------===//

/// `ifOne` where the result has one element, which has no spacing.
static Value unlessOne(Builder &b, const ResampleAxis &axis, Value ifOne, Value otherwise) {
  return b.select(b.compare(ComparePredicate::EQ, axis.width, f32(b, 1)), ifOne, otherwise);
}

Value getCoordinates(Builder &b, const ResampleMode &mode, const ResampleAxis &axis) {
  Value place = b.iota({axis.to}, 0, b.getBuilder().getF32Type());
  Value half = f32(b, 0.5), last = f32(b, static_cast<double>(axis.from - 1));
  if (mode.transform == "asymmetric")
    return b.div(place, axis.scale);
  Value spacing = b.sub(axis.width, f32(b, 1));
  if (mode.transform == "align_corners")
    return unlessOne(b, axis, f32(b, 0), b.div(b.mul(place, last), spacing));
  if (mode.transform == "tf_crop_and_resize") {
    Value reach = b.mul(b.sub(axis.roiEnd, axis.roiStart), last);
    Value offset = unlessOne(b, axis, b.mul(reach, half), b.div(b.mul(place, reach), spacing));
    return b.add(offset, b.mul(axis.roiStart, last));
  }
  Value edge = b.div(b.add(place, half), axis.scale);
  if (mode.transform == "tf_half_pixel_for_nn")
    return edge;
  Value centre = b.sub(edge, half);
  if (mode.transform == "pytorch_half_pixel")
    return unlessOne(b, axis, f32(b, -0.5), centre);
  if (mode.transform == "half_pixel_symmetric") {
    Value excess = b.sub(f32(b, 1), b.div(f32(b, static_cast<double>(axis.to)), axis.width));
    return b.add(b.mul(f32(b, static_cast<double>(axis.from) / 2), excess), centre);
  }
  return centre;
}

//===----------------------------------------------------------------------===//
// Interpolation
//===----------------------------------------------------------------------===//

static Value floorOf(Builder &b, Value x) { return b.create<graph::FloorOp>(x); }
static Value ceilOf(Builder &b, Value x) { return b.create<graph::CeilOp>(x); }

static Value roundBy(Builder &b, StringRef rounding, const ResampleAxis &axis, Value x) {
  if (rounding == "floor")
    return floorOf(b, x);
  if (rounding == "ceil")
    return ceilOf(b, x);
  if (rounding == "simple")
    return b.select(b.compare(ComparePredicate::LT, axis.scale, f32(b, 1)), ceilOf(b, x), floorOf(b, x));
  Value half = f32(b, 0.5);
  if (rounding == "round_prefer_ceil") {
    // A sum of x and a half may round up to the next number.
    Value below = floorOf(b, x);
    Value isNearAbove = b.compare(ComparePredicate::GE, b.sub(x, below), half);
    return b.select(isNearAbove, b.add(below, f32(b, 1)), below);
  }
  // Ties that coordinates of f32 miss by a rounding error count as such.
  return ceilOf(b, b.sub(b.sub(x, half), f32(b, 1e-6)));
}

static Value toIndex(Builder &b, Value x, int64_t extent) {
  return clamp(b, b.cast(x, b.getBuilder().getI64Type()), i64(b, 0), i64(b, extent - 1));
}

/// Neighbours that may have a weight. Antialiasing widens the kernel by the
/// inverse of the scale, which is at least that of the rounded size.
static int64_t countTaps(const ResampleMode &mode, const ResampleAxis &axis) {
  double support = mode.kernel == Kernel::Linear ? 1 : 2, narrowest = 1;
  if (mode.antialias)
    narrowest = std::min(1.0, std::max(static_cast<double>(axis.to) - 0.5, 0.5) / static_cast<double>(axis.from));
  return 2 * static_cast<int64_t>(std::ceil(support / narrowest));
}

/// Weighted sum of the neighbours at `indices` ([to, taps]).
static Value weightedSum(Builder &b, Value value, int64_t dim, Value indices, Value weights) {
  int64_t rank = Builder::rankOf(value), taps = Builder::shapeOf(indices)[1], to = Builder::shapeOf(indices)[0];
  constexpr int64_t kFewTaps = 4;
  if (taps > kFewTaps) {
    Extents shape(rank + 1, 1);
    shape[dim] = to;
    shape[dim + 1] = taps;
    Value terms = b.mul(b.gather(value, indices, dim), b.reshape(weights, shape));
    return b.reduce(graph::ReduceKind::Sum, terms, {dim + 1}, false);
  }
  Value sum;
  for (int64_t tap = 0; tap < taps; ++tap) {
    Value neighbour = b.gather(value, b.reshape(b.sliceAxis(indices, 1, tap, 1), {to}), dim);
    Value weight = along(b, b.reshape(b.sliceAxis(weights, 1, tap, 1), {to}), rank, dim);
    Value term = b.mul(neighbour, weight);
    sum = sum ? b.add(sum, term) : term;
  }
  return sum;
}

Value resample(Builder &b, Value value, const ResampleMode &mode, const ResampleAxis &axis, Value coordinates) {
  if (!value || !coordinates)
    return {};
  if (axis.to == 0 || mode.kernel == Kernel::Nearest)
    return b.gather(value, toIndex(b, roundBy(b, mode.rounding, axis, coordinates), axis.from), axis.dim);
  Type f32Type = b.getBuilder().getF32Type();
  int64_t taps = countTaps(mode, axis);
  Value offsets = b.sub(b.iota({1, taps}, 1, f32Type), f32(b, static_cast<double>(taps / 2 - 1)));
  Value column = b.reshape(coordinates, {axis.to, 1});
  Value positions = b.add(floorOf(b, column), offsets), distance = b.sub(positions, column);
  if (mode.antialias)
    distance = b.mul(distance, b.min(axis.scale, f32(b, 1)));
  Value weights = weightAt(b, mode.kernel, distance, mode.cubicFactor);
  if (mode.excludeOutside) {
    Value isInside = inRange(b, positions, f32(b, 0), f32(b, static_cast<double>(axis.from)));
    weights = b.select(isInside, weights, f32(b, 0));
  }
  if (mode.antialias || mode.excludeOutside)
    weights = b.div(weights, b.reduce(graph::ReduceKind::Sum, weights, {1}, true));
  Value indices = toIndex(b, positions, axis.from);
  if (mode.kernel == Kernel::Linear && taps == 2 && !mode.excludeOutside) {
    // Beyond the border both neighbours are the same element, which halves give exactly.
    Value isOne = b.compare(ComparePredicate::EQ, b.sliceAxis(indices, 1, 0, 1), b.sliceAxis(indices, 1, 1, 1));
    weights = b.select(isOne, f32(b, 0.5), weights);
  }
  return weightedSum(b, value, axis.dim, indices, b.cast(weights, Builder::elementOf(value)));
}

} // namespace hgc::onnx
