//===- ConvContraction.cpp - convolutions and their gradients as products -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All three are the same products, summed over another index: the window and the
// input channels, the window and the output channels, or all output pixels.
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/GPU/Contraction.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::gpu;

namespace {

/// What the forms share: channels of a group, taps, and steps in memory.
struct ConvForm {
  ConvForm(const graph::ConvShape &shape, graph::FilterLayout layout)
      : shape(shape), inputs(shape.inChannels / shape.groups), outputs(shape.outChannels / shape.groups),
        volume(shape.spatial[0].window * shape.spatial[1].window * shape.spatial[2].window),
        isHwio(layout == graph::FilterLayout::HWIO) {}

  /// Dims of data that hold channels and the first spatial extent.
  unsigned channelDim() const { return shape.channelsLast ? shape.rank + 1 : 1; }
  unsigned firstSpatial() const { return shape.channelsLast ? 1 : 2; }
  const graph::WindowDim &dim(unsigned d) const { return shape.spatial[3 - shape.rank + d]; }

  // Digits of a filter's index.
  MapDigit tapDigit() const { return {volume, isHwio ? inputs * shape.outChannels : 1}; }
  MapDigit inputDigit() const { return {inputs, isHwio ? shape.outChannels : volume}; }
  MapDigit outputDigit() const { return {outputs, isHwio ? 1 : inputs * volume}; }
  int64_t filterGroupStep() const { return isHwio ? outputs : outputs * inputs * volume; }

  const graph::ConvShape &shape;
  int64_t inputs, outputs, volume;
  bool isHwio;
};

} // namespace

/// Puts `channel` where neighbours of data are: at the end, or at the beginning.
static SmallVector<MapDigit> joinChannel(ArrayRef<MapDigit> window, MapDigit channel, bool isLast) {
  SmallVector<MapDigit> digits(window);
  digits.insert(isLast ? digits.end() : digits.begin(), channel);
  return digits;
}

/// The input as a matrix of windows: rows are output pixels, the depth is a
/// window's taps and channels.
static OperandMap mapWindows(const ConvForm &form, bool channelIsLast) {
  const graph::ConvShape &shape = form.shape;
  OperandMap map;
  int64_t pixels = shape.inPixels(), stride = shape.channelsLast ? shape.inChannels : 1;
  map.rows.push_back({shape.batch, pixels * shape.inChannels});
  SmallVector<MapDigit> window(3), outputs(3);
  for (unsigned d = 3; d-- > 0;) {
    const graph::WindowDim &dim = shape.spatial[d];
    int position = static_cast<int>(2 - d);
    map.positions.push_back({-dim.padLow, dim.input, 1, stride});
    outputs[d] = {dim.output, 0, position, dim.stride};
    window[d] = {dim.window, 0, position, dim.dilation};
    stride *= dim.input;
  }
  map.rows.append(outputs.begin(), outputs.end());
  MapDigit channel{form.inputs, shape.channelsLast ? 1 : pixels};
  map.depth = joinChannel(window, channel, channelIsLast);
  map.batchStrides = {form.inputs * channel.stride};
  return map;
}

/// Data of the output's shape as seen from pixels of the input: through tap k,
/// pixel p was seen by the output at (p + padding - k * dilation) / stride, if that
/// is one.
static OperandMap mapSeen(const ConvForm &form) {
  const graph::ConvShape &shape = form.shape;
  OperandMap map;
  int64_t pixels = shape.outPixels(), stride = shape.channelsLast ? shape.outChannels : 1;
  map.rows.push_back({shape.batch, pixels * shape.outChannels});
  SmallVector<MapDigit> window(3), inputs(3);
  for (unsigned d = 3; d-- > 0;) {
    const graph::WindowDim &dim = shape.spatial[d];
    int position = static_cast<int>(2 - d);
    map.positions.push_back({dim.padLow, dim.output, dim.stride, stride});
    inputs[d] = {dim.input, 0, position, 1};
    window[d] = {dim.window, 0, position, -dim.dilation};
    stride *= dim.output;
  }
  map.rows.append(inputs.begin(), inputs.end());
  MapDigit channel{form.outputs, shape.channelsLast ? 1 : pixels};
  map.depth = joinChannel(window, channel, shape.channelsLast);
  map.batchStrides = {form.outputs * channel.stride};
  return map;
}

