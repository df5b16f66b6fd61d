//===- EvalPool.cpp - pooling ---------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Eval/EvalModels.h"
#include "dialects/Graph/Eval/EvalWindow.h"

#include <cmath>

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {
/// Reduces one window of one channel. T is double or int64_t.
template <typename T> struct Accumulator {
  PoolKind kind;
  bool isUnsigned;
  /// Elements that count for an average.
  int64_t divisor;

  std::conditional_t<std::is_same_v<T, double>, long double, uint64_t> total = 0;
  T best = T();
  int64_t count = 0;

  void add(T value) {
    if constexpr (std::is_same_v<T, double>) {
      best = count == 0 || std::isnan(value) || value > best ? value : best;
    } else {
      bool isAbove = isUnsigned ? uint64_t(value) > uint64_t(best) : value > best;
      best = count == 0 || isAbove ? value : best;
    }
    total += value;
    ++count;
  }

  T result() const {
    if (kind == PoolKind::Max)
      return best;
    int64_t by = kind == PoolKind::Sum ? 1 : divisor ? divisor : count;
    if constexpr (std::is_same_v<T, double>)
      return static_cast<T>(total / by);
    else if (isUnsigned)
      return static_cast<T>(total / uint64_t(by));
    else
      return static_cast<T>(total) / by;
  }
};
} // namespace

/// Input and output are channels last.
template <typename T> static std::vector<T> pool(PoolOp op, const ConvShape &shape, ArrayRef<T> input, Type element) {
  const auto &[depth, height, width] = shape.spatial;
  int64_t channels = shape.inChannels;
  int64_t volume = depth.window * height.window * width.window;
  std::vector<T> out;
  out.reserve(shape.batch * shape.outPixels() * channels);
  forEachOutput(shape, [&](int64_t n, int64_t d, int64_t h, int64_t w) {
    for (int64_t c = 0; c < channels; ++c) {
      Accumulator<T> accumulator{op.getKind(), isUnsigned(element), op.getCountIncludePad() ? volume : 0};
      forEachTap(shape, d, h, w, [&](int64_t pixel, int64_t) {
        accumulator.add(input[(n * shape.inPixels() + pixel) * channels + c]);
      });
      out.push_back(accumulator.result());
    }
  });
  return out;
}

static LogicalResult evalPool(PoolOp op, Operands operands, EvalContext &context, Results &results) {
  HostTensor input = toChannelsLast(operands[0], op.getLayout());
  WindowAttrs attrs{op.getWindow(), op.getStrides(), op.getPads(), op.getDilations()};
  FailureOr<ConvShape> shape = getWindowShape(op, input, input.getShape().back(), attrs, context);
  if (failed(shape))
    return failure();
  Type element = input.getElementType();
  SmallVector<int64_t> outShape = getOutputShape(*shape);
  HostTensor out =
      input.isFloat() ? HostTensor::fromDoubles(element, outShape, pool<double>(op, *shape, input.toDoubles(), element))
                      : HostTensor::fromInts(element, outShape, pool<int64_t>(op, *shape, input.toInts(), element));
  results.push_back(fromChannelsLast(out, op.getLayout()));
  return success();
}

void hgc::graph::attachPoolModels(MLIRContext *context) { attach<PoolOp, evalPool>(context); }
