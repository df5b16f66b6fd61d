//===- MatrixConv.cpp - convolutions by the matrix unit -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows of the product are windows. The lines of input that a block of them sees are
// copied with their padding, and in parts; rows of tiles lie there, one pixel from the next. With
// strides of one the tiles go on from line to line, and compute some windows too many.
// Windows of one pixel without padding are written as tiles at once.
//===----------------------------------------------------------------------===//

#include "MatrixLoops.h"

#include "hgc/CodeGen/CPU/ConvPlan.h"
#include "hgc/CodeGen/CPU/MatrixProducts.h"
#include "hgc/CodeGen/Common/ElementEmitter.h"
#include "hgc/Target/MatrixUnit.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

namespace {
/// Extents of a convolution by the matrix unit.
struct MatrixConvPlan {
  MatrixConvPlan(graph::ConvOp op, const DeviceTable &target);

  graph::ConvShape shape;
  MatrixPlan plan;
  /// Whether lines are copied, with padding; how many of them and of their pixels a block sees, and elements of a part
  /// of all of them.
  bool isStaged;
  int64_t stagedLines, stagedPixels, partElements;
  int64_t stagedScratch, scratchBytes;

  /// Elements from pixel to pixel of a line.
  int64_t pixelElements() const;
  int64_t lineElements() const { return stagedPixels * pixelElements(); }
  /// Elements of a row of the window, and steps that it takes.
  int64_t run() const { return shape.spatial[2].window * shape.inChannels; }
  int64_t runSteps() const { return llvm::divideCeil(run(), graph::getTileDepth(plan.shape.interleave)); }
  /// Whether tiles go on from line to line; otherwise how many a line has.
  bool isLinear() const { return shape.spatial[1].stride == 1 && shape.spatial[2].stride == 1; }
  int64_t lineTiles() const { return llvm::divideCeil(shape.spatial[2].output, kSide); }
};

class ConvLoops final : public MatrixLoops {
public:
  ConvLoops(KernelContext &context, graph::ConvOp op, const MatrixConvPlan &conv);

private:
  Value locateSource(const MatrixBlock &block, Value row) override;
  Value stageRows(const MatrixBlock &block) override;
  bool isStaged() const override { return conv.isStaged; }
  Value countTiles(const MatrixBlock &block) override;
  Value locateTile(Value tile) override;
  Value locateStep(Value step) override;
  Value countElements(Value step) override;
  Value locatePanels(Value) override { return index.constant(0); }
  SmallVector<Value> locateResult(const MatrixBlock &block, Value tile, Value row) override;
  Value hasResult(const MatrixBlock &block, Value tile, Value row) override;

  std::pair<Value, Value> locatePixel(Value tile, Value row);
  Value countLines(const MatrixBlock &block) { return index.div(block.rows, plan.shape.line); }
  SmallVector<Value> stageLine(Value from, Value to, ValueRange sticky);
  void zeroElements(Value to, int64_t count);

  const MatrixConvPlan &conv;
  const graph::ConvShape &shape;
};
} // namespace

/// Extent of input that `count` outputs of a window dim look at.
static int64_t getReach(const graph::WindowDim &dim, int64_t count) {
  return (count - 1) * dim.stride + (dim.window - 1) * dim.dilation + 1;
}

/// Whether windows are more than pixels of the input.
static bool needsStage(const graph::ConvShape &shape) {
  return llvm::any_of(shape.spatial, [](const graph::WindowDim &dim) {
    return dim.window != 1 || dim.padLow != 0 || dim.padHigh != 0;
  });
}

/// Elements between the first ones of pixels in working memory. Rows of tiles whose addresses differ by multiples of
/// many lines compete for the same sets of the first-level cache, and with what is stored meanwhile: a line between
/// whole steps parts them.
static int64_t spacePixels(const graph::ConvShape &shape, int64_t unit) {
  constexpr int64_t crowdedBytes = 8 * kLine;
  int64_t step = kLine / unit, channels = shape.inChannels;
  bool isCrowded = shape.spatial[2].stride * channels * unit % crowdedBytes == 0;
  return isCrowded && channels % step == 0 ? channels + step : channels;
}