/// Fields that do not depend on the form.
static void beginConv(Contraction &problem, Operation *op, const ConvForm &form) {
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  problem.element = getElementTypeOrSelf(op->getOperand(0).getType());
  problem.accumulator = result.getElementType();
  problem.resultShape = llvm::to_vector(result.getShape());
  problem.batch = form.shape.groups;
  problem.batchExtents = {problem.batch};
}

static void finishConv(Contraction &problem, Operation *op) {
  problem.lhs.elements = cast<RankedTensorType>(op->getOperand(0).getType()).getNumElements();
  problem.rhs.elements = cast<RankedTensorType>(op->getOperand(1).getType()).getNumElements();
  problem.lhs.simplify();
  problem.rhs.simplify();
}

/// Digits of a result that is data: pixels are rows, channels of a group columns.
static void placeData(Contraction &problem, const ConvForm &form, bool isInput) {
  problem.rowDigits = {{form.shape.batch, 0, 1}};
  for (unsigned d = 0; d < form.shape.rank; ++d)
    problem.rowDigits.push_back({isInput ? form.dim(d).input : form.dim(d).output, form.firstSpatial() + d, 1});
  problem.columnDigits = {{problem.columns, form.channelDim(), 1}};
  problem.batchDigits = {{form.shape.groups, form.channelDim(), problem.columns}};
}

Contraction::Contraction(graph::ConvOp op) {
  graph::ConvShape shape = op.getShape();
  ConvForm form(shape, op.getFilterLayout());
  beginConv(*this, op, form);
  rows = shape.batch * shape.outPixels();
  columns = form.outputs;
  depth = shape.depth();
  lhs = mapWindows(form, shape.channelsLast);
  rhs.rows = {form.outputDigit()};
  rhs.depth = joinChannel(form.tapDigit(), form.inputDigit(), shape.channelsLast);
  rhs.batchStrides = {form.filterGroupStep()};
  placeData(*this, form, /*isInput=*/false);
  finishConv(*this, op);
  // The result's neighbours are pixels then: let them be the columns.
  if (!shape.channelsLast)
    transpose();
}

Contraction::Contraction(graph::ConvTransposeOp op) {
  graph::ConvShape shape = op.getShape();
  ConvForm form(shape, op.getFilterLayout());
  beginConv(*this, op, form);
  rows = shape.batch * shape.inPixels();
  columns = form.inputs;
  depth = op.getDepth();
  lhs = mapSeen(form);
  rhs.rows = {form.inputDigit()};
  rhs.depth = joinChannel(form.tapDigit(), form.outputDigit(), shape.channelsLast);
  rhs.batchStrides = {form.filterGroupStep()};
  placeData(*this, form, /*isInput=*/true);
  finishConv(*this, op);
  if (!shape.channelsLast)
    transpose();
}

Contraction::Contraction(graph::ConvFilterGradOp op) {
  graph::ConvShape shape = op.getShape();
  ConvForm form(shape, op.getFilterLayout());
  beginConv(*this, op, form);
  rows = form.volume * form.inputs;
  columns = form.outputs;
  depth = op.getDepth();
  // Rows follow the data where its channels are neighbours, else the result.
  bool channelIsLast = shape.channelsLast || form.isHwio;
  lhs = mapWindows(form, channelIsLast);
  std::swap(lhs.rows, lhs.depth);
  int64_t pixels = shape.outPixels();
  int64_t channelStep = shape.channelsLast ? 1 : pixels;
  rhs.rows = {{form.outputs, channelStep}};
  rhs.depth = {{shape.batch, pixels * shape.outChannels}, {pixels, shape.channelsLast ? shape.outChannels : 1}};
  rhs.batchStrides = {form.outputs * channelStep};
  unsigned firstTap = form.isHwio ? 0 : 2, inputDim = form.isHwio ? shape.rank : 1;
  unsigned outputDim = form.isHwio ? shape.rank + 1 : 0;
  for (unsigned d = 0; d < shape.rank; ++d)
    rowDigits.push_back({form.dim(d).window, firstTap + d, 1});
  rowDigits.insert(channelIsLast ? rowDigits.end() : rowDigits.begin(), ResultDigit{form.inputs, inputDim, 1});
  columnDigits = {{columns, outputDim, 1}};
  batchDigits = {{shape.groups, outputDim, columns}};
  finishConv(*this, op);
  // The result's neighbours are taps then.
  if (!channelIsLast)
    transpose();
}
