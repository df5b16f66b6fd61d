//===- Quantization.cpp - linear quantization, QLinear ops ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Batches.h"
#include "Products.h"

#include <cmath>

using namespace mlir;
using namespace hgc;
using namespace hgc::onnx;

/// `value` rounded to the nearest integer (halves to even), plus the zero point,
/// in the range of the type.
static Value saturate(Node &node, Value value, Value zero, Type element) {
  Type f32 = node.getBuilder().getF32Type();
  if (!value)
    return {};
  value = node.create<graph::RoundOp>(node.cast(value, f32));
  if (zero)
    value = node.add(value, node.cast(zero, f32));
  int width = static_cast<int>(element.getIntOrFloatBitWidth());
  bool isUnsigned = element.isUnsignedInteger();
  double least = isUnsigned ? 0 : -std::ldexp(1.0, width - 1);
  double most = std::ldexp(1.0, isUnsigned ? width : width - 1) - 1;
  value = node.min(node.max(value, node.scalar(f32, least)), node.scalar(f32, most));
  return node.cast(value, element);
}

/// A scale or zero point so that it broadcasts to data of this shape: one number,
/// one per index of the axis, or one per block of indices.
static Value spread(Node &node, Value factor, Shape shape) {
  if (!factor || Node::countOf(factor) == 1)
    return scalarize(node, factor);
  int64_t rank = shape.size(), block = node.getInt("block_size", 0);
  std::optional<int64_t> axis = node.getAxis(rank, rank > 1 ? 1 : 0);
  if (!axis)
    return {};
  if (block <= 0)
    return along(node, factor, rank, *axis);
  block = std::min(block, std::max<int64_t>(shape[*axis], 1));
  bool isFit = Node::rankOf(factor) == rank && (shape[*axis] + block - 1) / block == Node::shapeOf(factor)[*axis];
  if (!isFit) {
    (void)node.invalid("'block_size' does not fit the shape of the scale", "there is one scale per block of the axis");
    return {};
  }
  Extents repeated(Node::shapeOf(factor)), joined(repeated);
  repeated.insert(repeated.begin() + *axis + 1, block);
  joined[*axis] *= block;
  Value copies = node.broadcast(node.unsqueeze(factor, {*axis + 1}), repeated);
  return node.sliceAxis(node.reshape(copies, joined), *axis, 0, shape[*axis]);
}

/// The integer type quantization results in; null (reported) for other types.
static Type checkQuantized(Node &node, Type element) {
  if (!element)
    return {};
  bool isFit =
      isa<IntegerType>(element) && (element.getIntOrFloatBitWidth() == 8 || element.getIntOrFloatBitWidth() == 16);
  if (isFit)
    return element;
  (void)node.unsupported("quantization to other types than integers of 8 or 16 bits");
  return {};
}

static LogicalResult importQuantizeLinear(Node &node) {
  Value data = node.getInput(0), scale = node.getInput(1), zero = node.getInput(2);
  Type named = node.getElementType("output_dtype", node.getBuilder().getIntegerType(8, false));
  Type element = checkQuantized(node, zero ? Node::elementOf(zero) : named);
  Type precision = node.getElementType("precision", Node::elementOf(scale));
  Shape shape = Node::shapeOf(data);
  if (!element || !precision)
    return failure();
  scale = spread(node, scale, shape);
  zero = spread(node, zero, shape);
  if (!scale || (node.hasInput(2) && !zero))
    return failure();
  Value quotient = node.div(node.cast(data, precision), node.cast(scale, precision));
  return doneBatched(node, saturate(node, quotient, zero, element), shape.size());
}

/// `scale * (data - zero)` of a constant as ops, which stay: weights are integers to those who
/// can multiply them. Null for other data, and for shapes that do not fit.
static Value dequantizeConstant(Node &node, Value data, Value scale, Value zero) {
  Shape shape = Node::shapeOf(data);
  auto fits = [&](Value factor) {
    Shape own = Node::shapeOf(factor);
    return own.size() <= shape.size() && llvm::all_of(llvm::zip(own, shape.take_back(own.size())), [](auto both) {
             return std::get<0>(both) == 1 || std::get<0>(both) == std::get<1>(both);
           });
  };
  bool isWeight = data.getDefiningOp<graph::ConstantOp>() && Node::countOf(data) > 1;
  if (!isWeight || !fits(scale) || (zero && !fits(zero)))
    return {};
  OpBuilder &builder = node.getBuilder();
  Location loc = node.getLoc();
  Type f32 = builder.getF32Type(), i32 = builder.getI32Type();
  Value integer = data;
  if (Node::elementOf(data) != i32)
    integer = graph::CastOp::create(builder, loc, data, i32);
  if (zero)
    integer = graph::SubOp::create(builder, loc, integer, node.cast(zero, i32));
  Value number = graph::CastOp::create(builder, loc, integer, f32);
  return graph::MulOp::create(builder, loc, number, node.cast(scale, f32));
}

