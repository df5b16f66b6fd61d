//===- ConvFilterGrad.cpp - filter gradient by register tiles -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For one tap the gradient is a product of input and output pixels: both have their
// channels side by side. The taps of a plane see the same pixels at fixed distances, so
// that all of them are rows of one product. Where taps see padding, the data is first
// copied between zeros.
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

/// Whether a window is partly outside of the data.
static bool seesPadding(const graph::WindowDim &dim) {
  return dim.padLow > 0 || (dim.output - 1) * dim.stride - dim.padLow + (dim.window - 1) * dim.dilation >= dim.input;
}

/// Elements that the windows of `count` neighbouring outputs see.
static int64_t countSeen(const graph::WindowDim &dim, int64_t count) {
  return std::max<int64_t>(0, count - 1) * dim.stride + (dim.window - 1) * dim.dilation + 1;
}

FilterGradPlan::FilterGradPlan(graph::ConvFilterGradOp op, const DeviceTable &target) : shape(op.getShape()) {
  constexpr int64_t wantedUnits = 16;
  /// Depth that makes up for adding a tile to the sums of earlier chunks.
  constexpr int64_t leastDepth = 128;
  int64_t bytes = graph::getElementBytes(getElementTypeOrSelf(op.getResult().getType()));
  lanes = std::max<int64_t>(1, target.vectorBytes / bytes);
  width = 2 * lanes;
  groupPanels = llvm::divideCeilSigned(groupOutputs(), width);
  rowTile = chooseRowTile(groupRows(), 2, target);
  int64_t tiles = llvm::divideCeilSigned(groupRows(), rowTile);
  int64_t taps = std::max<int64_t>(1, shape.spatial[0].window * shape.groups);
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
  isPacked = (rowBlock > 2 * rowTile || isNarrow) && chunkLines() * pixelDim.output > 0;
  isStaged = (seesPadding(rowDim) || seesPadding(pixelDim)) && chunkLines() * pixelDim.output > 0;
  stagedRows = countSeen(rowDim, chunkRows);
  stagedPixels = countSeen(pixelDim, pixelDim.output);
  panelScratch = isChunked() ? llvm::alignTo(rowBlock * panelBlock * width * bytes, 64) : 0;
  stageScratch = panelScratch;
  if (isPacked)
    stageScratch += llvm::alignTo(chunkLines() * pixelDim.output * width * bytes, 64);
  scratchBytes = stageScratch + (isStaged ? chunkPlanes() * stagedPlane() * bytes : 0);
}

int64_t FilterGradPlan::units() const { return shape.spatial[0].window * shape.groups * panelBlocks * rowBlocks; }

