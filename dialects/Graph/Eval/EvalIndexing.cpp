//===- EvalIndexing.cpp - elements read and written by index --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Eval/EvalModels.h"
#include "dialects/Graph/Infer.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

/// Counts from the end if negative, then clamps.
static int64_t clampIndex(int64_t index, int64_t extent) {
  if (index < 0)
    index += extent;
  return std::clamp<int64_t>(index, 0, extent - 1);
}

namespace {
/// Which element of the input each update (or gathered element) stands for:
/// dims before the axis, picks along it, and dims after it.
struct Picks {
  Picks(const HostTensor &input, const HostTensor &indices, int64_t axis, bool slices)
      : before(*hgc::countElements(input.getShape().take_front(axis))),
        after(*hgc::countElements(input.getShape().drop_front(axis + 1))), extent(input.getDim(axis)), slices(slices),
        values(indices.toInts()) {
    shape.assign(input.getShape().begin(), input.getShape().end());
    if (slices) {
      shape.erase(shape.begin() + axis);
      shape.insert(shape.begin() + axis, indices.getShape().begin(), indices.getShape().end());
      count = indices.getNumElements();
    } else if (indices.getRank() == input.getRank()) {
      shape[axis] = count = indices.getDim(axis);
      fits = llvm::equal(shape, indices.getShape());
    }
  }

  /// Row-major index into the input; `pick` counts along the axis.
  int64_t source(int64_t row, int64_t pick, int64_t column) const {
    int64_t index = values[slices ? pick : (row * count + pick) * after + column];
    return (row * extent + clampIndex(index, extent)) * after + column;
  }
  int64_t target(int64_t row, int64_t pick, int64_t column) const { return (row * count + pick) * after + column; }

  /// Reports what the types could not show.
  LogicalResult check(Operation *op, EvalContext &context) const {
    if (!fits)
      return context.error(op, "has indices whose extents are not those of its input",
                           "indices have the input's extents in all dims but 'axis'");
    if (extent == 0 && *hgc::countElements(shape) > 0)
      return context.error(op, "picks from a dim which has no elements",
                           "give the input at least one element along 'axis'");
    return success();
  }

  /// Shape of what is picked.
  SmallVector<int64_t> shape;
  int64_t before, after, extent, count = 0;
  bool slices, fits = true;
  std::vector<int64_t> values;
};
} // namespace

template <typename OpT>
static LogicalResult evalGather(OpT op, Operands operands, EvalContext &context, Results &results) {
  const HostTensor &input = operands[0];
  Picks picks(input, operands[1], op.getAxis(), std::is_same_v<OpT, GatherOp>);
  if (failed(picks.check(op, context)))
    return failure();
  HostTensor result(input.getElementType(), picks.shape);
  char *out = result.mutableData();
  int64_t bytes = input.getElementBytes();
  if (result.getNumElements() > 0)
    for (int64_t row = 0; row < picks.before; ++row)
      for (int64_t pick = 0; pick < picks.count; ++pick)
        for (int64_t column = 0; column < picks.after; ++column)
          std::memcpy(out + picks.target(row, pick, column) * bytes,
                      input.data() + picks.source(row, pick, column) * bytes, bytes);
  results.push_back(result);
  return success();
}

static double combineFloats(ScatterKind kind, double a, double b) {
  switch (kind) {
  case ScatterKind::Set:
    return b;
  case ScatterKind::Add:
    return a + b;
  case ScatterKind::Mul:
    return a * b;
  case ScatterKind::Max:
  case ScatterKind::Min:
    if (std::isnan(a) || std::isnan(b))
      return std::numeric_limits<double>::quiet_NaN();
    return kind == ScatterKind::Max ? std::max(a, b) : std::min(a, b);
  }
  llvm_unreachable("unknown kind of scatter");
}

static int64_t combineInts(ScatterKind kind, int64_t a, int64_t b, bool noSign) {
  bool isLess = noSign ? uint64_t(a) < uint64_t(b) : a < b;
  switch (kind) {
  case ScatterKind::Set:
    return b;
  case ScatterKind::Add:
    return int64_t(uint64_t(a) + uint64_t(b));
  case ScatterKind::Mul:
    return int64_t(uint64_t(a) * uint64_t(b));
  case ScatterKind::Max:
    return isLess ? b : a;
  case ScatterKind::Min:
    return isLess ? a : b;
  }
  llvm_unreachable("unknown kind of scatter");
}

/// Applies `combine(target, update)` in order; each column on its own.
template <typename T, typename Fn>
static void scatter(const Picks &picks, std::vector<T> &values, const std::vector<T> &updates, Fn combine) {
  for (int64_t row = 0; row < picks.before; ++row)
    for (int64_t pick = 0; pick < picks.count; ++pick)
      for (int64_t column = 0; column < picks.after; ++column) {
        T &value = values[picks.source(row, pick, column)];
        value = combine(value, updates[picks.target(row, pick, column)]);
      }
}

static LogicalResult evalScatter(ScatterOp op, Operands operands, EvalContext &context, Results &results) {
  const HostTensor &input = operands[0], &updates = operands[2];
  Picks picks(input, operands[1], op.getAxis(), op.getSlices());
  if (failed(picks.check(op, context)))
    return failure();
  if (updates.getShape() != ArrayRef<int64_t>(picks.shape))
    return context.error(op,
                         "has updates of shape " + shapeToString(updates.getShape()) + ", its indices pick " +
                             shapeToString(picks.shape),
                         "give one update for each element that the indices pick");
  Type element = input.getElementType();
  if (updates.getNumElements() == 0) {
    results.push_back(input);
  } else if (input.isFloat()) {
    std::vector<double> values = input.toDoubles();
    scatter(picks, values, updates.toDoubles(), [&](double a, double b) { return combineFloats(op.getKind(), a, b); });
    results.push_back(HostTensor::fromDoubles(element, input.getShape(), values));
  } else {
    std::vector<int64_t> values = input.toInts();
    bool noSign = isUnsigned(element);
    // Wrapped after every step, so that comparisons see values of the type.
    scatter(picks, values, updates.toInts(),
            [&](int64_t a, int64_t b) { return wrapToInt(element, combineInts(op.getKind(), a, b, noSign)); });
    results.push_back(HostTensor::fromInts(element, input.getShape(), values));
  }
  return success();
}

void hgc::graph::attachIndexingModels(MLIRContext *context) {
  attach<GatherOp, evalGather<GatherOp>>(context);
  attach<GatherAlongOp, evalGather<GatherAlongOp>>(context);
  attach<ScatterOp, evalScatter>(context);
}
