//===- MatrixPlanTest.cpp - blocks of products by the matrix unit ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/MatrixPlan.h"

#include <gtest/gtest.h>

using namespace hgc;
using namespace hgc::cpu;

namespace {

DeviceTable makeTarget() {
  DeviceTable target;
  target.l2Bytes = 2 << 20;
  return target;
}

MatrixShape makeShape(int64_t rows, int64_t depth, int64_t columns, bool isWhole = false) {
  MatrixShape shape;
  shape.rows = rows, shape.columns = columns;
  shape.isWhole = isWhole;
  if (isWhole)
    shape.interleave = graph::kWholeInterleave;
  shape.groups = graph::countPanelRows(1, depth, shape.interleave);
  return shape;
}

/// Windows of 3x3 pixels on squares of `side` pixels, with padding.
MatrixShape makeWindows(int64_t side, int64_t channels, int64_t columns) {
  MatrixShape shape = makeShape(side * side, 9 * channels, columns);
  shape.line = side, shape.lineRows = side + 2;
  shape.rowBytes = 6 * channels;
  return shape;
}

/// Every plan must cover the product, and have room for what it writes.
void expectSound(const MatrixShape &shape) {
  MatrixPlan plan(shape, makeTarget());
  SCOPED_TRACE(std::to_string(shape.rows) + "x" + std::to_string(shape.groups) + "x" + std::to_string(shape.columns) +
               " " + plan.describe());
  EXPECT_GE(plan.rowUnit * plan.rowUnits, shape.rows);
  EXPECT_LT(plan.rowUnit * (plan.rowUnits - 1), shape.rows);
  EXPECT_GE(plan.rowBlock, plan.rowUnit);
  EXPECT_EQ(plan.rowBlock % plan.rowUnit, 0);
  EXPECT_GE(plan.panelBlock * plan.panelBlocks, plan.panels);
  EXPECT_LT(plan.panelBlock * (plan.panelBlocks - 1), plan.panels);
  EXPECT_GE(plan.depthBlock * plan.depthBlocks, shape.groups);
  EXPECT_LT(plan.depthBlock * (plan.depthBlocks - 1), shape.groups);
  EXPECT_EQ(plan.rowUnit % shape.line, 0);
  EXPECT_GE(plan.tilePairs() * MatrixPlan::kRows, plan.rowBlock / shape.line * shape.lineRows);
  EXPECT_EQ(plan.lhsScratch % 64, 0);
  EXPECT_EQ(plan.sumScratch % 64, 0);
  EXPECT_EQ(plan.partScratch - plan.sumScratch, plan.sumElements() * 4);
  EXPECT_EQ(plan.waitScratch - plan.partScratch, shape.isWhole ? 2 * plan.depthBlock * plan.rhsStep() : 0);
  int64_t waiting = plan.depthBlocks > 1 ? plan.tilePairs() * plan.panels * plan.sumElements() * 4 : 0;
  EXPECT_EQ(plan.scratchBytes - plan.waitScratch, waiting);
}

TEST(MatrixPlan, CoversEveryShape) {
  for (int64_t rows : {1, 16, 31, 49, 128, 1000, 3136})
    for (int64_t depth : {1, 33, 384, 1536, 9000})
      for (int64_t columns : {1, 32, 100, 384, 4096})
        for (bool isWhole : {false, true})
          expectSound(makeShape(rows, depth, columns, isWhole));
  for (int64_t side : {1, 7, 14, 56, 200})
    for (int64_t channels : {3, 64, 512})
      for (int64_t columns : {10, 64, 512})
        expectSound(makeWindows(side, channels, columns));
}

TEST(MatrixPlan, PanelsThatStayNearMeetFewRowsAtATime) {
  MatrixPlan plan(makeShape(3136, 64, 256), makeTarget());
  EXPECT_EQ(plan.rowBlock, MatrixPlan::kRows);
  EXPECT_FALSE(plan.fetchesAhead);
}

TEST(MatrixPlan, FarPanelsAreReadOnce) {
  MatrixPlan plan(makeShape(128, 384, 1536), makeTarget());
  EXPECT_EQ(plan.rowUnits, 1);
  EXPECT_EQ(plan.depthBlocks, 1);
  EXPECT_TRUE(plan.fetchesAhead);
  EXPECT_GE(plan.units(), 16);
}

TEST(MatrixPlan, DeepProductsAreCutSoThatRowsStayNear) {
  MatrixPlan plan(makeShape(128, 1536, 384), makeTarget());
  EXPECT_EQ(plan.rowBlock, 128);
  EXPECT_GT(plan.depthBlocks, 1);
  EXPECT_LE(plan.lhsBytes(), 2 << 20);
  // Sums of so many rows and columns would not.
  EXPECT_EQ(MatrixPlan(makeShape(1024, 1024, 1024), makeTarget()).depthBlocks, 1);
}

TEST(MatrixPlan, ThreadsShareRowsUnlessPanelsAreMany) {
  // Two threads have eight units of 64 rows each, and take two of them at a time: three would leave no room for panels.
  MatrixPlan plan(makeShape(1024, 1024, 1024), makeTarget());
  EXPECT_EQ(plan.rowUnits, 16);
  EXPECT_EQ(plan.panelBlocks, 1);
  EXPECT_EQ(plan.rowBlock, 128);
  EXPECT_EQ(MatrixPlan(makeShape(128, 1536, 384, /*isWhole=*/true), makeTarget()).rowUnits, 2);
  EXPECT_EQ(MatrixPlan(makeShape(128, 384, 1536, /*isWhole=*/true), makeTarget()).rowUnits, 1);
  EXPECT_EQ(MatrixPlan(makeShape(49, 4608, 64, /*isWhole=*/true), makeTarget()).rowUnits, 1);
  // Windows of 3x3 pixels see the same 256 channels nine times: their rows are few beside the panels.
  MatrixShape windows = makeShape(196, 2304, 256, /*isWhole=*/true);
  windows.line = 14, windows.lineRows = 16, windows.rowBytes = 6 * 256;
  EXPECT_EQ(MatrixPlan(windows, makeTarget()).rowUnits, 1);
  windows.columns = 32;
  EXPECT_GT(MatrixPlan(windows, makeTarget()).rowUnits, 1);
  // Units are of one size, as those of kernels before and after that share lines of an image.
  EXPECT_EQ(MatrixPlan(makeShape(197, 3072, 384, /*isWhole=*/true), makeTarget()).rowUnit, 99);
}

TEST(MatrixPlan, WholePanelsMeetManyRowsAtATime) {
  MatrixPlan plan(makeShape(1000, 4096, 4096, /*isWhole=*/true), makeTarget());
  EXPECT_GE(plan.rowBlock, 128);
  EXPECT_LE(2 * plan.partBytes(), (2 << 20) / 2);
  // Six bytes in tiles are four in the panel.
  EXPECT_EQ(3 * plan.storedStep(), 2 * plan.rhsStep());
}

TEST(MatrixPlan, StepsOfARowAreAnOddNumberOfLinesApart) {
  MatrixPlan plan(makeShape(128, 384, 384), makeTarget());
  EXPECT_EQ(plan.lhsPart() / 64 % 2, 1);
  EXPECT_EQ(plan.lhsStep() / 64 % 2, 1);
}

} // namespace
