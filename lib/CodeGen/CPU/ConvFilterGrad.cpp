//===- ConvFilterGrad.cpp - filter gradient by register tiles -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For one tap the gradient is a product of input and output pixels: both have their
// channels side by side. Pixels that the tap would see in the padding are left out by
// cutting the range of output pixels.
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/ConvGradients.h"
#include "hgc/CodeGen/CPU/GemmPack.h"
#include "hgc/CodeGen/CPU/GemmPlan.h"
#include "hgc/CodeGen/CPU/GemmStore.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

//===----------------------------------------------------------------------===//
// Plan
//===----------------------------------------------------------------------===//

int64_t cpu::getVolume(const graph::ConvShape &shape) {
  return shape.spatial[0].window * shape.spatial[1].window * shape.spatial[2].window;
}

FilterGradPlan::FilterGradPlan(graph::ConvFilterGradOp op, const DeviceTable &target) : shape(op.getShape()) {
  constexpr int64_t wantedUnits = 16;
  /// Depth that makes up for adding a tile to the sums of earlier chunks.
  constexpr int64_t leastDepth = 128;
  int64_t bytes = graph::getElementBytes(getElementTypeOrSelf(op.getResult().getType()));
  lanes = std::max<int64_t>(1, target.vectorBytes / bytes);
  width = 2 * lanes;
  groupPanels = llvm::divideCeilSigned(groupOutputs(), width);
  rowTile = chooseRowTile(groupInputs(), 2, target);
  int64_t tiles = llvm::divideCeilSigned(groupInputs(), rowTile);
  int64_t taps = std::max<int64_t>(1, getVolume(shape) * shape.groups);
  panelBlocks = std::clamp<int64_t>(llvm::divideCeilSigned(wantedUnits, taps), 1, std::max<int64_t>(1, groupPanels));
  panelBlock = std::max<int64_t>(1, llvm::divideCeilSigned(groupPanels, panelBlocks));
  panelBlocks = llvm::divideCeilSigned(groupPanels, panelBlock);
  rowBlocks = std::clamp<int64_t>(llvm::divideCeilSigned(wantedUnits, taps * std::max<int64_t>(1, panelBlocks)), 1,
                                  std::max<int64_t>(1, tiles));
  rowBlock = std::max<int64_t>(1, llvm::divideCeilSigned(tiles, rowBlocks)) * rowTile;
  rowBlocks = llvm::divideCeilSigned(tiles * rowTile, rowBlock);

  // Chunks: what all tiles of a unit read again stays in the second-level cache.
  const graph::WindowDim &planeDim = shape.spatial[0], &rowDim = shape.spatial[1], &pixelDim = shape.spatial[2];
  int64_t element = graph::getElementBytes(getElementTypeOrSelf(op.getInput().getType()));
  int64_t planes = std::max<int64_t>(1, planeDim.output);
  int64_t rowBytes =
      planes * element * std::max<int64_t>(1, pixelDim.input * shape.inChannels + pixelDim.output * shape.outChannels);
  int64_t rows = std::max({int64_t(1), target.l2Bytes / 2 / rowBytes,
                           llvm::divideCeilSigned(leastDepth, planes * std::max<int64_t>(1, pixelDim.output))});
  int64_t image = std::max<int64_t>(1, rowDim.output);
  chunkRows = std::min(rows, image);
  chunkImages = std::clamp<int64_t>(rows / image, 1, std::max<int64_t>(1, shape.batch));
  bool isNarrow = element != bytes;
  isPacked = (tiles > 1 || isNarrow) && chunkLines() * pixelDim.output > 0;
  panelScratch = isChunked() ? llvm::alignTo(rowBlock * panelBlock * width * bytes, 64) : 0;
  scratchBytes = panelScratch + (isPacked ? chunkLines() * pixelDim.output * width * bytes : 0);
}

int64_t FilterGradPlan::units() const { return getVolume(shape) * shape.groups * panelBlocks * rowBlocks; }

