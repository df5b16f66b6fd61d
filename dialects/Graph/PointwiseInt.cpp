//===- PointwiseInt.cpp - integer, comparison and conversion bodies -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values are signless; the sign is in the op's element type. No operand value may
// reach an upstream op that is undefined for it.
//===----------------------------------------------------------------------===//

#include "dialects/Graph/PointwiseBuilder.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace hgc::graph;
using arith::CmpFPredicate;
using arith::CmpIPredicate;

static unsigned widthOf(Value value) { return getElementTypeOrSelf(value).getIntOrFloatBitWidth(); }

static Value compare(OpBuilder &builder, Location loc, CmpIPredicate predicate, Value value, const APInt &constant) {
  return arith::CmpIOp::create(builder, loc, predicate, value, splatInt(builder, loc, value, constant));
}

//===----------------------------------------------------------------------===//
// Division
//===----------------------------------------------------------------------===//

/// `divisor` with 0 (and -1, whose quotient may overflow) replaced by 1.
static Value makeSafeDivisor(OpBuilder &builder, Location loc, Value divisor, Value isZero, Value isMinusOne) {
  Value unsafe = isMinusOne ? arith::OrIOp::create(builder, loc, isZero, isMinusOne) : isZero;
  Value one = splatInt(builder, loc, divisor, APInt(widthOf(divisor), 1));
  return arith::SelectOp::create(builder, loc, unsafe, one, divisor);
}

Value DivOp::buildScalar(OpBuilder &builder, Location loc, ValueRange operands) {
  Value x = operands[0], y = operands[1];
  if (isFloat(x))
    return arith::DivFOp::create(builder, loc, x, y);
  unsigned width = widthOf(y);
  Value zero = splatInt(builder, loc, x, APInt::getZero(width));
  Value isZero = compare(builder, loc, CmpIPredicate::eq, y, APInt::getZero(width));
  if (isUnsigned(elementOf(getLhs()))) {
    Value safe = makeSafeDivisor(builder, loc, y, isZero, {});
    Value quotient = arith::DivUIOp::create(builder, loc, x, safe);
    return arith::SelectOp::create(builder, loc, isZero, zero, quotient);
  }
  Value isMinusOne = compare(builder, loc, CmpIPredicate::eq, y, APInt::getAllOnes(width));
  Value safe = makeSafeDivisor(builder, loc, y, isZero, isMinusOne);
  Value quotient = arith::DivSIOp::create(builder, loc, x, safe);
  Value negated = arith::SubIOp::create(builder, loc, zero, x);
  quotient = arith::SelectOp::create(builder, loc, isMinusOne, negated, quotient);
  return arith::SelectOp::create(builder, loc, isZero, zero, quotient);
}

