//===- BaselinesTest.cpp - heuristics are valid and never better ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Placement/Baselines.h"

#include "RandomProblem.h"
#include "hgc/Placement/CutSolver.h"
#include "hgc/Placement/PlacementIndex.h"
#include "gtest/gtest.h"

using namespace hgc;

namespace {

TEST(Baselines, AreValidAndNeverBeatTheCut) {
  std::mt19937 engine(5);
  for (int i = 0; i < 500; ++i) {
    PlacementProblem problem = makeRandomProblem(engine, {1 + static_cast<uint32_t>(i % 40)});
    int64_t best = placeByCut(problem).cost;
    for (const Baseline &baseline : getBaselines()) {
      Placement placement = baseline.place(problem);
      ASSERT_TRUE(isValid(problem, placement)) << baseline.name.str() << " on problem " << i;
      ASSERT_GE(computeCost(problem, placement), best) << baseline.name.str() << " on problem " << i;
    }
  }
}

TEST(Baselines, AllOnOneSide) {
  PlacementProblem problem;
  problem.addNode({1, 1});
  problem.addNode({1, 1, kOnCpu});
  problem.addNode({1, 1, onGpu(0)});
  EXPECT_EQ(placeAllOnCpu(problem), (Placement{kOnCpu, kOnCpu, onGpu(0)}));
  EXPECT_EQ(placeAllOnGpu(problem), (Placement{onGpu(0), kOnCpu, onGpu(0)}));
}

/// Two independent chains that a scheduler can run side by side.
PlacementProblem makeIndependentChains() {
  PlacementProblem problem;
  for (int i = 0; i < 4; ++i)
    problem.addNode({10, 10});
  for (NodeId producer : {0u, 1u}) {
    PlacementProblem::Value value;
    value.producer = producer;
    value.uploadCost = value.downloadCost = 100;
    problem.addValue(value, {producer + 2});
  }
  return problem;
}

TEST(Baselines, SchedulersUseBothDevicesAtOnce) {
  PlacementProblem problem = makeIndependentChains();
  for (auto place : {placeByHeft, placeByEtf, placeBySct}) {
    Placement placement = place(problem);
    EXPECT_NE(placement[0], placement[1]);
    EXPECT_EQ(placement[0], placement[2]);
    EXPECT_EQ(placement[1], placement[3]);
  }
}

TEST(Baselines, AFavouriteChildStaysWithItsParent) {
  // The chain is ready later on the device of its parent, but moving it is dear.
  PlacementProblem problem;
  problem.addNode({10, 100});
  problem.addNode({50, 100});
  problem.addNode({10, 10});
  PlacementProblem::Value value;
  value.producer = 0;
  value.uploadCost = 5;
  value.downloadCost = 5;
  problem.addValue(value, {2});
  EXPECT_EQ(placeBySct(problem)[2], kOnCpu);
}

TEST(MovePrices, AgreeWithTheWholeCost) {
  std::mt19937 engine(11);
  for (int i = 0; i < 300; ++i) {
    PlacementProblem problem = makeRandomProblem(engine, {1 + static_cast<uint32_t>(i % 12)});
    Placement placement = placeByCut(problem).placement;
    MovePrices prices(problem, placement);
    for (int moves = 0; moves < 10; ++moves) {
      NodeId node = engine() % problem.nodes.size();
      DeviceMask devices = engine() % 2 ? kOnCpu : onGpu(0);
      int64_t before = computeCost(problem, prices.getPlacement());
      int64_t difference = prices.getDifference(node, devices).getTotal();
      prices.move(node, devices);
      ASSERT_EQ(computeCost(problem, prices.getPlacement()), before + difference) << "problem " << i;
    }
  }
}

TEST(Expansion, IsNeverWorseThanOneGpuAndKeepsPins) {
  std::mt19937 engine(9);
  int better = 0, exact = 0;
  for (int i = 0; i < 600; ++i) {
    PlacementProblem problem = makeRandomProblem(engine, {1 + static_cast<uint32_t>(i % 10), UINT32_MAX, 1 + i % 3u});
    int64_t best = INT64_MAX;
    for (unsigned gpu = 0; gpu < problem.numGpus; ++gpu)
      best = std::min(best, placeByCut(problem, gpu).cost);
    CutResult result = placeByExpansion(problem);
    ASSERT_TRUE(isValid(problem, result.placement)) << "problem " << i;
    ASSERT_EQ(result.cost, computeCost(problem, result.placement));
    ASSERT_LE(result.cost, best) << "problem " << i;
    ASSERT_LE(result.bound, result.cost) << "problem " << i;
    better += result.cost < best;
    exact += result.cost == result.bound;
  }
  EXPECT_GT(better, 0);
  EXPECT_GT(exact, 300);
}

} // namespace
