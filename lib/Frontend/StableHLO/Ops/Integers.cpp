//===- Integers.cpp - bits ------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Elementwise.h"

using namespace mlir;

namespace hgc::stablehlo {

namespace {

Type withSign(Node &node, Value value, bool isUnsigned) {
  auto type = cast<IntegerType>(Node::elementOf(value));
  auto signedness = isUnsigned ? IntegerType::Unsigned : IntegerType::Signless;
  return type.getWidth() == 1 ? type : IntegerType::get(node.getBuilder().getContext(), type.getWidth(), signedness);
}

/// The graph dialect's shift follows the sign of the type; this one has it in its name.
template <bool IsLogical> Value buildShiftRight(Node &node, Value x, Value y) {
  if (!isa<IntegerType>(Node::elementOf(x)))
    return node.create<graph::ShrOp>(x, y);
  Type type = withSign(node, x, IsLogical);
  return node.cast(node.create<graph::ShrOp>(node.cast(x, type), node.cast(y, type)), Node::elementOf(x));
}

/// A number whose bytes are all `byte`, cut to the width of `type`.
Value bytes(Node &node, Type type, uint64_t byte) {
  uint64_t all = byte * (~uint64_t(0) / 255);
  return node.constant(HostTensor::fromInts(type, {}, {static_cast<int64_t>(all)}));
}

/// Sums of neighbouring bits, then of pairs, then of fours; a product adds the bytes.
Value countBits(Node &node, Value x) {
  Type type = Node::elementOf(x);
  unsigned width = type.getIntOrFloatBitWidth();
  auto shift = [&](Value value, int64_t amount) {
    return node.create<graph::ShrOp>(value, node.scalar(type, static_cast<double>(amount)));
  };
  auto mask = [&](Value value, uint64_t byte) { return node.create<graph::AndOp>(value, bytes(node, type, byte)); };
  x = node.sub(x, mask(shift(x, 1), 0x55));
  x = node.add(mask(x, 0x33), mask(shift(x, 2), 0x33));
  x = mask(node.add(x, shift(x, 4)), 0x0f);
  return width == 8 ? x : shift(node.mul(x, bytes(node, type, 1)), width - 8);
}

Value buildPopulation(Node &node, Value x) {
  if (!isa<IntegerType>(Node::elementOf(x)) || Node::elementOf(x).isInteger(1))
    return node.create<graph::NotOp>(x);
  return node.cast(countBits(node, node.cast(x, withSign(node, x, true))), Node::elementOf(x));
}

/// Ones below the leading one; what is left are the zeros above it.
Value buildLeadingZeros(Node &node, Value x) {
  if (!isa<IntegerType>(Node::elementOf(x)) || Node::elementOf(x).isInteger(1))
    return node.create<graph::NotOp>(x);
  Type type = withSign(node, x, true);
  Value bits = node.cast(x, type);
  for (unsigned step = 1; step < type.getIntOrFloatBitWidth(); step *= 2)
    bits = node.create<graph::OrOp>(bits, node.create<graph::ShrOp>(bits, node.scalar(type, step)));
  return node.cast(countBits(node, node.create<graph::NotOp>(bits)), Node::elementOf(x));
}

} // namespace

void addIntegerOps(OpTable &table) {
  table.addPointwise("stablehlo.and", importBinary<buildBinary<graph::AndOp>>);
  table.addPointwise("stablehlo.or", importBinary<buildBinary<graph::OrOp>>);
  table.addPointwise("stablehlo.xor", importBinary<buildBinary<graph::XorOp>>);
  table.addPointwise("stablehlo.not", importUnary<buildUnary<graph::NotOp>>);
  table.addPointwise("stablehlo.shift_left", importBinary<buildBinary<graph::ShlOp>>);
  table.addPointwise("stablehlo.shift_right_logical", importBinary<buildShiftRight<true>>);
  table.addPointwise("stablehlo.shift_right_arithmetic", importBinary<buildShiftRight<false>>);
  table.addPointwise("stablehlo.popcnt", importUnary<buildPopulation>);
  table.addPointwise("stablehlo.count_leading_zeros", importUnary<buildLeadingZeros>);
}

} // namespace hgc::stablehlo
