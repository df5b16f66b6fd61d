//===- Bounded.cpp - values whose extents are known at run time -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Bounded.h"

#include "Ops/Indexing.h"

using namespace mlir;

namespace hgc::onnx {

using graph::ComparePredicate;
using graph::ReduceKind;

ActualValue makeActual(Builder &b, Value value, ArrayRef<Value> extents) {
  Shape shape = Builder::shapeOf(value);
  Values actual;
  for (auto [extent, most] : llvm::zip_equal(extents, shape))
    actual.push_back(extent ? extent : i64(b, most));
  ActualValue result{value, actual.empty() ? b.ints({}) : listOf(b, actual)};
  // Behind leading dims of extent 1 the outermost dim may have any extent.
  size_t outermost = 0;
  while (outermost < shape.size() && shape[outermost] == 1 && !extents[outermost])
    ++outermost;
  if (llvm::none_of(extents.drop_front(std::min(outermost + 1, shape.size())), [](Value extent) { return extent; }))
    return result;
  Value rest = b.iota({product(shape)}, 0, b.getBuilder().getI64Type()), index = i64(b, 0);
  Extents strides = stridesOf(shape);
  for (size_t dim = shape.size(); dim-- > 0;) {
    index = b.add(index, b.mul(b.create<graph::RemOp>(rest, actual[dim]), i64(b, strides[dim])));
    rest = b.div(rest, actual[dim]);
  }
  result.value = b.reshape(b.gatherFlat(value, index), shape);
  return result;
}

Value settle(Builder &b, Value value, ArrayRef<Value> extents, RankedTensorType declared, StringRef name) {
  Shape shape = Builder::shapeOf(value);
  if (!declared || declared.getRank() != static_cast<int64_t>(shape.size()))
    return {};
  for (auto [dim, extent] : llvm::enumerate(extents)) {
    int64_t wanted = declared.getDimSize(dim);
    if (extent ? wanted > shape[dim] : wanted != shape[dim])
      return {};
  }
  for (auto [dim, extent] : llvm::enumerate(extents)) {
    int64_t wanted = declared.getDimSize(dim);
    Value isFine = extent ? b.compare(ComparePredicate::EQ, extent, i64(b, wanted)) : Value();
    std::optional<HostTensor> known = b.getConstant(isFine);
    if (isFine && !(known && known->getInt(0) != 0))
      graph::CheckOp::create(b.getBuilder(), b.getLoc(), isFine,
                             ("dim " + Twine(dim) + " of '" + name + "' does not have the extent " + Twine(wanted) +
                              " that the model declares")
                                 .str());
  }
  return b.slice(value, Extents(shape.size(), 0), declared.getShape());
}

Value getActualExtent(Node &node, Value value, int64_t dim) {
  Value extent = node.getExtent(value, dim);
  return extent ? extent : i64(node, Node::shapeOf(value)[dim]);
}

void mapExtents(Node &node, Value from, Value to, Shape dims) {
  if (!from || !to || !node.isBounded(from))
    return;
  for (auto [i, dim] : llvm::enumerate(dims))
    if (Value extent = dim < 0 ? Value() : node.getExtent(from, dim))
      node.setExtent(to, static_cast<int64_t>(i), extent);
}

bool tryKeepExtents(Node &node, Value from, Value to) {
  if (!from || !to || !node.isBounded(from))
    return true;
  Values extents(Node::rankOf(to));
  Shape old = Node::shapeOf(from), now = Node::shapeOf(to);
  size_t next = 0;
  for (auto [dim, extent] : llvm::enumerate(old)) {
    Value actual = node.getExtent(from, static_cast<int64_t>(dim));
    if (extent == 1 && !actual)
      continue;
    while (next < now.size() && now[next] == 1 && extent != 1)
      ++next;
    // Behind the last bounded dim only the number of elements counts.
    bool isLast = true;
    for (size_t i = dim; i < old.size(); ++i)
      isLast &= !node.getExtent(from, static_cast<int64_t>(i));
    if (isLast)
      break;
    if (next >= now.size() || now[next] != extent)
      return false;
    extents[next++] = actual;
  }
  setExtents(node, to, extents);
  return true;
}

LogicalResult keepExtents(Node &node, Value from, Value to) {
  if (tryKeepExtents(node, from, to))
    return success();
  return node.unsupported("it joins or splits a dim whose extent is known only at run time");
}

void joinExtents(Node &node, Value result, int64_t dim, ArrayRef<DimOf> sources) {
  Value common;
  Values extents;
  for (auto [value, own] : sources) {
    int64_t most = Node::shapeOf(value)[own];
    if (most != Node::shapeOf(result)[dim])
      continue;
    Value extent = node.getExtent(value, own);
    common = common ? common : extent;
    if (extent || most != 1)
      extents.push_back(extent ? extent : i64(node, most));
  }
  if (!common)
    return;
  node.setExtent(result, dim, common);
  for (Value extent : extents)
    if (extent != common)
      node.require(node.compare(ComparePredicate::EQ, common, extent),
                   "operands of '" + node.getName() + "' have different extents along dim " + Twine(dim));
}

void setExtents(Node &node, Value value, ArrayRef<Value> extents) {
  for (auto [dim, extent] : llvm::enumerate(extents))
    node.setExtent(value, static_cast<int64_t>(dim), extent);
}

Value flattenActual(Node &node, Value value, Value &count) {
  count = i64(node, Node::countOf(value));
  if (!value || !node.isBounded(value))
    return node.flatten(value);
  Values extents;
  count = i64(node, 1);
  for (int64_t dim = 0; dim < Node::rankOf(value); ++dim) {
    extents.push_back(node.getExtent(value, dim));
    count = node.mul(count, getActualExtent(node, value, dim));
  }
  return node.flatten(makeActual(node, value, extents).value);
}

Value reshapeActual(Node &node, Value value, Shape shape, ArrayRef<Value> actual) {
  Value elements, flat = flattenActual(node, value, elements), total = i64(node, 1), index = i64(node, 0);
  int64_t rank = shape.size();
  bool isDense = true;
  for (int64_t dim = rank - 1; dim >= 0; --dim) {
    // Behind an outermost dim nothing lies between the elements.
    isDense &= !actual[dim] || product(shape.take_front(dim)) == 1;
    index = node.add(index, node.mul(count(node, shape[dim], rank, dim), total));
    total = node.mul(total, actual[dim] ? actual[dim] : i64(node, shape[dim]));
  }
  node.require(node.compare(ComparePredicate::EQ, total, elements),
               "the shape of '" + node.getName() + "' does not fit the number of elements");
  Value result;
  if (isDense && product(shape) <= Node::countOf(flat))
    result = node.reshape(node.slice(flat, {0}, {product(shape)}), shape);
  else
    result = node.gatherFlat(flat, node.broadcast(index, shape));
  setExtents(node, result, actual);
  return result;
}

LogicalResult doneWith(Node &node, Value result, ArrayRef<Value> extents) {
  setExtents(node, result, extents);
  return node.done(result);
}

LogicalResult doneKeeping(Node &node, Value from, Value result) {
  return failed(keepExtents(node, from, result)) ? failure() : node.done(result);
}

Value concatActual(Node &node, ArrayRef<Value> values, int64_t axis) {
  Value joined = values.size() == 1 ? values.front() : node.concat(values, axis);
  auto isOpen = [&](Value value) { return node.getExtent(value, axis) != nullptr; };
  if (joined && values.size() > 1 && llvm::any_of(values, isOpen)) {
    Value place = node.iota({Node::shapeOf(joined)[axis]}, 0, node.getBuilder().getI64Type());
    Value source = place, start = i64(node, 0);
    int64_t staticStart = 0;
    for (Value value : values) {
      Value isBehind = node.compare(ComparePredicate::GE, place, start);
      source = node.select(isBehind, node.add(node.sub(place, start), i64(node, staticStart)), source);
      staticStart += Node::shapeOf(value)[axis];
      start = node.add(start, getActualExtent(node, value, axis));
    }
    joined = node.gather(joined, source, axis);
    if (joined)
      node.setExtent(joined, axis, start);
  }
  for (Value value : values)
    for (int64_t dim = 0; joined && joined != value && dim < Node::rankOf(joined); ++dim)
      if (Value extent = dim == axis ? Value() : node.getExtent(value, dim))
        node.setExtent(joined, dim, extent);
  return joined;
}

Value getInside(Node &node, Value value, Shape axes) {
  Value inside;
  int64_t rank = Node::rankOf(value);
  for (int64_t axis : axes) {
    Value extent = node.getExtent(value, axis);
    if (!extent)
      continue;
    Value flags = node.compare(ComparePredicate::LT, count(node, Node::shapeOf(value)[axis], rank, axis), extent);
    inside = inside ? both(node, inside, flags) : flags;
  }
  return inside;
}

Value fillBeyond(Node &node, Value value, Value fill, Shape axes) {
  if (!value || !node.isBounded(value))
    return value;
  Value inside = getInside(node, value, axes);
  return inside ? node.select(inside, value, fill) : value;
}

void setBoundedOutput(Node &node, unsigned index, Value value, int64_t dim, Value extent) {
  if (!value || !extent || !node.hasOutput(index))
    return;
  Values extents;
  for (int64_t i = 0; i < Node::rankOf(value); ++i)
    extents.push_back(i == dim ? extent : node.getExtent(value, i));
  if (std::optional<Extents> known = node.getInts(extent)) {
    value = node.sliceAxis(value, dim, 0, known->front());
    extents[dim] = {};
  } else if (Value settled = settle(node, value, extents, node.getDeclaredType(index), node.getName())) {
    return node.setOutput(index, settled);
  }
  for (auto [i, actual] : llvm::enumerate(extents))
    if (value && actual)
      node.setExtent(value, static_cast<int64_t>(i), actual);
  if (value)
    node.setOutput(index, value);
}

Selection selectFlags(Builder &b, Value flags) {
  OpBuilder &builder = b.getBuilder();
  Value order = b.create<graph::ArgSortOp>(flags, builder.getI64IntegerAttr(0), builder.getUnitAttr(), IntegerAttr());
  return {order, b.reduce(ReduceKind::Sum, b.cast(flags, builder.getI64Type()), {0}, false)};
}

Value prefixSum(Builder &b, Value list) {
  // Each step adds what is twice as far in front as in the step before.
  int64_t extent = list ? Builder::shapeOf(list)[0] : 0;
  for (int64_t step = 1; step < extent; step *= 2)
    list = b.add(list, b.pad(b.slice(list, {0}, {extent - step}), i64(b, 0), {step}, {0}));
  return list;
}

} // namespace hgc::onnx
