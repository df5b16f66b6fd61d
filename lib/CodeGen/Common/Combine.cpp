//===- Combine.cpp - the operation of a reduction -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/Common/Combine.h"

#include "hgc/CodeGen/Common/Lanes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using Kind = hgc::graph::ReduceKind;

namespace hgc::codegen {

/// The element type's least or greatest value.
static TypedAttr getExtreme(Type element, bool isUnsigned, bool isLeast) {
  if (auto type = dyn_cast<FloatType>(element))
    return FloatAttr::get(type, APFloat::getInf(type.getFloatSemantics(), isLeast));
  unsigned width = cast<IntegerType>(element).getWidth();
  APInt value = isLeast ? (isUnsigned ? APInt::getZero(width) : APInt::getSignedMinValue(width))
                        : (isUnsigned ? APInt::getAllOnes(width) : APInt::getSignedMaxValue(width));
  return IntegerAttr::get(element, value);
}

Value Combiner::neutral(OpBuilder &builder, Location loc, Type type) const {
  Type element = getElementTypeOrSelf(type);
  switch (kind) {
  case Kind::Sum:
  case Kind::Mean:
  case Kind::Any:
    return createConstant(builder, loc, type, 0);
  case Kind::Prod:
  case Kind::All:
    return createConstant(builder, loc, type, 1);
  case Kind::Max:
  case Kind::Min:
    break;
  }
  TypedAttr attr = getExtreme(element, isUnsigned, kind == Kind::Max);
  if (auto vector = dyn_cast<VectorType>(type))
    attr = DenseElementsAttr::get(vector, Attribute(attr));
  return arith::ConstantOp::create(builder, loc, attr);
}

/// Float operation for float values, integer operation for others.
template <typename FloatOp, typename IntOp> static Value create(OpBuilder &builder, Location loc, Value a, Value b) {
  if (isa<FloatType>(getElementTypeOrSelf(a.getType())))
    return FloatOp::create(builder, loc, a, b);
  return IntOp::create(builder, loc, a, b);
}

Value Combiner::combine(OpBuilder &builder, Location loc, Value a, Value b) const {
  bool isExtreme = kind == Kind::Max || kind == Kind::Min;
  if (isExtreme && mayIgnoreNan && isa<FloatType>(getElementTypeOrSelf(a.getType()))) {
    auto predicate = kind == Kind::Max ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT;
    return arith::SelectOp::create(builder, loc, arith::CmpFOp::create(builder, loc, predicate, a, b), a, b);
  }
  switch (kind) {
  case Kind::Sum:
  case Kind::Mean:
    return create<arith::AddFOp, arith::AddIOp>(builder, loc, a, b);
  case Kind::Prod:
    return create<arith::MulFOp, arith::MulIOp>(builder, loc, a, b);
  case Kind::Max:
    return isUnsigned ? create<arith::MaximumFOp, arith::MaxUIOp>(builder, loc, a, b)
                      : create<arith::MaximumFOp, arith::MaxSIOp>(builder, loc, a, b);
  case Kind::Min:
    return isUnsigned ? create<arith::MinimumFOp, arith::MinUIOp>(builder, loc, a, b)
                      : create<arith::MinimumFOp, arith::MinSIOp>(builder, loc, a, b);
  case Kind::Any:
    return arith::OrIOp::create(builder, loc, a, b);
  case Kind::All:
    return arith::AndIOp::create(builder, loc, a, b);
  }
  llvm_unreachable("unknown reduction");
}

Value Combiner::fold(OpBuilder &builder, Location loc, Value vector) const {
  for (int64_t half = getLanes(vector) / 2; half > 0; half /= 2) {
    Value low = slice(builder, loc, vector, 0, half), high = slice(builder, loc, vector, half, half);
    vector = combine(builder, loc, low, high);
  }
  return vector;
}

std::optional<Kind> getReduceKind(graph::ScatterKind kind) {
  switch (kind) {
  case graph::ScatterKind::Set:
    return std::nullopt;
  case graph::ScatterKind::Add:
    return Kind::Sum;
  case graph::ScatterKind::Mul:
    return Kind::Prod;
  case graph::ScatterKind::Max:
    return Kind::Max;
  case graph::ScatterKind::Min:
    return Kind::Min;
  }
  llvm_unreachable("unknown kind of scatter");
}

Value convertFloat(OpBuilder &builder, Location loc, Value value, Type element) {
  auto from = dyn_cast<FloatType>(getElementTypeOrSelf(value.getType()));
  auto to = dyn_cast<FloatType>(element);
  if (!from || !to || from == to)
    return value;
  Type type = getLaneType(to, getLanes(value));
  if (from.getWidth() < to.getWidth())
    return arith::ExtFOp::create(builder, loc, type, value);
  return arith::TruncFOp::create(builder, loc, type, value);
}

} // namespace hgc::codegen
