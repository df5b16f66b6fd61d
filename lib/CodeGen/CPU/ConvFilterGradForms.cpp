//===- ConvFilterGradForms.cpp - filter gradients of other shapes ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Depthwise: every channel has its own filter, so vectors run along the channels.
// Generic: layouts that the compiler normally replaces before code generation, one
// element at a time. Both sum up each row of pixels by itself, which keeps long sums
// exact.
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/ConvGradients.h"
#include "hgc/CodeGen/CPU/GemmStore.h"
#include "hgc/CodeGen/Common/ElementEmitter.h"
#include "hgc/CodeGen/Common/Lanes.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

namespace {

/// Loops over the output pixels that one tap sees.
class PixelSums {
public:
  PixelSums(KernelContext &context, graph::ConvFilterGradOp op)
      : context(context), op(op), index(context.builder, context.loc), shape(op.getShape()),
        accumulator(getElementTypeOrSelf(op.getResult().getType())), input(getRootBuffer(context, op.getInput())),
        gradient(getRootBuffer(context, op.getGradient())) {}

protected:
  using Places = std::array<Value, 4>;
  /// `body(seen, output, sums)` gets image, plane, row and pixel of both operands.
  using Body = llvm::function_ref<SmallVector<Value>(const Places &, const Places &, ValueRange)>;

  SmallVector<Value> emitPixels(const std::array<Value, 3> &tap, ValueRange zeros, Body body);
  SmallVector<Value> emitDim(const std::array<Value, 3> &tap, unsigned dim, Places seen, Places output,
                             ValueRange zeros, ValueRange sums, Body body);

  KernelContext &context;
  graph::ConvFilterGradOp op;
  IndexBuilder index;
  graph::ConvShape shape;
  Type accumulator;
  Value input, gradient;
};

class DepthwiseFilterGrad : PixelSums {
public:
  using PixelSums::PixelSums;
  void emit();

private:
  void emitChannels(const std::array<Value, 3> &tap, Value channel, ArrayRef<ColumnPiece> pieces);
  Value emitOffset(const Places &at, bool isInput, Value channel);
};

class GenericFilterGrad : PixelSums {
public:
  using PixelSums::PixelSums;
  void emit();

private:
  Value emitOffset(const Places &at, bool isInput, Value channel);
};

} // namespace

SmallVector<Value> PixelSums::emitDim(const std::array<Value, 3> &tap, unsigned dim, Places seen, Places output,
                                      ValueRange zeros, ValueRange sums, Body body) {
  if (dim == 3)
    return body(seen, output, sums);
  auto [first, last] = getOutputRange(index, shape.spatial[dim], tap[dim]);
  auto emitPlace = [&](Value at, ValueRange carried) {
    seen[dim + 1] = getInputPosition(index, shape.spatial[dim], at, tap[dim]);
    output[dim + 1] = at;
    return emitDim(tap, dim + 1, seen, output, zeros, carried, body);
  };
  if (dim < 2)
    return index.loop(first, last, 1, sums, emitPlace);
  SmallVector<Value> row = index.loop(first, last, 1, zeros, emitPlace), total;
  for (auto [sum, part] : llvm::zip_equal(sums, row))
    total.push_back(emitAdd(index, sum, part));
  return total;
}

SmallVector<Value> PixelSums::emitPixels(const std::array<Value, 3> &tap, ValueRange zeros, Body body) {
  return index.loop(index.constant(0), index.constant(shape.batch), 1, zeros,
                    [&](Value image, ValueRange sums) { return emitDim(tap, 0, {image}, {image}, zeros, sums, body); });
}

//===----------------------------------------------------------------------===//
// Depthwise
//===----------------------------------------------------------------------===//

Value DepthwiseFilterGrad::emitOffset(const Places &at, bool isInput, Value channel) {
  Value offset = at[0];
  for (unsigned d = 0; d < 3; ++d)
    offset = index.add(index.mul(offset, isInput ? shape.spatial[d].input : shape.spatial[d].output), at[d + 1]);
  return index.add(index.mul(offset, shape.inChannels), channel);
}

void DepthwiseFilterGrad::emit() {
  int64_t lanes = std::max<int64_t>(1, context.target.vectorBytes / graph::getElementBytes(accumulator));
  // Four vectors side by side hide the latency of the sums.
  int64_t wide = 4 * lanes, channels = shape.inChannels;
  int64_t wideEnd = channels / wide * wide, vectorEnd = channels / lanes * lanes;
  index.loop(context.begin, context.end, 1, [&](Value unit) {
    SmallVector<Value> at =
        index.delinearize(unit, {shape.spatial[0].window, shape.spatial[1].window, shape.spatial[2].window});
    std::array<Value, 3> tap{at[0], at[1], at[2]};
    auto emitBlock = [&](Value channel, int64_t count) { emitChannels(tap, channel, splitColumns(count, lanes)); };
    index.loop(index.constant(0), index.constant(wideEnd), wide, [&](Value channel) { emitBlock(channel, wide); });
    index.loop(index.constant(wideEnd), index.constant(vectorEnd), lanes,
               [&](Value channel) { emitBlock(channel, lanes); });
    if (channels > vectorEnd)
      emitBlock(index.constant(vectorEnd), channels - vectorEnd);
  });
}

