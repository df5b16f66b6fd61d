//===- Search.cpp - local search for a shorter makespan -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A schedule gets shorter only if one of its critical tasks does, so only the
// nodes behind those are tried. Everything is in a fixed order: equal problems
// have equal results.
//===----------------------------------------------------------------------===//

#include "hgc/Placement/Search.h"

#include "hgc/Placement/Baselines.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/bit.h"

using namespace hgc;

/// A move must shorten the makespan by more than this part.
static constexpr int64_t kLeastStep = 2000;

namespace {

/// Nodes that go to one device together.
struct Move {
  llvm::SmallVector<NodeId, 4> nodes;
  DeviceMask device = kOnCpu;
};

class Searcher {
public:
  Searcher(const PlacementProblem &problem, size_t mostSimulations)
      : problem(problem), model(problem), mostSimulations(mostSimulations) {}

  MakespanModel::Estimate estimate(const Placement &placement) {
    ++simulations;
    return model.estimate(placement);
  }

  /// Moves nodes of `placement` until no move helps or the budget is spent.
  unsigned improve(Placement &placement, MakespanModel::Estimate &best, size_t budget) {
    unsigned moves = 0;
    size_t end = simulations + budget;
    while (std::optional<Move> move = findMove(placement, best, end)) {
      apply(placement, *move);
      ++moves;
    }
    return moves;
  }

  const PlacementProblem &problem;
  MakespanModel model;
  size_t mostSimulations, simulations = 0;

private:
  /// The first move that shortens the makespan; `best` is then what it leads to.
  std::optional<Move> findMove(const Placement &placement, MakespanModel::Estimate &best, size_t end) {
    for (Move &move : listMoves(placement, best.critical)) {
      if (simulations >= end)
        return std::nullopt;
      Placement moved = placement;
      if (!apply(moved, move))
        continue;
      MakespanModel::Estimate estimate = this->estimate(moved);
      if (best.makespanPs - estimate.makespanPs <= best.makespanPs / kLeastStep)
        continue;
      best = std::move(estimate);
      return move;
    }
    return std::nullopt;
  }

  /// Whether anything changes. Nodes that may not be there stay.
  bool apply(Placement &placement, const Move &move) const {
    bool changes = false;
    for (NodeId node : move.nodes) {
      if (!(problem.nodes[node].allowed & move.device) || placement[node] == move.device)
        continue;
      placement[node] = move.device;
      changes = true;
    }
    return changes;
  }

  /// The larger moves first: they lead out of what single ones cannot leave.
  std::vector<Move> listMoves(const Placement &placement, llvm::ArrayRef<NodeId> critical) const {
    std::vector<Move> moves;
    for (llvm::ArrayRef<NodeId> rest = critical; !rest.empty();) {
      DeviceMask device = placement[rest.front()];
      size_t length = 1;
      while (length < rest.size() && placement[rest[length]] == device)
        ++length;
      if (length > 1)
        addMoves(moves, rest.take_front(length), device);
      rest = rest.drop_front(length);
    }
    for (NodeId node : critical) {
      llvm::SmallVector<NodeId, 4> cluster = collectCluster(node, placement);
      if (cluster.size() > 1)
        addMoves(moves, cluster, placement[node]);
      addMoves(moves, node, placement[node]);
    }
    return moves;
  }

  void addMoves(std::vector<Move> &moves, llvm::ArrayRef<NodeId> nodes, DeviceMask present) const {
    DeviceMask allowed = 0;
    for (NodeId node : nodes)
      allowed |= problem.nodes[node].allowed;
    for (DeviceMask rest = allowed & ~present; rest; rest &= rest - 1)
      moves.push_back({llvm::SmallVector<NodeId, 4>(nodes), static_cast<DeviceMask>(rest & -rest)});
  }

  /// `node` and all that is, or could be, part of one kernel with it: the tree of
  /// fusions around it, as far as it is on the same device.
  llvm::SmallVector<NodeId, 4> collectCluster(NodeId node, const Placement &placement) const {
    llvm::SmallVector<NodeId, 4> cluster = {node};
    for (size_t i = 0; i < cluster.size(); ++i)
      for (uint32_t number : model.getIndex().getFusions(cluster[i])) {
        const PlacementProblem::Fusion &fusion = problem.fusions[number];
        NodeId other = fusion.producer == cluster[i] ? fusion.consumer : fusion.producer;
        if (placement[other] == placement[node] && !llvm::is_contained(cluster, other))
          cluster.push_back(other);
      }
    llvm::sort(cluster);
    return cluster;
  }
};

} // namespace