std::string FilterGradPlan::describe() const {
  return llvm::formatv("filter gradient: tile {0}x{1}, blocks {2}x{3}, chunks of {4} images and {5} rows{6}", rowTile,
                       width, rowBlock, panelBlock * width, chunkImages, chunkRows, isPacked ? ", gradient packed" : "")
      .str();
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

namespace {

/// Output places [first, last) of one dim that a tap sees.
struct PlaceRange {
  Value first, last;
};

/// Where the loops stand: a tap, a block of tiles and a chunk of the pixels.
struct FilterGradUnit {
  std::array<Value, 3> tap;
  std::array<PlaceRange, 3> seen;
  Value group, row, panel;
  PlaceRange images, rows;
  Value isFirst, isLast;
};

/// A tile inside a unit; rows and columns count in their group.
struct FilterGradTile {
  Value row, panel;
  int64_t rows, columns;
};

class FilterGrad {
public:
  FilterGrad(KernelContext &context, graph::ConvFilterGradOp op)
      : context(context), op(op), index(context.builder, context.loc), plan(op, context.target), shape(plan.shape),
        accumulator(getElementTypeOrSelf(op.getResult().getType())) {}

  void emit();

private:
  void emitUnit(Value number);
  void emitChunk(const FilterGradUnit &unit);
  void emitRows(const FilterGradUnit &unit, Value panel, int64_t columns);
  void emitTileAt(const FilterGradUnit &unit, const FilterGradTile &place);
  void packPanel(const FilterGradUnit &unit, Value panel, int64_t columns);
  /// Line of a chunk in the packed panel.
  Value packedLine(const FilterGradUnit &unit, Value image, Value plane, Value line);
  SmallVector<Value> emitSums(const FilterGradUnit &unit, const FilterGradTile &place, GemmTile &tile);
  void storeTile(const FilterGradUnit &unit, const FilterGradTile &place, ArrayRef<ColumnPiece> pieces,
                 ArrayRef<Value> sums);
  /// Offset of a tile's row in the sums of earlier chunks.
  Value sumOffset(const FilterGradUnit &unit, const FilterGradTile &place, int64_t row);

  KernelContext &context;
  graph::ConvFilterGradOp op;
  IndexBuilder index;
  FilterGradPlan plan;
  graph::ConvShape shape;
  Type accumulator;
  Value input, gradient, partialSums, packed;
};

} // namespace

void FilterGrad::emit() {
  if (plan.units() == 0)
    return;
  input = getRootBuffer(context, op.getInput());
  gradient = getRootBuffer(context, op.getGradient());
  if (plan.isChunked())
    partialSums = emitScratch(index, context.scratch, 0, plan.rowBlock * plan.panelBlock * plan.width, accumulator);
  if (plan.isPacked)
    packed = emitScratch(index, context.scratch, plan.panelScratch,
                         plan.chunkLines() * shape.spatial[2].output * plan.width, accumulator);
  index.loop(context.begin, context.end, 1, [&](Value number) { emitUnit(number); });
}

void FilterGrad::emitUnit(Value number) {
  SmallVector<Value> at =
      index.delinearize(number, {shape.spatial[0].window, shape.spatial[1].window, shape.spatial[2].window,
                                 shape.groups, plan.panelBlocks, plan.rowBlocks});
  FilterGradUnit unit;
  for (unsigned d = 0; d < 3; ++d) {
    unit.tap[d] = shape.spatial[d].window == 1 ? index.constant(0) : at[d];
    std::tie(unit.seen[d].first, unit.seen[d].last) = getOutputRange(index, shape.spatial[d], unit.tap[d]);
  }
  unit.group = at[3];
  unit.panel = index.mul(at[4], plan.panelBlock);
  unit.row = index.mul(at[5], plan.rowBlock);
  Value zero = index.constant(0), batch = index.constant(shape.batch), rows = index.constant(shape.spatial[1].output);
  // An empty depth still has sums: zeros.
  auto atLeastOne = [&](int64_t extent) { return index.constant(std::max<int64_t>(1, extent)); };
  index.loop(zero, atLeastOne(shape.batch), plan.chunkImages, [&](Value image) {
    index.loop(zero, atLeastOne(shape.spatial[1].output), plan.chunkRows, [&](Value row) {
      Value imageEnd = index.add(image, plan.chunkImages), rowEnd = index.add(row, plan.chunkRows);
      unit.images = {image, index.min(imageEnd, batch)};
      unit.rows = {index.max(row, unit.seen[1].first), index.min(rowEnd, unit.seen[1].last)};
      unit.isFirst = index.both(index.equal(image, zero), index.equal(row, zero));
      unit.isLast =
          index.both(index.lessThan(index.add(batch, -1), imageEnd), index.lessThan(index.add(rows, -1), rowEnd));
      emitChunk(unit);
    });
  });
}

void FilterGrad::emitChunk(const FilterGradUnit &unit) {
  int64_t full = plan.groupOutputs() / plan.width, tail = plan.groupOutputs() % plan.width;
  Value end = index.add(unit.panel, plan.panelBlock);
  index.loop(unit.panel, index.min(end, index.constant(full)), 1,
             [&](Value panel) { emitRows(unit, panel, plan.width); });
  if (tail)
    index.ifThen(index.lessThan(index.constant(full), end), [&] { emitRows(unit, index.constant(full), tail); });
}

void FilterGrad::emitRows(const FilterGradUnit &unit, Value panel, int64_t columns) {
  int64_t full = plan.groupInputs() / plan.rowTile * plan.rowTile;
  Value end = index.add(unit.row, plan.rowBlock);
  if (plan.isPacked)
    packPanel(unit, panel, columns);
  index.loop(unit.row, index.min(end, index.constant(full)), plan.rowTile, [&](Value row) {
    emitTileAt(unit, {row, panel, plan.rowTile, columns});
  });
  if (int64_t rest = plan.groupInputs() - full)
    index.ifThen(index.lessThan(index.constant(full), end), [&] {
      emitTileAt(unit, {index.constant(full), panel, rest, columns});
    });
}

Value FilterGrad::packedLine(const FilterGradUnit &unit, Value image, Value plane, Value line) {
  Value planes = index.add(index.mul(index.sub(image, unit.images.first), shape.spatial[0].output), plane);
  return index.add(index.mul(planes, plan.chunkRows), index.sub(line, unit.rows.first));
}

void FilterGrad::packPanel(const FilterGradUnit &unit, Value panel, int64_t columns) {
  const graph::WindowDim &planeDim = shape.spatial[0], &rowDim = shape.spatial[1], &pixelDim = shape.spatial[2];
  Value column = index.add(index.mul(unit.group, plan.groupOutputs()), index.mul(panel, plan.width));
  Value pixels = index.sub(unit.seen[2].last, unit.seen[2].first);
  index.loop(unit.images.first, unit.images.last, 1, [&](Value image) {
    index.loop(unit.seen[0].first, unit.seen[0].last, 1, [&](Value plane) {
      Value outputPlane = index.add(index.mul(image, planeDim.output), plane);
      index.loop(unit.rows.first, unit.rows.last, 1, [&](Value line) {
        Value pixel = index.mul(index.add(index.mul(outputPlane, rowDim.output), line), pixelDim.output);
        Value from = index.mul(index.add(pixel, unit.seen[2].first), shape.outChannels);
        Value to = index.mul(packedLine(unit, image, plane, line), pixelDim.output * plan.width);
        emitPanelCopy(index, {gradient, index.add(from, column), packed, to, columns, plan.width, 1, shape.outChannels,
                              pixels, plan.lanes});
      });
    });
  });
}

/// The products of all pixels of the chunk that the tap sees.
SmallVector<Value> FilterGrad::emitSums(const FilterGradUnit &unit, const FilterGradTile &place, GemmTile &tile) {
  const graph::WindowDim &planeDim = shape.spatial[0], &rowDim = shape.spatial[1], &pixelDim = shape.spatial[2];
  Value row = index.add(index.mul(unit.group, plan.groupInputs()), place.row);
  Value column = index.add(index.mul(unit.group, plan.groupOutputs()), index.mul(place.panel, plan.width));
  Value firstPixel = unit.seen[2].first;
  Value seenPixel = getInputPosition(index, pixelDim, firstPixel, unit.tap[2]);
  tile.depth = index.sub(unit.seen[2].last, firstPixel);
  tile.lhsStep = pixelDim.stride * shape.inChannels;
  tile.rhsStep = plan.isPacked ? plan.width : shape.outChannels;
  auto emitLine = [&](Value inputLine, Value outputLine, Value copiedLine, ValueRange carried) {
    Value from = index.add(index.mul(inputLine, pixelDim.input), seenPixel);
    Value start = index.add(index.mul(from, shape.inChannels), row);
    tile.rowOffsets.clear();
    for (int64_t i = 0; i < place.rows; ++i)
      tile.rowOffsets.push_back(index.add(start, i));
    Value pixel = index.add(index.mul(outputLine, pixelDim.output), firstPixel);
    tile.panelOffsets = {plan.isPacked ? index.mul(copiedLine, pixelDim.output * plan.width)
                                       : index.add(index.mul(pixel, shape.outChannels), column)};
    return emitTile(index, tile, carried);
  };
  tile.rowOffsets.assign(place.rows, Value());
  tile.panelOffsets.assign(1, Value());
  SmallVector<Value> zeros = emitZeros(index, tile);
  return index.loop(unit.images.first, unit.images.last, 1, zeros, [&](Value image, ValueRange outer) {
    return index.loop(unit.seen[0].first, unit.seen[0].last, 1, outer, [&](Value plane, ValueRange middle) {
      Value seenPlane = getInputPosition(index, planeDim, plane, unit.tap[0]);
      Value inputPlane = index.add(index.mul(image, planeDim.input), seenPlane);
      Value outputPlane = index.add(index.mul(image, planeDim.output), plane);
      return index.loop(unit.rows.first, unit.rows.last, 1, middle, [&](Value line, ValueRange carried) {
        Value seen = getInputPosition(index, rowDim, line, unit.tap[1]);
        return emitLine(index.add(index.mul(inputPlane, rowDim.input), seen),
                        index.add(index.mul(outputPlane, rowDim.output), line), packedLine(unit, image, plane, line),
                        carried);
      });
    });
  });
}

Value FilterGrad::sumOffset(const FilterGradUnit &unit, const FilterGradTile &place, int64_t row) {
  Value panel = index.mul(index.sub(place.panel, unit.panel), plan.rowBlock * plan.width);
  return index.add(panel, index.mul(index.add(index.sub(place.row, unit.row), row), plan.width));
}

void FilterGrad::emitTileAt(const FilterGradUnit &unit, const FilterGradTile &place) {
  GemmTile tile;
  tile.accumulator = accumulator;
  tile.lhs = input;
  tile.rhs = plan.isPacked ? packed : gradient;
  tile.pieces = splitColumns(plan.isPacked ? plan.width : place.columns, plan.lanes);
  SmallVector<Value> sums = emitSums(unit, place, tile);
  if (!plan.isChunked())
    return storeTile(unit, place, tile.pieces, sums);
  // Chunks are added in their order, whichever thread has the unit.
  auto forEach = [&](llvm::function_ref<void(size_t, Value, int64_t)> body) {
    size_t next = 0;
    for (int64_t row = 0; row < place.rows; ++row)
      for (const ColumnPiece &piece : tile.pieces)
        body(next++, index.add(sumOffset(unit, place, row), piece.offset), piece.lanes);
  };
  auto addEarlier = [&] {
    SmallVector<Value> added(sums.size());
    forEach([&](size_t i, Value at, int64_t lanes) {
      added[i] = emitAdd(index, emitLoad(index, partialSums, at, lanes), sums[i]);
    });
    return added;
  };
  sums = index.select(
      unit.isFirst, getAccumulatorTypes(tile), [&] { return sums; }, addEarlier);
  index.ifThen(
      unit.isLast, [&] { storeTile(unit, place, tile.pieces, sums); },
      [&] { forEach([&](size_t i, Value at, int64_t) { emitStore(index, sums[i], partialSums, at); }); });
}

void FilterGrad::storeTile(const FilterGradUnit &unit, const FilterGradTile &place, ArrayRef<ColumnPiece> pieces,
                           ArrayRef<Value> sums) {
  Value column = index.add(index.mul(unit.group, plan.groupOutputs()), index.mul(place.panel, plan.width));
  for (int64_t row = 0; row < place.rows; ++row) {
    SmallVector<Value> at(unit.tap.end() - shape.rank, unit.tap.end());
    at.push_back(index.add(place.row, row));
    emitStoreRow(context, op.getResult(), at, column, pieces, sums.slice(row * pieces.size(), pieces.size()),
                 place.columns);
  }
}

void cpu::emitFilterGrad(KernelContext &context, graph::ConvFilterGradOp op) { FilterGrad(context, op).emit(); }
