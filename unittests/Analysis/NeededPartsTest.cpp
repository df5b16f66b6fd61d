//===- NeededPartsTest.cpp - runs, boxes and their elements ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Analysis/NeededParts.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <random>
#include <vector>

using namespace hgc;

namespace {

using Positions = std::vector<int64_t>;

Positions list(Run run) {
  Positions result;
  for (int64_t i = 0; i < run.count; ++i)
    result.push_back(run.start + i * run.step);
  return result;
}

/// Row-major positions of the elements of a box, in its own order.
Positions list(llvm::ArrayRef<int64_t> shape, const Part &part) {
  Positions result{0};
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    Positions next;
    for (int64_t outer : result)
      for (int64_t position : list(part[dim]))
        next.push_back(outer * shape[dim] + position);
    result = next;
  }
  return result;
}

bool includes(const Positions &all, const Positions &some) {
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

class Source {
public:
  int64_t draw(int64_t least, int64_t most) { return std::uniform_int_distribution<int64_t>(least, most)(random); }

  Run drawRun(int64_t extent) {
    int64_t step = draw(1, 3), count = draw(1, (extent - 1) / step + 1);
    return {draw(0, extent - 1 - (count - 1) * step), count, count > 1 ? step : 1};
  }

private:
  std::mt19937 random{7};
};

TEST(NeededParts, UnionIsTheShortestRunAroundBoth) {
  Source source;
  for (int i = 0; i < 2000; ++i) {
    hgc::Run a = source.drawRun(20), b = source.drawRun(20), both = unite(a, b);
    Positions all = list(both);
    EXPECT_TRUE(includes(all, list(a)) && includes(all, list(b)));
    EXPECT_EQ(both.start, std::min(a.start, b.start));
    EXPECT_EQ(both.last(), std::max(a.last(), b.last()));
    // No larger step reaches all positions.
    for (int64_t step = both.step + 1; both.count > 1 && step < 20; ++step) {
      hgc::Run wider{both.start, (both.last() - both.start) / step + 1, step};
      EXPECT_FALSE(includes(list(wider), list(a)) && includes(list(wider), list(b)));
    }
    EXPECT_EQ(unite(a, hgc::Run()), a);
    EXPECT_EQ(unite(hgc::Run(), a), a);
  }
}

TEST(NeededParts, LocatedPartsPickTheSameElements) {
  Source source;
  for (int i = 0; i < 2000; ++i) {
    hgc::Run inner = source.drawRun(20), whole = unite(inner, source.drawRun(20));
    hgc::Run located = locate({inner}, {whole}).front();
    Positions around = list(whole), picked;
    for (int64_t position : list(located))
      picked.push_back(around.at(position));
    EXPECT_EQ(picked, list(inner));
  }
}

TEST(NeededParts, ReshapesKeepElementsAndOrder) {
  Source source;
  const std::vector<std::vector<int64_t>> shapes = {{24},         {4, 6}, {6, 4},    {2, 3, 4},
                                                    {1, 4, 1, 6}, {3, 8}, {8, 3, 1}, {2, 2, 6}};
  for (int i = 0; i < 5000; ++i) {
    const auto &from = shapes[source.draw(0, shapes.size() - 1)], &to = shapes[source.draw(0, shapes.size() - 1)];
    Part wanted, part;
    for (int64_t extent : to)
      wanted.push_back(source.drawRun(extent));
    part = wanted;
    Part input = reshapePart(from, to, part);
    EXPECT_EQ(list(from, input), list(to, part));
    EXPECT_TRUE(includes(list(to, part), list(to, wanted)));
    // What comes out needs nothing more.
    Part again = part;
    EXPECT_EQ(reshapePart(from, to, again), input);
    EXPECT_EQ(again, part);
  }
}

TEST(NeededParts, ReshapesThatKeepADimKeepItsRun) {
  Part part = {{3, 1, 1}, makeWhole(768)};
  EXPECT_EQ(reshapePart({197, 1, 12, 64}, {197, 768}, part),
            Part({{3, 1, 1}, {0, 1, 1}, makeWhole(12), makeWhole(64)}));
  // One position of an outer dim and a run of an inner one are a run of both.
  part = {{1, 1, 1}, {5, 3, 2}};
  EXPECT_EQ(reshapePart({192}, {3, 64}, part), Part({{69, 3, 2}}));
  EXPECT_EQ(part, Part({{1, 1, 1}, {5, 3, 2}}));
}

/// The elements that the window at `position` covers; those of the padding are -1.
Positions cover(const graph::WindowDim &dim, int64_t position) {
  Positions result;
  for (int64_t tap = 0; tap < dim.window; ++tap) {
    int64_t element = position * dim.stride + tap * dim.dilation - dim.padLow;
    result.push_back(element >= 0 && element < dim.input ? element : -1);
  }
  return result;
}

TEST(NeededParts, WindowsCoverTheSameElements) {
  Source source;
  for (int i = 0; i < 5000; ++i) {
    graph::WindowDim dim;
    dim.input = source.draw(1, 12);
    dim.window = source.draw(1, 3);
    dim.stride = source.draw(1, 3);
    dim.dilation = source.draw(1, 2);
    dim.padLow = source.draw(0, 3);
    dim.padHigh = source.draw(0, 3);
    int64_t rest = dim.input + dim.padLow + dim.padHigh - dim.dilation * (dim.window - 1) - 1;
    if (rest < 0)
      continue;
    dim.output = rest / dim.stride + 1;
    hgc::Run wanted = source.drawRun(dim.output), run = wanted;
    graph::WindowDim part = dim;
    hgc::Run input = slideWindow(dim, run, part.padLow, part.padHigh);
    EXPECT_TRUE(run.step == 1 && includes(list(run), list(wanted)));
    part.input = input.count;
    EXPECT_EQ((part.input + part.padLow + part.padHigh - part.dilation * (part.window - 1) - 1) / part.stride + 1,
              run.count);
    for (int64_t position = 0; position < run.count; ++position) {
      Positions covered = cover(part, position);
      for (int64_t &element : covered)
        element = element < 0 ? -1 : element + input.start;
      EXPECT_EQ(covered, cover(dim, run.start + position));
    }
  }
}

} // namespace
