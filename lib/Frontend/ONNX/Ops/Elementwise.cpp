//===- Elementwise.cpp - arithmetic, comparison and logic -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Elementwise.h"
#include "../Bounded.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::onnx;
using graph::ComparePredicate;

void hgc::onnx::copyExtents(Node &node, Value result) {
  for (int64_t dim = 0; dim < Node::rankOf(result); ++dim) {
    SmallVector<DimOf> sources;
    for (unsigned i = 0; i < node.getNumInputs(); ++i) {
      Value input = node.getInput(i);
      int64_t own = input ? dim - Node::rankOf(result) + Node::rankOf(input) : -1;
      if (own >= 0)
        sources.push_back({input, own});
    }
    joinExtents(node, result, dim, sources);
  }
}

namespace {

/// The right operand as NumPy would broadcast it. Before opset 7 it was aligned
/// with dim `axis` of the left one, if at all.
Value getRightOperand(Node &node) {
  Value lhs = node.getInput(0), rhs = node.getInput(1);
  if (!lhs || !rhs || node.getOpset() >= 7 || node.getInt("broadcast", 0) == 0)
    return rhs;
  int64_t behind = Node::rankOf(lhs) - Node::rankOf(rhs);
  int64_t axis = node.getInt("axis", behind);
  if (axis < 0)
    axis += Node::rankOf(lhs);
  if (behind < 0 || axis < 0 || axis > behind) {
    (void)node.invalid("attribute 'axis' is " + Twine(axis) + ", which leaves no room for the second operand",
                       "the second operand has the extents of the first one from dim 'axis' on");
    return {};
  }
  Extents shape(Node::shapeOf(rhs));
  shape.append(behind - axis, 1);
  return node.reshape(rhs, shape);
}

template <typename Op> Value buildBinary(Node &node) {
  return node.create<Op>(node.getInput(0), getRightOperand(node));
}

template <ComparePredicate predicate> Value buildCompare(Node &node) {
  return node.compare(predicate, node.getInput(0), getRightOperand(node));
}

/// Ops of any number of operands, such as Sum.
template <typename Op> Value buildVariadic(Node &node) {
  Value result = node.getInput(0);
  for (unsigned i = 1; i < node.getNumInputs(); ++i)
    result = node.create<Op>(result, node.getInput(i));
  return result;
}

Value buildMean(Node &node) {
  Value sum = buildVariadic<graph::AddOp>(node);
  return sum ? node.div(sum, node.scalar(Node::elementOf(sum), node.getNumInputs())) : Value();
}

/// The remainder has the sign of the divisor; with `fmod` of the dividend.
Value buildMod(Node &node) {
  Value x = node.getInput(0), y = node.getInput(1);
  Value rest = node.create<graph::RemOp>(x, y);
  if (!rest || node.getInt("fmod", 0) || Node::elementOf(rest).isUnsignedInteger())
    return rest;
  Value zero = node.scalar(Node::elementOf(rest), 0);
  Value differs = node.create<graph::XorOp>(node.compare(ComparePredicate::LT, rest, zero),
                                            node.compare(ComparePredicate::LT, y, zero));
  Value isOff = node.create<graph::AndOp>(differs, node.compare(ComparePredicate::NE, rest, zero));
  return node.select(isOff, node.add(rest, y), rest);
}

//===----------------------------------------------------------------------===//
// Powers
//===----------------------------------------------------------------------===//

/// Integers to the power of integers, exact in the width of the base: squares of
/// the base for the bits of the exponent. Powers from 64 on are those of 62 and 63
/// for the bases 0, 1 and -1, and of no use for others.
Value buildIntegerPower(Node &node, Value base, Value exponent) {
  Type i64 = node.getBuilder().getI64Type();
  auto number = [&](double value) { return node.scalar(i64, value); };
  Value y = node.cast(exponent, i64);
  Value isOdd = node.create<graph::AndOp>(y, number(1));
  y = node.select(node.compare(ComparePredicate::GT, y, number(63)), node.add(isOdd, number(62)), y);
  Value one = node.scalar(Node::elementOf(base), 1), result = one;
  for (int bit = 0; bit < 6; ++bit) {
    Value isSet = node.compare(ComparePredicate::NE, node.create<graph::AndOp>(y, number(1 << bit)), number(0));
    result = node.mul(result, node.select(isSet, base, one));
    base = node.mul(base, base);
  }
  return result;
}

/// The result has the type of the base, whatever that of the exponent.
Value buildPow(Node &node) {
  Value base = node.getInput(0), exponent = getRightOperand(node);
  if (!base || !exponent)
    return {};
  Type type = Node::elementOf(base);
  bool isFloat = isa<FloatType>(type), isIntegerPower = isa<IntegerType>(Node::elementOf(exponent));
  if (!isFloat && isIntegerPower)
    return buildIntegerPower(node, base, exponent);
  // A square is exact, and cheap.
  if (std::optional<HostTensor> known = node.getConstant(exponent);
      known && known->getNumElements() == 1 && known->getDouble(0) == 2 && known->getRank() <= Node::rankOf(base))
    return node.mul(base, base);
  Type wide =
      isFloat && Node::elementOf(exponent) != node.getBuilder().getF64Type() ? type : node.getBuilder().getF64Type();
  Value power = node.create<graph::PowOp>(node.cast(base, wide), node.cast(exponent, wide));
  // What is an integer but for the last bits must not lose one when it is cut off.
  if (power && !isFloat)
    power = node.mul(power, node.scalar(wide, 1 + 1e-14));
  return node.cast(power, type);
}

//===----------------------------------------------------------------------===//
// Bits, bounds, choices
//===----------------------------------------------------------------------===//

Value buildBitShift(Node &node) {
  StringRef direction = node.getString("direction", "");
  if (direction == "LEFT")
    return node.create<graph::ShlOp>(node.getInput(0), node.getInput(1));
  if (direction == "RIGHT")
    return node.create<graph::ShrOp>(node.getInput(0), node.getInput(1));
  (void)node.invalid("attribute 'direction' is '" + direction + "'", "it is LEFT or RIGHT");
  return {};
}

/// Bounds are inputs from opset 11 on; before they were attributes.
Value buildClip(Node &node) {
  Value value = node.getInput(0);
  if (!value)
    return {};
  auto getBound = [&](StringRef name, unsigned index) -> Value {
    if (node.getOpset() < 11)
      return node.hasAttribute(name) ? node.scalar(Node::elementOf(value), node.getFloat(name, 0)) : Value();
    Value bound = node.getInput(index);
    return bound ? node.reshape(bound, {}) : bound;
  };
  bool hasLow = node.getOpset() < 11 ? node.hasAttribute("min") : node.hasInput(1);
  bool hasHigh = node.getOpset() < 11 ? node.hasAttribute("max") : node.hasInput(2);
  if (hasLow)
    value = node.max(value, getBound("min", 1));
  return hasHigh && value ? node.min(value, getBound("max", 2)) : value;
}

Value buildWhere(Node &node) { return node.select(node.getInput(0), node.getInput(1), node.getInput(2)); }

} // namespace