void DepthwiseFilterGrad::emitChannels(const std::array<Value, 3> &tap, Value channel, ArrayRef<ColumnPiece> pieces) {
  SmallVector<Value> zeros;
  int64_t columns = 0;
  for (const ColumnPiece &piece : pieces) {
    zeros.push_back(emitZero(index, getLaneType(accumulator, piece.lanes)));
    columns += piece.lanes;
  }
  auto multiply = [&](const Places &seen, const Places &output, ValueRange sums) {
    Value from = emitOffset(seen, true, channel), with = emitOffset(output, false, channel);
    SmallVector<Value> next;
    for (auto [piece, sum] : llvm::zip_equal(pieces, sums)) {
      Value a = emitWiden(index, emitLoad(index, input, index.add(from, piece.offset), piece.lanes), accumulator);
      Value b = emitWiden(index, emitLoad(index, gradient, index.add(with, piece.offset), piece.lanes), accumulator);
      next.push_back(emitMultiplyAdd(index, a, b, sum));
    }
    return next;
  };
  SmallVector<Value> sums = emitPixels(tap, zeros, multiply), at(tap.end() - shape.rank, tap.end());
  at.push_back(index.constant(0));
  emitStoreRow(context, op.getResult(), at, channel, pieces, sums, columns);
}

//===----------------------------------------------------------------------===//
// Generic
//===----------------------------------------------------------------------===//

Value GenericFilterGrad::emitOffset(const Places &at, bool isInput, Value channel) {
  int64_t channels = isInput ? shape.inChannels : shape.outChannels;
  Value offset = at[0];
  if (!shape.channelsLast)
    offset = index.add(index.mul(offset, channels), channel);
  for (unsigned d = 0; d < 3; ++d)
    offset = index.add(index.mul(offset, isInput ? shape.spatial[d].input : shape.spatial[d].output), at[d + 1]);
  return shape.channelsLast ? index.add(index.mul(offset, channels), channel) : offset;
}

void GenericFilterGrad::emit() {
  int64_t inputs = shape.inChannels / shape.groups, outputs = shape.outChannels / shape.groups;
  bool isHwio = op.getFilterLayout() == graph::FilterLayout::HWIO;
  auto emitElement = [&](const std::array<Value, 3> &tap, Value inGroup, Value output) {
    Value channel = index.add(index.mul(index.div(output, outputs), inputs), inGroup);
    auto multiply = [&](const Places &seen, const Places &at, ValueRange sums) {
      Value a = emitWiden(index, emitLoad(index, input, emitOffset(seen, true, channel), 1), accumulator);
      Value b = emitWiden(index, emitLoad(index, gradient, emitOffset(at, false, output), 1), accumulator);
      return SmallVector<Value>{emitMultiplyAdd(index, a, b, sums[0])};
    };
    Value zero = emitZero(index, accumulator);
    Value sum = emitPixels(tap, zero, multiply).front();
    SmallVector<Value> where(tap.end() - shape.rank, tap.end()), channels{inGroup, output};
    if (!isHwio)
      std::swap(channels[0], channels[1]);
    where.insert(isHwio ? where.end() : where.begin(), channels.begin(), channels.end());
    ElementEmitter element(context, 1);
    element.bind(op.getResult(), sum);
    element.storeResult(SmallVector<LaneIndex>(where.begin(), where.end()));
  };
  index.loop(context.begin, context.end, 1, [&](Value unit) {
    SmallVector<Value> at = index.delinearize(
        unit, {shape.spatial[0].window, shape.spatial[1].window, shape.spatial[2].window, shape.outChannels});
    index.loop(inputs, [&](Value inGroup) { emitElement({at[0], at[1], at[2]}, inGroup, at[3]); });
  });
}

ConvKind cpu::chooseConvKind(graph::ConvFilterGradOp op) {
  graph::ConvShape shape = op.getShape();
  if (!shape.channelsLast || op.getFilterLayout() != graph::FilterLayout::HWIO)
    return ConvKind::Generic;
  bool isDepthwise = shape.groups > 1 && shape.inChannels == shape.groups && shape.outChannels == shape.groups;
  return isDepthwise ? ConvKind::Depthwise : ConvKind::Direct;
}

void cpu::emitDepthwiseFilterGrad(KernelContext &context, graph::ConvFilterGradOp op) {
  DepthwiseFilterGrad(context, op).emit();
}

void cpu::emitGenericFilterGrad(KernelContext &context, graph::ConvFilterGradOp op) {
  GenericFilterGrad(context, op).emit();
}
