//===- Reduction.cpp - sums and the like over whole dims ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "../OpTable.h"
#include "Bodies.h"

using namespace mlir;

namespace hgc::stablehlo {

using graph::ReduceKind;

namespace {

struct Reduction {
  Block *body;
  SmallVector<Value> inputs, inits;
  Extents dims;
};

std::optional<Reduction> readReduction(Node &node) {
  Reduction reduction;
  unsigned count = node.getNumResults();
  if (count == 0 || !node.hasOperands(2 * count))
    return std::nullopt;
  for (unsigned i = 0; i < count; ++i) {
    reduction.inputs.push_back(node.getOperand(i));
    reduction.inits.push_back(node.getOperand(count + i));
    if (Node::shapeOf(reduction.inputs[i]) != Node::shapeOf(reduction.inputs[0]) ||
        Node::rankOf(reduction.inits[i]) != 0 ||
        Node::elementOf(reduction.inits[i]) != Node::elementOf(reduction.inputs[i])) {
      (void)node.invalid("inputs have different shapes, or a start value is no scalar of its input's type",
                         "the program is damaged: export it again");
      return std::nullopt;
    }
  }
  std::optional<Extents> dims = node.getDims("dimensions", Node::rankOf(reduction.inputs[0]));
  reduction.body = node.getBody(0, 2 * count);
  if (!dims || !reduction.body)
    return std::nullopt;
  llvm::sort(*dims);
  reduction.dims = *dims;
  return reduction;
}

/// Start values first, as the specification has it.
LogicalResult addInits(Node &node, const Reduction &reduction, ArrayRef<Value> values) {
  SmallVector<Value> arguments(reduction.inits);
  llvm::append_range(arguments, values);
  FailureOr<SmallVector<Value>> results = node.importLanes(*reduction.body, arguments);
  if (failed(results) || results->size() != values.size())
    return failure();
  for (auto [i, result] : llvm::enumerate(*results))
    node.setResult(i, node.broadcast(result, node.getResultShape(i)));
  return success();
}

LogicalResult importPlain(Node &node, const Reduction &reduction, ReduceKind kind) {
  Value value = node.reduce(kind, reduction.inputs[0], reduction.dims, /*keepdims=*/false);
  if (!value)
    return failure();
  if (isIdentity(node, reduction.inits[0], kind))
    return node.done(value);
  return addInits(node, reduction, {value});
}

/// Whether operand `index` counts along a dim.
bool isCount(Node &node, unsigned index, int64_t dim) {
  Operation *op = node.getOp()->getOperand(index).getDefiningOp();
  if (!op || op->getName().getStringRef() != "stablehlo.iota")
    return false;
  auto number = dyn_cast_or_null<IntegerAttr>(findAttribute(op, "iota_dimension"));
  return number && number.getInt() == dim;
}

LogicalResult importArgReduce(Node &node, const Reduction &reduction, graph::ArgReduceKind kind) {
  OpBuilder &builder = node.getBuilder();
  bool isMax = kind == graph::ArgReduceKind::Max;
  Value value = node.reduce(isMax ? ReduceKind::Max : ReduceKind::Min, reduction.inputs[0], reduction.dims, false);
  Value position =
      node.create<graph::ArgReduceOp>(graph::ArgReduceKindAttr::get(builder.getContext(), kind), reduction.inputs[0],
                                      builder.getI64IntegerAttr(reduction.dims.front()), UnitAttr());
  if (!value || !position)
    return failure();
  node.setResult(0, value);
  node.setResult(1, node.cast(position, node.getResultType(1).getElementType()));
  return success();
}

/// Any body: neighbours are combined, then neighbours of those, along one dim after the other.
LogicalResult importFolded(Node &node, const Reduction &reduction) {
  SmallVector<Value> values = reduction.inputs;
  for (int64_t dim : reduction.dims) {
    while (Node::shapeOf(values[0])[dim] > 1) {
      Extents starts(Node::rankOf(values[0]), 0), sizes(Node::shapeOf(values[0])), strides(starts.size(), 1);
      int64_t extent = sizes[dim], half = extent / 2;
      sizes[dim] = half;
      strides[dim] = 2;
      SmallVector<Value> arguments;
      for (int64_t side : {0, 1}) {
        starts[dim] = side;
        for (Value value : values)
          arguments.push_back(node.slice(value, starts, sizes, strides));
      }
      FailureOr<SmallVector<Value>> combined = node.importLanes(*reduction.body, arguments);
      if (failed(combined) || combined->size() != values.size())
        return failure();
      for (auto [value, pairs] : llvm::zip_equal(values, *combined)) {
        pairs = node.broadcast(pairs, sizes);
        value = extent % 2 == 0 ? pairs : node.concat({pairs, node.sliceAxis(value, dim, extent - 1, 1)}, dim);
        if (!value)
          return failure();
      }
    }
  }
  for (Value &value : values)
    value = node.squeeze(value, reduction.dims);
  return addInits(node, reduction, values);
}

LogicalResult importReduce(Node &node) {
  std::optional<Reduction> reduction = readReduction(node);
  if (!reduction)
    return failure();
  Type element = Node::elementOf(reduction->inputs[0]);
  for (int64_t dim : reduction->dims)
    if (Node::shapeOf(reduction->inputs[0])[dim] == 0) {
      for (auto [i, init] : llvm::enumerate(reduction->inits))
        node.setResult(i, node.broadcast(init, node.getResultShape(i)));
      return success();
    }
  std::optional<ReduceKind> kind = getReduceKind(getCombiner(*reduction->body), element);
  if (kind && reduction->inputs.size() == 1)
    return importPlain(node, *reduction, *kind);
  std::optional<graph::ArgReduceKind> arg = getArgReduceKind(*reduction->body);
  if (arg && reduction->dims.size() == 1 && isCount(node, 1, reduction->dims.front()))
    return importArgReduce(node, *reduction, *arg);
  return importFolded(node, *reduction);
}

/// A body for each element.
LogicalResult importMap(Node &node) {
  Block *body = node.getBody(0, node.getNumOperands());
  if (!body)
    return failure();
  SmallVector<Value> arguments;
  for (unsigned i = 0; i < node.getNumOperands(); ++i)
    arguments.push_back(node.getOperand(i));
  FailureOr<SmallVector<Value>> results = node.importLanes(*body, arguments);
  if (failed(results))
    return failure();
  if (results->size() != 1 || node.getNumResults() != 1)
    return node.invalid("its body gives other than one value", "the program is damaged: export it again");
  return node.done(node.broadcast(results->front(), node.getResultShape()));
}

} // namespace

void addReductionOps(OpTable &table) {
  table.add("stablehlo.reduce", importReduce, "bodies of elementwise ops");
  table.add("stablehlo.map", importMap, "bodies of elementwise ops");
}

} // namespace hgc::stablehlo
