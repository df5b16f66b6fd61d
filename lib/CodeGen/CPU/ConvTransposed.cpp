//===- ConvTransposed.cpp - transposed convolution by register tiles ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nothing is multiplied by the zeros that a stride puts between pixels: each phase
// of a row is a dense convolution with its own part of the window. Which part is
// computed when the loops run, so that the code does not grow with the stride.
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/ConvGradients.h"
#include "hgc/CodeGen/CPU/GemmPlan.h"
#include "hgc/CodeGen/CPU/GemmStore.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

//===----------------------------------------------------------------------===//
// Plan
//===----------------------------------------------------------------------===//

/// Most pixels of the data that `count` neighbours of the result see.
static int64_t countSeen(const graph::WindowDim &dim, int64_t count) {
  return std::min(dim.output, (count - 1 + (dim.window - 1) * dim.dilation) / dim.stride + 1);
}

TransposedPlan::TransposedPlan(graph::ConvTransposeOp op, const DeviceTable &target) : shape(op.getShape()) {
  Type accumulator = getElementTypeOrSelf(op.getResult().getType());
  int64_t bytes = graph::getElementBytes(accumulator);
  lanes = std::max<int64_t>(1, target.vectorBytes / bytes);
  width = op.getPacked()->getWidth();
  groupPanels = llvm::divideCeilSigned(shape.inChannels / shape.groups, width);
  const graph::WindowDim &planeDim = shape.spatial[0], &rowDim = shape.spatial[1], &pixelDim = shape.spatial[2];
  pixelTile = chooseRowTile(llvm::divideCeilSigned(pixelDim.input, pixelDim.stride),
                            llvm::divideCeilSigned(width, lanes), target);
  left = std::max<int64_t>(0, ((pixelDim.window - 1) * pixelDim.dilation - pixelDim.padLow) / pixelDim.stride);
  right = std::max<int64_t>(0, (pixelDim.input - 1 + pixelDim.padLow) / pixelDim.stride - (pixelDim.output - 1));
  isStaged = left || right || getElementTypeOrSelf(op.getInput().getType()) != accumulator;
  // No channels, nothing to copy.
  isStaged &= shape.outChannels > 0;

  // Rows: as for a convolution, the copy takes most of the second-level cache.
  constexpr int64_t wantedUnits = 16, fewestRows = 4;
  int64_t images = std::max<int64_t>(1, shape.batch * planeDim.input);
  stagedPixels = left + pixelDim.output + right;
  stagedPlanes = countSeen(planeDim, 1);
  int64_t rowBytes = stagedPlanes * stagedPixels * shape.outChannels * bytes;
  int64_t limit = std::max<int64_t>(1, rowDim.input);
  while (isStaged && limit > 1 && countSeen(rowDim, limit) * rowBytes > target.l2Bytes * 3 / 4)
    --limit;
  rowBlocks = std::max<int64_t>(1, llvm::divideCeilSigned(rowDim.input, limit));
  rowBlocks = std::max(rowBlocks, std::min(llvm::divideCeilSigned(wantedUnits, images), rowDim.input / fewestRows));
  rowBlock = std::max<int64_t>(1, llvm::divideCeilSigned(rowDim.input, rowBlocks));
  rowBlocks = llvm::divideCeilSigned(rowDim.input, rowBlock);
  stagedRows = countSeen(rowDim, rowBlock);
  scratchBytes = isStaged ? stagedRows * rowBytes : 0;

  int64_t panels = shape.groups * groupPanels;
  int64_t wanted =
      llvm::bit_ceil(uint64_t(llvm::divideCeilSigned(wantedUnits / 2, images * std::max<int64_t>(1, rowBlocks))));
  panelBlocks = std::clamp<int64_t>(wanted, 1, std::max<int64_t>(1, panels / 2));
  panelBlock = std::max<int64_t>(1, llvm::divideCeilSigned(panels, panelBlocks));
  panelBlocks = llvm::divideCeilSigned(panels, panelBlock);
}

