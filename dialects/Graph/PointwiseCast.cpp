//===- PointwiseCast.cpp - conversions between element types --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "dialects/Graph/PointwiseBuilder.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace hgc::graph;
using arith::CmpFPredicate;

/// Truncates toward zero; out of range saturates, NaN gives 0. The upstream
/// conversion is undefined outside of the range, so it sees bounded values only.
static Value buildFloatToInt(OpBuilder &builder, Location loc, Value x, IntegerType to) {
  unsigned width = to.getWidth();
  bool noSign = isUnsigned(to);
  APInt most = noSign ? APInt::getMaxValue(width) : APInt::getSignedMaxValue(width);
  APInt least = noSign ? APInt::getZero(width) : APInt::getSignedMinValue(width);
  // The largest float not above the largest integer, and the smallest, which is
  // exact: a power of two or zero.
  APFloat high(cast<FloatType>(getElementTypeOrSelf(x)).getFloatSemantics());
  high.convertFromAPInt(most, !noSign, APFloat::rmTowardZero);
  APFloat low(high.getSemantics());
  low.convertFromAPInt(least, !noSign, APFloat::rmTowardZero);
  auto constant = [&](const APFloat &value) {
    bool exact;
    APFloat wide = value;
    wide.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &exact);
    return splat(builder, loc, x, wide.convertToDouble());
  };
  Value top = constant(high), bottom = constant(low);
  Value isNan = arith::CmpFOp::create(builder, loc, CmpFPredicate::UNO, x, x);
  Value isAbove = arith::CmpFOp::create(builder, loc, CmpFPredicate::OGT, x, top);
  Value isBelow = arith::CmpFOp::create(builder, loc, CmpFPredicate::OLT, x, bottom);
  Value bounded = arith::SelectOp::create(builder, loc, isNan, splat(builder, loc, x, 0.0), x);
  bounded = arith::SelectOp::create(builder, loc, isAbove, top, bounded);
  bounded = arith::SelectOp::create(builder, loc, isBelow, bottom, bounded);
  Type type = withShapeOf(x, getComputeType(to));
  Value result = noSign ? Value(arith::FPToUIOp::create(builder, loc, type, bounded))
                        : Value(arith::FPToSIOp::create(builder, loc, type, bounded));
  return arith::SelectOp::create(builder, loc, isAbove, splatInt(builder, loc, result, most), result);
}

static Value buildToBool(OpBuilder &builder, Location loc, Value x) {
  if (isFloat(x))
    return arith::CmpFOp::create(builder, loc, CmpFPredicate::UNE, x, splat(builder, loc, x, 0.0));
  unsigned width = getElementTypeOrSelf(x).getIntOrFloatBitWidth();
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, x,
                               splatInt(builder, loc, x, APInt::getZero(width)));
}

/// Integers wrap; the sign of the source decides how it is extended.
static Value buildIntToInt(OpBuilder &builder, Location loc, Value x, Type from, Type type) {
  unsigned have = getElementTypeOrSelf(x).getIntOrFloatBitWidth();
  unsigned want = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  if (have == want)
    return x;
  if (have > want)
    return arith::TruncIOp::create(builder, loc, type, x);
  if (isUnsigned(from))
    return arith::ExtUIOp::create(builder, loc, type, x);
  return arith::ExtSIOp::create(builder, loc, type, x);
}

Value hgc::graph::buildCast(OpBuilder &builder, Location loc, Value x, Type from, Type to) {
  Type type = withShapeOf(x, getComputeType(to));
  if (from == to)
    return x;
  if (to.isInteger(1))
    return buildToBool(builder, loc, x);
  if (isFloat(x) && isa<IntegerType>(to))
    return buildFloatToInt(builder, loc, x, cast<IntegerType>(to));
  if (isa<IntegerType>(to))
    return buildIntToInt(builder, loc, x, from, type);
  if (!isFloat(x)) {
    if (isUnsigned(from))
      return arith::UIToFPOp::create(builder, loc, type, x);
    return arith::SIToFPOp::create(builder, loc, type, x);
  }
  // Half types compute in f32; storing the result rounds it.
  if (x.getType() == type)
    return x;
  if (getElementTypeOrSelf(type).isF64())
    return arith::ExtFOp::create(builder, loc, type, x);
  return arith::TruncFOp::create(builder, loc, type, x);
}

Value CastOp::buildScalar(OpBuilder &builder, Location loc, ValueRange operands) {
  // These become conversions that round, whose results are some number even where they are wrong.
  bool isRounded = operands[0].getDefiningOp<math::RoundEvenOp>() && elementOf(getInput()).isF32();
  if (getInRange() && isRounded && getTo().isSignlessInteger(32))
    return arith::FPToSIOp::create(builder, loc, withShapeOf(operands[0], getTo()), operands[0]);
  return buildCast(builder, loc, operands[0], elementOf(getInput()), getTo());
}
