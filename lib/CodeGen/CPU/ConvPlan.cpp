//===- ConvPlan.cpp - tile and block sizes of a convolution ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/ConvPlan.h"

#include "dialects/Graph/Panels.h"
#include "hgc/CodeGen/CPU/GemmPlan.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

static int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

ConvKind cpu::chooseConvKind(const ConvView &view) {
  if (!view.shape.channelsLast || !view.isHwio || view.form == ConvForm::Generic)
    return ConvKind::Generic;
  // The transform of a filter is made with its panels.
  if (view.form && getWinogradTile(*view.form) && view.panelWidth)
    return ConvKind::Winograd;
  if (view.form == ConvForm::Matrix && view.panelWidth)
    return ConvKind::Matrix;
  if (view.isDepthwise() && !view.panelWidth && view.form != ConvForm::Direct)
    return ConvKind::Depthwise;
  // Only a packed filter of a transposed convolution has its columns side by side.
  return view.isTransposed && !view.panelWidth ? ConvKind::Generic : ConvKind::Direct;
}

/// Extent of input that `count` outputs of a window dim look at.
static int64_t getReach(const graph::WindowDim &dim, int64_t count) {
  return (count - 1) * dim.stride + (dim.window - 1) * dim.dilation + 1;
}

/// Whether every row is a single pixel that is seen alone.
static bool hasSinglePixels(const graph::ConvShape &shape) {
  const graph::WindowDim &dim = shape.spatial[2];
  return shape.rank >= 2 && dim.input == 1 && dim.output == 1 && dim.window == 1 && !dim.padLow && !dim.padHigh;
}

std::pair<int64_t, int64_t> cpu::findInnerTiles(const graph::WindowDim &dim, int64_t pixelTile, int64_t tiles) {
  int64_t reach = (dim.window - 1) * dim.dilation;
  int64_t first = tiles, last = tiles;
  for (int64_t tile = tiles - 1; tile >= 0; --tile) {
    int64_t begin = tile * pixelTile, end = begin + pixelTile;
    bool isInner = end <= dim.output && begin * dim.stride >= dim.padLow &&
                   (end - 1) * dim.stride + reach < dim.padLow + dim.input;
    if (!isInner)
      continue;
    if (first == tiles)
      last = tile + 1;
    first = tile;
  }
  return {first, last};
}

/// Fewest rows, or tiles of a single row, that make a block.
static constexpr int64_t fewestRows = 4;

bool ConvPlan::cutsRow() const {
  return shape.spatial[1].output == 1 && shape.spatial[2].output >= 2 * fewestRows * pixelTile;
}

bool ConvPlan::isContiguous() const {
  return shape.spatial[2].dilation == 1 && shape.groups == 1 && groupInputs() % interleave == 0;
}

SmallVector<DepthSpan> ConvPlan::listSpans(int64_t pixel, int64_t pixels, int64_t step) const {
  const graph::WindowDim &dim = shape.spatial[2];
  SmallVector<DepthSpan> spans;
  auto seesData = [&](int64_t i, int64_t tap) {
    int64_t at = (pixel + i) * dim.stride + tap * dim.dilation - dim.padLow;
    return at >= 0 && at < dim.input;
  };
  for (int64_t tap = 0; tap < dim.window; ++tap) {
    int64_t first = 0, last = pixels;
    while (first < last && !seesData(first, tap))
      ++first;
    while (first < last && !seesData(last - 1, tap))
      --last;
    if (first == last)
      continue;
    bool continues = isContiguous() && !spans.empty() && spans.back().row == first &&
                     spans.back().rows == last - first &&
                     spans.back().rhsOffset + spans.back().steps * step == tap * groupInputs() * step;
    if (continues)
      spans.back().steps += groupInputs();
    else
      spans.push_back(
          {first, last - first, tap * dim.dilation * shape.inChannels, tap * groupInputs() * step, groupInputs()});
  }
  return spans;
}

/// Leaving padding out saves its products and the copy, but takes code for each tile that
/// sees some.
bool ConvPlan::canSkipPadding() const {
  constexpr int64_t mostOuterTiles = 8, mostSpans = 32;
  int64_t pixels = shape.spatial[2].output, spans = 0;
  if (interleave > 1 || cutsRow() || tiles - (inner.second - inner.first) > mostOuterTiles)
    return false;
  for (int64_t tile = 0; tile < tiles; ++tile) {
    if (tile >= inner.first && tile < inner.second)
      continue;
    size_t count = listSpans(tile * pixelTile, std::min(pixelTile, pixels - tile * pixelTile), 1).size();
    // A tile that sees nothing but padding has no depth.
    if (count == 0)
      return false;
    spans += static_cast<int64_t>(count);
  }
  return spans <= mostSpans;
}

