//===- CutSolverTest.cpp - cuts against trying everything -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Placement/CutSolver.h"

#include "RandomProblem.h"
#include "hgc/Placement/CutGraph.h"
#include "gtest/gtest.h"
#include <functional>

using namespace hgc;

namespace {

/// Calls `visit` with every valid placement.
void forEachPlacement(const PlacementProblem &problem, const std::function<void(const Placement &)> &visit) {
  Placement placement(problem.nodes.size());
  DeviceMask all = static_cast<DeviceMask>((2u << problem.numGpus) - 1);
  std::function<void(size_t)> place = [&](size_t node) {
    if (node == problem.nodes.size())
      return visit(placement);
    for (DeviceMask devices = 1; devices <= all; ++devices) {
      bool single = (devices & (devices - 1)) == 0;
      if ((devices & ~problem.nodes[node].allowed) || (!single && !problem.nodes[node].mayRepeat))
        continue;
      placement[node] = devices;
      place(node + 1);
    }
  };
  place(0);
}

int64_t findBest(const PlacementProblem &problem) {
  int64_t best = INT64_MAX;
  forEachPlacement(problem,
                   [&](const Placement &placement) { best = std::min(best, computeCost(problem, placement)); });
  return best;
}

TEST(CutGraph, ChoosesTheCheaperSideAndTheFirstOnTies) {
  CutGraph graph;
  auto a = graph.addVertex(), b = graph.addVertex(), c = graph.addVertex();
  graph.addCosts(a, 5, 3);
  graph.addCosts(b, 4, 4);
  graph.addCosts(c, -7, -2);
  CutGraph::Solution solution = graph.solve();
  EXPECT_EQ(solution.cost, 3 + 4 - 7);
  EXPECT_TRUE(solution.isSecond[a]);
  EXPECT_FALSE(solution.isSecond[b]);
  EXPECT_FALSE(solution.isSecond[c]);
}

TEST(CutGraph, ForbiddenSidesCostNothingExtra) {
  CutGraph graph;
  auto a = graph.addVertex(), b = graph.addVertex();
  graph.addCosts(a, CutGraph::kForbidden, 10);
  graph.addCosts(a, 100, 1);
  graph.addCosts(b, 1, CutGraph::kForbidden);
  graph.addArc(b, a, 6);
  CutGraph::Solution solution = graph.solve();
  EXPECT_EQ(solution.cost, 10 + 1 + 1 + 6);
  EXPECT_TRUE(solution.isSecond[a]);
  EXPECT_FALSE(solution.isSecond[b]);
}

TEST(CutSolver, EqualsTryingEverything) {
  std::mt19937 engine(1);
  for (int i = 0; i < 20000; ++i) {
    PlacementProblem problem = makeRandomProblem(engine, {.nodes = 1 + static_cast<uint32_t>(i % 8)});
    CutResult result = placeByCut(problem);
    ASSERT_TRUE(isValid(problem, result.placement)) << "problem " << i;
    ASSERT_EQ(result.cost, findBest(problem)) << "problem " << i;
    ASSERT_EQ(result.bound, result.cost) << "problem " << i;
    ASSERT_EQ(computeEntryCosts(problem, result.placement), std::vector<int64_t>{result.cost});
  }
}

TEST(CutSolver, OfEqualPlacementsTheOneOnTheCpu) {
  PlacementProblem problem;
  problem.addNode({5, 5});
  problem.addNode({5, 4});
  problem.addNode({5, 6});
  CutResult result = placeByCut(problem);
  EXPECT_EQ(result.placement, (Placement{kOnCpu, onGpu(0), kOnCpu}));
}

TEST(CutSolver, AValueIsPaidForOncePerDirection) {
  PlacementProblem problem;
  problem.addNode({0, 100});
  problem.addNode({10, 0});
  problem.addNode({10, 0});
  PlacementProblem::Value value;
  value.producer = 0;
  value.uploadCost = value.downloadCost = 15;
  problem.addValue(value, {1, 2});
  CutResult result = placeByCut(problem);
  EXPECT_EQ(result.cost, 15);
  EXPECT_EQ(result.placement, (Placement{kOnCpu, onGpu(0), onGpu(0)}));
}

TEST(CutSolver, RepeatsWhatIsCheaperTwiceThanMoved) {
  PlacementProblem problem;
  problem.addNode({3, 4, kOnCpu | onGpu(0), /*mayRepeat=*/true});
  problem.addNode({0, 50});
  problem.addNode({50, 0});
  PlacementProblem::Value value;
  value.producer = 0;
  value.uploadCost = value.downloadCost = 9;
  problem.addValue(value, {1, 2});
  CutResult result = placeByCut(problem);
  EXPECT_EQ(result.cost, 7);
  EXPECT_EQ(result.placement[0], kOnCpu | onGpu(0));
}

TEST(CutSolver, IsDeterministic) {
  std::mt19937 engine(3);
  PlacementProblem problem = makeRandomProblem(engine, {.nodes = 500, .reach = 20});
  CutResult first = placeByCut(problem), second = placeByCut(problem);
  EXPECT_EQ(first.placement, second.placement);
  EXPECT_EQ(first.cost, second.cost);
  EXPECT_EQ(first.bound, first.cost);
}

} // namespace
