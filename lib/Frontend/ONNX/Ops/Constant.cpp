//===- Constant.cpp - constants, identities, shapes -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "../Bounded.h"
#include "../Ranges.h"
#include "Elementwise.h"
#include "Indexing.h"

#include <cmath>

using namespace mlir;
using namespace hgc;
using namespace hgc::onnx;
using graph::ComparePredicate;

namespace {

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

LogicalResult importConstant(Node &node) {
  OpBuilder &builder = node.getBuilder();
  if (node.hasAttribute("value")) {
    HostTensor tensor = node.getTensor("value");
    return tensor ? node.done(node.addTensor(node.getOutputName(0), tensor)) : failure();
  }
  if (node.hasAttribute("value_float"))
    return node.done(node.scalar(builder.getF32Type(), node.getFloat("value_float", 0)));
  if (node.hasAttribute("value_int"))
    return node.done(i64(node, node.getInt("value_int", 0)));
  if (node.hasAttribute("value_ints"))
    return node.done(node.ints(node.getIntList("value_ints")));
  if (node.hasAttribute("value_floats")) {
    SmallVector<double> values = node.getFloatList("value_floats");
    return node.done(
        node.constant(HostTensor::fromDoubles(builder.getF32Type(), {static_cast<int64_t>(values.size())}, values)));
  }
  for (StringRef name : {"value_string", "value_strings", "sparse_value"})
    if (node.hasAttribute(name))
      return node.unsupported("hgc has no strings and no sparse tensors");
  return node.invalid("the node has no value", "one of its attributes 'value', 'value_int', ... must be given");
}

/// The shape that input 0 has the extents of. Extents known only at run time must
/// be those that the model declares, or have bounds.
std::optional<BoundedShape> readShape(Node &node) {
  Value shape = node.getInput(0);
  std::optional<Extents> extents = node.getInts(shape);
  if (!extents) {
    if (std::optional<BoundedShape> bounded = node.getDeclaredType(0) ? std::nullopt : getBoundedShape(node, shape))
      return bounded;
    RankedTensorType type = needType(node, 0, Node::countOf(shape));
    if (!type)
      return std::nullopt;
    requireInts(node, asList(node, shape), type.getShape(), "the shape");
    extents = Extents(type.getShape());
  }
  if (hgc::countElements(*extents, 8))
    return BoundedShape{*extents, Values(extents->size())};
  (void)node.invalid("the shape has a negative or absurd extent", "extents are from 0 to 2^40");
  return std::nullopt;
}

LogicalResult importConstantOfShape(Node &node) {
  HostTensor value(node.getBuilder().getF32Type(), {});
  if (node.hasAttribute("value") && !(value = node.getTensor("value")))
    return failure();
  std::optional<BoundedShape> shape = readShape(node);
  if (!shape)
    return failure();
  if (value.getNumElements() != 1)
    return node.invalid("attribute 'value' has " + Twine(value.getNumElements()) + " elements", "it has one");
  Value result = node.broadcast(node.constant(value.reshape({})), shape->most);
  setExtents(node, result, shape->actual);
  return node.done(result);
}

/// Ones on the diagonal `k` above the main one.
LogicalResult importEyeLike(Node &node) {
  Value input = node.getInput(0);
  Type type = node.getElementType("dtype", Node::elementOf(input));
  if (!type)
    return failure();
  if (Node::rankOf(input) != 2)
    return node.invalid("the input has rank " + Twine(Node::rankOf(input)), "it is a matrix");
  int64_t rows = Node::shapeOf(input)[0], columns = Node::shapeOf(input)[1];
  Value row = node.add(count(node, rows, 2, 0), i64(node, node.getInt("k", 0)));
  Value isSet = node.compare(ComparePredicate::EQ, row, count(node, columns, 2, 1));
  return node.done(node.cast(isSet, type));
}

//===----------------------------------------------------------------------===//
// Range
//===----------------------------------------------------------------------===//

/// `max(ceil((limit - start) / delta), 0)` as a rank-0 i64.
Value countRange(Node &node, Value start, Value limit, Value delta) {
  Type i64Type = node.getBuilder().getI64Type();
  if (isa<FloatType>(Node::elementOf(start))) {
    Type f64Type = node.getBuilder().getF64Type();
    auto wide = [&](Value value) { return node.cast(value, f64Type); };
    Value steps = node.div(node.sub(wide(limit), wide(start)), wide(delta));
    return node.max(node.cast(node.create<graph::CeilOp>(steps), i64Type), i64(node, 0));
  }
  auto wide = [&](Value value) { return node.cast(value, i64Type); };
  Value span = node.sub(wide(limit), wide(start)), step = wide(delta);
  // The quotient rounds to zero, which is up for the ranges that count.
  Value rest = node.create<graph::RemOp>(span, step);
  Value more = node.cast(node.compare(ComparePredicate::NE, rest, i64(node, 0)), i64Type);
  Value isForward = node.compare(ComparePredicate::EQ, node.compare(ComparePredicate::LT, span, i64(node, 0)),
                                 node.compare(ComparePredicate::LT, step, i64(node, 0)));
  return node.select(isForward, node.add(node.div(span, step), more), i64(node, 0));
}

/// The largest length of a range of integers that have bounds.
std::optional<int64_t> getLargestRange(Node &node, Value start, Value limit, Value delta) {
  std::optional<Extents> step = node.getInts(delta);
  std::optional<SmallVector<Bounds>> from = getRanges(node, start), to = getRanges(node, limit);
  if (!step || !from || !to || step->front() == 0)
    return std::nullopt;
  int64_t reach = step->front() > 0 ? to->front().most - from->front().least : from->front().most - to->front().least;
  return llvm::divideCeil(std::max<int64_t>(reach, 0), std::abs(step->front()));
}

LogicalResult importRange(Node &node) {
  Value start = node.reshape(node.getInput(0), {}), limit = node.reshape(node.getInput(1), {}),
        delta = node.reshape(node.getInput(2), {});
  Value length = start && limit && delta ? countRange(node, start, limit, delta) : Value();
  if (!length)
    return failure();
  int64_t extent;
  bool isBounded = false;
  if (std::optional<Extents> known = node.getInts(length)) {
    extent = known->front();
    if (extent > (int64_t(1) << 40))
      return node.invalid("the range has " + Twine(extent) + " elements", "choose another start, limit or delta");
  } else if (std::optional<int64_t> most =
                 node.getDeclaredType(0) ? std::nullopt : getLargestRange(node, start, limit, delta)) {
    extent = *most;
    isBounded = true;
  } else {
    RankedTensorType type = needType(node, 0, 1);
    if (!type)
      return failure();
    extent = type.getDimSize(0);
    requireInts(node, node.reshape(length, {1}), {extent}, "the length of the range");
  }
  Type type = Node::elementOf(start);
  // Half precision is computed in f32, as `stash_type` says unless told otherwise.
  Type wide = isa<Float16Type, BFloat16Type>(type) ? Type(node.getBuilder().getF32Type()) : type;
  Value steps = node.cast(node.iota({extent}, 0, node.getBuilder().getI64Type()), wide);
  Value result = node.cast(node.add(node.cast(start, wide), node.mul(steps, node.cast(delta, wide))), type);
  if (isBounded)
    node.setExtent(result, 0, length);
  return node.done(result);
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

LogicalResult importShape(Node &node) {
  Value input = node.getInput(0);
  int64_t rank = Node::rankOf(input);
  auto clampAxis = [&](int64_t axis) { return std::clamp<int64_t>(axis < 0 ? axis + rank : axis, 0, rank); };
  int64_t start = clampAxis(node.getInt("start", 0)), end = clampAxis(node.getInt("end", rank));
  if (!node.isBounded(input))
    return node.done(node.ints(Node::shapeOf(input).slice(start, std::max<int64_t>(end - start, 0))));
  Values extents;
  for (int64_t dim = start; dim < end; ++dim)
    extents.push_back(getActualExtent(node, input, dim));
  return node.done(extents.empty() ? node.ints({}) : listOf(node, extents));
}

LogicalResult importSize(Node &node) {
  Value input = node.getInput(0), size = i64(node, 1);
  for (int64_t dim = 0; dim < Node::rankOf(input); ++dim)
    size = node.mul(size, getActualExtent(node, input, dim));
  return node.done(size);
}

//===----------------------------------------------------------------------===//
// Identities
//===----------------------------------------------------------------------===//

LogicalResult importIdentity(Node &node) { return node.done(node.getInput(0)); }

/// Whether the node runs in training mode; nothing if only the caller knows.
std::optional<bool> isTraining(Node &node) {
  if (node.getOpset() < 7)
    return node.getInt("is_test", 0) == 0 && node.hasOutput(1) && node.getFloat("ratio", 0.5) > 0;
  if (!node.hasInput(2))
    return false;
  std::optional<Extents> mode = node.getInts(node.getInput(2));
  return mode ? std::optional<bool>(mode->front() != 0) : std::nullopt;
}

/// How many elements are dropped; nothing if only the caller knows.
std::optional<double> getDropRatio(Node &node) {
  if (node.getOpset() < 12 || !node.hasInput(1))
    return node.getFloat("ratio", 0.5);
  std::optional<HostTensor> ratio = node.getConstant(node.getInput(1));
  return ratio && ratio->getNumElements() == 1 ? std::optional<double>(ratio->getDouble(0)) : std::nullopt;
}

/// What the node says of its mode does not matter here: train_step drops, all other
/// entries do not.
LogicalResult importTrainedDropout(Node &node, Value input) {
  std::optional<double> ratio = getDropRatio(node);
  if (!ratio)
    return node.unsupported("its ratio is known only at run time");
  if (!(*ratio >= 0 && *ratio < 1))
    return node.invalid("the ratio is not from 0 to less than 1", "0.5 drops half of the elements");
  auto drop = [&](Value value) { return node.create<graph::DropoutOp>(value, llvm::APFloat(*ratio)); };
  Value result;
  if (node.hasOutput(1)) {
    // One op for both outputs: another one would have other random numbers.
    Value factors = drop(node.splat(Node::elementOf(input), Node::shapeOf(input), 1));
    Value isKept = node.compare(ComparePredicate::NE, factors, node.scalar(Node::elementOf(input), 0));
    Value mask = node.getOpset() < 10 ? node.cast(isKept, Node::elementOf(input)) : isKept;
    copyExtents(node, mask);
    node.setOutput(1, mask);
    result = node.mul(input, factors);
  } else {
    result = drop(input);
  }
  copyExtents(node, result);
  return node.done(result);
}

LogicalResult importDropout(Node &node) {
  Value input = node.getInput(0);
  if (node.trains())
    return importTrainedDropout(node, input);
  std::optional<bool> training = isTraining(node);
  bool dropsNothing = getDropRatio(node).value_or(1) == 0;
  if ((!training || *training) && !dropsNothing)
    return node.unsupported("training mode drops elements at random: compile with --train");
  Type mask = node.getOpset() < 10 ? Node::elementOf(input) : node.getBuilder().getI1Type();
  if (node.hasOutput(1))
    node.setOutput(1, node.splat(mask, Node::shapeOf(input), 1));
  return node.done(input);
}

} // namespace

void hgc::onnx::addConstantOps(OpTable &table) {
  table.add("Constant", importConstant, 1, "no strings, no sparse tensors");
  table.add("ConstantOfShape", withInputs<1, importConstantOfShape>, 1,
            "a shape at run time is the declared one, or has bounds");
  table.add("EyeLike", withInputs<1, importEyeLike>);
  table.add("Range", withInputs<3, importRange>, 1, "a length at run time is the declared one, or has bounds");
  table.addBounded("Shape", withInputs<1, importShape>);
  table.addBounded("Size", withInputs<1, importSize>);
  table.addBounded("Identity", withInputs<1, importIdentity>);
  table.addBounded("Dropout", withInputs<1, importDropout>, 1, "drops only while training (`--train`)");
}
