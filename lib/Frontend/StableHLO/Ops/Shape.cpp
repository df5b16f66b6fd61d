//===- Shape.cpp - constants and data movement ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Shape.h"

#include "../OpTable.h"

#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;

namespace hgc::stablehlo {

Value padInterior(Node &node, Value value, Value fill, Shape low, Shape high, Shape interior) {
  if (!value || !fill)
    return {};
  if (llvm::all_of(interior, [](int64_t amount) { return amount == 0; }) || Node::countOf(value) == 0)
    return node.pad(value, fill, low, high);
  // Each element becomes the first of a row with its gap; the last gap is cropped.
  Extents split, splitLow, splitHigh, joined, last(high);
  for (auto [dim, extent] : llvm::enumerate(Node::shapeOf(value))) {
    split.append({extent, 1});
    splitLow.append({0, 0});
    splitHigh.append({0, interior[dim]});
    joined.push_back(extent * (interior[dim] + 1));
    last[dim] -= interior[dim];
  }
  Value rows = node.pad(node.reshape(value, split), fill, splitLow, splitHigh);
  return node.pad(node.reshape(rows, joined), fill, low, last);
}

namespace {

LogicalResult importConstant(Node &node) {
  auto value = dyn_cast_or_null<ElementsAttr>(node.getAttribute("value"));
  if (!value || value.getShapedType() != node.getResultType(0))
    return node.invalid("a constant needs a value of its type", "write it as dense<...> : tensor<...>");
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value); resource && !resource.getRawHandle().getBlob())
    return node.invalid("the elements of a constant were left out of the text", "print the program with all constants");
  auto dense = dyn_cast<DenseElementsAttr>(value);
  RankedTensorType type = node.getResultType(0);
  if (!dense || !dense.isSplat() || type.getRank() == 0)
    return node.done(node.addTensor(value));
  // One number that is repeated: ops that broadcast take the number.
  Value number = node.addTensor(dense.resizeSplat(RankedTensorType::get({}, type.getElementType())));
  return node.done(node.broadcastInDim(number, {}, type.getShape()));
}

LogicalResult importIota(Node &node) {
  RankedTensorType type = node.getResultType(0);
  std::optional<Extents> dim = node.getDims("iota_dimension", type.getRank());
  if (!dim)
    return failure();
  if (dim->size() != 1)
    return node.invalid("attribute 'iota_dimension' is missing", "name the dim that is counted");
  if (type.getElementType().isInteger(1))
    return node.unsupported("a count of booleans");
  return node.done(node.iota(type.getShape(), dim->front(), type.getElementType()));
}

LogicalResult importReshape(Node &node) {
  if (!node.hasOperands(1))
    return failure();
  if (Node::countOf(node.getOperand(0)) != node.getResultType(0).getNumElements())
    return node.invalid("the result has another number of elements", "the program is damaged: export it again");
  return node.done(node.reshape(node.getOperand(0), node.getResultShape()));
}

LogicalResult importBroadcast(Node &node) {
  Shape shape = node.getResultShape();
  std::optional<Extents> dims = node.getDims("broadcast_dimensions", shape.size());
  if (!dims || !node.hasOperands(1))
    return failure();
  Value value = node.getOperand(0);
  bool fits = static_cast<int64_t>(dims->size()) == Node::rankOf(value);
  for (auto [dim, extent] : llvm::zip(*dims, Node::shapeOf(value)))
    fits &= extent == 1 || extent == shape[dim];
  if (!fits)
    return node.invalid("the operand does not broadcast to the result", "each dim has extent 1 or the result's");
  // A number that is repeated twice is repeated once.
  if (Value inner = Node::withoutBroadcast(value); Node::rankOf(inner) == 0)
    return node.done(node.broadcastInDim(inner, {}, shape));
  return node.done(node.broadcastInDim(value, *dims, shape));
}

LogicalResult importTranspose(Node &node) {
  if (!node.hasOperands(1))
    return failure();
  int64_t rank = Node::rankOf(node.getOperand(0));
  std::optional<Extents> permutation = node.getDims("permutation", rank);
  if (!permutation)
    return failure();
  if (static_cast<int64_t>(permutation->size()) != rank)
    return node.invalid("attribute 'permutation' does not have all dims", "each dim is named once");
  return node.done(node.transpose(node.getOperand(0), *permutation));
}

