//===- MathBuilder.cpp - building blocks of function expansions -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "MathFunctions.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace hgc::codegen {

Type MathBuilder::typeOf(Type element) {
  auto vector = dyn_cast<VectorType>(shape);
  return vector ? Type(vector.clone(element)) : element;
}

/// A constant in each lane of `type`.
static Value createSplat(OpBuilder &builder, Location loc, Type type, TypedAttr attr) {
  if (auto vector = dyn_cast<VectorType>(type))
    attr = DenseElementsAttr::get(vector, Attribute(attr));
  return arith::ConstantOp::create(builder, loc, attr);
}

Value MathBuilder::f32(double value) {
  return createSplat(builder, loc, typeOf(builder.getF32Type()), builder.getF32FloatAttr(static_cast<float>(value)));
}
Value MathBuilder::f64(double value) {
  return createSplat(builder, loc, typeOf(builder.getF64Type()), builder.getF64FloatAttr(value));
}
Value MathBuilder::i32(int64_t value) {
  return createSplat(builder, loc, typeOf(builder.getI32Type()),
                     builder.getI32IntegerAttr(static_cast<int32_t>(value)));
}
Value MathBuilder::i64(int64_t value) {
  return createSplat(builder, loc, typeOf(builder.getI64Type()), builder.getI64IntegerAttr(value));
}

Value MathBuilder::add(Value a, Value b) { return arith::AddFOp::create(builder, loc, a, b); }
Value MathBuilder::sub(Value a, Value b) { return arith::SubFOp::create(builder, loc, a, b); }
Value MathBuilder::mul(Value a, Value b) { return arith::MulFOp::create(builder, loc, a, b); }
Value MathBuilder::div(Value a, Value b) { return arith::DivFOp::create(builder, loc, a, b); }
Value MathBuilder::fma(Value a, Value b, Value c) {
  // Not math.fma: on a CPU without the instruction that is a call per lane.
  constexpr auto kContract = arith::FastMathFlags::contract;
  Value product = arith::MulFOp::create(builder, loc, a, b, kContract);
  return arith::AddFOp::create(builder, loc, product, c, kContract);
}
Value MathBuilder::abs(Value a) { return math::AbsFOp::create(builder, loc, a); }
Value MathBuilder::roundEven(Value a) { return math::RoundEvenOp::create(builder, loc, a); }
Value MathBuilder::sqrt(Value a) { return math::SqrtOp::create(builder, loc, a); }
Value MathBuilder::copySign(Value magnitude, Value sign) {
  return math::CopySignOp::create(builder, loc, magnitude, sign);
}
Value MathBuilder::select(Value condition, Value a, Value b) {
  return arith::SelectOp::create(builder, loc, condition, a, b);
}
Value MathBuilder::compare(Compare predicate, Value a, Value b) {
  return arith::CmpFOp::create(builder, loc, predicate, a, b);
}
Value MathBuilder::capAbove(Value a, Value limit) { return select(compare(Compare::OGT, a, limit), limit, a); }
Value MathBuilder::capBelow(Value a, Value limit) { return select(compare(Compare::OLT, a, limit), limit, a); }
Value MathBuilder::bits(Value a, Type element) { return arith::BitcastOp::create(builder, loc, typeOf(element), a); }

Value MathBuilder::polynomial(Value x, ArrayRef<double> coefficients) {
  bool isDouble = getElementTypeOrSelf(x.getType()).isF64();
  auto constant = [&](double c) { return isDouble ? f64(c) : f32(c); };
  Value sum = constant(coefficients.back());
  for (double c : llvm::reverse(coefficients.drop_back()))
    sum = fma(sum, x, constant(c));
  return sum;
}

} // namespace hgc::codegen
