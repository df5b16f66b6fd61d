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

/// The same bits under another type.
Value buildBitCast(Node &node) {
  Value value = node.getInput(0);
  Type type = node.getElementType("to", {});
  if (!value || !type)
    return {};
  if (std::optional<HostTensor> known = node.getConstant(value);
      known && known->getElementBytes() == HostTensor(type, {}).getElementBytes())
    return node.constant(known->bitcast(type));
  bool areIntegers = isa<IntegerType>(type) && isa<IntegerType>(Node::elementOf(value));
  if (areIntegers && type.getIntOrFloatBitWidth() == Node::elementOf(value).getIntOrFloatBitWidth())
    return node.cast(value, type);
  if (type == Node::elementOf(value))
    return value;
  (void)node.unsupported("bits of floats are not read as integers");
  return {};
}

} // namespace

void hgc::onnx::addCastOps(OpTable &table) {
  addElementwise<buildCast>(table, "Cast", "no float8, int4, int2, strings");
  addElementwise<buildCastLike>(table, "CastLike", "no float8, int4, int2, strings");
  addElementwise<buildBitCast>(table, "BitCast", "between integers, or of constants");
}
