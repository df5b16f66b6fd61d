//===- Gather.cpp - boxes of a tensor at run-time places ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "../OpTable.h"
#include "Indices.h"

using namespace mlir;

namespace hgc::stablehlo {

namespace {

/// Dims in the order (batch, window) at their places in the result.
Value placeDims(Node &node, Value value, const Indexing &indexing) {
  Extents order = batchFirst(indexing), inverse(order.size());
  for (auto [i, dim] : llvm::enumerate(order))
    inverse[dim] = static_cast<int64_t>(i);
  return node.transpose(value, inverse);
}

Value gatherAlong(Node &node, Value operand, const Indexing &indexing, int64_t dim) {
  int64_t last = indexing.shape[dim] - 1, batches = static_cast<int64_t>(indexing.batchExtents().size());
  Value index = clamp(node, getComponent(node, indexing, 0), i64(node, 0), i64(node, last));
  Value gathered = node.gather(operand, index, dim);
  // Batches are where the dim was; the order (batch, window) has them first.
  Extents order;
  for (int64_t i = 0; i < batches; ++i)
    order.push_back(dim + i);
  for (int64_t i = 0; i < Node::rankOf(gathered); ++i)
    if (i < dim || i >= dim + batches)
      order.push_back(i);
  Extents place = batchFirst(indexing), permutation(place.size());
  for (auto [i, resultDim] : llvm::enumerate(place))
    permutation[resultDim] = order[i];
  return node.transpose(gathered, permutation);
}

Value gatherRows(Node &node, Value operand, const Indexing &indexing) {
  int64_t leading = countLeading(indexing);
  Value isInside;
  Value rows = buildRows(node, indexing, leading, /*clamps=*/true, isInside);
  Extents table = {product(Shape(indexing.shape).take_front(leading))};
  llvm::append_range(table, Shape(indexing.shape).drop_front(leading));
  return placeDims(node, node.gather(node.reshape(operand, table), rows, 0), indexing);
}

LogicalResult importGather(Node &node) {
  if (!node.hasOperands(2))
    return failure();
  Value operand = node.getOperand(0);
  std::optional<Extents> box = node.getList("slice_sizes", Node::rankOf(operand));
  if (!box)
    return failure();
  IndexingNames names{"dimension_numbers",           "offset_dims",    "collapsed_slice_dims", "operand_batching_dims",
                      "start_indices_batching_dims", "start_index_map"};
  std::optional<Indexing> indexing =
      readIndexing(node, names, Node::shapeOf(operand), node.getOperand(1), node.getResultShape(), *box);
  if (!indexing)
    return failure();
  if (Node::countOf(operand) == 0 || node.getResultType(0).getNumElements() == 0)
    return node.unsupported("a tensor without elements");
  int64_t dim = indexing->soleDim();
  return node.done(dim >= 0 ? gatherAlong(node, operand, *indexing, dim) : gatherRows(node, operand, *indexing));
}

} // namespace

void addGatherOps(OpTable &table) { table.add("stablehlo.gather", importGather); }

} // namespace hgc::stablehlo
