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

Value buildCastLike(Node &node) {
  return node.hasInput(1) ? node.cast(node.getInput(0), Node::elementOf(node.getInput(1))) : Value();
}

} // namespace

void hgc::onnx::addCastOps(OpTable &table) {
  addElementwise<buildCast>(table, "Cast", "no float8, int4, int2, strings");
  addElementwise<buildCastLike>(table, "CastLike", "no float8, int4, int2, strings");
  addElementwise<buildBitCast>(table, "BitCast", "every NaN has the bits of the quiet one");
}
