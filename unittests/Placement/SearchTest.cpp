//===- SearchTest.cpp - makespans and the search for shorter ones ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RandomProblem.h"

#include "hgc/Placement/Search.h"

#include "gtest/gtest.h"
#include <functional>
#include <numeric>

using namespace hgc;

namespace {

int64_t getMakespan(const PlacementProblem &problem, const Placement &placement) {
  std::vector<int64_t> entries = computeEntryMakespans(problem, placement);
  return std::accumulate(entries.begin(), entries.end(), int64_t(0));
}

CutResult cut(const PlacementProblem &problem) {
  return problem.numGpus > 1 ? placeByExpansion(problem) : placeByCut(problem);
}

std::vector<SearchStart> makeStarts(const PlacementProblem &problem) {
  return getSearchStarts(problem, cut(problem).placement);
}

/// Two chains that share nothing, 100 on either device: one after the other on one
/// device is as cheap as on two, side by side takes half.
PlacementProblem makeTwoChains() {
  PlacementProblem problem;
  for (NodeId i = 0; i < 4; ++i)
    problem.addNode({100, 90});
  problem.addValue({PlacementProblem::kHost, 0, 0, false, 5, 5, 10}, {0, 2});
  problem.addValue({0, 0, 0, false, 5, 5, 10}, {1});
  problem.addValue({1, 0, 0, true, 5, 5, 10}, {});
  problem.addValue({2, 0, 0, false, 5, 5, 10}, {3});
  problem.addValue({3, 0, 0, true, 5, 5, 10}, {});
  problem.entries.push_back({4, 5, 0});
  return problem;
}

TEST(Search, SplitsWhatIsIndependent) {
  PlacementProblem problem = makeTwoChains();
  Placement first = placeByCut(problem).placement;
  EXPECT_EQ(first, Placement(4, onGpu(0)));
  EXPECT_EQ(getMakespan(problem, first), 370);
  SearchResult found = searchMakespan(problem, {{"cut", first}});
  EXPECT_EQ(found.makespanPs, 200);
  EXPECT_EQ(found.startPs, 370);
  EXPECT_EQ(found.start, "cut");
  EXPECT_GT(found.moves, 0u);
  EXPECT_EQ(found.makespanPs, getMakespan(problem, found.placement));
}

/// Little gain is no reason to leave the best start.
TEST(Search, LeavesTheBestStartForEnoughOnly) {
  PlacementProblem problem = makeTwoChains();
  std::vector<SearchStart> starts = {{"gpu", Placement(4, onGpu(0))}, {"cpu", Placement(4, kOnCpu)}};
  SearchOptions options;
  options.leastGainPercent = 45;
  EXPECT_EQ(searchMakespan(problem, starts, options).makespanPs, 200);
  options.leastGainPercent = 46;
  SearchResult kept = searchMakespan(problem, starts, options);
  EXPECT_EQ(kept.makespanPs, 370);
  EXPECT_EQ(kept.start, "gpu");
  EXPECT_EQ(kept.moves, 0u);
}

/// The cost of the plan is that of the new placement; the bound stays.
TEST(Search, ImprovesTheCut) {
  PlacementProblem problem = makeTwoChains();
  CutResult result = placeByCut(problem);
  int64_t bound = result.bound;
  EXPECT_EQ(result.cost, bound);
  improveMakespan(problem, result);
  EXPECT_EQ(result.bound, bound);
  EXPECT_EQ(result.cost, computeCost(problem, result.placement));
  EXPECT_GT(result.cost, bound);
  EXPECT_EQ(getMakespan(problem, result.placement), 200);
  SearchOptions none;
  none.mostNodes = 3;
  CutResult unsearched = placeByCut(problem);
  improveMakespan(problem, unsearched, none);
  EXPECT_EQ(unsearched.placement, placeByCut(problem).placement);
}

/// Views cost nothing, so a schedule does not care for them: they still go where
/// they save copies.
TEST(Search, LeavesNoNeedlessCopies) {
  std::mt19937 engine(21);
  for (int round = 0; round < 40; ++round) {
    RandomShape shape;
    shape.nodes = 12;
    PlacementProblem problem = makeRandomProblem(engine, shape);
    // One node in two is a view.
    for (size_t i = 0; i < problem.nodes.size(); i += 2)
      problem.nodes[i].cpuCost = problem.nodes[i].gpuCost = 0;
    problem.fusions.clear();
    problem.entries.back().endFusion = 0;
    CutResult result = placeByCut(problem);
    int64_t best = INT64_MAX;
    for (const SearchStart &start : makeStarts(problem))
      best = std::min(best, getMakespan(problem, start.placement));
    SearchResult found = searchMakespan(problem, makeStarts(problem));
    improveMakespan(problem, result);
    EXPECT_TRUE(isValid(problem, result.placement));
    EXPECT_LE(getMakespan(problem, result.placement), best);
    EXPECT_LE(result.cost, computeCost(problem, found.placement));
    EXPECT_GE(result.cost, result.bound);
  }
}

TEST(Search, HonoursPins) {
  PlacementProblem problem = makeTwoChains();
  problem.nodes[0].allowed = problem.nodes[2].allowed = onGpu(0);
  SearchResult found = searchMakespan(problem, makeStarts(problem));
  EXPECT_TRUE(isValid(problem, found.placement));
  EXPECT_EQ(found.placement[0], onGpu(0));
  EXPECT_EQ(found.placement[2], onGpu(0));
}

/// Fused nodes are one task, and only their common kernel counts.
TEST(Search, FusedNodesAreOneTask) {
  PlacementProblem problem;
  problem.addNode({10, 10});
  problem.addNode({20, 20});
  problem.addValue({0, 0, 0, false, 3, 3, 6}, {1});
  problem.addValue({1, 0, 0, true, 3, 3, 6}, {});
  problem.fusions.push_back({0, 1, 4, 7});
  problem.entries.push_back({2, 2, 1});
  MakespanModel model(problem);
  std::vector<TimelineTask> onCpu = model.buildTasks({kOnCpu, kOnCpu}, 0);
  ASSERT_EQ(onCpu.size(), 1u);
  EXPECT_EQ(onCpu[0].durationPs, 26);
  std::vector<TimelineTask> mixed = model.buildTasks({onGpu(0), kOnCpu}, 0);
  ASSERT_EQ(mixed.size(), 3u);
  EXPECT_EQ(mixed[1].resource, getStreamResource(2));
  EXPECT_EQ(mixed[2].dependences.size(), 1u);
}

/// The tasks of a program add up to its serial cost, whatever the placement.
TEST(Search, TasksAddUpToTheSerialCost) {
  std::mt19937 engine(3);
  for (int round = 0; round < 400; ++round) {
    RandomShape shape;
    shape.nodes = 1 + engine() % 14;
    shape.gpus = 1 + round % 3;
    PlacementProblem problem = makeRandomProblem(engine, shape);
    // Nothing may save more than it costs.
    for (PlacementProblem::Node &node : problem.nodes) {
      node.cpuCost += 200;
      node.gpuCost += 200;
    }
    MakespanModel model(problem);
    for (const SearchStart &start : makeStarts(problem)) {
      Timeline timeline = simulateTimeline(model.buildTasks(start.placement, 0));
      EXPECT_EQ(timeline.serialPs, computeCost(problem, start.placement)) << round << " " << start.name.str();
      int64_t makespan = getMakespan(problem, start.placement);
      EXPECT_LE(makespan, timeline.makespanPs);
      EXPECT_EQ(makespan, model.estimate(start.placement).makespanPs);
    }
  }
}

TEST(Search, IsNeverWorseThanAnyStartAndDeterministic) {
  std::mt19937 engine(5);
  for (int round = 0; round < 15; ++round) {
    RandomShape shape;
    shape.nodes = 20 + engine() % 40;
    shape.reach = 10;
    shape.gpus = 1 + round % 2;
    PlacementProblem problem = makeRandomProblem(engine, shape);
    std::vector<SearchStart> starts = makeStarts(problem);
    SearchOptions options;
    options.leastGainPercent = round % 3;
    SearchResult found = searchMakespan(problem, starts, options);
    EXPECT_TRUE(isValid(problem, found.placement));
    for (const SearchStart &start : starts)
      EXPECT_LE(found.makespanPs, getMakespan(problem, start.placement)) << start.name.str();
    EXPECT_EQ(found.makespanPs, getMakespan(problem, found.placement));
    SearchResult again = searchMakespan(problem, starts, options);
    EXPECT_EQ(again.placement, found.placement);
    EXPECT_EQ(again.simulations, found.simulations);
  }
}

/// The shortest makespan of all placements.
int64_t findShortest(const PlacementProblem &problem) {
  int64_t best = INT64_MAX;
  Placement placement(problem.nodes.size());
  std::function<void(NodeId)> place = [&](NodeId node) {
    if (node == problem.nodes.size()) {
      best = std::min(best, getMakespan(problem, placement));
      return;
    }
    for (DeviceMask device : {kOnCpu, onGpu(0)})
      if (problem.nodes[node].allowed & device) {
        placement[node] = device;
        place(node + 1);
      }
  };
  place(0);
  return best;
}

TEST(Search, MostlyFindsTheShortest) {
  std::mt19937 engine(9);
  int found = 0;
  constexpr int kRounds = 100;
  for (int round = 0; round < kRounds; ++round) {
    RandomShape shape;
    shape.nodes = 8;
    shape.mayRepeat = false;
    PlacementProblem problem = makeRandomProblem(engine, shape);
    int64_t shortest = findShortest(problem);
    SearchOptions options;
    options.leastGainPercent = 0;
    int64_t makespan = searchMakespan(problem, makeStarts(problem), options).makespanPs;
    EXPECT_GE(makespan, shortest);
    found += makespan == shortest;
  }
  EXPECT_GE(found, kRounds * 8 / 10);
}

/// The budget bounds the number of schedules that are tried.
TEST(Search, KeepsItsBudget) {
  std::mt19937 engine(13);
  RandomShape shape;
  shape.nodes = 200;
  shape.reach = 20;
  PlacementProblem problem = makeRandomProblem(engine, shape);
  std::vector<SearchStart> starts = makeStarts(problem);
  SearchOptions options;
  options.mostSteps = 200 * 50;
  EXPECT_LE(searchMakespan(problem, starts, options).simulations, 50u);
  options.mostNodes = 199;
  SearchResult unsearched = searchMakespan(problem, starts, options);
  EXPECT_EQ(unsearched.moves, 0u);
  EXPECT_EQ(unsearched.simulations, starts.size());
}

} // namespace