std::string FilterGradPlan::describe() const {
  return llvm::formatv("filter gradient: tile {0}x{1}, blocks {2}x{3}, chunks of {4} images and {5} rows{6}{7}",
                       rowTile, width, rowBlock, panelBlock * width, chunkImages, chunkRows,
                       isPacked ? ", gradient packed" : "", isStaged ? ", data padded" : "")
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

/// Where the loops stand: a plane of taps, a block of tiles, a chunk of the pixels.
struct FilterGradUnit {
  Value plane;
  /// Output planes that the taps see.
  PlaceRange planes;
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
  using PlaneBody = llvm::function_ref<void(Value image, Value plane)>;

  void emitUnit(Value number);
  void emitChunk(const FilterGradUnit &unit);
  void emitRows(const FilterGradUnit &unit, Value panel, int64_t columns);
  void emitTileAt(const FilterGradUnit &unit, const FilterGradTile &place);
  void packPanel(const FilterGradUnit &unit, Value panel, int64_t columns);
  void stagePlane(const FilterGradUnit &unit, Value image, Value plane);
  void forEachPlane(const FilterGradUnit &unit, PlaneBody body);
  /// Number of an output plane, and of the input plane it sees.
  Value outputPlane(Value image, Value plane);
  Value inputPlane(const FilterGradUnit &unit, Value image, Value plane);
  /// Number of a plane in the chunk.
  Value chunkPlane(const FilterGradUnit &unit, Value image, Value plane);
  /// Tap and channel of a row.
  SmallVector<Value> splitRow(Value row);
  /// What the first output pixel of a line sees through the first tap, as an offset
  /// in the data or in its copy.
  Value lineStart(const FilterGradUnit &unit, Value image, Value plane, Value line);
  /// Distances of the rows of a tile from there.
  SmallVector<Value> emitTaps(const FilterGradUnit &unit, const FilterGradTile &place);
  SmallVector<Value> emitSums(const FilterGradUnit &unit, const FilterGradTile &place, GemmTile &tile);
  void storeTile(const FilterGradUnit &unit, const FilterGradTile &place, ArrayRef<ColumnPiece> pieces,
                 ArrayRef<Value> sums);
  /// Offset of a tile's row in the sums of earlier chunks.
  Value sumOffset(const FilterGradUnit &unit, const FilterGradTile &place, int64_t row);
  int64_t linePixels() const { return plan.isStaged ? plan.stagedPixels : shape.spatial[2].input; }

  KernelContext &context;
  graph::ConvFilterGradOp op;
  IndexBuilder index;
  FilterGradPlan plan;
  graph::ConvShape shape;
  Type accumulator;
  Value input, gradient, partialSums, packed, staged;
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
  if (plan.isStaged)
    staged =
        emitScratch(index, context.scratch, plan.stageScratch, plan.chunkPlanes() * plan.stagedPlane(), accumulator);
  index.loop(context.begin, context.end, 1, [&](Value number) { emitUnit(number); });
}

void FilterGrad::emitUnit(Value number) {
  SmallVector<int64_t> grid{shape.spatial[0].window, shape.groups, plan.panelBlocks, plan.rowBlocks};
  SmallVector<Value> at = index.delinearize(number, grid);
  FilterGradUnit unit;
  unit.plane = shape.spatial[0].window == 1 ? index.constant(0) : at[0];
  std::tie(unit.planes.first, unit.planes.last) = getOutputRange(index, shape.spatial[0], unit.plane);
  unit.group = at[1];
  unit.panel = index.mul(at[2], plan.panelBlock);
  unit.row = index.mul(at[3], plan.rowBlock);
  Value zero = index.constant(0), batch = index.constant(shape.batch), rows = index.constant(shape.spatial[1].output);
  // An empty depth still has sums: zeros.
  auto atLeastOne = [&](int64_t extent) { return index.constant(std::max<int64_t>(1, extent)); };
  index.loop(zero, atLeastOne(shape.batch), plan.chunkImages, [&](Value image) {
    index.loop(zero, atLeastOne(shape.spatial[1].output), plan.chunkRows, [&](Value row) {
      Value imageEnd = index.add(image, plan.chunkImages), rowEnd = index.add(row, plan.chunkRows);
      unit.images = {image, index.min(imageEnd, batch)};
      unit.rows = {row, index.min(rowEnd, rows)};
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
  if (plan.isStaged)
    forEachPlane(unit, [&](Value image, Value plane) { stagePlane(unit, image, plane); });
  index.loop(unit.panel, index.min(end, index.constant(full)), 1,
             [&](Value panel) { emitRows(unit, panel, plan.width); });
  if (tail)
    index.ifThen(index.lessThan(index.constant(full), end), [&] { emitRows(unit, index.constant(full), tail); });
}

void FilterGrad::emitRows(const FilterGradUnit &unit, Value panel, int64_t columns) {
  int64_t full = plan.groupRows() / plan.rowTile * plan.rowTile;
  Value end = index.add(unit.row, plan.rowBlock);
  if (plan.isPacked)
    packPanel(unit, panel, columns);
  index.loop(unit.row, index.min(end, index.constant(full)), plan.rowTile, [&](Value row) {
    emitTileAt(unit, {row, panel, plan.rowTile, columns});
  });
  if (int64_t rest = plan.groupRows() - full)
    index.ifThen(index.lessThan(index.constant(full), end), [&] {
      emitTileAt(unit, {index.constant(full), panel, rest, columns});
    });
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

Value FilterGrad::outputPlane(Value image, Value plane) {
  return index.add(index.mul(image, shape.spatial[0].output), plane);
}

Value FilterGrad::inputPlane(const FilterGradUnit &unit, Value image, Value plane) {
  Value seen = getInputPosition(index, shape.spatial[0], plane, unit.plane);
  return index.add(index.mul(image, shape.spatial[0].input), seen);
}

Value FilterGrad::chunkPlane(const FilterGradUnit &unit, Value image, Value plane) {
  return outputPlane(index.sub(image, unit.images.first), plane);
}

void FilterGrad::forEachPlane(const FilterGradUnit &unit, PlaneBody body) {
  index.loop(unit.images.first, unit.images.last, 1, [&](Value image) {
    index.loop(unit.planes.first, unit.planes.last, 1, [&](Value plane) { body(image, plane); });
  });
}

void FilterGrad::packPanel(const FilterGradUnit &unit, Value panel, int64_t columns) {
  int64_t pixels = shape.spatial[2].output;
  Value column = index.add(index.mul(unit.group, plan.groupOutputs()), index.mul(panel, plan.width));
  forEachPlane(unit, [&](Value image, Value plane) {
    // Lines follow each other on both sides.
    Value line = index.add(index.mul(outputPlane(image, plane), shape.spatial[1].output), unit.rows.first);
    Value from = index.mul(line, pixels * shape.outChannels);
    Value to = index.mul(chunkPlane(unit, image, plane), plan.chunkRows * pixels * plan.width);
    Value depth = index.mul(index.sub(unit.rows.last, unit.rows.first), pixels);
    emitPanelCopy(index, {gradient, index.add(from, column), packed, to, columns, plan.width, 1, shape.outChannels,
                          depth, plan.lanes});
  });
}

void FilterGrad::stagePlane(const FilterGradUnit &unit, Value image, Value plane) {
  const graph::WindowDim &rowDim = shape.spatial[1], &pixelDim = shape.spatial[2];
  int64_t channels = shape.inChannels, skipped = std::max<int64_t>(0, -pixelDim.padLow);
  int64_t left = std::clamp<int64_t>(pixelDim.padLow, 0, plan.stagedPixels);
  int64_t count = std::clamp<int64_t>(pixelDim.input - skipped, 0, plan.stagedPixels - left);
  int64_t right = plan.stagedPixels - left - count;
  Value first = index.add(index.mul(unit.rows.first, rowDim.stride), -rowDim.padLow);
  Value lines = index.mul(inputPlane(unit, image, plane), rowDim.input);
  Value target = index.mul(chunkPlane(unit, image, plane), plan.stagedPlane());
  index.loop(index.constant(0), index.constant(plan.stagedRows), 1, [&](Value row) {
    Value line = index.add(first, row), to = index.add(target, index.mul(row, plan.stagedPixels * channels));
    Value isInside =
        index.both(index.lessThan(index.constant(-1), line), index.lessThan(line, index.constant(rowDim.input)));
    Value pixel = index.add(index.mul(index.add(lines, line), pixelDim.input), skipped);
    StagedLine copy{input,           index.mul(pixel, channels), staged,           to,
                    left * channels, count * channels,           right * channels, plan.lanes};
    StagedLine zeros = copy;
    zeros.source = Value();
    index.ifThen(
        isInside, [&] { emitStagedLine(index, copy); }, [&] { emitStagedLine(index, zeros); });
  });
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

SmallVector<Value> FilterGrad::splitRow(Value row) {
  return index.delinearize(row, {shape.spatial[1].window, shape.spatial[2].window, plan.groupInputs()});
}

SmallVector<Value> FilterGrad::emitTaps(const FilterGradUnit &unit, const FilterGradTile &place) {
  int64_t channels = shape.inChannels, line = linePixels() * channels;
  Value group = index.mul(unit.group, plan.groupInputs());
  SmallVector<Value> taps;
  for (int64_t i = 0; i < place.rows; ++i) {
    SmallVector<Value> at = splitRow(index.add(place.row, i));
    Value tap = index.add(index.mul(at[0], shape.spatial[1].dilation * line),
                          index.mul(at[1], shape.spatial[2].dilation * channels));
    taps.push_back(index.add(group, index.add(tap, at[2])));
  }
  return taps;
}

Value FilterGrad::lineStart(const FilterGradUnit &unit, Value image, Value plane, Value line) {
  const graph::WindowDim &rowDim = shape.spatial[1], &pixelDim = shape.spatial[2];
  if (plan.isStaged) {
    Value row = index.mul(index.sub(line, unit.rows.first), rowDim.stride * plan.stagedPixels * shape.inChannels);
    return index.add(index.mul(chunkPlane(unit, image, plane), plan.stagedPlane()), row);
  }
  // Without padding to see, the first pixel is inside.
  Value seen = index.add(index.mul(line, rowDim.stride), -rowDim.padLow);
  Value row = index.add(index.mul(inputPlane(unit, image, plane), rowDim.input), seen);
  return index.mul(index.add(index.mul(row, pixelDim.input), -pixelDim.padLow), shape.inChannels);
}

/// The products of all pixels of the chunk that the taps see.
SmallVector<Value> FilterGrad::emitSums(const FilterGradUnit &unit, const FilterGradTile &place, GemmTile &tile) {
  int64_t pixels = shape.spatial[2].output;
  SmallVector<Value> taps = emitTaps(unit, place);
  Value column = index.add(index.mul(unit.group, plan.groupOutputs()), index.mul(place.panel, plan.width));
  tile.depth = index.constant(pixels);
  tile.lhsStep = shape.spatial[2].stride * shape.inChannels;
  tile.rhsStep = plan.isPacked ? plan.width : shape.outChannels;
  tile.rowOffsets.assign(place.rows, Value());
  tile.panelOffsets.assign(1, Value());
  SmallVector<Value> zeros = emitZeros(index, tile);
  return index.loop(unit.images.first, unit.images.last, 1, zeros, [&](Value image, ValueRange outer) {
    return index.loop(unit.planes.first, unit.planes.last, 1, outer, [&](Value plane, ValueRange middle) {
      return index.loop(unit.rows.first, unit.rows.last, 1, middle, [&](Value line, ValueRange carried) {
        Value start = lineStart(unit, image, plane, line);
        for (auto [offset, tap] : llvm::zip_equal(tile.rowOffsets, taps))
          offset = index.add(start, tap);
        Value copied =
            index.add(index.mul(chunkPlane(unit, image, plane), plan.chunkRows), index.sub(line, unit.rows.first));
        Value own = index.add(index.mul(outputPlane(image, plane), shape.spatial[1].output), line);
        tile.panelOffsets = {plan.isPacked ? index.mul(copied, pixels * plan.width)
                                           : index.add(index.mul(own, pixels * shape.outChannels), column)};
        return emitTile(index, tile, carried);
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
  tile.lhs = plan.isStaged ? staged : input;
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
    SmallVector<Value> at = splitRow(index.add(place.row, row));
    at.insert(at.begin(), unit.plane);
    at.erase(at.begin(), at.end() - 1 - shape.rank);
    emitStoreRow(context, op.getResult(), at, column, pieces, sums.slice(row * pieces.size(), pieces.size()),
                 place.columns);
  }
}

void cpu::emitFilterGrad(KernelContext &context, graph::ConvFilterGradOp op) { FilterGrad(context, op).emit(); }
