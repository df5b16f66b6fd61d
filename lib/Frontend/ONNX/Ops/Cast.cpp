//===- Cast.cpp - conversions between element types -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Elementwise.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::onnx;

namespace {

Value buildCast(Node &node) {
  Type type = node.getElementType("to", {});
  return type ? node.cast(node.getInput(0), type) : Value();
}

/// Of the second input only the type matters, not its extents.
LogicalResult importCastLike(Node &node) {
  Value input = node.getInput(0), like = node.getInput(1);
  Value result = input && like ? node.cast(input, Node::elementOf(like)) : Value();
  for (int64_t dim = 0; result && dim < Node::rankOf(input); ++dim)
    if (Value extent = node.getExtent(input, dim))
      node.setExtent(result, dim, extent);
  return node.done(result);
}

} // namespace

void hgc::onnx::addCastOps(OpTable &table) {
  addElementwise<buildCast>(table, "Cast", "no float8, int4, int2, strings");
  table.addBounded("CastLike", importCastLike, 1, "no float8, int4, int2, strings");
  addElementwise<buildBitCast>(table, "BitCast", "every NaN has the bits of the quiet one");
}
