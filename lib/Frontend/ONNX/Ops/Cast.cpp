//===- Cast.cpp - conversions between element types -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Elementwise.h"

#include <cmath>

using namespace mlir;
using namespace hgc;
using namespace hgc::onnx;
using graph::ComparePredicate;

namespace {

/// Truncates to i32 or i64; what does not fit, and NaN, gives the smallest number.
Value truncate(Node &node, Value value, IntegerType type) {
  Type element = Node::elementOf(value);
  double end = std::ldexp(1.0, type.getWidth() - 1);
  Value isAbove = node.compare(ComparePredicate::GE, value, node.scalar(element, -end));
  Value isBelow = node.compare(ComparePredicate::LT, value, node.scalar(element, end));
  Value fits = node.create<graph::AndOp>(isAbove, isBelow);
  return node.select(fits, node.cast(value, type), node.scalar(type, -end));
}

/// ONNX does not say what floats outside of an integer type's range become, but
/// models come from programs with the conversions of x86: to i32 or i64, whose
/// low bits are those of narrower and unsigned types.
Value convert(Node &node, Value value, Type to) {
  Type from = Node::elementOf(value);
  auto type = dyn_cast<IntegerType>(to);
  if (!value || !isa<FloatType>(from) || !type || type.getWidth() == 1)
    return node.cast(value, to);
  OpBuilder &builder = node.getBuilder();
  if (from.getIntOrFloatBitWidth() < 32)
    value = node.cast(value, builder.getF32Type());
  bool isWide = type.getWidth() == 64 || (type.getWidth() == 32 && type.isUnsigned());
  Value low = node.cast(truncate(node, value, builder.getIntegerType(isWide ? 64 : 32)), type);
  if (type.getWidth() < 64 || !type.isUnsigned())
    return low;
  Value half = node.scalar(Node::elementOf(value), std::ldexp(1.0, 63));
  return node.select(node.compare(ComparePredicate::GE, value, half), node.cast(value, type), low);
}

Value buildCast(Node &node) {
  Type type = node.getElementType("to", {});
  return type ? convert(node, node.getInput(0), type) : Value();
}

Value buildBitCast(Node &node) {
  Value value = node.getInput(0);
  Type type = node.getElementType("to", {});
  if (!value || !type)
    return {};
  if (HostTensor(type, {}).getElementBytes() != HostTensor(Node::elementOf(value), {}).getElementBytes()) {
    (void)node.invalid("the types have different sizes", "bits are read as a type of the same size");
    return {};
  }
  return bitCast(node, value, type);
}

/// Of the second input only the type matters, not its extents.
LogicalResult importCastLike(Node &node) {
  Value input = node.getInput(0), like = node.getInput(1);
  Value result = input && like ? convert(node, input, Node::elementOf(like)) : Value();
  for (int64_t dim = 0; result && dim < Node::rankOf(input); ++dim)
    if (Value extent = node.getExtent(input, dim))
      node.setExtent(result, dim, extent);
  return node.done(result);
}

} // namespace

void hgc::onnx::addCastOps(OpTable &table) {
  addElementwise<buildCast>(table, "Cast", "no float8, int4, int2, strings");
  table.addBounded("CastLike", importCastLike, 1, "no float8, int4, int2, strings");
  addElementwise<buildBitCast>(table, "BitCast", "every NaN has the bits of the quiet one");
}