ConvPlan::ConvPlan(graph::ConvOp op, const DeviceTable &target) : shape(op.getShape()) {
  isTurned = hasSinglePixels(shape);
  if (isTurned)
    std::swap(shape.spatial[1], shape.spatial[2]);
  Type accumulator = getElementTypeOrSelf(op.getResult().getType());
  int64_t bytes = graph::getElementBytes(accumulator);
  isPacked = op.getPacked().has_value();
  lanes = std::max<int64_t>(1, target.vectorBytes / bytes);
  width = isPacked ? op.getPacked()->getWidth() : 2 * lanes;
  interleave = isPacked ? graph::getInterleave(op.getFilter().getType(), width) : 1;
  groupPanels = ceilDiv(groupOutputs(), width);
  int64_t vectors = ceilDiv(width, lanes);
  TileChoice choice = getTileChoice(op);
  pixelTile = boundRowTile(choice.rows, shape.spatial[2].output, vectors, target);
  if (!choice.rows)
    pixelTile = shortenTile(pixelTile, shape.spatial[2].output, shape.depth());
  int64_t sums = pixelTile * vectors;
  chains = shape.depth() >= 32 ? (sums <= 2 ? 4 : sums <= 4 ? 2 : 1) : 1;
  bool hasPadding = llvm::any_of(shape.spatial, [](const graph::WindowDim &dim) { return dim.padLow || dim.padHigh; });
  // Groups are multiplied as they are, or as pairs of i16; all else in the accumulator's type.
  bool isWidened = getElementTypeOrSelf(op.getInput().getType()) != accumulator && interleave != 4;
  tiles = ceilDiv(shape.spatial[2].output, pixelTile);
  inner = findInnerTiles(shape.spatial[2], pixelTile, tiles);
  isStaged = isWidened || (hasPadding && !canSkipPadding());
  chooseBlocks(choice, bytes / interleave, target);
  chooseFetching(target);
}

/// A filter that takes much of the second-level cache has left it since the last call. The first row of a block would
/// wait for a panel that comes from farther away; the last rows of the block before fetch it while they compute, a few
/// lines in every step. The very last row may see padding, and not all of a panel.
void ConvPlan::chooseFetching(const DeviceTable &target) {
  // Where many tiles read a panel, the wait of the first one is a small part.
  constexpr int64_t mostRows = 4, mostTiles = 16;
  int64_t panelBytes = shape.depth() * width * static_cast<int64_t>(sizeof(float));
  bool isFar = shape.groups * groupPanels * panelBytes > target.l2Bytes / 2;
  bool isPlain = isPacked && interleave == 1 && chains == 1 && lanes * 4 == target.vectorBytes;
  bool waits = isFar && isPlain && rowBlock > 2 && rowBlock * tiles <= mostTiles;
  const graph::WindowDim &rowDim = shape.spatial[1];
  takesWindowRows = waits && !isStaged && pixelBlocks == 1 && shape.spatial[0].window == 1 && rowDim.window > 1 &&
                    2 * panelBytes > target.l2Bytes / 4 * 3 && rowDim.dilation == 1 && rowDim.padLow < rowDim.window &&
                    rowDim.padHigh < rowDim.window;
  if (takesWindowRows)
    scratchBytes = rowBlock * shape.spatial[2].output * width * static_cast<int64_t>(sizeof(float));
  fetchRows = waits ? llvm::bit_floor(uint64_t(std::min(rowBlock - 1, mostRows))) : 0;
}