int64_t MatrixConvPlan::pixelElements() const { return spacePixels(shape, plan.shape.unit()); }

static MatrixShape makeShape(graph::ConvOp op) {
  graph::ConvShape conv = op.getShape();
  MatrixShape shape;
  shape.batch = conv.batch * conv.spatial[0].output;
  shape.line = std::max<int64_t>(1, conv.spatial[2].output);
  shape.lineRows = countLineRows(conv);
  shape.rows = conv.spatial[1].output * conv.spatial[2].output;
  shape.columns = conv.outChannels;
  shape.width = op.getPacked()->getWidth();
  shape.interleave = graph::getInterleave(op.getFilter().getType(), shape.width);
  int64_t runs = conv.spatial[0].window * conv.spatial[1].window, run = conv.spatial[2].window * conv.inChannels;
  shape.groups = graph::countPanelRows(runs, run, shape.interleave);
  shape.isWhole = getElementTypeOrSelf(op.getFilter().getType()).isF32();
  if (needsStage(conv))
    shape.rowBytes = shape.parts() * shape.unit() * spacePixels(conv, shape.unit()) * conv.spatial[0].window *
                     conv.spatial[1].stride * conv.spatial[2].stride;
  return shape;
}

MatrixConvPlan::MatrixConvPlan(graph::ConvOp op, const DeviceTable &target)
    : shape(op.getShape()), plan(makeShape(op), target), isStaged(needsStage(shape)) {
  stagedLines = getReach(shape.spatial[1], std::max<int64_t>(1, plan.rowBlock / plan.shape.line));
  stagedPixels = getReach(shape.spatial[2], shape.spatial[2].output);
  // Vectors that end a line reach past it, as do the tiles that end a block.
  constexpr int64_t line = 64;
  int64_t slack = 2 * line + 2 * kSide * shape.spatial[2].stride * pixelElements();
  partElements = llvm::alignTo(shape.spatial[0].window * stagedLines * lineElements() + slack, line);
  stagedScratch = plan.scratchBytes;
  scratchBytes = stagedScratch + (isStaged ? plan.shape.parts() * partElements * plan.shape.unit() : 0);
}

