//===- GemmPlanTest.cpp - tile and block sizes of products ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/GemmPlan.h"
#include "hgc/CodeGen/CPU/GemmTile.h"

#include <gtest/gtest.h>

using namespace hgc;
using namespace hgc::cpu;
using llvm::StringRef;

namespace {

DeviceTable makeTarget() {
  DeviceTable target;
  target.l2Bytes = 256 << 10;
  target.flops.fill(1e11);
  target.forkPs = 4000000;
  return target;
}

GemmShape makeShape(int64_t rows, int64_t depth, int64_t columns, RhsLayout rhs = RhsLayout::Panels) {
  GemmShape shape;
  shape.rows = rows, shape.depth = depth, shape.columns = columns, shape.rhs = rhs;
  return shape;
}

/// Every plan must cover the product, fit the registers and keep scratch small.
void expectSound(const GemmShape &shape, int64_t mostScratch = 2 << 20) {
  DeviceTable target = makeTarget();
  GemmPlan plan = planGemm(shape, target);
  SCOPED_TRACE(std::to_string(shape.rows) + "x" + std::to_string(shape.depth) + "x" + std::to_string(shape.columns) +
               " " + plan.describe());
  EXPECT_GE(plan.rowUnit * plan.rowUnits, shape.rows);
  EXPECT_LT(plan.rowUnit * (plan.rowUnits - 1), shape.rows);
  EXPECT_GE(plan.panelBlock * plan.panelBlocks * plan.width, shape.columns);
  EXPECT_LT(plan.panelBlock * (plan.panelBlocks - 1) * plan.width, shape.columns);
  EXPECT_GE(plan.depthBlock * plan.depthBlocks, shape.depth);
  EXPECT_EQ(plan.rowUnit % plan.rowTile, 0);
  EXPECT_EQ(plan.rowBlock % plan.rowUnit, 0);
  EXPECT_EQ(plan.panelBlock % plan.panelTile, 0);
  int64_t columns = plan.panelTile * plan.vectors;
  EXPECT_LE(plan.rowTile * columns * plan.chains + std::min(plan.rowTile, columns) + 1, target.vectorRegisters);
  EXPECT_LE(plan.scratchBytes, mostScratch);
}

TEST(GemmPlan, IsSoundForAllKindsOfShapes) {
  for (RhsLayout rhs : {RhsLayout::Panels, RhsLayout::RowMajor, RhsLayout::Transposed})
    for (int64_t rows : {1, 2, 3, 5, 7, 13, 32, 97, 1000, 50000})
      for (int64_t depth : {1, 7, 64, 784, 1025, 4096, 30000})
        for (int64_t columns : {1, 10, 16, 17, 128, 1000, 30000})
          expectSound(makeShape(rows, depth, columns, rhs));
}

TEST(GemmPlan, LargeProductsHaveUnitsOfOneSize) {
  DeviceTable target = makeTarget();
  target.vectorBytes = 64, target.vectorRegisters = 32;
  EXPECT_EQ(planGemm(makeShape(1024, 1024, 1024), target).rowTile, 8);
  EXPECT_EQ(planGemm(makeShape(1000, 1024, 1024), target).rowTile, 10);
  EXPECT_EQ(planGemm(makeShape(1020, 1024, 1024), target).rowTile, 12);
  // No tile that is tall enough divides the rows.
  EXPECT_EQ(planGemm(makeShape(1031, 1024, 1024), target).rowTile, 12);
  // What was measured counts.
  GemmShape chosen = makeShape(1024, 1024, 1024);
  chosen.choice.rows = 12;
  EXPECT_EQ(planGemm(chosen, target).rowTile, 12);
  // Lower tiles of short sums, or of few registers, are slower.
  EXPECT_EQ(planGemm(makeShape(1024, 128, 1024), target).rowTile, chooseRowTile(1024, 2, target));
  target.vectorBytes = 32, target.vectorRegisters = 16;
  EXPECT_EQ(planGemm(makeShape(1024, 1024, 1024), target).rowTile, 6);
}

TEST(GemmPlan, IsSoundForAnyChoice) {
  const TileChoice choices[] = {{6, 1},    {1, 9},          {100, 100},
                                {3, 2, 7}, {0, 0, 1, 1, 1}, {5, 0, 1 << 20, 1 << 20, 1 << 20}};
  for (const TileChoice &choice : choices)
    for (RhsLayout rhs : {RhsLayout::Panels, RhsLayout::RowMajor, RhsLayout::Transposed})
      for (int64_t rows : {1, 7, 97, 1000})
        for (int64_t depth : {1, 784, 4096, 30000})
          for (int64_t columns : {1, 17, 1000, 30000}) {
            GemmShape shape = makeShape(rows, depth, columns, rhs);
            shape.choice = choice;
            expectSound(shape, 32 << 20);
          }
}

TEST(GemmPlan, TakesTheChoice) {
  GemmShape shape = makeShape(96, 512, 512);
  EXPECT_NE(planGemm(shape, makeTarget()).rowTile, 3);
  shape.choice = *TileChoice::parse("rows=3,panels=2,row_block=24,panel_block=4,depth_block=128");
  GemmPlan plan = planGemm(shape, makeTarget());
  EXPECT_EQ(plan.describe(), "tile 3x32, blocks 24x64x128");
  EXPECT_EQ(plan.depthBlocks, 4);
  EXPECT_EQ(shape.choice.str(), "rows=3,panels=2,row_block=24,panel_block=4,depth_block=128");
  for (StringRef text : {"rows", "rows=0", "rows=-1", "rows=x", "columns=2", "rows=1,", "rows=99999999999"})
    EXPECT_FALSE(TileChoice::parse(text)) << text.str();
}

TEST(GemmPlan, RowTileDividesRowsWherePossible) {
  DeviceTable target = makeTarget();
  EXPECT_EQ(chooseRowTile(32, 2, target), 4);
  EXPECT_EQ(chooseRowTile(1024, 2, target), 6);
  EXPECT_EQ(chooseRowTile(5, 2, target), 5);
  EXPECT_EQ(chooseRowTile(7, 2, target), 4);
}

TEST(GemmPlan, WiderRegisterFileAllowsTallerTiles) {
  DeviceTable target = makeTarget();
  target.vectorRegisters = 32;
  EXPECT_EQ(chooseRowTile(1200, 2, target), 12);
}

TEST(GemmPlan, SingleRowTakesSeveralPanels) {
  GemmPlan plan = planGemm(makeShape(1, 784, 128), makeTarget());
  EXPECT_EQ(plan.panelTile, 4);
  EXPECT_EQ(plan.scratchBytes, 0);
}

TEST(GemmPlan, PackedPanelsSideBySideStayInTheirCacheSets) {
  DeviceTable target = makeTarget();
  target.vectorRegisters = 32;
  EXPECT_EQ(planGemm(makeShape(1, 256, 1024), target).panelTile, 4);
  EXPECT_EQ(planGemm(makeShape(2, 256, 1024), target).panelTile, 4);
  EXPECT_TRUE(planGemm(makeShape(1, 256, 1024), target).turns);
  EXPECT_FALSE(planGemm(makeShape(1, 64, 128), target).turns);
  // Threads share many small units evenly.
  EXPECT_EQ(planGemm(makeShape(1, 256, 1024), target).panelBlocks, 16);
  // Rows read in place are one stream, however wide.
  EXPECT_GT(planGemm(makeShape(1, 256, 1024, RhsLayout::RowMajor), target).panelTile, 4);
}

TEST(GemmPlan, LongPanelsAreTwoUnitsAtLeast) {
  DeviceTable target = makeTarget();
  target.vectorRegisters = 32, target.vectorBytes = 64;
  GemmPlan plan = planGemm(makeShape(1, 784, 128), target);
  EXPECT_EQ(plan.panels, 4);
  EXPECT_EQ(plan.panelTile, 2);
  EXPECT_EQ(plan.chains, 2);
  EXPECT_EQ(plan.panelBlocks, 2);
  // Short ones stay together.
  EXPECT_EQ(planGemm(makeShape(1, 64, 128), target).panelTile, 4);
}

TEST(GemmPlan, TimeOfFewRowsIsThatOfTheirWeights) {
  DeviceTable target = makeTarget();
  target.l2Bandwidth = 1e11;
  graph::OpCost cost;
  cost.flops[static_cast<size_t>(graph::FlopClass::F32)] = 200000; // 2 us
  cost.bytesRead = 400000;                                         // 4 us
  EXPECT_EQ(estimateContractionPs(cost, target), 5000000);
}

TEST(GemmPlan, SmallestTileSplitsItsSum) {
  EXPECT_EQ(planGemm(makeShape(1, 128, 10), makeTarget()).chains, 4);
  EXPECT_EQ(planGemm(makeShape(2, 128, 10), makeTarget()).chains, 2);
  EXPECT_EQ(planGemm(makeShape(6, 128, 10), makeTarget()).chains, 1);
}

TEST(GemmPlan, RowsThatShareSetsAreCopiedApart) {
  DeviceTable target = makeTarget();
  target.vectorBytes = 64, target.vectorRegisters = 32;
  // Rows 12 KiB apart all start in one set; rows of 3000 floats do not.
  GemmPlan plan = planGemm(makeShape(64, 3072, 768, RhsLayout::RowMajor), target);
  EXPECT_EQ(plan.lhsStride % 32, 16);
  EXPECT_GE(plan.lhsStride, plan.depthBlock);
  EXPECT_GE(plan.panelBlock, 8);
  // Few rows do not reuse panels that are side by side.
  EXPECT_NE(planGemm(makeShape(24, 3072, 768), target).lhsStride, 0);
  EXPECT_EQ(planGemm(makeShape(64, 3000, 768, RhsLayout::RowMajor), target).lhsStride, 0);
  EXPECT_EQ(planGemm(makeShape(64, 3000, 768), target).lhsStride, 0);
  EXPECT_EQ(planGemm(makeShape(64, 3072, 64), target).lhsStride, 0);
  // Six rows leave ways to the panel.
  EXPECT_EQ(planGemm(makeShape(64, 3072, 768), makeTarget()).lhsStride, 0);
}

TEST(GemmPlan, TilesOfPanelsAreShortWhereRowsShareSets) {
  DeviceTable target = makeTarget();
  target.vectorBytes = 64, target.vectorRegisters = 32;
  GemmPlan plan = planGemm(makeShape(64, 3072, 768), target);
  EXPECT_EQ(plan.rowTile, 6);
  EXPECT_EQ(plan.panelTile, 2);
  EXPECT_FALSE(plan.packLhs);
  plan = planGemm(makeShape(64, 3000, 768), target);
  EXPECT_GT(plan.rowTile, 6);
  EXPECT_EQ(plan.panelTile, 1);
  // A measured tile stays, and is copied.
  GemmShape shape = makeShape(64, 3072, 768);
  shape.choice.rows = 12;
  EXPECT_EQ(planGemm(shape, target).rowTile, 12);
  EXPECT_NE(planGemm(shape, target).lhsStride, 0);
}

TEST(GemmPlan, BlocksOfPanelsAreEqualWherePossible) {
  DeviceTable target = makeTarget();
  target.l2Bytes = 1 << 20, target.vectorBytes = 64, target.vectorRegisters = 32;
  // 72 panels in 16 blocks or more: 18 of four panels, not 15 of which one is short.
  GemmPlan plan = planGemm(makeShape(197, 768, 2304), target);
  EXPECT_EQ(plan.panelBlock, 4);
  EXPECT_EQ(plan.panelBlocks, 18);
  // A prime number of panels has no equal blocks.
  plan = planGemm(makeShape(197, 768, 73 * 32), target);
  EXPECT_EQ(plan.panelBlock, 5);
  EXPECT_EQ(plan.panelBlocks, 15);
}

TEST(GemmPlan, RowsThatFitMeetPanelsThatAreFetchedAheadOnce) {
  DeviceTable target = makeTarget();
  target.l2Bytes = 1 << 20, target.vectorBytes = 64, target.vectorRegisters = 32;
  GemmPlan plan = planGemm(makeShape(197, 768, 2304), target);
  EXPECT_TRUE(plan.prefetchRhs);
  EXPECT_EQ(plan.rowBlock, 204);
  // Panels that stay in the cache are met by one tile of rows after the other.
  plan = planGemm(makeShape(197, 384, 256), target);
  EXPECT_FALSE(plan.prefetchRhs);
  EXPECT_EQ(plan.rowBlock, plan.rowTile);
  // So does a copy of the rows.
  plan = planGemm(makeShape(1024, 1024, 1024), target);
  EXPECT_TRUE(plan.packLhs);
  EXPECT_EQ(plan.rowBlock, 96);
}

TEST(GemmPlan, ThreadsShareRowsOfPanelsThatStayInTheirCaches) {
  DeviceTable target = makeTarget();
  target.l2Bytes = 1 << 20, target.vectorBytes = 64, target.vectorRegisters = 32;
  // Half of the units is half of the rows, although 17 tiles of rows are an odd number.
  GemmShape shape = makeShape(196, 96, 576);
  GemmPlan plan = planGemm(shape, target);
  EXPECT_TRUE(plan.rowsFirst);
  EXPECT_GT(plan.panelBlocks, 1);
  EXPECT_EQ(plan.units(shape) % 2, 0);
  // Panels from farther away are read by one thread each.
  EXPECT_FALSE(planGemm(makeShape(196, 1024, 1024), target).rowsFirst);
}

TEST(GemmPlan, WeightsThatDoNotStayInCachesAreFetchedAhead) {
  DeviceTable target = makeTarget();
  target.vectorBytes = 64, target.vectorRegisters = 32;
  EXPECT_TRUE(planGemm(makeShape(128, 384, 384), target).prefetchRhs);
  EXPECT_TRUE(planGemm(makeShape(64, 3072, 768), target).prefetchRhs);
  EXPECT_FALSE(planGemm(makeShape(128, 64, 64), target).prefetchRhs);
  // A few rows leave no time.
  EXPECT_FALSE(planGemm(makeShape(24, 384, 384), target).prefetchRhs);
}

TEST(GemmPlan, TilesOfFewStepsAreSmall) {
  DeviceTable target = makeTarget();
  target.vectorBytes = 64, target.vectorRegisters = 32;
  EXPECT_EQ(planGemm(makeShape(3136, 33, 96), target).rowTile, 12);
  EXPECT_EQ(planGemm(makeShape(3136, 32, 96), target).rowTile, 8);
  // Without rows left over where that is possible.
  EXPECT_EQ(planGemm(makeShape(3129, 32, 96), target).rowTile, 7);
  EXPECT_EQ(planGemm(makeShape(3137, 32, 96), target).rowTile, 8);
  EXPECT_EQ(planGemm(makeShape(12, 32, 96), target).rowTile, 12);
  EXPECT_EQ(planGemm(makeShape(20, 32, 96), target).rowTile, 12);
  EXPECT_EQ(planGemm(makeShape(24, 32, 96), target).rowTile, 8);
}

TEST(GemmPlan, LargeSecondCacheTakesDeeperBlocksOfWeights) {
  DeviceTable target = makeTarget();
  target.vectorBytes = 64, target.vectorRegisters = 32;
  EXPECT_EQ(planGemm(makeShape(64, 3072, 768), target).depthBlock, 512);
  target.l2Bytes = 1 << 20;
  EXPECT_EQ(planGemm(makeShape(64, 3072, 768), target).depthBlock, 1536);
  EXPECT_EQ(planGemm(makeShape(64, 1536, 768), target).depthBlock, 1536);
  // Copies of the rhs stay small.
  EXPECT_EQ(planGemm(makeShape(64, 3072, 768, RhsLayout::Transposed), target).depthBlock, 256);
}

TEST(GemmPlan, DivisionsHideBehindMultiplyAdds) {
  DeviceTable target = makeTarget();
  target.vectorBytes = 64, target.vectorRegisters = 32, target.divisionRate = 2e10;
  GemmShape shape = makeShape(784, 32, 128, RhsLayout::RowMajor);
  shape.transposeLhs = true;
  EXPECT_FALSE(planGemm(shape, target).overlaps);
  EXPECT_TRUE(planGemm(shape, target).packLhs);
  shape.divisions = 2;
  GemmPlan plan = planGemm(shape, target);
  EXPECT_TRUE(plan.overlaps);
  // No rows are left over, registers are, and all is read in place.
  EXPECT_EQ(plan.rowTile, 8);
  EXPECT_FALSE(plan.packLhs || plan.packRhs);
  EXPECT_EQ(plan.panelBlocks, 1);
  EXPECT_EQ(plan.scratchBytes, 8 * 32 * 4);
  // Lines of lhs that would share a set are copied.
  shape.rows = 1024;
  EXPECT_TRUE(planGemm(shape, target).packLhs);
  // A deep product takes so long that divisions do not matter, rhs must stay close, and a
  // tile needs all of sixteen registers.
  shape.depth = 96, shape.columns = 32;
  EXPECT_TRUE(planGemm(shape, target).overlaps);
  target.divisionRate = 1e12;
  EXPECT_FALSE(planGemm(shape, target).overlaps);
  target.divisionRate = 2e10, shape.columns = 128;
  EXPECT_FALSE(planGemm(shape, target).overlaps);
  shape.depth = 32, target.vectorRegisters = 16;
  EXPECT_FALSE(planGemm(shape, target).overlaps);
}

TEST(GemmPlan, FewColumnsOfTheLastPanelAreDotProducts) {
  DeviceTable zen = **lookupCpu("znver5");
  GemmPlan plan = planGemm(makeShape(3136, 100, 100), zen);
  EXPECT_TRUE(plan.tailDots);
  EXPECT_GE(plan.scratchBytes, plan.turnedScratch + kTailColumns * 100 * 4);
  // More columns, no tail, short vectors, a short depth, few rows, and panels that meet a copied left operand.
  EXPECT_FALSE(planGemm(makeShape(3136, 100, 101), zen).tailDots);
  EXPECT_FALSE(planGemm(makeShape(3136, 100, 96), zen).tailDots);
  EXPECT_FALSE(planGemm(makeShape(3136, 100, 100), makeTarget()).tailDots);
  EXPECT_FALSE(planGemm(makeShape(3136, 60, 100), zen).tailDots);
  EXPECT_FALSE(planGemm(makeShape(24, 100, 100), zen).tailDots);
  EXPECT_FALSE(planGemm(makeShape(2048, 1024, 2052), zen).tailDots);
}

TEST(GemmPlan, DoesNotDependOnTheNumberOfCores) {
  DeviceTable one = makeTarget(), many = makeTarget();
  one.cores = 1, many.cores = 64;
  GemmShape shape = makeShape(1000, 3000, 700);
  EXPECT_EQ(planGemm(shape, one).describe(), planGemm(shape, many).describe());
}

TEST(GemmPlan, GrainKeepsTinyKernelsOnOneThread) {
  DeviceTable target = makeTarget();
  // 6 us a thread at least: 4 us of work stay together, 60 us split in ten.
  EXPECT_EQ(chooseGrain(16, 4000000, target), 16);
  EXPECT_EQ(chooseGrain(20, 60000000, target), 2);
  EXPECT_EQ(chooseGrain(1, 60000000, target), 1);
  EXPECT_EQ(chooseGrain(0, 0, target), 1);
}

TEST(GemmTile, ColumnsSplitIntoPowersOfTwo) {
  auto widths = [](int64_t columns) {
    std::vector<int64_t> result;
    int64_t next = 0;
    for (const ColumnPiece &piece : splitColumns(columns, 8)) {
      EXPECT_EQ(piece.offset, next);
      next += piece.lanes;
      result.push_back(piece.lanes);
    }
    return result;
  };
  EXPECT_EQ(widths(16), (std::vector<int64_t>{8, 8}));
  EXPECT_EQ(widths(15), (std::vector<int64_t>{8, 4, 2, 1}));
  EXPECT_EQ(widths(3), (std::vector<int64_t>{2, 1}));
  EXPECT_TRUE(widths(0).empty());
}

} // namespace
