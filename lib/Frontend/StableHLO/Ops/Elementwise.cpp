//===- Elementwise.cpp - arithmetic, comparisons, conversions -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Elementwise.h"

#include "llvm/ADT/StringSwitch.h"
#include <cmath>

using namespace mlir;

namespace hgc::stablehlo {

using graph::ComparePredicate;

/// The shape two values broadcast to, if they do.
static std::optional<Extents> joinShapes(Shape a, Shape b) {
  Extents shape(std::max(a.size(), b.size()), 1);
  for (Shape part : {a, b})
    for (auto [dim, extent] : llvm::enumerate(llvm::reverse(part))) {
      int64_t &joined = shape[shape.size() - 1 - dim];
      if (extent != 1 && joined != 1 && joined != extent)
        return std::nullopt;
      joined = extent == 1 ? joined : extent;
    }
  return shape;
}

std::optional<std::pair<Value, Value>> getPair(Node &node) {
  if (!node.hasOperands(2))
    return std::nullopt;
  Value x = node.getOperand(0), y = node.getOperand(1);
  std::optional<Extents> shape = joinShapes(Node::shapeOf(x), Node::shapeOf(y));
  if (!shape)
    return std::make_pair(x, y);
  // Both may have been repeated; then one of them must stay so.
  for (auto [a, b] : {std::make_pair(Node::withoutBroadcast(x), Node::withoutBroadcast(y)),
                      std::make_pair(x, Node::withoutBroadcast(y)), std::make_pair(Node::withoutBroadcast(x), y)})
    if (joinShapes(Node::shapeOf(a), Node::shapeOf(b)) == shape)
      return std::make_pair(a, b);
  return std::make_pair(x, y);
}

namespace {

bool isBool(Value value) { return Node::elementOf(value).isInteger(1); }

/// Arithmetic on booleans is logic.
template <typename Op, typename Logic> Value buildNumber(Node &node, Value x, Value y) {
  return isBool(x) ? node.create<Logic>(x, y) : node.create<Op>(x, y);
}

/// Exact by squaring: elements wrap around as products do.
Value buildIntegerPower(Node &node, Value x, Value y) {
  Type type = Node::elementOf(x);
  Value one = node.scalar(type, 1), zero = node.scalar(type, 0), power = x, result = one;
  bool isUnsigned = cast<IntegerType>(type).isUnsigned();
  int64_t bits = cast<IntegerType>(type).getWidth() - (isUnsigned ? 0 : 1);
  for (int64_t bit = 0; bit < bits; ++bit) {
    Value mask = node.scalar(type, std::ldexp(1.0, bit));
    Value isSet = node.compare(ComparePredicate::NE, node.create<graph::AndOp>(y, mask), zero);
    result = node.select(isSet, node.mul(result, power), result);
    power = node.mul(power, power);
  }
  if (isUnsigned)
    return result;
  // One over the base: nothing is left of all but 1 and -1.
  Value isUnit = node.compare(ComparePredicate::EQ, node.create<graph::AbsOp>(x), one);
  Value isNegative = node.compare(ComparePredicate::LT, y, zero);
  return node.select(isNegative, node.select(isUnit, result, zero), result);
}

Value buildPower(Node &node, Value x, Value y) {
  return isa<FloatType>(Node::elementOf(x)) ? node.create<graph::PowOp>(x, y) : buildIntegerPower(node, x, y);
}

Value buildIsFinite(Node &node, Value x) {
  Value isOther = node.create<graph::OrOp>(node.create<graph::IsNanOp>(x), node.create<graph::IsInfOp>(x));
  return node.create<graph::NotOp>(isOther);
}

Value buildCubeRoot(Node &node, Value x) {
  Value root = node.create<graph::PowOp>(node.create<graph::AbsOp>(x), node.scalar(Node::elementOf(x), 1.0 / 3));
  return node.mul(root, node.create<graph::SignOp>(x));
}

/// Halves away from zero; adding a half first would round what is just below it.
Value buildRoundAway(Node &node, Value x) {
  Type type = Node::elementOf(x);
  Value whole = node.create<graph::TruncOp>(x);
  Value rest = node.create<graph::AbsOp>(node.sub(x, whole));
  Value isHalf = node.compare(ComparePredicate::GE, rest, node.scalar(type, 0.5));
  return node.select(isHalf, node.add(whole, node.create<graph::SignOp>(x)), whole);
}

LogicalResult importConvert(Node &node) {
  return node.hasOperands(1) ? node.done(node.cast(node.getOperand(0), node.getResultType(0).getElementType()))
                             : failure();
}

std::optional<ComparePredicate> getPredicate(StringRef word) {
  return llvm::StringSwitch<std::optional<ComparePredicate>>(word)
      .Case("EQ", ComparePredicate::EQ)
      .Case("NE", ComparePredicate::NE)
      .Case("LT", ComparePredicate::LT)
      .Case("LE", ComparePredicate::LE)
      .Case("GT", ComparePredicate::GT)
      .Case("GE", ComparePredicate::GE)
      .Default(std::nullopt);
}

/// NaN is greater than all numbers, and zeros are equal: JAX removes signs of both before it compares so.
Value buildTotalOrder(Node &node, ComparePredicate predicate, Value x, Value y) {
  auto negate = [&](Value value) { return node.create<graph::NotOp>(value); };
  auto isLess = [&](Value a, Value b) {
    Value isSmaller = node.compare(ComparePredicate::LT, a, b);
    Value isBefore = both(node, negate(node.create<graph::IsNanOp>(a)), node.create<graph::IsNanOp>(b));
    return node.create<graph::OrOp>(isSmaller, isBefore);
  };
  switch (predicate) {
  case ComparePredicate::LT:
    return isLess(x, y);
  case ComparePredicate::GT:
    return isLess(y, x);
  case ComparePredicate::LE:
    return negate(isLess(y, x));
  case ComparePredicate::GE:
    return negate(isLess(x, y));
  case ComparePredicate::EQ:
    return negate(node.create<graph::OrOp>(isLess(x, y), isLess(y, x)));
  case ComparePredicate::NE:
    return node.create<graph::OrOp>(isLess(x, y), isLess(y, x));
  }
  return {};
}

LogicalResult importCompare(Node &node) {
  std::optional<ComparePredicate> predicate = getPredicate(node.getWord("comparison_direction"));
  if (!predicate)
    return node.invalid("there is no comparison '" + node.getWord("comparison_direction") + "'",
                        "it is one of EQ, NE, LT, LE, GT, GE");
  auto pair = getPair(node);
  if (!pair)
    return failure();
  if (node.getWord("compare_type") == "TOTALORDER" && isa<FloatType>(Node::elementOf(pair->first)))
    return node.done(buildTotalOrder(node, *predicate, pair->first, pair->second));
  return node.done(node.compare(*predicate, pair->first, pair->second));
}

LogicalResult importSelect(Node &node) {
  if (!node.hasOperands(3))
    return failure();
  Value condition = node.getOperand(0), x = node.getOperand(1), y = node.getOperand(2);
  // One operand with all elements is enough.
  if (Node::withoutBroadcast(condition) == condition && Node::shapeOf(condition) == Node::shapeOf(x)) {
    x = Node::withoutBroadcast(x);
    y = Node::withoutBroadcast(y);
  } else if (Node::withoutBroadcast(x) == x) {
    y = Node::withoutBroadcast(y);
    condition = Node::withoutBroadcast(condition);
  }
  return node.done(node.select(condition, x, y));
}

LogicalResult importClamp(Node &node) {
  if (!node.hasOperands(3))
    return failure();
  Value low = Node::withoutBroadcast(node.getOperand(0)), high = Node::withoutBroadcast(node.getOperand(2));
  return node.done(clamp(node, node.getOperand(1), low, high));
}

/// Formats that are a type of their own, which values go through.
LogicalResult importReducePrecision(Node &node) {
  std::optional<int64_t> exponent = node.getInt("exponent_bits", 0), mantissa = node.getInt("mantissa_bits", 0);
  if (!exponent || !mantissa || !node.hasOperands(1))
    return failure();
  StringRef format = node.getWord("format");
  OpBuilder &builder = node.getBuilder();
  Type type = Node::elementOf(node.getOperand(0));
  auto is = [&](int64_t e, int64_t m, StringRef word) { return (*exponent == e && *mantissa == m) || format == word; };
  if (is(8, 23, "e8m23") && !type.isF64())
    return node.done(node.getOperand(0));
  Type narrow = is(5, 10, "e5m10") ? Type(builder.getF16Type())
                : is(8, 7, "e8m7") ? Type(builder.getBF16Type())
                                   : Type();
  if (!narrow)
    return node.unsupported("a format that is neither f32, f16 nor bf16");
  return node.done(node.cast(node.cast(node.getOperand(0), narrow), type));
}

LogicalResult importBitcast(Node &node) {
  if (!node.hasOperands(1))
    return failure();
  Value x = node.getOperand(0);
  Type from = Node::elementOf(x), to = node.getResultType(0).getElementType();
  if (from.getIntOrFloatBitWidth() != to.getIntOrFloatBitWidth() || from.isInteger(1))
    return node.unsupported("bits of a type of another width");
  return node.done(bitCast(node, x, to));
}

} // namespace

void addElementwiseOps(OpTable &table) {
  auto unary = [&](StringRef name, ImportFn import) { table.addPointwise(("stablehlo." + name).str(), import); };
  auto binary = unary;
  unary("abs", importUnary<buildUnary<graph::AbsOp>>);
  unary("negate", importUnary<buildUnary<graph::NegOp>>);
  unary("sign", importUnary<buildUnary<graph::SignOp>>);
  unary("exponential", importUnary<buildUnary<graph::ExpOp>>);
  unary("exponential_minus_one", importUnary<buildUnary<graph::Expm1Op>>);
  unary("log", importUnary<buildUnary<graph::LogOp>>);
  unary("log_plus_one", importUnary<buildUnary<graph::Log1pOp>>);
  unary("logistic", importUnary<buildUnary<graph::SigmoidOp>>);
  unary("sqrt", importUnary<buildUnary<graph::SqrtOp>>);
  unary("rsqrt", importUnary<buildUnary<graph::RsqrtOp>>);
  unary("cbrt", importUnary<buildCubeRoot>);
  unary("sine", importUnary<buildUnary<graph::SinOp>>);
  unary("cosine", importUnary<buildUnary<graph::CosOp>>);
  unary("tan", importUnary<buildUnary<graph::TanOp>>);
  unary("tanh", importUnary<buildUnary<graph::TanhOp>>);
  unary("floor", importUnary<buildUnary<graph::FloorOp>>);
  unary("ceil", importUnary<buildUnary<graph::CeilOp>>);
  unary("round_nearest_even", importUnary<buildUnary<graph::RoundOp>>);
  unary("round_nearest_afz", importUnary<buildRoundAway>);
  unary("is_finite", importUnary<buildIsFinite>);
  binary("add", importBinary<buildNumber<graph::AddOp, graph::OrOp>>);
  binary("subtract", importBinary<buildNumber<graph::SubOp, graph::XorOp>>);
  binary("multiply", importBinary<buildNumber<graph::MulOp, graph::AndOp>>);
  binary("maximum", importBinary<buildNumber<graph::MaxOp, graph::OrOp>>);
  binary("minimum", importBinary<buildNumber<graph::MinOp, graph::AndOp>>);
  binary("divide", importBinary<buildBinary<graph::DivOp>>);
  binary("remainder", importBinary<buildBinary<graph::RemOp>>);
  binary("power", importBinary<buildPower>);
  binary("atan2", importBinary<buildBinary<graph::Atan2Op>>);
  table.addPointwise("stablehlo.compare", importCompare, "in a total order NaN is the greatest and zeros are equal");
  table.addPointwise("stablehlo.select", importSelect);
  table.addPointwise("stablehlo.clamp", importClamp);
  table.addPointwise("stablehlo.convert", importConvert);
  table.addPointwise("stablehlo.reduce_precision", importReducePrecision, "formats of f32, f16 and bf16");
  table.addPointwise("stablehlo.bitcast_convert", importBitcast,
                     "types of one width; every NaN has the bits of the quiet one");
}

} // namespace hgc::stablehlo