Value RemOp::buildScalar(OpBuilder &builder, Location loc, ValueRange operands) {
  Value x = operands[0], y = operands[1];
  if (isFloat(x))
    return arith::RemFOp::create(builder, loc, x, y);
  // The remainder by 1 is 0, which is also the value for divisors 0 and -1.
  unsigned width = widthOf(y);
  Value isZero = compare(builder, loc, CmpIPredicate::eq, y, APInt::getZero(width));
  if (isUnsigned(elementOf(getLhs())))
    return arith::RemUIOp::create(builder, loc, x, makeSafeDivisor(builder, loc, y, isZero, {}));
  Value isMinusOne = compare(builder, loc, CmpIPredicate::eq, y, APInt::getAllOnes(width));
  return arith::RemSIOp::create(builder, loc, x, makeSafeDivisor(builder, loc, y, isZero, isMinusOne));
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

Value AndOp::buildScalar(OpBuilder &builder, Location loc, ValueRange operands) {
  return arith::AndIOp::create(builder, loc, operands[0], operands[1]);
}

Value OrOp::buildScalar(OpBuilder &builder, Location loc, ValueRange operands) {
  return arith::OrIOp::create(builder, loc, operands[0], operands[1]);
}

Value XorOp::buildScalar(OpBuilder &builder, Location loc, ValueRange operands) {
  return arith::XOrIOp::create(builder, loc, operands[0], operands[1]);
}

Value StopGradientOp::buildScalar(OpBuilder &, Location, ValueRange operands) { return operands[0]; }

Value NotOp::buildScalar(OpBuilder &builder, Location loc, ValueRange operands) {
  Value ones = splatInt(builder, loc, operands[0], APInt::getAllOnes(widthOf(operands[0])));
  return arith::XOrIOp::create(builder, loc, operands[0], ones);
}

/// Shift with `ShiftOp`, or 0 when the amount, read as unsigned, is too large.
template <typename ShiftOp> static Value buildShift(OpBuilder &builder, Location loc, Value x, Value amount) {
  // The width of i1 does not fit into i1: no amount but 0 does anything.
  unsigned width = widthOf(x);
  Value last = splatInt(builder, loc, amount, APInt(width, width - 1));
  Value zero = splatInt(builder, loc, amount, APInt::getZero(width));
  Value fits = arith::CmpIOp::create(builder, loc, CmpIPredicate::ule, amount, last);
  Value safe = arith::SelectOp::create(builder, loc, fits, amount, zero);
  Value shifted = ShiftOp::create(builder, loc, x, safe);
  return arith::SelectOp::create(builder, loc, fits, shifted, zero);
}

Value ShlOp::buildScalar(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildShift<arith::ShLIOp>(builder, loc, operands[0], operands[1]);
}

Value ShrOp::buildScalar(OpBuilder &builder, Location loc, ValueRange operands) {
  Value x = operands[0], amount = operands[1];
  if (isUnsigned(elementOf(getLhs())))
    return buildShift<arith::ShRUIOp>(builder, loc, x, amount);
  unsigned width = widthOf(x);
  Value last = splatInt(builder, loc, amount, APInt(width, width - 1));
  return arith::ShRSIOp::create(builder, loc, x, arith::MinUIOp::create(builder, loc, amount, last));
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

static CmpFPredicate getFloatPredicate(ComparePredicate predicate) {
  switch (predicate) {
  case ComparePredicate::EQ:
    return CmpFPredicate::OEQ;
  case ComparePredicate::NE:
    return CmpFPredicate::UNE;
  case ComparePredicate::LT:
    return CmpFPredicate::OLT;
  case ComparePredicate::LE:
    return CmpFPredicate::OLE;
  case ComparePredicate::GT:
    return CmpFPredicate::OGT;
  case ComparePredicate::GE:
    return CmpFPredicate::OGE;
  }
  llvm_unreachable("all predicates are handled");
}

static CmpIPredicate getIntPredicate(ComparePredicate predicate, bool isUnsigned) {
  switch (predicate) {
  case ComparePredicate::EQ:
    return CmpIPredicate::eq;
  case ComparePredicate::NE:
    return CmpIPredicate::ne;
  case ComparePredicate::LT:
    return isUnsigned ? CmpIPredicate::ult : CmpIPredicate::slt;
  case ComparePredicate::LE:
    return isUnsigned ? CmpIPredicate::ule : CmpIPredicate::sle;
  case ComparePredicate::GT:
    return isUnsigned ? CmpIPredicate::ugt : CmpIPredicate::sgt;
  case ComparePredicate::GE:
    return isUnsigned ? CmpIPredicate::uge : CmpIPredicate::sge;
  }
  llvm_unreachable("all predicates are handled");
}

Value CompareOp::buildScalar(OpBuilder &builder, Location loc, ValueRange operands) {
  if (isFloat(operands[0]))
    return arith::CmpFOp::create(builder, loc, getFloatPredicate(getPredicate()), operands[0], operands[1]);
  CmpIPredicate predicate = getIntPredicate(getPredicate(), isUnsigned(elementOf(getLhs())));
  return arith::CmpIOp::create(builder, loc, predicate, operands[0], operands[1]);
}
