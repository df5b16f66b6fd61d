//===- RandomValues.cpp - random tensors of a seed ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RandomValues.h"

#include <cmath>

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;
using namespace hgc::training;

/// Draws of a truncated normal; all miss once in 10^11 elements.
static constexpr int kAttempts = 8;

static Type getWordType(const GradBuilder &b) { return b.getBuilder().getIntegerType(64, /*isSigned=*/false); }

Value training::makeWord(const GradBuilder &b, uint64_t value) {
  auto type = RankedTensorType::get({}, getWordType(b));
  return b.make<ConstantOp>(cast<ElementsAttr>(DenseElementsAttr::get(type, APInt(64, value))));
}

uint64_t training::getStream(uint64_t number) { return (number + 1) << 40; }

/// The row-major position of each element. No reshape of one count: views keep
/// what is before them from being computed where it is used.
static Value makePositions(const GradBuilder &b, Ints shape) {
  Value positions;
  uint64_t stride = 1;
  for (int64_t dim = shape.size() - 1; dim >= 0; --dim) {
    if (shape[dim] != 1) {
      Value part = b.mul(b.iota(shape, dim, getWordType(b)), makeWord(b, stride));
      positions = positions ? b.add(positions, part) : part;
    }
    stride *= shape[dim];
  }
  return positions ? positions : b.broadcast(makeWord(b, 0), shape);
}

Value training::makeBits(const GradBuilder &b, Ints shape, Value stream, Value key) {
  return b.make<RandomOp>(makePositions(b, shape), stream, key);
}

/// Numbers in [0, 1), or with `open` in (0, 1).
static Value makeUniform(const GradBuilder &b, Ints shape, uint64_t stream, Value key, bool open = false) {
  Type f32 = b.getBuilder().getF32Type();
  Value bits = makeBits(b, shape, makeWord(b, stream), key);
  // One bit less than the mantissa has leaves room for the half that opens 0.
  Value number = b.cast(b.make<ShrOp>(bits, makeWord(b, 41)), f32);
  return b.mul(open ? b.add(number, 0.5) : number, std::ldexp(1.0, -23));
}

static Value makeNormal(const GradBuilder &b, Ints shape, uint64_t stream, Value key) {
  Value radius = b.unary<SqrtOp>(b.mul(b.unary<LogOp>(makeUniform(b, shape, stream, key, /*open=*/true)), -2));
  Value angle = b.mul(makeUniform(b, shape, stream + 1, key), 2 * M_PI);
  return b.mul(radius, b.unary<CosOp>(angle));
}

/// The first of several draws within two deviations.
static Value makeTruncated(const GradBuilder &b, Ints shape, uint64_t stream, Value key) {
  Value result;
  for (int attempt = kAttempts - 1; attempt >= 0; --attempt) {
    Value draw = makeNormal(b, shape, stream + 2 * attempt, key);
    Value two = b.scalar(elementOf(draw), 2);
    Value fits = b.compare(ComparePredicate::LE, b.unary<AbsOp>(draw), two);
    result = b.select(fits, draw, result ? result : b.scalar(elementOf(draw), 0));
  }
  return result;
}

Value training::makeInitial(const GradBuilder &b, InitKind kind, double scale, Fans fans, RankedTensorType type,
                            uint64_t number, Value key) {
  Ints shape = type.getShape();
  uint64_t stream = getStream(number);
  double deviation = scale * std::sqrt(computeVariance(kind, fans));
  auto uniform = [&](double limit) { return b.add(b.mul(makeUniform(b, shape, stream, key), 2 * limit), -limit); };
  Value value;
  switch (kind) {
  case InitKind::Zeros:
  case InitKind::Ones:
    return b.broadcast(b.scalar(type.getElementType(), kind == InitKind::Ones), shape);
  case InitKind::Uniform:
    value = uniform(scale);
    break;
  case InitKind::Normal:
    value = b.mul(makeNormal(b, shape, stream, key), scale);
    break;
  case InitKind::GlorotUniform:
  case InitKind::HeUniform:
  case InitKind::LecunUniform:
    value = uniform(std::sqrt(3.0) * deviation);
    break;
  default:
    value = b.mul(makeTruncated(b, shape, stream, key), deviation / kTruncatedDeviation);
    break;
  }
  return b.cast(value, type.getElementType());
}
