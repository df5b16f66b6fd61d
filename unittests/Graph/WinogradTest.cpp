//===- WinogradTest.cpp - transforms of 3x3 convolutions ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Winograd.h"

#include "gtest/gtest.h"
#include <cmath>
#include <vector>

using namespace hgc::graph;

namespace {

std::vector<double> multiply(llvm::ArrayRef<double> matrix, llvm::ArrayRef<double> vector) {
  std::vector<double> result(matrix.size() / vector.size(), 0);
  for (size_t i = 0; i < matrix.size(); ++i)
    result[i / vector.size()] += matrix[i] * vector[i % vector.size()];
  return result;
}

/// Numbers without a pattern that a wrong transform would keep.
std::vector<double> makeNumbers(size_t count, int seed) {
  std::vector<double> numbers;
  for (size_t i = 0; i < count; ++i)
    numbers.push_back(std::sin(static_cast<double>((i + 1) * (seed + 3))));
  return numbers;
}

TEST(Winograd, SquaresAreConvolutions) {
  for (int64_t tile : {2, 4}) {
    Winograd form(tile);
    int64_t extent = form.extent();
    std::vector<double> pixels = makeNumbers(extent * extent, 1), taps = makeNumbers(9, 2);
    std::vector<double> data = multiply(squareTransform(form.data, extent), pixels);
    std::vector<double> filter = multiply(squareTransform(form.filter, 3), taps);
    for (size_t i = 0; i < data.size(); ++i)
      data[i] *= filter[i];
    std::vector<double> results = multiply(squareTransform(form.result, extent), data);
    ASSERT_EQ(static_cast<int64_t>(results.size()), tile * tile);
    for (int64_t i = 0; i < tile; ++i)
      for (int64_t j = 0; j < tile; ++j) {
        double sum = 0;
        for (int64_t k = 0; k < 9; ++k)
          sum += taps[k] * pixels[(i + k / 3) * extent + j + k % 3];
        EXPECT_NEAR(results[i * tile + j], sum, 1e-12) << tile << " " << i << " " << j;
      }
  }
}

TEST(Winograd, FiltersCanBeToldFromTheirTransforms) {
  for (int64_t tile : {2, 4}) {
    Winograd form(tile);
    std::vector<double> taps = makeNumbers(9, 5);
    std::vector<double> filter = multiply(squareTransform(form.filter, 3), taps);
    std::vector<double> again = multiply(squareTransform(form.inverse, form.extent()), filter);
    for (size_t i = 0; i < taps.size(); ++i)
      EXPECT_NEAR(again[i], taps[i], 1e-14);
  }
}

// The figures of docs/numerics.md.
TEST(Winograd, Errors) {
  EXPECT_NEAR(boundWinogradError(2, 64), 8.0e-7, 1e-8);
  EXPECT_NEAR(boundWinogradError(4, 64), 1.5e-5, 1e-7);
  EXPECT_NEAR(boundWinogradError(4, 512), 3.57e-5, 1e-7);
  EXPECT_LT(boundWinogradError(4, 1024), kMostWinogradError);
  EXPECT_GT(boundWinogradError(4, 1200), kMostWinogradError);
}

TEST(Winograd, Shapes) {
  ConvShape shape;
  shape.batch = 3;
  shape.inChannels = shape.outChannels = 8;
  shape.spatial[1] = shape.spatial[2] = {9, 9, 3, 1, 1, 1, 1};
  EXPECT_TRUE(isWinogradShape(shape));
  EXPECT_EQ(countWinogradTiles(shape, 4), 27);
  EXPECT_EQ(countWinogradTiles(shape, 2), 75);
  auto refuses = [&](auto change) {
    ConvShape changed = shape;
    change(changed);
    return !isWinogradShape(changed);
  };
  EXPECT_TRUE(refuses([](ConvShape &s) { s.spatial[1].stride = 2; }));
  EXPECT_TRUE(refuses([](ConvShape &s) { s.spatial[2].dilation = 2; }));
  EXPECT_TRUE(refuses([](ConvShape &s) { s.spatial[2].window = 5; }));
  EXPECT_TRUE(refuses([](ConvShape &s) { s.spatial[1].input = 0; }));
  EXPECT_TRUE(refuses([](ConvShape &s) { s.groups = 8; }));
  EXPECT_TRUE(refuses([](ConvShape &s) { s.inChannels = 0; }));
  EXPECT_TRUE(refuses([](ConvShape &s) { s.rank = 3; }));
}

} // namespace