static LogicalResult importDequantizeLinear(Node &node) {
  Value data = node.getInput(0), scale = node.getInput(1), zero = node.getInput(2);
  Type element = node.getElementType("output_dtype", Node::elementOf(scale));
  Type f32 = node.getBuilder().getF32Type(), i32 = node.getBuilder().getI32Type();
  Shape shape = Node::shapeOf(data);
  scale = spread(node, scale, shape);
  zero = spread(node, zero, shape);
  if (!element || !scale || (node.hasInput(2) && !zero))
    return failure();
  if (Value weights = dequantizeConstant(node, data, scale, zero))
    return doneBatched(node, node.cast(weights, element), shape.size());
  // The difference of 16-bit numbers needs more bits.
  Value integer = node.cast(data, i32);
  if (zero)
    integer = node.sub(integer, node.cast(zero, i32));
  Value result = node.cast(node.mul(node.cast(integer, f32), node.cast(scale, f32)), element);
  return doneBatched(node, result, shape.size());
}

static LogicalResult importDynamicQuantizeLinear(Node &node) {
  Value data = node.getInput(0);
  Type f32 = node.getBuilder().getF32Type(), ui8 = node.getBuilder().getIntegerType(8, false);
  Value nil = node.scalar(f32, 0), flat = node.flatten(data);
  Value most = node.max(node.reduce(graph::ReduceKind::Max, flat, {0}, false), nil);
  Value least = node.min(node.reduce(graph::ReduceKind::Min, flat, {0}, false), nil);
  Value range = node.sub(most, least);
  Value isFlat = node.compare(graph::ComparePredicate::EQ, range, nil);
  Value scale = node.div(node.select(isFlat, node.scalar(f32, 1), range), node.scalar(f32, 255));
  Value zero = saturate(node, node.div(node.sub(nil, least), scale), {}, ui8);
  if (!zero)
    return failure();
  node.setOutput(1, scale);
  node.setOutput(2, zero);
  return node.done(saturate(node, node.div(data, scale), zero, ui8));
}

//===----------------------------------------------------------------------===//
// Ops on quantized data
//===----------------------------------------------------------------------===//

/// `sum` of products of integers with the scales of operands and result applied.
static Value requantize(Node &node, Value sum, Value lhsScale, Value rhsScale, Value scale, Value zero, Type element) {
  Type f32 = node.getBuilder().getF32Type();
  Value factor = node.div(node.mul(node.cast(lhsScale, f32), node.cast(rhsScale, f32)), node.cast(scale, f32));
  return saturate(node, node.mul(node.cast(sum, f32), factor), zero, element);
}

static LogicalResult importQLinearMatMul(Node &node) {
  auto rows = [&](unsigned index) { return alongRows(node, node.getInput(index)); };
  Type element = checkQuantized(node, Node::elementOf(node.getInput(7)));
  Value sum = multiplyIntegers(node, node.getInput(0), node.getInput(3), node.getInput(2), node.getInput(5));
  if (!sum || !element)
    return failure();
  return node.done(requantize(node, sum, rows(1), scalarize(node, node.getInput(4)), rows(6), rows(7), element));
}

static LogicalResult importQLinearConv(Node &node) {
  Value data = node.getInput(0), filter = node.getInput(3);
  Type element = checkQuantized(node, Node::elementOf(node.getInput(7)));
  FailureOr<SlidingWindow> window = getFilterWindow(node, data, filter);
  if (failed(window) || !element)
    return failure();
  int64_t rank = Node::rankOf(data);
  Value sum =
      convolveIntegers(node, data, filter, node.getInput(2), node.getInput(5), *window, node.getInt("group", 1));
  if (Value bias = node.getInput(8))
    sum = node.add(sum, along(node, bias, rank, 1));
  Value filterScale = scalarize(node, node.getInput(4));
  if (Node::rankOf(filterScale) != 0)
    filterScale = along(node, filterScale, rank, 1);
  return node.done(requantize(node, sum, scalarize(node, node.getInput(1)), filterScale,
                              scalarize(node, node.getInput(6)), scalarize(node, node.getInput(7)), element));
}

void hgc::onnx::addQuantizationOps(OpTable &table) {
  table.addBounded("QuantizeLinear", withInputs<2, importQuantizeLinear>, 10, "to integers of 8 and 16 bits");
  table.addBounded("DequantizeLinear", withInputs<2, importDequantizeLinear>, 10, "from integers of 8, 16 and 32 bits");
  table.add("DynamicQuantizeLinear", withInputs<1, importDynamicQuantizeLinear>, 11);
  table.add("QLinearMatMul", withInputs<8, importQLinearMatMul>, 10);
  table.add("QLinearConv", withInputs<8, importQLinearConv>, 10);
}
