//===- Winograd.cpp - 3x3 convolutions with fewer products ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Winograd.h"

#include <cmath>

using namespace mlir;
using namespace hgc::graph;

// Filters have whole factors, because transforming them may be part of a call: what they lack is in the transforms of
// results, of which there are fewer.

// Interpolation at 0, 1, -1 and infinity.
static constexpr double kFilter2[] = {1, 0, 0, 1, 1, 1, 1, -1, 1, 0, 0, 1};
static constexpr double kInverse2[] = {1, 0, 0, 0, 0, 0.5, -0.5, 0, 0, 0, 0, 1};
static constexpr double kData2[] = {1, 0, -1, 0, 0, 1, 1, 0, 0, -1, 1, 0, 0, 1, 0, -1};
static constexpr double kResult2[] = {1, 0.5, 0.5, 0, 0, 0.5, -0.5, -1};

// Interpolation at 0, 1, -1, 2, -2 and infinity.
static constexpr double kFilter4[] = {1, 0,  0, //
                                      1, 1,  1, //
                                      1, -1, 1, //
                                      1, 2,  4, //
                                      1, -2, 4, //
                                      0, 0,  1};
static constexpr double kInverse4[] = {1, 0,   0,    0, 0, 0, //
                                       0, 0.5, -0.5, 0, 0, 0, //
                                       0, 0,   0,    0, 0, 1};
static constexpr double kData4[] = {4, 0,  -5, 0,  1, 0, //
                                    0, -4, -4, 1,  1, 0, //
                                    0, 4,  -4, -1, 1, 0, //
                                    0, -2, -1, 2,  1, 0, //
                                    0, 2,  -1, -2, 1, 0, //
                                    0, 4,  0,  -5, 0, 1};
static constexpr double kResult4[] = {1. / 4, -1. / 6, -1. / 6, 1. / 24, 1. / 24,  0, //
                                      0,      -1. / 6, 1. / 6,  1. / 12, -1. / 12, 0, //
                                      0,      -1. / 6, -1. / 6, 1. / 6,  1. / 6,   0, //
                                      0,      -1. / 6, 1. / 6,  1. / 3,  -1. / 3,  1};

Winograd::Winograd(int64_t tile) : tile(tile) {
  assert((tile == 2 || tile == 4) && "no such transform");
  if (tile == 2)
    filter = kFilter2, inverse = kInverse2, data = kData2, result = kResult2;
  else
    filter = kFilter4, inverse = kInverse4, data = kData4, result = kResult4;
}

SmallVector<double> hgc::graph::squareTransform(ArrayRef<double> matrix, int64_t columns) {
  int64_t rows = static_cast<int64_t>(matrix.size()) / columns;
  SmallVector<double> square;
  for (int64_t i = 0; i < rows * rows; ++i)
    for (int64_t j = 0; j < columns * columns; ++j)
      square.push_back(matrix[i / rows * columns + j / columns] * matrix[i % rows * columns + j % columns]);
  return square;
}

bool hgc::graph::isWinogradShape(const ConvShape &shape) {
  // One channel a group leaves no product to save.
  if (shape.rank != 2 || shape.inChannels == 0 || (shape.groups > 1 && shape.groups == shape.inChannels))
    return false;
  return llvm::all_of(ArrayRef(shape.spatial).drop_front(), [](const WindowDim &dim) {
    return dim.window == 3 && dim.stride == 1 && dim.dilation == 1 && dim.input > 0;
  });
}

int64_t hgc::graph::countWinogradTiles(const ConvShape &shape, int64_t tile) {
  auto count = [tile](const WindowDim &dim) { return (dim.output + tile - 1) / tile; };
  return shape.batch * count(shape.spatial[1]) * count(shape.spatial[2]);
}

int64_t hgc::graph::getPackedTile(PackedAttr packed, RankedTensorType filter) {
  ArrayRef<int64_t> shape = packed.getShape();
  if (shape.size() != 4 || filter.getRank() != 4 || shape[0] != 3 || shape[1] != 3 || shape[2] <= 0 ||
      filter.getDimSize(3) != packed.getWidth())
    return 0;
  for (int64_t tile : {2, 4})
    if (filter.getDimSize(2) == (tile + 2) * (tile + 2) * shape[2])
      return tile;
  return 0;
}

/// Sum of the squares of a row.
static double getNorm(ArrayRef<double> matrix, int64_t row, int64_t columns) {
  double sum = 0;
  for (double value : matrix.slice(row * columns, columns))
    sum += value * value;
  return sum;
}

double hgc::graph::boundWinogradError(int64_t tile, int64_t channels) {
  // Data and filters as independent numbers: the error of a result in units of that
  // of one product, for the result that suffers most.
  Winograd form(tile);
  double most = 0;
  for (int64_t i = 0; i < tile; ++i) {
    double sum = 0;
    for (int64_t k = 0; k < form.extent(); ++k) {
      double factor = form.result[i * form.extent() + k];
      sum += factor * factor * getNorm(form.data, k, form.extent()) * getNorm(form.filter, k, 3);
    }
    most = std::max(most, sum);
  }
  // A sum rounds after every channel, when it has half of its terms on average; the
  // transforms round about sixteen times. Twice the expected error.
  constexpr double unit = 0x1p-24, transforms = 16, safety = 2;
  double roundings = std::sqrt((static_cast<double>(channels) / 2 + transforms) / 3);
  return safety * unit * roundings * most / 3;
}
