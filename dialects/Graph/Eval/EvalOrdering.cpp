//===- EvalOrdering.cpp - positions of extremes, sorting ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Eval/EvalModels.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {
/// Elements of a tensor, to be compared by their row-major indices.
class Elements {
public:
  explicit Elements(const HostTensor &tensor)
      : isFloat(tensor.isFloat()), noSign(!isFloat && isUnsigned(tensor.getElementType())) {
    if (isFloat)
      floats = tensor.toDoubles();
    else
      ints = tensor.toInts();
  }

  bool isNaN(int64_t i) const { return isFloat && std::isnan(floats[i]); }
  /// NaN is greater than all numbers.
  bool less(int64_t a, int64_t b) const {
    if (isFloat)
      return isNaN(a) || isNaN(b) ? !isNaN(a) : floats[a] < floats[b];
    return noSign ? uint64_t(ints[a]) < uint64_t(ints[b]) : ints[a] < ints[b];
  }

private:
  bool isFloat, noSign;
  std::vector<double> floats;
  std::vector<int64_t> ints;
};

/// The lines of a tensor along one axis.
struct Lines {
  Lines(const HostTensor &tensor, int64_t axis)
      : length(tensor.getDim(axis)), stride(tensor.getStrides()[axis]),
        count(length ? tensor.getNumElements() / length : 0) {}

  /// Row-major index of element `i` of a line, if lines are `extent` long.
  int64_t at(int64_t line, int64_t i, int64_t extent) const {
    return (line / stride * extent + i) * stride + line % stride;
  }

  int64_t length, stride, count;
};
} // namespace

/// Position of the first extreme of a line.
static int64_t findExtreme(const Elements &elements, const Lines &lines, int64_t line, bool isMax) {
  int64_t best = 0;
  for (int64_t i = 0; i < lines.length; ++i) {
    int64_t a = lines.at(line, best, lines.length), b = lines.at(line, i, lines.length);
    if (elements.isNaN(a))
      break;
    bool isBetter = elements.isNaN(b) || (isMax ? elements.less(a, b) : elements.less(b, a));
    best = isBetter ? i : best;
  }
  return best;
}

static LogicalResult evalArgReduce(ArgReduceOp op, Operands operands, EvalContext &context, Results &results) {
  const HostTensor &input = operands[0];
  int64_t axis = op.getAxis();
  SmallVector<int64_t> shape(input.getShape());
  if (op.getKeepdims())
    shape[axis] = 1;
  else
    shape.erase(shape.begin() + axis);
  Lines lines(input, axis);
  std::vector<int64_t> positions(*hgc::countElements(shape));
  if (lines.length == 0 && !positions.empty())
    return context.error(op, "looks for an extreme along dim " + Twine(axis) + ", which has no elements",
                         "give the input at least one element along 'axis'");
  Elements elements(input);
  for (size_t line = 0; line < positions.size(); ++line)
    positions[line] = findExtreme(elements, lines, line, op.getKind() == ArgReduceKind::Max);
  results.push_back(HostTensor::fromInts(getResultElement(op), shape, positions));
  return success();
}

static LogicalResult evalArgSort(ArgSortOp op, Operands operands, EvalContext &context, Results &results) {
  const HostTensor &input = operands[0];
  Lines lines(input, op.getAxis());
  int64_t kept = op.getK() ? static_cast<int64_t>(*op.getK()) : lines.length;
  if (kept > lines.length)
    return context.error(op, "gives the first " + Twine(kept) + " of " + Twine(lines.length) + " positions",
                         "use a 'k' of at most the extent of dim 'axis'");
  SmallVector<int64_t> shape(input.getShape());
  shape[op.getAxis()] = kept;
  std::vector<int64_t> sorted(*hgc::countElements(shape)), order(lines.length);
  Elements elements(input);
  for (int64_t line = 0; line < lines.count; ++line) {
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int64_t i, int64_t j) {
      int64_t a = lines.at(line, i, lines.length), b = lines.at(line, j, lines.length);
      bool isLess = elements.less(a, b), isGreater = elements.less(b, a);
      return isLess != isGreater ? isLess != op.getDescending() : i < j;
    });
    for (int64_t i = 0; i < kept; ++i)
      sorted[lines.at(line, i, kept)] = order[i];
  }
  results.push_back(HostTensor::fromInts(getResultElement(op), shape, sorted));
  return success();
}

void hgc::graph::attachOrderingModels(MLIRContext *context) {
  attach<ArgReduceOp, evalArgReduce>(context);
  attach<ArgSortOp, evalArgSort>(context);
}
