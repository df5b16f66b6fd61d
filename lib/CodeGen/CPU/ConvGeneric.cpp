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
  GenericConv(KernelContext &context, const ConvView &view)
      : context(context), view(view), index(context.builder, context.loc), shape(view.shape),
        accumulator(getElementTypeOrSelf(view.result.getType())), data(getRootBuffer(context, view.data)),
        filter(getRootBuffer(context, view.filter)), groupData(view.dataChannels() / shape.groups),
        groupResults(view.resultChannels() / shape.groups) {}

  void emit();

private:
  using Position = std::array<Value, 4>;
  void emitElement(const Position &at, Value channel);
  SmallVector<Value> emitWindow(const Position &at, unsigned dim, std::array<Value, 3> dataAt, Value filterAt,
                                Value channel, ValueRange sums);
  Value dataOffset(Value image, const std::array<Value, 3> &at, Value channel);
  Value filterOffset(Value window, Value inGroup, Value channel);

  KernelContext &context;
  const ConvView &view;
  IndexBuilder index;
  graph::ConvShape shape;
  Type accumulator;
  Value data, filter;
  /// Channels of a group.
  int64_t groupData, groupResults;
};

} // namespace

void GenericConv::emit() {
  index.loop(context.begin, context.end, 1, [&](Value unit) {
    SmallVector<Value> at =
        index.delinearize(unit, {shape.batch, view.resultChannels(), view.resultExtent(0), view.resultExtent(1)});
    index.loop(view.resultExtent(2), [&](Value pixel) { emitElement({at[0], at[2], at[3], pixel}, at[1]); });
  });
}

Value GenericConv::dataOffset(Value image, const std::array<Value, 3> &at, Value channel) {
  Value offset = image;
  if (!shape.channelsLast)
    offset = index.add(index.mul(offset, view.dataChannels()), channel);
  for (unsigned dim = 0; dim < 3; ++dim)
    offset = index.add(index.mul(offset, view.dataExtent(dim)), at[dim]);
  return shape.channelsLast ? index.add(index.mul(offset, view.dataChannels()), channel) : offset;
}

Value GenericConv::filterOffset(Value window, Value inGroup, Value channel) {
  Value group = index.div(channel, groupResults);
  if (int64_t width = view.panelWidth) {
    int64_t panels = (groupResults + width - 1) / width, depth = view.volume() * groupData;
    Value column = index.rem(channel, groupResults);
    Value panel = index.add(index.mul(group, panels), index.div(column, width));
    Value line = index.add(index.mul(panel, depth), index.add(index.mul(window, groupData), inGroup));
    return index.add(index.mul(line, width), index.rem(column, width));
  }
  // The filter's channels: in a group of the convolution's input, and its output.
  int64_t inputs = shape.inChannels / shape.groups;
  Value input = inGroup, output = channel;
  if (view.isTransposed) {
    input = index.rem(channel, groupResults);
    output = index.add(index.mul(group, groupData), inGroup);
  }
  if (view.isHwio)
    return index.add(index.mul(index.add(index.mul(window, inputs), input), shape.outChannels), output);
  return index.add(index.mul(index.add(index.mul(output, inputs), input), view.volume()), window);
}

SmallVector<Value> GenericConv::emitWindow(const Position &at, unsigned dim, std::array<Value, 3> dataAt,
                                           Value filterAt, Value channel, ValueRange sums) {
  if (dim == 3) {
    Value first = index.mul(index.div(channel, groupResults), groupData);
    return index.loop(index.constant(0), index.constant(groupData), 1, sums, [&](Value i, ValueRange carried) {
      Value from = dataOffset(at[0], dataAt, index.add(first, i));
      Value a = emitWiden(index, emitLoad(index, data, from, 1), accumulator);
      Value b = emitWiden(index, emitLoad(index, filter, filterOffset(filterAt, i, channel), 1), accumulator);
      return SmallVector<Value>{emitMultiplyAdd(index, a, b, carried[0])};
    });
  }
  const graph::WindowDim &window = shape.spatial[dim];
  auto emitTap = [&](Value k, Value position, ValueRange carried) {
    std::array<Value, 3> next = dataAt;
    next[dim] = position;
    return emitWindow(at, dim + 1, next, index.add(index.mul(filterAt, window.window), k), channel, carried);
  };
  return loopTaps(index, window, view.isTransposed, at[dim + 1], sums, emitTap);
}

void GenericConv::emitElement(const Position &at, Value channel) {
  SmallVector<Value> sums = emitWindow(at, 0, {}, index.constant(0), channel, emitZero(index, accumulator));
  SmallVector<Value> where = getOutputIndex(shape, at[0], at[1], at[2], at[3]);
  where.insert(shape.channelsLast ? where.end() : where.begin() + 1, channel);
  ElementEmitter element(context, 1);
  element.bind(view.result, sums[0]);
  element.storeResult(SmallVector<LaneIndex>(where.begin(), where.end()));
}

void cpu::emitGenericConv(KernelContext &context, const ConvView &view) { GenericConv(context, view).emit(); }

KernelSchedule cpu::scheduleGenericConv(const ConvView &view) {
  int64_t lines = view.shape.batch * view.resultExtent(0) * view.resultExtent(1);
  return {lines * view.resultChannels(), 1, 0,
          view.isTransposed ? "transposed convolution in any layout" : "convolution in any layout"};
}
