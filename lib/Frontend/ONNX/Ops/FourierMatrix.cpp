//===- FourierMatrix.cpp - Fourier transforms as matrix products ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Real and imaginary parts lie side by side, so a transform is one real product
// with a matrix of sines and cosines. Long ones are split at a factor of the
// length into two transforms with a rotation in between.
//===----------------------------------------------------------------------===//

#include "FourierMatrix.h"
#include "Regions.h"

#include <cmath>

using namespace mlir;

namespace hgc::onnx {

/// Most elements of a matrix before a transform is split, and at all.
static constexpr int64_t kSplitFrom = int64_t(1) << 22, kMostElements = int64_t(1) << 26;
/// Longest transform.
static constexpr int64_t kMostPoints = int64_t(1) << 24;

/// Cosine and sine of `product` steps of a circle of `length` steps; exact at its
/// quarters.
static std::pair<double, double> turn(int64_t product, int64_t length) {
  static constexpr std::pair<double, double> quarters[] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  int64_t step = product % length;
  if (4 * step % length == 0)
    return quarters[4 * step / length];
  double angle = 2 * M_PI * static_cast<double>(step) / static_cast<double>(length);
  return {std::cos(angle), std::sin(angle)};
}

/// The largest divisor up to the square root.
static int64_t findFactor(int64_t length) {
  for (auto factor = static_cast<int64_t>(std::sqrt(static_cast<double>(length))); factor > 1; --factor)
    if (length % factor == 0)
      return factor;
  return 1;
}

/// [rows, points, parts] with exactly `points` points.
static Value fitPoints(Node &node, Value x, int64_t points) {
  int64_t given = Node::shapeOf(x)[1];
  if (given >= points)
    return node.sliceAxis(x, 1, 0, points);
  return node.pad(x, node.scalar(Node::elementOf(x), 0), {0, 0, 0}, {0, points - given, 0});
}

Value Fourier::build(Node &node, Value x) const {
  if (!x)
    return {};
  if (!length)
    return buildRunTime(node, x);
  int64_t parts = Node::shapeOf(x)[2], points = std::min(Node::shapeOf(x)[1], fromHalf ? *length / 2 + 1 : *length);
  Value taken = node.sliceAxis(x, 1, 0, points);
  int64_t elements = points * parts * outputs * 2, factor = findFactor(*length);
  bool isPossible = *length > 0 && *length <= kMostPoints && (factor > 1 || elements <= kMostElements);
  if (isPossible && (elements <= kSplitFrom || factor == 1))
    return buildDirect(node, taken);
  if (!isPossible) {
    (void)node.unsupported("a Fourier transform of " + Twine(*length) + " points");
    return {};
  }
  if (!fromHalf)
    return buildSplit(node, taken, factor);
  Fourier full = *this;
  full.fromHalf = false;
  Value all = full.buildSplit(node, completeSpectrum(node, taken), factor);
  return all ? node.sliceAxis(all, 2, 0, 1) : Value();
}

Value Fourier::buildDirect(Node &node, Value x) const {
  int64_t rows = Node::shapeOf(x)[0], points = Node::shapeOf(x)[1], parts = Node::shapeOf(x)[2];
  int64_t results = fromHalf ? 1 : 2, columns = outputs * results;
  HostTensor matrix(Node::elementOf(x), {points * parts, columns});
  double scale = inverse ? 1.0 / static_cast<double>(*length) : 1;
  for (int64_t j = 0; j < points; ++j) {
    // Points of half a spectrum stand for their mirror images, too.
    bool paired = fromHalf && j != 0 && 2 * j != *length;
    double weight = paired ? 2 * scale : scale;
    for (int64_t k = 0; k < outputs; ++k) {
      auto [width, height] = turn(j * k, *length);
      double cosine = weight * width, sine = weight * getSign() * height;
      for (int64_t part = 0; part < parts; ++part)
        for (int64_t result = 0; result < results; ++result)
          matrix.setDouble((j * parts + part) * columns + k * results + result,
                           part == result ? cosine : (part == 0 ? sine : -sine));
    }
  }
  Value flat = node.reshape(x, {rows, points * parts});
  return node.reshape(node.matmul(flat, node.constant(matrix)), {rows, outputs, results});
}

Value Fourier::buildSplit(Node &node, Value x, int64_t factor) const {
  int64_t rows = Node::shapeOf(x)[0], parts = Node::shapeOf(x)[2], rest = *length / factor;
  auto sub = [&](Value value, int64_t points) {
    Fourier transform;
    transform.length = transform.outputs = points;
    transform.inverse = inverse;
    int64_t last = Node::shapeOf(value)[3];
    Value flat = node.reshape(value, {Node::shapeOf(value)[0] * Node::shapeOf(value)[1], points, last});
    Value result = transform.build(node, flat);
    return node.reshape(result, {rows, Node::shapeOf(value)[1], points, 2});
  };
  // Point j1 * rest + j2 and result k1 + factor * k2.
  Value grid = node.reshape(fitPoints(node, x, *length), {rows, factor, rest, parts});
  Value first = sub(node.transpose(grid, {0, 2, 1, 3}), factor); // [rows, j2, k1, 2]
  if (!first)
    return {};
  Type element = Node::elementOf(x);
  HostTensor same(element, {rest, factor, 2}), crossed(element, {rest, factor, 2});
  for (int64_t j = 0; j < rest; ++j)
    for (int64_t k = 0; k < factor; ++k) {
      auto [cosine, height] = turn(j * k, *length);
      double sine = getSign() * height;
      for (int64_t part = 0; part < 2; ++part) {
        same.setDouble((j * factor + k) * 2 + part, cosine);
        crossed.setDouble((j * factor + k) * 2 + part, part == 0 ? -sine : sine);
      }
    }
  Value turned = node.add(node.mul(first, node.constant(same)), node.mul(flip(node, first, 3), node.constant(crossed)));
  Value second = sub(node.transpose(turned, {0, 2, 1, 3}), rest); // [rows, k1, k2, 2]
  if (!second)
    return {};
  return node.sliceAxis(node.reshape(node.transpose(second, {0, 2, 1, 3}), {rows, *length, 2}), 1, 0, outputs);
}

/// All points of a spectrum: those that are not given are conjugates.
Value Fourier::completeSpectrum(Node &node, Value x) const {
  Value half = fitPoints(node, x, *length / 2 + 1);
  if (Node::shapeOf(half)[2] == 1)
    half = node.pad(half, node.scalar(Node::elementOf(x), 0), {0, 0, 0}, {0, 0, 1});
  Value mirrored = flip(node, node.sliceAxis(half, 1, 1, (*length - 1) / 2), 1);
  Value conjugate = node.constant(HostTensor::fromDoubles(Node::elementOf(x), {2}, {1, -1}));
  return node.concat({half, node.mul(mirrored, conjugate)}, 1);
}

Value Fourier::buildRunTime(Node &node, Value x) const {
  Type i64 = node.getBuilder().getI64Type(), f64 = node.getBuilder().getF64Type(), element = Node::elementOf(x);
  int64_t rows = Node::shapeOf(x)[0], points = Node::shapeOf(x)[1], parts = Node::shapeOf(x)[2];
  Value j = node.iota({points, outputs}, 0, i64), k = node.iota({points, outputs}, 1, i64);
  Value turns = node.cast(node.create<graph::RemOp>(node.mul(j, k), runTimeLength), f64);
  Value angle = node.div(node.mul(turns, node.scalar(f64, 2 * M_PI)), node.cast(runTimeLength, f64));
  Value inside = node.compare(graph::ComparePredicate::LT, j, runTimeLength);
  auto entries = [&](Value values) {
    Value kept = node.select(inside, node.cast(values, element), node.scalar(element, 0));
    return node.reshape(kept, {points, 1, outputs, 1});
  };
  Value cosine = entries(node.create<graph::CosOp>(angle));
  Value sine = entries(node.mul(node.create<graph::SinOp>(angle), node.scalar(f64, getSign())));
  Value matrix = node.concat({cosine, sine}, 3);
  if (parts == 2)
    matrix = node.concat({matrix, node.concat({node.create<graph::NegOp>(sine), cosine}, 3)}, 1);
  Value product =
      node.matmul(node.reshape(x, {rows, points * parts}), node.reshape(matrix, {points * parts, outputs * 2}));
  return node.reshape(product, {rows, outputs, 2});
}

} // namespace hgc::onnx
