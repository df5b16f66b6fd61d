//===- Gather.cpp - Gather, GatherElements, GatherND, OneHot --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Gather.h"
#include "../Bounded.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::onnx;
using graph::ComparePredicate;

Value hgc::onnx::rowsOf(Node &node, Value indices, Value data, int64_t first) {
  Shape shape = Node::shapeOf(indices);
  int64_t depth = shape.back(), places = product(shape.drop_back());
  int64_t batches = product(Node::shapeOf(data).take_front(first));
  Shape extents = Node::shapeOf(data).slice(first, depth);
  Values ends;
  for (int64_t i = 0; i < depth; ++i)
    ends.push_back(getActualExtent(node, data, first + i));
  requireIndices(node, indices, listOf(node, ends));
  Value lists = node.reshape(node.cast(indices, node.getBuilder().getI64Type()), {places, depth});
  Extents strides = stridesOf(extents);
  Value row = node.splat(node.getBuilder().getI64Type(), {places}, 0);
  for (int64_t i = 0; i < depth; ++i) {
    Value index = node.reshape(node.sliceAxis(lists, 1, i, 1), {places});
    row = node.add(row, node.mul(fromFront(node, index, ends[i]), i64(node, strides[i])));
  }
  if (batches == 1)
    return row;
  // The rows of a batch follow those of the ones before it.
  Value offsets = node.mul(count(node, batches, 2, 0), i64(node, product(extents)));
  return node.reshape(node.add(node.reshape(row, {batches, places / batches}), offsets), {places});
}

Value hgc::onnx::cropTo(Node &node, Value data, Shape indices, int64_t axis) {
  Extents sizes(indices);
  sizes[axis] = Node::shapeOf(data)[axis];
  return node.slice(data, Extents(sizes.size(), 0), sizes);
}

LogicalResult hgc::onnx::checkIndices(Node &node, bool isFine) {
  if (isFine)
    return success();
  return node.invalid("the shape of the indices does not fit the data", "see the op's specification for their shape");
}

static LogicalResult importGather(Node &node) {
  Value data = node.getInput(0);
  std::optional<int64_t> axis = node.getAxis(Node::rankOf(data), 0);
  if (!axis)
    return failure();
  Value indices = node.getInput(1);
  requireIndices(node, indices, getActualExtent(node, data, *axis));
  // Negative indices count from the actual end.
  if (Value extent = node.getExtent(data, *axis))
    indices = fromFront(node, indices, extent);
  Value result = node.gather(data, indices, *axis);
  int64_t added = Node::rankOf(node.getInput(1));
  Extents fromData, fromIndices(Node::rankOf(data) - 1 + added, -1);
  for (int64_t dim = 0; dim < Node::rankOf(data); ++dim)
    fromData.append(dim == *axis ? added : 1, dim == *axis ? -1 : dim);
  for (int64_t dim = 0; dim < added; ++dim)
    fromIndices[*axis + dim] = dim;
  mapExtents(node, data, result, fromData);
  mapExtents(node, node.getInput(1), result, fromIndices);
  return node.done(result);
}

static LogicalResult importGatherElements(Node &node) {
  Value data = node.getInput(0), indices = node.getInput(1);
  std::optional<int64_t> axis = node.getAxis(Node::rankOf(data), 0);
  if (!axis || failed(checkIndices(node, Node::rankOf(indices) == Node::rankOf(data))))
    return failure();
  Value cropped = cropTo(node, data, Node::shapeOf(indices), *axis);
  requireIndices(node, indices, getActualExtent(node, data, *axis));
  // The end that negative indices count from is the actual one.
  Value places = indices;
  if (Value extent = node.getExtent(data, *axis))
    places = fromFront(node, indices, extent);
  Value result = node.create<graph::GatherAlongOp>(cropped, places, *axis);
  mapExtents(node, indices, result, llvm::to_vector(llvm::seq<int64_t>(0, Node::rankOf(data))));
  return node.done(result);
}

static LogicalResult importGatherND(Node &node) {
  Value data = node.getInput(0), indices = node.getInput(1);
  Shape shape = Node::shapeOf(data), places = Node::shapeOf(indices);
  int64_t batchDims = node.getInt("batch_dims", 0), depth = places.empty() ? 0 : places.back();
  bool isFine = batchDims >= 0 && depth > 0 && batchDims + depth <= static_cast<int64_t>(shape.size()) &&
                batchDims < static_cast<int64_t>(places.size()) &&
                shape.take_front(batchDims) == places.take_front(batchDims);
  if (failed(checkIndices(node, isFine)))
    return failure();
  if (node.getExtent(indices, static_cast<int64_t>(places.size()) - 1))
    return node.unsupported("an extent of its input is known only at run time");
  int64_t batches = product(shape.take_front(batchDims));
  Shape indexed = shape.slice(batchDims, depth), slice = shape.drop_front(batchDims + depth);
  Extents result(places.drop_back());
  llvm::append_range(result, slice);
  Value table = node.reshape(data, {batches * product(indexed), product(slice)});
  Value found = node.reshape(node.gather(table, rowsOf(node, indices, data, batchDims), 0), result);
  Extents dims = llvm::to_vector(llvm::seq<int64_t>(0, places.size() - 1));
  dims.append(slice.size(), -1);
  mapExtents(node, indices, found, dims);
  Extents kept(places.size() - 1, -1);
  llvm::append_range(kept, llvm::seq<int64_t>(batchDims + depth, shape.size()));
  mapExtents(node, data, found, kept);
  return node.done(found);
}

//===----------------------------------------------------------------------===//
// OneHot
//===----------------------------------------------------------------------===//

static std::optional<int64_t> readDepth(Node &node, int64_t axis, int64_t rank) {
  if (std::optional<HostTensor> depth = node.getConstant(node.getInput(1)); depth && depth->getNumElements() == 1)
    return static_cast<int64_t>(depth->getDouble(0));
  RankedTensorType type = needType(node, 0, rank);
  if (!type)
    return std::nullopt;
  requireInts(node, node.getInput(1), {type.getDimSize(axis)}, "depth");
  return type.getDimSize(axis);
}

static LogicalResult importOneHot(Node &node) {
  int64_t rank = Node::rankOf(node.getInput(0)) + 1;
  std::optional<int64_t> axis = node.getAxis(rank, -1);
  if (!axis)
    return failure();
  std::optional<int64_t> depth = readDepth(node, *axis, rank);
  if (!depth)
    return failure();
  Value indices = node.unsqueeze(node.cast(node.getInput(0), node.getBuilder().getI64Type()), {*axis});
  Value isHot = node.compare(ComparePredicate::EQ, fromFront(node, indices, *depth), count(node, *depth, rank, *axis));
  Value values = node.flatten(node.getInput(2));
  Value result = node.select(isHot, element(node, values, 1), element(node, values, 0));
  Extents dims = llvm::to_vector(llvm::seq<int64_t>(0, rank - 1));
  dims.insert(dims.begin() + *axis, -1);
  mapExtents(node, node.getInput(0), result, dims);
  return node.done(result);
}

void hgc::onnx::addGatherOps(OpTable &table) {
  table.addBounded("Gather", withInputs<2, importGather>);
  table.addBounded("GatherElements", withInputs<2, importGatherElements>);
  table.addBounded("GatherND", withInputs<2, importGatherND>);
  table.addBounded("OneHot", withInputs<3, importOneHot>);
}