void hgc::onnx::addElementwiseOps(OpTable &table) {
  addElementwise<buildBinary<graph::AddOp>>(table, "Add");
  addElementwise<buildBinary<graph::SubOp>>(table, "Sub");
  addElementwise<buildBinary<graph::MulOp>>(table, "Mul");
  addElementwise<buildBinary<graph::DivOp>>(table, "Div");
  addElementwise<buildPow>(table, "Pow");
  addElementwise<buildMod>(table, "Mod");
  addElementwise<buildVariadic<graph::AddOp>>(table, "Sum");
  addElementwise<buildVariadic<graph::MaxOp>>(table, "Max");
  addElementwise<buildVariadic<graph::MinOp>>(table, "Min");
  addElementwise<buildMean>(table, "Mean");
  addElementwise<buildCompare<ComparePredicate::EQ>>(table, "Equal");
  addElementwise<buildCompare<ComparePredicate::LT>>(table, "Less");
  addElementwise<buildCompare<ComparePredicate::LE>>(table, "LessOrEqual");
  addElementwise<buildCompare<ComparePredicate::GT>>(table, "Greater");
  addElementwise<buildCompare<ComparePredicate::GE>>(table, "GreaterOrEqual");
  addElementwise<buildBinary<graph::AndOp>>(table, "And");
  addElementwise<buildBinary<graph::OrOp>>(table, "Or");
  addElementwise<buildBinary<graph::XorOp>>(table, "Xor");
  addElementwise<buildBinary<graph::AndOp>>(table, "BitwiseAnd");
  addElementwise<buildBinary<graph::OrOp>>(table, "BitwiseOr");
  addElementwise<buildBinary<graph::XorOp>>(table, "BitwiseXor");
  addElementwise<buildBitShift>(table, "BitShift");
  addElementwise<buildClip>(table, "Clip");
  addElementwise<buildWhere>(table, "Where");
  addUnaryOps(table);
  addCastOps(table);
}
