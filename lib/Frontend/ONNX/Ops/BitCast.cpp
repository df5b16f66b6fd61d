//===- BitCast.cpp - the same bits under another type ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The graph dialect has values, not bits: sign, exponent and fraction of a float are
// computed. All numbers on the way are exact in f64. Every NaN has the bits of the
// quiet one.
//===----------------------------------------------------------------------===//

#include "Elementwise.h"
#include "Indexing.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace hgc;
using namespace hgc::onnx;
using graph::ComparePredicate;

namespace {

/// How a float type is laid out.
struct Layout {
  explicit Layout(Type type) {
    const llvm::fltSemantics &semantics = cast<FloatType>(type).getFloatSemantics();
    fraction = llvm::APFloat::semanticsPrecision(semantics) - 1;
    least = llvm::APFloat::semanticsMinExponent(semantics);
    special = 3 - 2 * least;
  }
  /// Bits of the fraction, exponent of the least normal number, and the exponent's
  /// bits of infinity.
  int64_t fraction, least, special;
};

class BitCaster {
public:
  BitCaster(Node &node, Type floats) : node(node), layout(floats), wide(node.getBuilder().getF64Type()) {}

  /// Bits of `x` as i64.
  Value toBits(Value x);
  /// The float with the bits `bits` (i64), in f64.
  Value toFloat(Value bits);

private:
  Value number(double value) { return node.scalar(wide, value); }
  Value both(Value a, Value b) { return node.create<graph::AndOp>(a, b); }
  Value shift(Value value, int64_t amount) { return node.create<graph::ShlOp>(value, i64(node, amount)); }
  Value isLess(Value a, Value b) { return node.compare(ComparePredicate::LT, a, b); }
  Value isEqual(Value a, Value b) { return node.compare(ComparePredicate::EQ, a, b); }

  Node &node;
  Layout layout;
  Type wide;
};

} // namespace

Value BitCaster::toBits(Value x) {
  x = node.cast(x, wide);
  Value magnitude = node.create<graph::AbsOp>(x);
  // In units of the least normal number; in two steps, since f64 cannot hold all of
  // its own numbers so.
  Value isSmall = isLess(magnitude, number(1));
  Value y = node.select(isSmall, node.mul(magnitude, number(std::ldexp(1, -layout.least))), magnitude);
  Value exponent = node.select(isSmall, i64(node, 0), i64(node, -layout.least));
  Value isSubnormal = node.create<graph::AndOp>(isSmall, isLess(y, number(1)));
  for (int64_t step = 512; step > 0; step /= 2) {
    Value isOver = node.compare(ComparePredicate::GE, y, number(std::ldexp(1, step)));
    y = node.select(isOver, node.mul(y, number(std::ldexp(1, -step))), y);
    exponent = node.add(exponent, node.select(isOver, i64(node, step), i64(node, 0)));
  }
  Value unit = number(std::ldexp(1, layout.fraction));
  Value whole = node.cast(node.mul(y, unit), node.getBuilder().getI64Type());
  // The leading one of a normal number adds one to the exponent's bits.
  Value bits = node.select(isSubnormal, whole, node.add(whole, shift(exponent, layout.fraction)));
  Value infinity = i64(node, layout.special << layout.fraction);
  bits = node.select(node.create<graph::IsInfOp>(x), infinity, bits);
  Value nan = i64(node, (layout.special << layout.fraction) | (int64_t(1) << (layout.fraction - 1)));
  bits = node.select(node.create<graph::IsNanOp>(x), nan, bits);
  Value isNegative = isLess(node.select(isEqual(x, number(0)), node.div(number(1), x), x), number(0));
  int64_t width = 1 + layout.fraction + llvm::Log2_64_Ceil(layout.special);
  Value sign = shift(i64(node, 1), width - 1);
  return node.select(isNegative, node.create<graph::OrOp>(bits, sign), bits);
}

Value BitCaster::toFloat(Value bits) {
  Value fractionBits = both(bits, i64(node, (int64_t(1) << layout.fraction) - 1));
  Value exponent = both(node.create<graph::ShrOp>(bits, i64(node, layout.fraction)), i64(node, layout.special));
  Value fraction = node.mul(node.cast(fractionBits, wide), number(std::ldexp(1, -layout.fraction)));
  Value isSubnormal = isEqual(exponent, i64(node, 0));
  Value result = node.add(fraction, node.select(isSubnormal, number(0), number(1)));
  result = node.mul(result, number(std::ldexp(1, layout.least)));
  Value steps = node.max(node.sub(exponent, i64(node, 1)), i64(node, 0));
  for (int64_t bit = 0; (int64_t(1) << bit) <= layout.special; ++bit) {
    Value isSet = node.compare(ComparePredicate::NE, both(steps, i64(node, int64_t(1) << bit)), i64(node, 0));
    // 2^1024 is no f64; its root is.
    Value factor = node.select(isSet, number(std::ldexp(1, bit == 10 ? 512 : 1 << bit)), number(1));
    result = node.mul(result, factor);
    if (bit == 10)
      result = node.mul(result, factor);
  }
  Value special = node.select(isEqual(fractionBits, i64(node, 0)), number(std::numeric_limits<double>::infinity()),
                              number(std::numeric_limits<double>::quiet_NaN()));
  result = node.select(isEqual(exponent, i64(node, layout.special)), special, result);
  int64_t width = 1 + layout.fraction + llvm::Log2_64_Ceil(layout.special);
  Value sign = both(node.create<graph::ShrOp>(bits, i64(node, width - 1)), i64(node, 1));
  return node.select(isEqual(sign, i64(node, 1)), node.create<graph::NegOp>(result), result);
}

Value hgc::onnx::buildBitCast(Node &node) {
  Value value = node.getInput(0);
  Type type = node.getElementType("to", {});
  if (!value || !type)
    return {};
  Type from = Node::elementOf(value);
  if (HostTensor(type, {}).getElementBytes() != HostTensor(from, {}).getElementBytes()) {
    (void)node.invalid("the types have different sizes", "bits are read as a type of the same size");
    return {};
  }
  if (std::optional<HostTensor> known = node.getConstant(value))
    return node.constant(known->bitcast(type));
  Type i64Type = node.getBuilder().getI64Type();
  bool isFloat = isa<FloatType>(from), toFloat = isa<FloatType>(type);
  if (!isFloat && !toFloat)
    return node.cast(value, type);
  Value bits = isFloat ? BitCaster(node, from).toBits(value) : node.cast(value, i64Type);
  return node.cast(toFloat ? BitCaster(node, type).toFloat(bits) : bits, type);
}