LogicalResult importReverse(Node &node) {
  if (!node.hasOperands(1))
    return failure();
  std::optional<Extents> dims = node.getDims("dimensions", Node::rankOf(node.getOperand(0)));
  return dims ? node.done(node.reverse(node.getOperand(0), *dims)) : failure();
}

LogicalResult importConcatenate(Node &node) {
  SmallVector<Value> parts;
  for (unsigned i = 0; i < node.getNumOperands(); ++i)
    parts.push_back(node.getOperand(i));
  std::optional<Extents> dim = node.getDims("dimension", node.getResultType(0).getRank());
  if (!dim)
    return failure();
  if (parts.empty() || dim->size() != 1)
    return node.invalid("there is nothing to join, or no dim to join along", "give operands and 'dimension'");
  return node.done(node.concat(parts, dim->front()));
}

LogicalResult importSlice(Node &node) {
  if (!node.hasOperands(1))
    return failure();
  Value value = node.getOperand(0);
  int64_t rank = Node::rankOf(value);
  std::optional<Extents> starts = node.getList("start_indices", rank), limits = node.getList("limit_indices", rank),
                         strides = node.getList("strides", rank, 1);
  if (!starts || !limits || !strides)
    return failure();
  Extents sizes;
  for (auto [start, limit, stride, extent] : llvm::zip_equal(*starts, *limits, *strides, Node::shapeOf(value))) {
    if (start < 0 || start > limit || limit > extent || stride < 1)
      return node.invalid("the range " + Twine(start) + ":" + Twine(limit) + ":" + Twine(stride) +
                              " is not inside of " + Twine(extent) + " elements",
                          "ranges go forward from 0");
    sizes.push_back((limit - start + stride - 1) / stride);
  }
  return node.done(node.slice(value, *starts, sizes, *strides));
}

LogicalResult importPad(Node &node) {
  if (!node.hasOperands(2))
    return failure();
  int64_t rank = Node::rankOf(node.getOperand(0));
  std::optional<Extents> low = node.getList("edge_padding_low", rank), high = node.getList("edge_padding_high", rank),
                         interior = node.getList("interior_padding", rank, 0);
  if (!low || !high || !interior)
    return failure();
  if (llvm::any_of(*interior, [](int64_t amount) { return amount < 0; }))
    return node.invalid("padding between elements is negative", "only the borders are cropped");
  return node.done(padInterior(node, node.getOperand(0), node.getOperand(1), *low, *high, *interior));
}

LogicalResult importDimensionSize(Node &node) {
  if (!node.hasOperands(1))
    return failure();
  Shape shape = Node::shapeOf(node.getOperand(0));
  std::optional<Extents> dim = node.getDims("dimension", shape.size());
  if (!dim)
    return failure();
  if (dim->size() != 1)
    return node.invalid("attribute 'dimension' is missing", "name the dim whose extent is asked for");
  return node.done(node.scalar(node.getResultType(0).getElementType(), static_cast<double>(shape[dim->front()])));
}

/// What is for the compiler that JAX was made for passes values on.
LogicalResult importIdentity(Node &node) {
  if (!node.hasOperands(node.getNumResults()))
    return failure();
  for (unsigned i = 0; i < node.getNumResults(); ++i)
    node.setResult(i, node.getOperand(i));
  return success();
}

} // namespace

void addShapeOps(OpTable &table) {
  table.addPointwise("stablehlo.constant", importConstant);
  table.add("stablehlo.iota", importIota);
  table.add("stablehlo.get_dimension_size", importDimensionSize);
  table.add("stablehlo.reshape", importReshape);
  table.add("stablehlo.broadcast_in_dim", importBroadcast);
  table.add("stablehlo.transpose", importTranspose);
  table.add("stablehlo.reverse", importReverse);
  table.add("stablehlo.concatenate", importConcatenate);
  table.add("stablehlo.slice", importSlice);
  table.add("stablehlo.pad", importPad);
  table.add("stablehlo.optimization_barrier", importIdentity, "passes its operands on");
  table.add("sdy.sharding_constraint", importIdentity, "passes its operand on");
}

} // namespace hgc::stablehlo
