//===- Contraction.cpp - products and convolutions as one form ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/GPU/Contraction.h"

#include <numeric>

using namespace mlir;
using namespace hgc;
using namespace hgc::gpu;

static int64_t product(ArrayRef<int64_t> extents) {
  return std::accumulate(extents.begin(), extents.end(), int64_t(1), std::multiplies<int64_t>());
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

/// Joins digits of which the outer one goes on where the inner one ends.
static void joinDigits(SmallVectorImpl<MapDigit> &digits) {
  SmallVector<MapDigit> joined;
  for (const MapDigit &digit : digits) {
    if (digit.extent == 1)
      continue;
    MapDigit *outer = joined.empty() ? nullptr : &joined.back();
    if (outer && outer->position == digit.position && outer->stride == digit.stride * digit.extent &&
        outer->step == digit.step * digit.extent) {
      outer->extent *= digit.extent;
      outer->stride = digit.stride;
      outer->step = digit.step;
      continue;
    }
    joined.push_back(digit);
  }
  digits = std::move(joined);
}

void OperandMap::simplify() {
  // A position that stays inside of the data is nothing but an address.
  for (size_t i = positions.size(); i-- > 0;) {
    const MapPosition &position = positions[i];
    int64_t least = position.origin, most = position.origin;
    for (const SmallVector<MapDigit> *digits : {&rows, &depth})
      for (const MapDigit &digit : *digits)
        if (digit.position == static_cast<int>(i))
          (digit.step < 0 ? least : most) += digit.step * std::max<int64_t>(0, digit.extent - 1);
    if (position.divisor != 1 || position.origin != 0 || least < 0 || most >= position.extent)
      continue;
    for (SmallVector<MapDigit> *digits : {&rows, &depth})
      for (MapDigit &digit : *digits) {
        if (digit.position == static_cast<int>(i))
          digit = {digit.extent, digit.stride + digit.step * position.stride, -1, 0};
        else if (digit.position > static_cast<int>(i))
          --digit.position;
      }
    positions.erase(positions.begin() + i);
  }
  joinDigits(rows);
  joinDigits(depth);
}

int64_t OperandMap::getReach() const {
  // Tiles may start a little before the first and end a little after the last.
  constexpr int64_t slack = 4096;
  SmallVector<int64_t> reached;
  for (const MapPosition &position : positions)
    reached.push_back(std::abs(position.origin));
  int64_t address = elements, most = 0;
  for (const SmallVector<MapDigit> *digits : {&rows, &depth}) {
    int64_t count = 1;
    for (const MapDigit &digit : *digits) {
      count *= std::max<int64_t>(1, digit.extent);
      address += digit.extent * digit.stride;
      if (digit.position >= 0)
        reached[digit.position] += digit.extent * std::abs(digit.step);
    }
    most = std::max(most, count + slack);
  }
  for (auto [place, position] : llvm::zip_equal(reached, positions))
    address += place * position.stride;
  return std::max(most, address);
}

static bool endsInNeighbours(ArrayRef<MapDigit> digits) {
  return !digits.empty() && digits.back().position < 0 && digits.back().stride == 1;
}

bool OperandMap::runsAlongDepth() const { return endsInNeighbours(depth); }

bool OperandMap::runsAlongRows() const {
  if (rows.empty())
    return false;
  const MapDigit &last = rows.back();
  if (last.position < 0)
    return last.stride == 1;
  // With strides in between, lanes still share most of their memory sectors.
  const MapPosition &position = positions[last.position];
  return position.stride == 1 && last.step <= 2 && position.divisor <= 2;
}

/// Largest power of two up to `most` that divides the extent of the digits' end
/// and all other steps of the map.
static int64_t findAlignment(const OperandMap &map, ArrayRef<MapDigit> digits, int64_t most) {
  if (!endsInNeighbours(digits))
    return 1;
  int64_t common = std::gcd(most, digits.back().extent);
  for (int64_t stride : map.batchStrides)
    common = std::gcd(common, stride);
  for (const MapPosition &position : map.positions)
    common = std::gcd(common, position.stride);
  for (const SmallVector<MapDigit> *all : {&map.rows, &map.depth})
    for (const MapDigit &digit : *all)
      if (&digit != &digits.back())
        common = std::gcd(common, digit.stride);
  return common;
}

int64_t OperandMap::contiguousRows(int64_t most) const { return findAlignment(*this, rows, most); }
int64_t OperandMap::contiguousDepth(int64_t most) const { return findAlignment(*this, depth, most); }

//===----------------------------------------------------------------------===//
// Matmul
//===----------------------------------------------------------------------===//

/// Steps along the result's batch dims of an operand with batch extents
/// `extents` (aligned at the end) and matrices of `size` elements.
static SmallVector<int64_t> getBatchStrides(ArrayRef<int64_t> extents, size_t rank, int64_t size) {
  SmallVector<int64_t> strides(rank, 0);
  int64_t stride = size;
  for (size_t i = extents.size(); i-- > 0;) {
    strides[rank - extents.size() + i] = extents[i] == 1 ? 0 : stride;
    stride *= extents[i];
  }
  return strides;
}

/// Makes trailing batch dims that only the left operand has part of the rows.
static void moveBatchToRows(Contraction &problem) {
  while (!problem.batchExtents.empty() && problem.rhs.batchStrides.back() == 0) {
    int64_t extent = problem.batchExtents.pop_back_val();
    problem.rhs.batchStrides.pop_back();
    MapDigit digit{extent, problem.lhs.batchStrides.pop_back_val(), -1, 0};
    problem.lhs.rows.insert(problem.lhs.rows.begin(), digit);
    problem.rowDigits.insert(problem.rowDigits.begin(), problem.batchDigits.pop_back_val());
    problem.rows *= extent;
    problem.batch /= std::max<int64_t>(1, extent);
  }
}

Contraction::Contraction(graph::MatmulOp op) {
  auto left = cast<RankedTensorType>(op.getLhs().getType());
  auto result = cast<RankedTensorType>(op.getResult().getType());
  element = left.getElementType();
  accumulator = result.getElementType();
  resultShape = llvm::to_vector(result.getShape());
  SmallVector<int64_t> right = op.getRhsShape();
  size_t rank = resultShape.size();
  rows = resultShape[rank - 2];
  columns = resultShape[rank - 1];
  depth = op.getDepth();
  batchExtents.assign(resultShape.begin(), resultShape.end() - 2);
  batch = product(batchExtents);
  for (unsigned d = 0; d + 2 < rank; ++d)
    batchDigits.push_back({batchExtents[d], d, 1});
  rowDigits = {{rows, static_cast<unsigned>(rank - 2), 1}};
  columnDigits = {{columns, static_cast<unsigned>(rank - 1), 1}};
  lhs.rows = {{rows, op.getTransposeLhs() ? 1 : depth}};
  lhs.depth = {{depth, op.getTransposeLhs() ? rows : 1}};
  rhs.rows = {{columns, op.getTransposeRhs() ? depth : 1}};
  rhs.depth = {{depth, op.getTransposeRhs() ? 1 : columns}};
  lhs.batchStrides = getBatchStrides(left.getShape().drop_back(2), rank - 2, rows * depth);
  rhs.batchStrides = getBatchStrides(ArrayRef<int64_t>(right).drop_back(2), rank - 2, columns * depth);
  lhs.elements = left.getNumElements();
  rhs.elements = cast<RankedTensorType>(op.getRhs().getType()).getNumElements();
  moveBatchToRows(*this);
  lhs.simplify();
  rhs.simplify();
}

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

/// The input as a matrix of windows: rows are output pixels.
static OperandMap mapWindows(const graph::ConvShape &shape) {
  OperandMap map;
  int64_t groupInputs = shape.inChannels / shape.groups;
  int64_t pixels = shape.inPixels();
  int64_t stride = shape.channelsLast ? shape.inChannels : 1;
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
  MapDigit channel{groupInputs, shape.channelsLast ? 1 : pixels};
  map.depth.assign(window.begin(), window.end());
  map.depth.insert(shape.channelsLast ? map.depth.end() : map.depth.begin(), channel);
  map.batchStrides = {groupInputs * channel.stride};
  return map;
}

/// The filter as a matrix whose rows are output channels, with its depth in the
/// order of the input's.
static OperandMap mapFilter(graph::ConvOp op, const graph::ConvShape &shape) {
  OperandMap map;
  int64_t inputs = shape.inChannels / shape.groups, outputs = shape.outChannels / shape.groups;
  int64_t volume = shape.spatial[0].window * shape.spatial[1].window * shape.spatial[2].window;
  bool isHwio = op.getFilterLayout() == graph::FilterLayout::HWIO;
  MapDigit window{volume, isHwio ? inputs * shape.outChannels : 1};
  MapDigit channel{inputs, isHwio ? shape.outChannels : volume};
  map.rows = {{outputs, isHwio ? 1 : inputs * volume}};
  map.depth = {window, channel};
  if (!shape.channelsLast)
    std::swap(map.depth[0], map.depth[1]);
  map.batchStrides = {isHwio ? outputs : outputs * inputs * volume};
  return map;
}

Contraction::Contraction(graph::ConvOp op) {
  graph::ConvShape shape = op.getShape();
  auto result = cast<RankedTensorType>(op.getResult().getType());
  element = cast<RankedTensorType>(op.getInput().getType()).getElementType();
  accumulator = result.getElementType();
  resultShape = llvm::to_vector(result.getShape());
  batch = shape.groups;
  batchExtents = {batch};
  rows = shape.batch * shape.outPixels();
  columns = shape.outChannels / shape.groups;
  depth = shape.depth();
  lhs = mapWindows(shape);
  rhs = mapFilter(op, shape);
  lhs.elements = cast<RankedTensorType>(op.getInput().getType()).getNumElements();
  rhs.elements = cast<RankedTensorType>(op.getFilter().getType()).getNumElements();
  unsigned channelDim = shape.channelsLast ? shape.rank + 1 : 1;
  unsigned firstSpatial = shape.channelsLast ? 1 : 2;
  rowDigits = {{shape.batch, 0, 1}};
  for (unsigned d = 0; d < shape.rank; ++d)
    rowDigits.push_back({shape.spatial[3 - shape.rank + d].output, firstSpatial + d, 1});
  columnDigits = {{columns, channelDim, 1}};
  batchDigits = {{shape.groups, channelDim, columns}};
  lhs.simplify();
  rhs.simplify();
  // The result's neighbours are pixels then: let them be the columns.
  if (!shape.channelsLast)
    transpose();
}

void Contraction::transpose() {
  std::swap(rows, columns);
  std::swap(lhs, rhs);
  std::swap(lhsOperand, rhsOperand);
  std::swap(rowDigits, columnDigits);
}

int64_t Contraction::contiguousColumns(int64_t most) const {
  if (columnDigits.empty() || columnDigits.back().dim + 1 != resultShape.size())
    return 1;
  // Groups start where the columns before them end.
  return std::gcd(most, columnDigits.back().extent);
}
