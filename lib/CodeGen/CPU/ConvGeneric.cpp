//===- ConvGeneric.cpp - convolution in any layout ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts that the compiler normally replaces before code generation. One output
// element at a time: correct everywhere, fast nowhere.
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/ConvPlan.h"
#include "hgc/CodeGen/CPU/GemmStore.h"
#include "hgc/CodeGen/Common/ElementEmitter.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

namespace {

class GenericConv {
public:
  GenericConv(KernelContext &context, graph::ConvOp op)
      : context(context), op(op), index(context.builder, context.loc), shape(op.getShape()),
        accumulator(getElementTypeOrSelf(op.getResult().getType())), input(getRootBuffer(context, op.getInput())),
        filter(getRootBuffer(context, op.getFilter())) {}

  void emit();

private:
  using Position = std::array<Value, 4>;
  void emitElement(const Position &at, Value channel);
  SmallVector<Value> emitWindow(const Position &at, unsigned dim, std::array<Value, 3> inputAt, Value filterAt,
                                Value channel, ValueRange sums);
  Value inputOffset(Value image, const std::array<Value, 3> &at, Value channel);
  Value filterOffset(Value window, Value inGroup, Value channel);

  KernelContext &context;
  graph::ConvOp op;
  IndexBuilder index;
  graph::ConvShape shape;
  Type accumulator;
  Value input, filter;
};

} // namespace

void GenericConv::emit() {
  const graph::WindowDim &depthDim = shape.spatial[0], &rowDim = shape.spatial[1], &pixelDim = shape.spatial[2];
  index.loop(context.begin, context.end, 1, [&](Value unit) {
    SmallVector<Value> at = index.delinearize(unit, {shape.batch, shape.outChannels, depthDim.output, rowDim.output});
    index.loop(pixelDim.output, [&](Value pixel) { emitElement({at[0], at[2], at[3], pixel}, at[1]); });
  });
}

Value GenericConv::inputOffset(Value image, const std::array<Value, 3> &at, Value channel) {
  Value offset = image;
  if (!shape.channelsLast)
    offset = index.add(index.mul(offset, shape.inChannels), channel);
  for (unsigned dim = 0; dim < 3; ++dim)
    offset = index.add(index.mul(offset, shape.spatial[dim].input), at[dim]);
  return shape.channelsLast ? index.add(index.mul(offset, shape.inChannels), channel) : offset;
}

Value GenericConv::filterOffset(Value window, Value inGroup, Value channel) {
  int64_t inputs = shape.inChannels / shape.groups, outputs = shape.outChannels / shape.groups;
  int64_t volume = shape.spatial[0].window * shape.spatial[1].window * shape.spatial[2].window;
  Value depth = index.add(index.mul(window, inputs), inGroup);
  if (auto packed = op.getPacked()) {
    int64_t width = packed->getWidth(), panels = (outputs + width - 1) / width;
    Value group = index.div(channel, outputs), column = index.rem(channel, outputs);
    Value panel = index.add(index.mul(group, panels), index.div(column, width));
    Value line = index.add(index.mul(panel, shape.depth()), depth);
    return index.add(index.mul(line, width), index.rem(column, width));
  }
  if (op.getFilterLayout() == graph::FilterLayout::HWIO)
    return index.add(index.mul(depth, shape.outChannels), channel);
  return index.add(index.mul(index.add(index.mul(channel, inputs), inGroup), volume), window);
}

SmallVector<Value> GenericConv::emitWindow(const Position &at, unsigned dim, std::array<Value, 3> inputAt,
                                           Value filterAt, Value channel, ValueRange sums) {
  int64_t inputs = shape.inChannels / shape.groups, outputs = shape.outChannels / shape.groups;
  if (dim == 3) {
    Value firstInput = index.mul(index.div(channel, outputs), inputs);
    return index.loop(index.constant(0), index.constant(inputs), 1, sums, [&](Value i, ValueRange carried) {
      Value from = inputOffset(at[0], inputAt, index.add(firstInput, i));
      Value a = emitWiden(index, emitLoad(index, input, from, 1), accumulator);
      Value b = emitWiden(index, emitLoad(index, filter, filterOffset(filterAt, i, channel), 1), accumulator);
      return SmallVector<Value>{emitMultiplyAdd(index, a, b, carried[0])};
    });
  }
  const graph::WindowDim &window = shape.spatial[dim];
  auto [first, last] = getWindowRange(index, window, at[dim + 1]);
  return index.loop(first, last, 1, sums, [&](Value k, ValueRange carried) {
    std::array<Value, 3> next = inputAt;
    next[dim] = getInputPosition(index, window, at[dim + 1], k);
    return emitWindow(at, dim + 1, next, index.add(index.mul(filterAt, window.window), k), channel, carried);
  });
}

void GenericConv::emitElement(const Position &at, Value channel) {
  SmallVector<Value> sums = emitWindow(at, 0, {}, index.constant(0), channel, emitZero(index, accumulator));
  SmallVector<Value> where = getOutputIndex(shape, at[0], at[1], at[2], at[3]);
  where.insert(shape.channelsLast ? where.end() : where.begin() + 1, channel);
  ElementEmitter element(context, 1);
  element.bind(op.getResult(), sums[0]);
  element.storeResult(SmallVector<LaneIndex>(where.begin(), where.end()));
}

void cpu::emitGenericConv(KernelContext &context, graph::ConvOp op) { GenericConv(context, op).emit(); }