void ConvPlan::chooseBlocks(const TileChoice &choice, int64_t bytes, const DeviceTable &target) {
  const graph::WindowDim &depthDim = shape.spatial[0], &rowDim = shape.spatial[1], &pixelDim = shape.spatial[2];
  // Rows: the staged input takes most of the second-level cache, and threads get
  // enough units as long as the rows that two blocks share stay few.
  constexpr int64_t wantedUnits = 16;
  int64_t images = std::max<int64_t>(1, shape.batch * depthDim.output);
  int64_t columnBytes = std::max<int64_t>(1, shape.inChannels * depthDim.window * bytes);
  pixelBlock = std::max<int64_t>(1, pixelDim.output);
  if (cutsRow()) {
    int64_t fits = target.l2Bytes * 3 / 4 / (columnBytes * rowDim.window * pixelDim.stride);
    int64_t most = std::clamp<int64_t>(fits, fewestRows * pixelTile, pixelDim.output);
    int64_t tiles = ceilDiv(std::min(most, ceilDiv(pixelDim.output * images, wantedUnits)), pixelTile);
    pixelBlock = std::max(fewestRows, tiles) * pixelTile;
  }
  pixelBlocks = std::max<int64_t>(1, ceilDiv(pixelDim.output, pixelBlock));
  stagedPixels = getReach(pixelDim, pixelBlock);
  int64_t pixelBytes = stagedPixels * shape.inChannels * depthDim.window * bytes;
  int64_t limit = std::max<int64_t>(1, rowDim.output);
  while (isStaged && limit > 1 && getReach(rowDim, limit) * pixelBytes > target.l2Bytes * 3 / 4)
    --limit;
  rowBlocks = std::max<int64_t>(1, ceilDiv(rowDim.output, limit));
  rowBlocks = std::max(rowBlocks, std::min(ceilDiv(wantedUnits, images), rowDim.output / fewestRows));
  rowBlock = std::max<int64_t>(1, ceilDiv(rowDim.output, rowBlocks));
  if (choice.rowBlock)
    rowBlock = std::clamp<int64_t>(choice.rowBlock, 1, limit);
  rowBlocks = ceilDiv(rowDim.output, rowBlock);
  stagedRows = getReach(rowDim, rowBlock);
  scratchBytes = isStaged ? stagedRows * pixelBytes : 0;

  int64_t panels = shape.groups * groupPanels;
  // A power of two makes an even number of units that mostly divides the panels.
  int64_t wanted =
      llvm::bit_ceil(uint64_t(ceilDiv(wantedUnits / 2, images * pixelBlocks * std::max<int64_t>(1, rowBlocks))));
  panelBlocks = std::clamp<int64_t>(wanted, 1, std::max<int64_t>(1, panels / 2));
  panelBlock = std::max<int64_t>(1, ceilDiv(panels, panelBlocks));
  if (choice.panelBlock)
    panelBlock = std::clamp<int64_t>(choice.panelBlock, 1, std::max<int64_t>(1, panels));
  panelBlocks = ceilDiv(panels, panelBlock);
}

void ConvPlan::takeRows(int64_t rows) {
  if (takesWindowRows)
    scratchBytes = 0;
  int64_t lineBytes = scratchBytes / stagedRows;
  rowBlock = rows;
  rowBlocks = ceilDiv(shape.spatial[1].output, rows);
  stagedRows = getReach(shape.spatial[1], rows);
  scratchBytes = lineBytes * stagedRows;
  panelBlock = shape.groups * groupPanels;
  panelBlocks = 1;
  fetchRows = 0;
  takesWindowRows = false;
}

int64_t ConvPlan::units() const {
  return panelBlocks * shape.batch * shape.spatial[0].output * rowBlocks * pixelBlocks;
}

std::string ConvPlan::describe() const {
  return llvm::formatv("direct convolution: tile {0}x{1}, blocks of {2} {3} and {4} panels{5}{6}", pixelTile, width,
                       pixelBlocks > 1 ? pixelBlock : rowBlock, pixelBlocks > 1 ? "pixels" : "rows", panelBlock,
                       isStaged ? ", input staged" : "", takesWindowRows ? ", by rows of the window" : "")
      .str();
}

template <typename OpT> static int64_t getPanelWidth(OpT op) { return op.getPacked() ? op.getPacked()->getWidth() : 0; }

ConvView::ConvView(graph::ConvOp op)
    : shape(op.getShape()), isTransposed(false), result(op.getResult()), data(op.getInput()), filter(op.getFilter()),
      isHwio(op.getFilterLayout() == graph::FilterLayout::HWIO), panelWidth(getPanelWidth(op)), form(getConvForm(op)) {}

ConvView::ConvView(graph::ConvTransposeOp op)
    : shape(op.getShape()), isTransposed(true), result(op.getResult()), data(op.getInput()), filter(op.getFilter()),
      isHwio(op.getFilterLayout() == graph::FilterLayout::HWIO), panelWidth(getPanelWidth(op)) {}

int64_t ConvView::resultExtent(unsigned dim) const {
  return isTransposed ? shape.spatial[dim].input : shape.spatial[dim].output;
}

int64_t ConvView::dataExtent(unsigned dim) const {
  return isTransposed ? shape.spatial[dim].output : shape.spatial[dim].input;
}

SmallVector<Value> cpu::getOutputIndex(const graph::ConvShape &shape, Value image, Value depth, Value row,
                                       Value pixel) {
  SmallVector<Value> at = {image};
  SmallVector<Value> spatial = {depth, row, pixel};
  at.append(spatial.end() - shape.rank, spatial.end());
  return at;
}