ConvLoops::ConvLoops(KernelContext &context, graph::ConvOp op, const MatrixConvPlan &conv)
    : MatrixLoops(context, op.getResult(), getRootBuffer(context, op.getInput()), conv.shape.inChannels,
                  getRootBuffer(context, op.getFilter()), conv.plan),
      conv(conv), shape(conv.shape) {
  if (!conv.isStaged)
    return;
  Type element = cast<MemRefType>(rows.buffer.getType()).getElementType();
  rows.buffer = emitScratch(index, context.scratch, conv.stagedScratch, plan.parts() * conv.partElements, element);
  rows.row = shape.spatial[2].stride * conv.pixelElements();
  rows.part = conv.partElements;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

Value ConvLoops::countTiles(const MatrixBlock &block) {
  if (!conv.isStaged)
    return MatrixLoops::countTiles(block);
  Value lines = countLines(block);
  if (!conv.isLinear())
    return index.mul(lines, conv.lineTiles());
  int64_t rest = conv.stagedPixels - plan.shape.line;
  return index.div(index.add(index.mul(lines, conv.stagedPixels), kSide - 1 - rest), kSide);
}

Value ConvLoops::locateTile(Value tile) {
  if (!conv.isStaged)
    return MatrixLoops::locateTile(tile);
  if (conv.isLinear())
    return index.mul(tile, kSide * conv.pixelElements());
  Value line = index.mul(index.div(tile, conv.lineTiles()), shape.spatial[1].stride * conv.lineElements());
  return index.add(line, index.mul(index.rem(tile, conv.lineTiles()), kSide * rows.row));
}

Value ConvLoops::locateStep(Value step) {
  if (!conv.isStaged)
    return MatrixLoops::locateStep(step);
  int64_t windows = shape.spatial[1].window, each = graph::getTileDepth(plan.shape.interleave);
  Value run = index.div(step, conv.runSteps());
  Value plane = index.mul(index.div(run, windows), conv.stagedLines * conv.lineElements());
  Value line = index.mul(index.rem(run, windows), shape.spatial[1].dilation * conv.lineElements());
  Value inner = index.rem(step, conv.runSteps()), at = index.mul(inner, each);
  // Pixels of whole steps lie apart.
  if (int64_t between = conv.pixelElements() - shape.inChannels)
    at = index.add(at, index.mul(index.div(inner, shape.inChannels / each), between));
  return index.add(index.add(plane, line), at);
}

Value ConvLoops::countElements(Value step) {
  int64_t each = graph::getTileDepth(plan.shape.interleave);
  Value left = index.sub(index.constant(conv.run()), index.mul(index.rem(step, conv.runSteps()), each));
  return index.min(left, index.constant(each));
}

/// Line and pixel of a row of a pair of tiles, within the block.
std::pair<Value, Value> ConvLoops::locatePixel(Value tile, Value row) {
  if (!conv.isStaged || conv.isLinear()) {
    Value number = index.add(index.mul(tile, kSide), row);
    int64_t length = conv.isStaged ? conv.stagedPixels : plan.shape.line;
    return {index.div(number, length), index.rem(number, length)};
  }
  Value number = index.add(tile, index.div(row, kSide));
  Value pixel = index.add(index.mul(index.rem(number, conv.lineTiles()), kSide), index.rem(row, kSide));
  return {index.div(number, conv.lineTiles()), pixel};
}

SmallVector<Value> ConvLoops::locateResult(const MatrixBlock &block, Value tile, Value row) {
  SmallVector<Value> image = index.delinearize(block.entry, {shape.batch, shape.spatial[0].output});
  auto [line, pixel] = locatePixel(tile, row);
  return getOutputIndex(shape, image[0], image[1], index.add(index.div(block.row, plan.shape.line), line), pixel);
}

Value ConvLoops::hasResult(const MatrixBlock &block, Value tile, Value row) {
  if (!conv.isStaged)
    return {};
  auto [line, pixel] = locatePixel(tile, row);
  return index.both(index.lessThan(pixel, index.constant(plan.shape.line)), index.lessThan(line, countLines(block)));
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// Zeros in all parts. Past their end follows what is written next, or nothing.
void ConvLoops::zeroElements(Value to, int64_t count) {
  int64_t lanes = 64 / unit();
  auto type = VectorType::get({lanes}, cast<MemRefType>(rows.buffer.getType()).getElementType());
  for (int64_t part = 0; part < plan.parts(); ++part)
    index.loop(index.constant(0), index.constant(count), lanes, [&](Value i) {
      emitStore(index, emitZero(index, type), rows.buffer, index.add(index.add(to, part * rows.part), i));
    });
}

/// Copies a line of input between its padding.
SmallVector<Value> ConvLoops::stageLine(Value from, Value to, ValueRange sticky) {
  const graph::WindowDim &dim = shape.spatial[2];
  int64_t each = conv.pixelElements(), count = std::clamp<int64_t>(conv.stagedPixels - dim.padLow, 0, dim.input);
  zeroElements(to, dim.padLow * each);
  Value inner = index.add(to, dim.padLow * each);
  // Pixels side by side are one run.
  bool isOneRun = each == shape.inChannels;
  int64_t runs = isOneRun ? 1 : count, length = (isOneRun ? count : 1) * shape.inChannels;
  auto copy = [&](Value number, ValueRange carried) {
    Value at = index.add(inner, index.mul(number, each));
    MatrixRun run{source, index.add(from, index.mul(number, length)), length, rows.buffer, at, kLine / unit(),
                  rows.part};
    return emitRun(index, run, carried);
  };
  SmallVector<Value> result = index.loop(index.constant(0), index.constant(runs), 1, sticky, copy);
  zeroElements(index.add(inner, count * each), (conv.stagedPixels - dim.padLow - count) * each);
  return result;
}

/// A window of one pixel.
Value ConvLoops::locateSource(const MatrixBlock &block, Value row) {
  const graph::WindowDim &depthDim = shape.spatial[0], &lineDim = shape.spatial[1], &pixelDim = shape.spatial[2];
  SmallVector<Value> image = index.delinearize(block.entry, {shape.batch, depthDim.output});
  Value number = index.add(block.row, row);
  Value plane = index.add(index.mul(image[0], depthDim.input), index.mul(image[1], depthDim.stride));
  Value line = index.mul(index.div(number, plan.shape.line), lineDim.stride);
  Value pixel = index.mul(index.rem(number, plan.shape.line), pixelDim.stride);
  Value from = index.add(index.mul(index.add(index.mul(plane, lineDim.input), line), pixelDim.input), pixel);
  return index.mul(from, shape.inChannels);
}

Value ConvLoops::stageRows(const MatrixBlock &block) {
  if (!conv.isStaged)
    return {};
  const graph::WindowDim &depthDim = shape.spatial[0], &lineDim = shape.spatial[1];
  SmallVector<Value> sticky;
  if (plan.parts() > 1)
    sticky.push_back(emitStickyStart(index));
  SmallVector<Value> image = index.delinearize(block.entry, {shape.batch, depthDim.output});
  Value first = index.mul(index.div(block.row, plan.shape.line), lineDim.stride);
  auto isInside = [&](Value position, const graph::WindowDim &dim) {
    Value end = index.constant(dim.padLow + dim.input);
    return index.both(index.lessThan(index.constant(dim.padLow - 1), position), index.lessThan(position, end));
  };
  auto stage = [&](Value number, ValueRange carried) {
    Value line = index.add(first, index.rem(number, conv.stagedLines)), to = index.mul(number, conv.lineElements());
    Value depth = index.add(index.mul(image[1], depthDim.stride),
                            index.mul(index.div(number, conv.stagedLines), depthDim.dilation));
    Value plane = index.add(index.mul(image[0], depthDim.input), index.add(depth, -depthDim.padLow));
    Value from = index.add(index.mul(plane, lineDim.input), index.add(line, -lineDim.padLow));
    return index.select(
        index.both(isInside(depth, depthDim), isInside(line, lineDim)), carried.getTypes(),
        [&] { return stageLine(index.mul(from, shape.spatial[2].input * shape.inChannels), to, carried); },
        [&] {
          zeroElements(to, conv.lineElements());
          return SmallVector<Value>(carried);
        });
  };
  Value count = index.constant(depthDim.window * conv.stagedLines);
  // Fewer lines than a block may have see less; planes lie as far apart all the same.
  if (depthDim.window == 1)
    count = index.add(index.mul(countLines(block), lineDim.stride), getReach(lineDim, 1) - lineDim.stride);
  sticky = index.loop(index.constant(0), count, 1, sticky, stage);
  // The last window's last step reaches past the end, where zeros meet zeros.
  zeroElements(index.mul(count, conv.lineElements()), 64 / unit());
  return sticky.empty() ? Value() : emitIsOdd(index, sticky.front());
}

KernelSchedule cpu::scheduleMatrixConv(graph::ConvOp op, const DeviceTable &target) {
  MatrixConvPlan conv(op, target);
  return {conv.plan.units(), 1, conv.scratchBytes, "convolution by " + conv.plan.describe()};
}

void cpu::emitMatrixConv(KernelContext &context, graph::ConvOp op) {
  MatrixConvPlan conv(op, context.target);
  ConvLoops(context, op, conv).emit();
}
