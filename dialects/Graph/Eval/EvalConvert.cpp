//===- EvalConvert.cpp - cast, compare, select ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Eval/EvalModels.h"

#include <cmath>
#include <cstring>

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

//===----------------------------------------------------------------------===//
// Cast
//===----------------------------------------------------------------------===//

/// Truncates toward zero and saturates to the integer type; NaN gives 0.
static int64_t saturate(double value, unsigned width, bool isUnsigned) {
  if (std::isnan(value))
    return 0;
  double high = std::ldexp(1.0, isUnsigned ? width : width - 1);
  double low = isUnsigned ? 0 : -high;
  value = std::trunc(value);
  if (value >= high)
    return isUnsigned ? int64_t(~uint64_t(0) >> (64 - width)) : int64_t((uint64_t(1) << (width - 1)) - 1);
  if (value <= low)
    return isUnsigned ? 0 : -int64_t(uint64_t(1) << (width - 2)) * 2;
  return isUnsigned ? int64_t(uint64_t(value)) : int64_t(value);
}

static HostTensor castFromFloat(const HostTensor &input, Type to) {
  std::vector<double> values = input.toDoubles();
  if (isa<FloatType>(to) || to.isInteger(1))
    return HostTensor::fromDoubles(to, input.getShape(), values);
  std::vector<int64_t> ints(values.size());
  for (size_t i = 0; i < values.size(); ++i)
    ints[i] = saturate(values[i], to.getIntOrFloatBitWidth(), isUnsigned(to));
  return HostTensor::fromInts(to, input.getShape(), ints);
}

static HostTensor castFromInt(const HostTensor &input, Type to) {
  std::vector<int64_t> values = input.toInts();
  if (to.isInteger(1))
    for (int64_t &value : values)
      value = value != 0;
  if (!isa<FloatType>(to) || !input.getElementType().isUnsignedInteger(64))
    return HostTensor::fromInts(to, input.getShape(), values);
  // Straight from 64 bits to f32: a stop at double would round twice.
  std::vector<double> floats(values.size());
  for (size_t i = 0; i < values.size(); ++i)
    floats[i] = to.isF32() ? double(float(uint64_t(values[i]))) : double(uint64_t(values[i]));
  return HostTensor::fromDoubles(to, input.getShape(), floats);
}

static LogicalResult evalCast(CastOp op, Operands operands, EvalContext &, Results &results) {
  results.push_back(operands[0].isFloat() ? castFromFloat(operands[0], op.getTo())
                                          : castFromInt(operands[0], op.getTo()));
  return success();
}

//===----------------------------------------------------------------------===//
// Compare
//===----------------------------------------------------------------------===//

template <typename T> static bool holds(ComparePredicate predicate, T a, T b) {
  switch (predicate) {
  case ComparePredicate::EQ:
    return a == b;
  case ComparePredicate::NE:
    return a != b;
  case ComparePredicate::LT:
    return a < b;
  case ComparePredicate::LE:
    return a <= b;
  case ComparePredicate::GT:
    return a > b;
  case ComparePredicate::GE:
    return a >= b;
  }
  llvm_unreachable("all predicates are handled");
}

static LogicalResult evalCompare(CompareOp op, Operands operands, EvalContext &context, Results &results) {
  SmallVector<HostTensor, 2> expanded;
  if (failed(broadcastOperands(op, operands, context, expanded)))
    return failure();
  ComparePredicate predicate = op.getPredicate();
  HostTensor result(getResultElement(op), expanded[0].getShape());
  char *out = result.mutableData();
  if (operands[0].isFloat()) {
    std::vector<double> a = expanded[0].toDoubles(), b = expanded[1].toDoubles();
    for (size_t i = 0; i < a.size(); ++i)
      out[i] = holds(predicate, a[i], b[i]);
  } else {
    std::vector<int64_t> a = expanded[0].toInts(), b = expanded[1].toInts();
    bool noSign = isUnsigned(operands[0].getElementType());
    for (size_t i = 0; i < a.size(); ++i)
      out[i] = noSign ? holds(predicate, uint64_t(a[i]), uint64_t(b[i])) : holds(predicate, a[i], b[i]);
  }
  results.push_back(result);
  return success();
}

//===----------------------------------------------------------------------===//
// Select
//===----------------------------------------------------------------------===//

static LogicalResult evalSelect(SelectOp op, Operands operands, EvalContext &context, Results &results) {
  SmallVector<HostTensor, 3> expanded;
  if (failed(broadcastOperands(op, operands, context, expanded)))
    return failure();
  HostTensor result = expanded[2];
  char *out = result.mutableData();
  int64_t size = result.getElementBytes();
  for (int64_t i = 0; i < result.getNumElements(); ++i)
    if (expanded[0].data()[i])
      std::memcpy(out + i * size, expanded[1].data() + i * size, size);
  results.push_back(result);
  return success();
}

void hgc::graph::attachConvertModels(MLIRContext *context) {
  attach<CastOp, evalCast>(context);
  attach<CompareOp, evalCompare>(context);
  attach<SelectOp, evalSelect>(context);
}
