//===- AlphaExpansion.cpp - placement on several GPUs ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One move offers a device to all nodes at once: each keeps its own device (first
// side of a cut) or takes that one (second side). A copy whose price depends on
// which of two other devices its source is on cannot be written as a cut; it is
// then counted as if its readers stayed. That is exact for the placement at hand
// and never too little for another, so an accepted move always pays.
//===----------------------------------------------------------------------===//

#include "hgc/Placement/CutGraph.h"
#include "hgc/Placement/CutSolver.h"

#include "llvm/ADT/bit.h"

using namespace hgc;

namespace {

class Expansion {
public:
  Expansion(const PlacementProblem &problem, const Placement &placement, DeviceMask device)
      : problem(problem), placement(placement), device(device) {}

  Placement solve() {
    for (NodeId node = 0; node < problem.nodes.size(); ++node)
      addNode(node);
    host = graph.addVertex();
    // What the host has or wants is on the CPU for good.
    graph.addCosts(host, device == kOnCpu ? CutGraph::kForbidden : 0, device == kOnCpu ? 0 : CutGraph::kForbidden);
    for (const PlacementProblem::Value &value : problem.values)
      addValue(value);
    for (const PlacementProblem::Fusion &fusion : problem.fusions)
      addFusion(fusion);
    CutGraph::Solution solution = graph.solve();
    Placement result = placement;
    for (NodeId node = 0; node < result.size(); ++node)
      if (solution.isSecond[node])
        result[node] = device;
    return result;
  }

private:
  int64_t getTime(NodeId node, DeviceMask on) const {
    return on & kOnCpu ? problem.nodes[node].cpuCost : problem.nodes[node].gpuCost;
  }

  void addNode(NodeId node) {
    CutGraph::Vertex vertex = graph.addVertex();
    DeviceMask own = placement[node];
    bool keeps = own != device, takes = problem.nodes[node].allowed & device;
    graph.addCosts(vertex, keeps ? getTime(node, own) : CutGraph::kForbidden,
                   takes ? getTime(node, device) : CutGraph::kForbidden);
  }

  void addValue(const PlacementProblem::Value &value) {
    bool isHosts = value.producer == PlacementProblem::kHost;
    CutGraph::Vertex producer = isHosts ? host : value.producer;
    DeviceMask from = isHosts ? kOnCpu : placement[value.producer];
    std::vector<std::pair<DeviceMask, CutGraph::Vertex>> readers;
    for (uint32_t i = 0; i < value.numReaders; ++i) {
      NodeId reader = problem.readers[value.firstReader + i];
      readers.push_back({placement[reader], reader});
    }
    if (value.hostReads)
      readers.push_back({kOnCpu, host});
    if (from != device)
      addCopyHere(producer, priceCopies(value, from, device), readers);
    for (unsigned i = 0; i <= problem.numGpus; ++i) {
      DeviceMask to = static_cast<DeviceMask>(1u << i);
      if (to != device)
        addCopyThere(producer, priceCopies(value, from, to), priceCopies(value, device, to), from == to, to, readers);
    }
  }

  /// Due when the producer keeps its device and any reader takes this one.
  void addCopyHere(CutGraph::Vertex producer, int64_t price,
                   const std::vector<std::pair<DeviceMask, CutGraph::Vertex>> &readers) {
    CutGraph::Vertex copy = graph.addVertex();
    graph.addArc(producer, copy, price);
    for (auto [own, reader] : readers)
      graph.addArc(copy, reader, CutGraph::kForbidden);
  }

  /// Due when any reader keeps the device `to`: `kept` if the producer keeps its
  /// own, `taken` if it takes this one.
  void addCopyThere(CutGraph::Vertex producer, int64_t kept, int64_t taken, bool isOwn, DeviceMask to,
                    const std::vector<std::pair<DeviceMask, CutGraph::Vertex>> &readers) {
    CutGraph::Vertex copy = graph.addVertex();
    bool anyReader = false;
    for (auto [own, reader] : readers)
      if (own == to) {
        graph.addArc(reader, copy, CutGraph::kForbidden);
        anyReader = true;
      }
    if (!anyReader)
      return;
    int64_t least = isOwn ? 0 : std::min(kept, taken);
    graph.addCosts(copy, least, 0);
    graph.addArc(copy, producer, taken - least);
    if (!isOwn && kept > least)
      graph.addCosts(producer, kept - least, 0);
  }

  void addFusion(const PlacementProblem::Fusion &fusion) {
    auto getSaving = [&](DeviceMask on) { return on & kOnCpu ? fusion.cpuSaving : fusion.gpuSaving; };
    int64_t taken = getSaving(device);
    graph.addCosts(fusion.producer, 0, -taken);
    graph.addArc(fusion.consumer, fusion.producer, taken);
    if (placement[fusion.producer] != placement[fusion.consumer])
      return;
    int64_t kept = getSaving(placement[fusion.producer]);
    graph.addCosts(fusion.producer, -kept, 0);
    graph.addArc(fusion.producer, fusion.consumer, kept);
  }

  const PlacementProblem &problem;
  const Placement &placement;
  DeviceMask device;
  CutGraph graph;
  CutGraph::Vertex host = 0;
};

/// Offers all devices in turn until none is taken.
CutResult expand(const PlacementProblem &problem, CutResult best) {
  for (bool improved = true; improved;) {
    improved = false;
    for (unsigned i = 0; i <= problem.numGpus; ++i) {
      Placement next = Expansion(problem, best.placement, static_cast<DeviceMask>(1u << i)).solve();
      int64_t cost = computeCost(problem, next);
      if (cost >= best.cost)
        continue;
      best.placement = std::move(next);
      best.cost = cost;
      improved = true;
    }
  }
  return best;
}

} // namespace

CutResult hgc::placeByExpansion(const PlacementProblem &problem) {
  PlacementProblem single = problem;
  for (PlacementProblem::Node &node : single.nodes)
    node.mayRepeat = false;
  CutResult best = placeByCut(problem);
  // Several GPUs cannot be faster one after the other than one that is all of
  // them: pins count, which of the GPUs they name does not.
  int64_t bound = best.bound;
  for (unsigned gpu = 0; gpu < problem.numGpus; ++gpu) {
    if (CutResult start = placeByCut(problem, gpu); start.cost < best.cost)
      best = std::move(start);
    if (CutResult result = expand(single, placeByCut(single, gpu)); result.cost < best.cost)
      best = std::move(result);
  }
  best.bound = bound;
  return best;
}
