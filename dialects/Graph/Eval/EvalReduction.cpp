//===- EvalReduction.cpp - reduce -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Eval/EvalModels.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

/// NaN wins; `isMax` chooses the direction.
static double pickFloat(double a, double b, bool isMax) {
  if (std::isnan(a) || std::isnan(b))
    return std::numeric_limits<double>::quiet_NaN();
  return isMax ? std::max(a, b) : std::min(a, b);
}

static double reduceFloats(ReduceKind kind, ArrayRef<double> row) {
  long double total = kind == ReduceKind::Prod ? 1 : 0;
  bool isMax = kind == ReduceKind::Max;
  double best = isMax ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  for (double value : row) {
    if (kind == ReduceKind::Prod)
      total *= value;
    else if (kind == ReduceKind::Max || kind == ReduceKind::Min)
      best = pickFloat(best, value, isMax);
    else
      total += value;
  }
  if (kind == ReduceKind::Max || kind == ReduceKind::Min)
    return best;
  return static_cast<double>(kind == ReduceKind::Mean ? total / row.size() : total);
}

/// Least and greatest value of an integer type, ui64 by its bits.
static std::pair<int64_t, int64_t> limits(Type element) {
  unsigned width = element.getIntOrFloatBitWidth();
  if (isUnsigned(element))
    return {0, int64_t(~uint64_t(0) >> (64 - width))};
  int64_t high = int64_t((uint64_t(1) << (width - 1)) - 1);
  return {-high - 1, high};
}

static int64_t reduceInts(ReduceKind kind, ArrayRef<int64_t> row, Type element) {
  auto [low, high] = limits(element);
  bool noSign = isUnsigned(element), isMax = kind == ReduceKind::Max;
  uint64_t total = kind == ReduceKind::Prod || kind == ReduceKind::All ? 1 : 0;
  int64_t best = isMax ? low : high;
  for (int64_t value : row) {
    bool isAbove = noSign ? uint64_t(value) > uint64_t(best) : value > best;
    switch (kind) {
    case ReduceKind::Sum:
    case ReduceKind::Mean:
      total += uint64_t(value);
      break;
    case ReduceKind::Prod:
      total *= uint64_t(value);
      break;
    case ReduceKind::Max:
    case ReduceKind::Min:
      best = isAbove == isMax ? value : best;
      break;
    case ReduceKind::Any:
      total |= uint64_t(value);
      break;
    case ReduceKind::All:
      total &= uint64_t(value);
      break;
    }
  }
  if (isMax || kind == ReduceKind::Min)
    return best;
  if (kind != ReduceKind::Mean)
    return int64_t(total);
  // The sum is taken in 64 bits, so that the mean of narrow integers is right.
  if (row.empty())
    return 0;
  return noSign ? int64_t(total / row.size()) : int64_t(total) / int64_t(row.size());
}

static LogicalResult evalReduce(ReduceOp op, Operands operands, EvalContext &, Results &results) {
  const HostTensor &input = operands[0];
  SmallVector<int64_t> order, shape;
  int64_t length = 1;
  for (int64_t i = 0; i < input.getRank(); ++i) {
    bool isReduced = llvm::is_contained(op.getAxes(), i);
    if (!isReduced)
      order.push_back(i);
    else
      length *= input.getDim(i);
    if (!isReduced || op.getKeepdims())
      shape.push_back(isReduced ? 1 : input.getDim(i));
  }
  order.append(op.getAxes().begin(), op.getAxes().end());
  // With the reduced dims last, every result is a reduction of one row.
  HostTensor rows = transpose(input, order);
  int64_t count = *hgc::countElements(shape);
  if (input.isFloat()) {
    std::vector<double> values = rows.toDoubles(), out(count);
    for (int64_t i = 0; i < count; ++i)
      out[i] = reduceFloats(op.getKind(), ArrayRef<double>(values).slice(i * length, length));
    results.push_back(HostTensor::fromDoubles(input.getElementType(), shape, out));
    return success();
  }
  std::vector<int64_t> values = rows.toInts(), out(count);
  for (int64_t i = 0; i < count; ++i)
    out[i] = reduceInts(op.getKind(), ArrayRef<int64_t>(values).slice(i * length, length), input.getElementType());
  results.push_back(HostTensor::fromInts(input.getElementType(), shape, out));
  return success();
}

void hgc::graph::attachReductionModels(MLIRContext *context) { attach<ReduceOp, evalReduce>(context); }