std::string TransposedPlan::describe() const {
  return llvm::formatv("transposed convolution: {0} phases, tile {1}x{2}, blocks of {3} rows and {4} panels{5}",
                       std::min(shape.spatial[2].stride, shape.spatial[2].input), pixelTile, width, rowBlock,
                       panelBlock, isStaged ? ", data staged" : "")
      .str();
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

namespace {

/// Where the loops stand.
struct TransposedUnit {
  Value panel, image, plane, row;
  /// First plane and row of the data in scratch; zero when it is read in place.
  Value firstPlane, firstRow;
};

/// One panel: its columns in the result and in the filter.
struct ResultPanel {
  Value column, filter, group;
  int64_t columns;
};

class TransposedConv {
public:
  TransposedConv(KernelContext &context, graph::ConvTransposeOp op)
      : context(context), op(op), index(context.builder, context.loc), plan(op, context.target), shape(plan.shape),
        accumulator(getElementTypeOrSelf(op.getResult().getType())), groupDepth(shape.outChannels / shape.groups) {}

  void emit();

private:
  void stageData(TransposedUnit &unit);
  void emitPanel(const TransposedUnit &unit, Value number);
  void emitRow(const TransposedUnit &unit, const ResultPanel &panel, Value row);
  void emitPhase(const TransposedUnit &unit, const ResultPanel &panel, Value row, Value phase, int64_t pixels);
  void emitPixels(const TransposedUnit &unit, const ResultPanel &panel, Value row, Value phase, Value pixel,
                  int64_t pixels);
  SmallVector<Value> emitTaps(const TransposedUnit &unit, const ResultPanel &panel, Value row, Value phase,
                              GemmTile &tile, Value pixel, int64_t pixels);
  /// First and last place of the data that `count` places of the result from `at`
  /// on see, along one dim.
  std::pair<Value, Value> getSeenRange(const graph::WindowDim &dim, Value at, Value end);

  KernelContext &context;
  graph::ConvTransposeOp op;
  IndexBuilder index;
  TransposedPlan plan;
  graph::ConvShape shape;
  Type accumulator;
  int64_t groupDepth;
  Value data, filter, staged;
};

} // namespace

void TransposedConv::emit() {
  if (plan.units() == 0)
    return;
  data = getRootBuffer(context, op.getInput());
  filter = getRootBuffer(context, op.getFilter());
  if (plan.isStaged)
    staged = emitScratch(index, context.scratch, 0,
                         plan.stagedPlanes * plan.stagedRows * plan.stagedPixels * shape.outChannels, accumulator);
  index.loop(context.begin, context.end, 1, [&](Value number) {
    SmallVector<Value> at =
        index.delinearize(number, {plan.panelBlocks, shape.batch, shape.spatial[0].input, plan.rowBlocks});
    Value zero = index.constant(0);
    TransposedUnit unit{index.mul(at[0], plan.panelBlock), at[1], at[2], index.mul(at[3], plan.rowBlock), zero, zero};
    if (plan.isStaged)
      stageData(unit);
    Value end = index.min(index.add(unit.panel, plan.panelBlock), index.constant(shape.groups * plan.groupPanels));
    index.loop(unit.panel, end, 1, [&](Value panel) { emitPanel(unit, panel); });
  });
}

std::pair<Value, Value> TransposedConv::getSeenRange(const graph::WindowDim &dim, Value at, Value end) {
  Value before = index.add(at, dim.padLow - (dim.window - 1) * dim.dilation);
  Value first = index.div(index.add(index.max(index.constant(0), before), dim.stride - 1), dim.stride);
  Value last = index.add(index.div(index.add(end, dim.padLow - 1), dim.stride), 1);
  return {first, index.min(last, index.constant(dim.output))};
}

void TransposedConv::stageData(TransposedUnit &unit) {
  const graph::WindowDim &planeDim = shape.spatial[0], &rowDim = shape.spatial[1], &pixelDim = shape.spatial[2];
  int64_t channels = shape.outChannels;
  Value rowEnd = index.min(index.add(unit.row, plan.rowBlock), index.constant(rowDim.input));
  auto [firstPlane, lastPlane] = getSeenRange(planeDim, unit.plane, index.add(unit.plane, 1));
  auto [firstRow, lastRow] = getSeenRange(rowDim, unit.row, rowEnd);
  unit.firstPlane = firstPlane;
  unit.firstRow = firstRow;
  Value rowBegin = firstRow, rowStop = lastRow;
  index.loop(firstPlane, lastPlane, 1, [&](Value plane) {
    Value fromPlane = index.mul(index.add(index.mul(unit.image, planeDim.output), plane), rowDim.output);
    Value toPlane = index.mul(index.sub(plane, unit.firstPlane), plan.stagedRows);
    index.loop(rowBegin, rowStop, 1, [&](Value row) {
      Value from = index.mul(index.add(fromPlane, row), pixelDim.output * channels);
      Value to = index.mul(index.add(toPlane, index.sub(row, unit.firstRow)), plan.stagedPixels * channels);
      emitStagedLine(index, {data, from, staged, to, plan.left * channels, pixelDim.output * channels,
                             plan.right * channels, plan.lanes});
    });
  });
}

void TransposedConv::emitPanel(const TransposedUnit &unit, Value number) {
  int64_t columns = shape.inChannels / shape.groups, tail = columns % plan.width;
  Value group = shape.groups == 1 ? index.constant(0) : index.div(number, plan.groupPanels);
  Value inGroup = shape.groups == 1 ? number : index.rem(number, plan.groupPanels);
  ResultPanel panel;
  panel.column = index.add(index.mul(group, columns), index.mul(inGroup, plan.width));
  panel.filter = index.mul(number, getVolume(shape) * groupDepth * plan.width);
  panel.group = index.mul(group, groupDepth);
  Value end = index.min(index.add(unit.row, plan.rowBlock), index.constant(shape.spatial[1].input));
  auto rows = [&](int64_t count) {
    panel.columns = count;
    index.loop(unit.row, end, 1, [&](Value row) { emitRow(unit, panel, row); });
  };
  if (tail == 0 || plan.groupPanels == 1)
    return rows(tail ? tail : plan.width);
  index.ifThen(
      index.equal(inGroup, index.constant(plan.groupPanels - 1)), [&] { rows(tail); }, [&] { rows(plan.width); });
}

void TransposedConv::emitRow(const TransposedUnit &unit, const ResultPanel &panel, Value row) {
  // The first phases have one pixel more than the others when the stride does not
  // divide the row.
  int64_t stride = shape.spatial[2].stride, pixels = shape.spatial[2].input;
  int64_t longer = pixels % stride, each = pixels / stride;
  index.loop(index.constant(0), index.constant(longer), 1,
             [&](Value phase) { emitPhase(unit, panel, row, phase, each + 1); });
  if (each > 0)
    index.loop(index.constant(longer), index.constant(stride), 1,
               [&](Value phase) { emitPhase(unit, panel, row, phase, each); });
}

void TransposedConv::emitPhase(const TransposedUnit &unit, const ResultPanel &panel, Value row, Value phase,
                               int64_t pixels) {
  int64_t full = pixels / plan.pixelTile * plan.pixelTile;
  index.loop(index.constant(0), index.constant(full), plan.pixelTile,
             [&](Value pixel) { emitPixels(unit, panel, row, phase, pixel, plan.pixelTile); });
  if (pixels > full)
    emitPixels(unit, panel, row, phase, index.constant(full), pixels - full);
}

SmallVector<Value> TransposedConv::emitTaps(const TransposedUnit &unit, const ResultPanel &panel, Value row,
                                            Value phase, GemmTile &tile, Value pixel, int64_t pixels) {
  const graph::WindowDim &planeDim = shape.spatial[0], &rowDim = shape.spatial[1], &pixelDim = shape.spatial[2];
  int64_t channels = shape.outChannels;
  int64_t rowLength = (plan.isStaged ? plan.stagedPixels : pixelDim.output) * channels;
  int64_t planeRows = plan.isStaged ? plan.stagedRows : rowDim.output;
  Value firstTap = getFirstTap(index, pixelDim, phase);
  // Where the data of the phase's first pixel would lie for the window's begin.
  Value place = index.add(phase, pixelDim.padLow + plan.left * pixelDim.stride);
  Value image = plan.isStaged ? index.constant(0) : index.mul(unit.image, planeDim.output);
  auto emitPixelTap = [&](Value line, Value taps, Value tap, ValueRange carried) {
    Value seen = index.div(index.sub(place, index.mul(tap, pixelDim.dilation)), pixelDim.stride);
    Value start = index.add(line, index.mul(index.add(seen, pixel), channels));
    tile.rowOffsets.clear();
    for (int64_t i = 0; i < pixels; ++i)
      tile.rowOffsets.push_back(index.add(start, i * channels));
    Value weights = index.mul(index.add(taps, tap), groupDepth * plan.width);
    tile.panelOffsets = {index.add(panel.filter, weights)};
    return emitTile(index, tile, carried);
  };
  tile.rowOffsets.assign(pixels, Value());
  tile.panelOffsets.assign(1, Value());
  SmallVector<Value> zeros = emitZeros(index, tile);
  auto emitRowTap = [&](Value plane, Value planeTap, Value rowTap, Value seen, ValueRange carried) {
    Value line = index.add(index.mul(plane, planeRows), index.sub(seen, unit.firstRow));
    line = index.add(index.mul(line, rowLength), panel.group);
    Value taps = index.mul(index.add(index.mul(planeTap, rowDim.window), rowTap), pixelDim.window);
    return index.loop(firstTap, index.constant(pixelDim.window), getTapStep(pixelDim), carried,
                      [&](Value tap, ValueRange sums) { return emitPixelTap(line, taps, tap, sums); });
  };
  return loopTaps(index, planeDim, true, unit.plane, zeros, [&](Value planeTap, Value seenPlane, ValueRange outer) {
    Value plane = index.add(image, index.sub(seenPlane, unit.firstPlane));
    return loopTaps(index, rowDim, true, row, outer, [&](Value rowTap, Value seenRow, ValueRange carried) {
      return emitRowTap(plane, planeTap, rowTap, seenRow, carried);
    });
  });
}

void TransposedConv::emitPixels(const TransposedUnit &unit, const ResultPanel &panel, Value row, Value phase,
                                Value pixel, int64_t pixels) {
  GemmTile tile;
  tile.accumulator = accumulator;
  tile.lhs = plan.isStaged ? staged : data;
  tile.rhs = filter;
  tile.pieces = splitColumns(plan.width, plan.lanes);
  tile.rhsStep = plan.width;
  tile.depth = index.constant(groupDepth);
  SmallVector<Value> sums = emitTaps(unit, panel, row, phase, tile, pixel, pixels);
  size_t vectors = tile.pieces.size();
  for (int64_t i = 0; i < pixels; ++i) {
    Value at = index.add(phase, index.mul(index.add(pixel, i), shape.spatial[2].stride));
    emitStoreRow(context, op.getResult(), getOutputIndex(shape, unit.image, unit.plane, row, at), panel.column,
                 tile.pieces, ArrayRef<Value>(sums).slice(i * vectors, vectors), panel.columns);
  }
}

void cpu::emitTransposedConv(KernelContext &context, graph::ConvTransposeOp op) { TransposedConv(context, op).emit(); }
