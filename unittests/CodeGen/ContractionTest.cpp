//===- ContractionTest.cpp - what index maps of contractions can say ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps are interpreted on the host. The gradients of a convolution have no op yet;
// their maps show that kernels written for the forward form serve them too.
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/GPU/Contraction.h"

#include "gtest/gtest.h"
#include <vector>

using namespace hgc::gpu;

namespace {

/// Address of (row, depth); -1 where the map says there is nothing.
int64_t locate(const OperandMap &map, int64_t row, int64_t depth) {
  std::vector<int64_t> positions;
  for (const MapPosition &position : map.positions)
    positions.push_back(position.origin);
  int64_t offset = 0;
  auto walk = [&](const llvm::SmallVector<MapDigit> &digits, int64_t linear) {
    for (size_t i = digits.size(); i-- > 0;) {
      int64_t value = i > 0 ? linear % digits[i].extent : linear;
      linear /= digits[i].extent;
      if (digits[i].position >= 0)
        positions[digits[i].position] += value * digits[i].step;
      else
        offset += value * digits[i].stride;
    }
  };
  walk(map.rows, row);
  walk(map.depth, depth);
  for (size_t i = 0; i < positions.size(); ++i) {
    const MapPosition &position = map.positions[i];
    if (positions[i] < 0 || positions[i] % position.divisor != 0 || positions[i] / position.divisor >= position.extent)
      return -1;
    offset += positions[i] / position.divisor * position.stride;
  }
  return offset;
}

/// A convolution along one dim, channels last.
struct Conv1D {
  int64_t batch = 2, input = 9, channels = 3, outputs = 4, window = 3, stride = 2, dilation = 2, padLow = 2,
          padHigh = 1;
  int64_t output() const { return (input + padLow + padHigh - (window - 1) * dilation - 1) / stride + 1; }
};

/// The input as rows of windows; the depth is (window, channel).
OperandMap mapWindows(const Conv1D &c) {
  OperandMap map;
  map.positions = {{-c.padLow, c.input, 1, c.channels}};
  map.rows = {{c.batch, c.input * c.channels}, {c.output(), 0, 0, c.stride}};
  map.depth = {{c.window, 0, 0, c.dilation}, {c.channels, 1}};
  return map;
}

TEST(Contraction, ForwardWindowsReadInputOrPadding) {
  Conv1D c;
  OperandMap map = mapWindows(c);
  map.simplify();
  for (int64_t n = 0; n < c.batch; ++n)
    for (int64_t o = 0; o < c.output(); ++o)
      for (int64_t k = 0; k < c.window; ++k)
        for (int64_t i = 0; i < c.channels; ++i) {
          int64_t at = o * c.stride - c.padLow + k * c.dilation;
          int64_t expected = at < 0 || at >= c.input ? -1 : (n * c.input + at) * c.channels + i;
          EXPECT_EQ(locate(map, n * c.output() + o, k * c.channels + i), expected);
        }
}

// The filter's gradient sums over all output pixels: rows and depth change places.
TEST(Contraction, FilterGradientExchangesRowsAndDepth) {
  Conv1D c;
  OperandMap forward = mapWindows(c), map = forward;
  std::swap(map.rows, map.depth);
  map.simplify();
  for (int64_t row = 0; row < c.window * c.channels; ++row)
    for (int64_t depth = 0; depth < c.batch * c.output(); ++depth)
      EXPECT_EQ(locate(map, row, depth), locate(forward, depth, row));
}

// The input's gradient looks back: a pixel was seen through window position k by
// the output at (pixel + padding - k * dilation) / stride, if that divides.
TEST(Contraction, InputGradientDividesByTheStride) {
  Conv1D c;
  OperandMap map;
  map.positions = {{c.padLow, c.output(), c.stride, c.outputs}};
  map.rows = {{c.batch, c.output() * c.outputs}, {c.input, 0, 0, 1}};
  map.depth = {{c.window, 0, 0, -c.dilation}, {c.outputs, 1}};
  map.simplify();
  OperandMap forward = mapWindows(c);
  // Every pair of pixels that the forward form connects, and no other.
  for (int64_t pixel = 0; pixel < c.input; ++pixel)
    for (int64_t k = 0; k < c.window; ++k) {
      int64_t seen = -1;
      for (int64_t o = 0; o < c.output(); ++o)
        if (locate(forward, o, k * c.channels) == pixel * c.channels)
          seen = o;
      EXPECT_EQ(locate(map, pixel, k * c.outputs + 1), seen < 0 ? -1 : seen * c.outputs + 1);
    }
}

TEST(Contraction, PositionsThatStayInsideBecomeAddresses) {
  Conv1D c;
  c.padLow = c.padHigh = 0;
  OperandMap map = mapWindows(c), plain = map;
  plain.simplify();
  EXPECT_TRUE(plain.isTotal());
  for (int64_t row = 0; row < c.batch * c.output(); ++row)
    for (int64_t depth = 0; depth < c.window * c.channels; ++depth)
      EXPECT_EQ(locate(plain, row, depth), locate(map, row, depth));
}

TEST(Contraction, OnePixelAtATimeIsAMatrix) {
  Conv1D c;
  c.window = c.stride = c.dilation = 1;
  c.padLow = c.padHigh = 0;
  OperandMap map = mapWindows(c);
  map.simplify();
  EXPECT_TRUE(map.isMatrix());
  EXPECT_EQ(map.rows[0].extent, c.batch * c.input);
  EXPECT_EQ(map.rows[0].stride, c.channels);
}

// Padding is part of what an address can reach before anyone asks.
TEST(Contraction, NarrowNumbersHoldAllThatIsComputed) {
  Conv1D c;
  OperandMap map = mapWindows(c);
  map.elements = c.batch * c.input * c.channels;
  EXPECT_TRUE(map.isNarrow());
  map.positions[0].origin = -(int64_t(1) << 31);
  EXPECT_FALSE(map.isNarrow());
  map = mapWindows(c);
  map.elements = int64_t(1) << 31;
  EXPECT_FALSE(map.isNarrow());
}

// What is read in one access must start at a multiple of its width everywhere.
TEST(Contraction, AlignmentFollowsFromAllSteps) {
  OperandMap map;
  map.rows = {{100, 24}};
  map.depth = {{24, 1}};
  EXPECT_EQ(map.contiguousDepth(16), 8);
  EXPECT_EQ(map.contiguousDepth(4), 4);
  EXPECT_EQ(map.contiguousRows(4), 1);
  map.batchStrides = {2402};
  EXPECT_EQ(map.contiguousDepth(4), 2);
  map.batchStrides = {0};
  map.positions = {{-1, 5, 1, 3}};
  EXPECT_EQ(map.contiguousDepth(4), 1);
}

} // namespace