SearchResult hgc::searchMakespan(const PlacementProblem &problem, llvm::ArrayRef<SearchStart> starts,
                                 const SearchOptions &options) {
  size_t nodes = std::max<size_t>(problem.nodes.size(), 1);
  bool isSearched = nodes <= options.mostNodes;
  Searcher searcher(problem, options.mostSteps / nodes);
  std::vector<MakespanModel::Estimate> estimates;
  for (const SearchStart &start : starts)
    estimates.push_back(searcher.estimate(start.placement));
  llvm::SmallVector<size_t> order = llvm::to_vector(llvm::seq<size_t>(0, starts.size()));
  llvm::sort(order, [&](size_t a, size_t b) {
    return std::pair(estimates[a].makespanPs, a) < std::pair(estimates[b].makespanPs, b);
  });

  SearchResult result;
  if (starts.empty())
    return result;
  const SearchStart &first = starts[order.front()];
  int64_t firstPs = estimates[order.front()].makespanPs;
  result = {first.placement, firstPs, first.name, firstPs, 0, 0};
  std::vector<Placement> tried;
  for (size_t number : order) {
    Placement placement = starts[number].placement;
    // Different starts are often the same placement.
    if (llvm::is_contained(tried, placement))
      continue;
    tried.push_back(placement);
    MakespanModel::Estimate best = estimates[number];
    int64_t startPs = best.makespanPs;
    unsigned moves = 0;
    // The best start may use half of what is left, and so on.
    if (isSearched && searcher.simulations < searcher.mostSimulations)
      moves = searcher.improve(placement, best, (searcher.mostSimulations - searcher.simulations + 1) / 2);
    bool pays = (firstPs - best.makespanPs) * 100 >= firstPs * options.leastGainPercent;
    if (!pays || best.makespanPs >= result.makespanPs)
      continue;
    result = {std::move(placement), best.makespanPs, starts[number].name, startPs, moves, 0};
  }
  result.simulations = searcher.simulations;
  return result;
}

/// The cheapest placement that computes where `placement` does: views and constants
/// follow exactly, and with `repeats` what may be on several devices.
static Placement settleRest(PlacementProblem problem, const Placement &placement, bool repeats) {
  for (auto [node, devices] : llvm::zip_equal(problem.nodes, placement))
    if (node.cpuCost + node.gpuCost > 0 && !(repeats && node.mayRepeat))
      node.allowed = devices;
  return (problem.numGpus > 1 ? placeByExpansion(problem) : placeByCut(problem)).placement;
}

std::vector<SearchStart> hgc::getSearchStarts(const PlacementProblem &problem, const Placement &cut) {
  std::vector<SearchStart> starts = {{"cut", cut}};
  bool isSmall = problem.nodes.size() <= SearchOptions().mostNodes;
  for (const Baseline &baseline : getBaselines()) {
    Placement placement = baseline.place(problem);
    starts.push_back({baseline.name, isSmall ? settleRest(problem, placement, /*repeats=*/false) : placement});
  }
  return starts;
}

void hgc::improveMakespan(const PlacementProblem &problem, CutResult &result, const SearchOptions &options) {
  if (problem.nodes.size() > options.mostNodes)
    return;
  std::vector<SearchStart> starts = getSearchStarts(problem, result.placement);
  SearchResult found = searchMakespan(problem, starts, options);
  if (found.placement == result.placement)
    return;
  MakespanModel model(problem);
  int64_t bestPs = model.estimate(result.placement).makespanPs;
  // Entry by entry, what `settled` says where it is no longer and no dearer.
  auto take = [&](const Placement &settled, bool mayCostMore) {
    uint32_t node = 0;
    for (const PlacementProblem::Entry &entry : problem.entries) {
      Placement trial = result.placement;
      for (; node < entry.endNode; ++node)
        trial[node] = settled[node];
      int64_t cost = computeCost(problem, trial), makespanPs = model.estimate(trial).makespanPs;
      if (makespanPs > bestPs || (cost > result.cost && !(mayCostMore && makespanPs < bestPs)))
        continue;
      bestPs = makespanPs;
      result.cost = cost;
      result.placement = std::move(trial);
    }
  };
  // Views are made where they are read, whatever the search thought of them.
  take(settleRest(problem, found.placement, /*repeats=*/false), /*mayCostMore=*/true);
  for (const SearchStart &start : starts)
    take(start.placement, /*mayCostMore=*/true);
  take(settleRest(problem, result.placement, /*repeats=*/true), /*mayCostMore=*/false);
}
