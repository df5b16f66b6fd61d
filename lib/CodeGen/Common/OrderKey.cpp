//===- OrderKey.cpp - elements as integers in sorting order ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/Common/OrderKey.h"

#include "dialects/Graph/ElementTypes.h"
#include "hgc/CodeGen/Common/Lanes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace hgc::codegen {

IntegerType OrderKey::getType() const {
  unsigned width = graph::getComputeType(element).getIntOrFloatBitWidth();
  return IntegerType::get(element.getContext(), width == 64 ? 64 : 32);
}

/// `bits` in each lane of `type`.
static Value createBits(OpBuilder &b, Location loc, Type type, const APInt &bits) {
  TypedAttr attr = IntegerAttr::get(getElementTypeOrSelf(type), bits);
  if (auto vector = dyn_cast<VectorType>(type))
    attr = DenseElementsAttr::get(vector, Attribute(attr));
  return arith::ConstantOp::create(b, loc, attr);
}

/// Floats are ordered like their bits as signed integers, except that negative
/// ones are in reverse. The sum makes one zero of both.
static Value fromFloat(OpBuilder &b, Location loc, Value value, Type type, unsigned width) {
  Value zero = createConstant(b, loc, value.getType(), 0);
  Value bits = arith::BitcastOp::create(b, loc, type, arith::AddFOp::create(b, loc, value, zero));
  Value sign = arith::ShRSIOp::create(b, loc, bits, createBits(b, loc, type, APInt(width, width - 1)));
  Value mask = createBits(b, loc, type, APInt::getSignedMaxValue(width));
  return arith::XOrIOp::create(b, loc, bits, arith::AndIOp::create(b, loc, sign, mask));
}

static Value fromInt(OpBuilder &b, Location loc, Value value, Type type, bool isUnsigned, unsigned width) {
  if (value.getType() != type)
    return isUnsigned ? Value(arith::ExtUIOp::create(b, loc, type, value))
                      : Value(arith::ExtSIOp::create(b, loc, type, value));
  if (!isUnsigned)
    return value;
  return arith::XOrIOp::create(b, loc, value, createBits(b, loc, type, APInt::getSignMask(width)));
}

Value OrderKey::build(OpBuilder &b, Location loc, Value value) const {
  unsigned width = getType().getWidth();
  Type type = getLaneType(getType(), getLanes(value));
  bool isFloat = isa<FloatType>(element);
  Value key =
      isFloat ? fromFloat(b, loc, value, type, width) : fromInt(b, loc, value, type, graph::isUnsigned(element), width);
  if (isReversed)
    key = arith::XOrIOp::create(b, loc, key, createBits(b, loc, type, APInt::getAllOnes(width)));
  if (!isFloat)
    return key;
  Value isNaN = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, value, value);
  APInt extreme = isNaNGreatest ? APInt::getSignedMaxValue(width) : APInt::getSignedMinValue(width);
  return arith::SelectOp::create(b, loc, isNaN, createBits(b, loc, type, extreme), key);
}

} // namespace hgc::codegen
