//===- Dynamic.cpp - boxes at a place known at run time -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "../Node.h"
#include "../OpTable.h"

using namespace mlir;

namespace hgc::stablehlo {

namespace {

/// Starts from operand `first` on, one a dim, as i64 scalars; nothing (reported) when they are no such.
std::optional<Values> readStarts(Node &node, unsigned first, int64_t rank) {
  if (!node.hasOperands(first + rank))
    return std::nullopt;
  Values starts;
  for (int64_t dim = 0; dim < rank; ++dim) {
    Value start = node.getOperand(first + dim);
    if (Node::rankOf(start) != 0 || !isa<IntegerType>(Node::elementOf(start))) {
      (void)node.invalid("start " + Twine(dim) + " is no integer", "give a scalar of integers a dim");
      return std::nullopt;
    }
    starts.push_back(node.cast(start, node.getBuilder().getI64Type()));
  }
  return starts;
}

bool fits(Shape box, Shape shape) {
  return box.size() == shape.size() && llvm::all_of(llvm::zip_equal(box, shape), [](auto pair) {
           return std::get<0>(pair) >= 0 && std::get<0>(pair) <= std::get<1>(pair);
         });
}

LogicalResult importDynamicSlice(Node &node) {
  Value operand = node.getOperand(0);
  int64_t rank = Node::rankOf(operand);
  std::optional<Extents> sizes = node.getList("slice_sizes", rank);
  std::optional<Values> starts = sizes ? readStarts(node, 1, rank) : std::nullopt;
  if (!starts)
    return failure();
  if (!fits(*sizes, Node::shapeOf(operand)))
    return node.invalid("the slice is larger than the operand", "make it smaller");
  if (rank == 0)
    return node.done(operand);
  OpBuilder &builder = node.getBuilder();
  return node.done(node.create<graph::SliceOp>(operand, listOf(node, *starts), DenseI64ArrayAttr(),
                                               builder.getDenseI64ArrayAttr(*sizes), DenseI64ArrayAttr()));
}

/// `updates` over the elements of `operand` from `start` on along `dim`, all other dims being whole.
Value replaceAlong(Node &node, Value operand, Value updates, Value start, int64_t dim) {
  OpBuilder &builder = node.getBuilder();
  int64_t size = Node::shapeOf(updates)[dim];
  Value index = node.add(start, node.iota({size}, 0, builder.getI64Type()));
  return node.create<graph::ScatterOp>(graph::ScatterKindAttr::get(builder.getContext(), graph::ScatterKind::Set),
                                       operand, index, updates, builder.getI64IntegerAttr(dim), builder.getUnitAttr());
}

/// Boxes that are partial along several dims: their rows are numbered.
Value replaceBox(Node &node, Value operand, Value updates, const Values &starts) {
  Shape shape = Node::shapeOf(operand), box = Node::shapeOf(updates);
  Values coordinates;
  for (auto [dim, start] : llvm::enumerate(starts))
    coordinates.push_back(node.add(start, count(node, box[dim], box.size(), dim)));
  Value rows = node.flatten(node.broadcast(flatIndex(node, coordinates, shape), box));
  OpBuilder &builder = node.getBuilder();
  Value result = node.create<graph::ScatterOp>(
      graph::ScatterKindAttr::get(builder.getContext(), graph::ScatterKind::Set), node.flatten(operand), rows,
      node.flatten(updates), builder.getI64IntegerAttr(0), builder.getUnitAttr());
  return node.reshape(result, shape);
}

LogicalResult importDynamicUpdateSlice(Node &node) {
  Value operand = node.getOperand(0), updates = node.getOperand(1);
  int64_t rank = Node::rankOf(operand);
  std::optional<Values> starts = readStarts(node, 2, rank);
  if (!starts)
    return failure();
  if (!fits(Node::shapeOf(updates), Node::shapeOf(operand)) || Node::elementOf(updates) != Node::elementOf(operand))
    return node.invalid("the update does not fit into the operand", "make it smaller, and of the same type");
  if (Node::countOf(updates) == 0)
    return node.done(operand);
  Extents partial;
  for (int64_t dim = 0; dim < rank; ++dim) {
    int64_t room = Node::shapeOf(operand)[dim] - Node::shapeOf(updates)[dim];
    (*starts)[dim] = clamp(node, (*starts)[dim], i64(node, 0), i64(node, room));
    if (room > 0)
      partial.push_back(dim);
  }
  if (partial.empty())
    return node.done(updates);
  if (partial.size() == 1)
    return node.done(replaceAlong(node, operand, updates, (*starts)[partial[0]], partial[0]));
  return node.done(replaceBox(node, operand, updates, *starts));
}

} // namespace

void addDynamicOps(OpTable &table) {
  table.add("stablehlo.dynamic_slice", importDynamicSlice);
  table.add("stablehlo.dynamic_update_slice", importDynamicUpdateSlice);
}

} // namespace hgc::stablehlo
