//===- PlacementProblem.cpp - placement as plain numbers ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Placement/PlacementProblem.h"

#include "llvm/ADT/bit.h"
#include <algorithm>

using namespace hgc;

NodeId PlacementProblem::addNode(const Node &node) {
  nodes.push_back(node);
  return static_cast<NodeId>(nodes.size() - 1);
}

void PlacementProblem::addValue(Value value, const std::vector<NodeId> &readersOfIt) {
  value.firstReader = static_cast<uint32_t>(readers.size());
  for (NodeId reader : readersOfIt)
    // What a node hands to itself, as a loop does, never moves.
    if (reader != value.producer)
      readers.push_back(reader);
  // Two uses by one reader are one reason for a copy.
  std::sort(readers.begin() + value.firstReader, readers.end());
  readers.erase(std::unique(readers.begin() + value.firstReader, readers.end()), readers.end());
  value.numReaders = static_cast<uint32_t>(readers.size()) - value.firstReader;
  values.push_back(value);
}

int64_t hgc::priceCopies(const PlacementProblem::Value &value, DeviceMask from, DeviceMask to) {
  DeviceMask missing = to & ~from;
  int64_t cost = missing & kOnCpu ? value.downloadCost : 0;
  int64_t toGpu = !(from & kOnCpu) ? value.peerCost
                  : !isOnGpu(from) ? value.uploadCost
                                   : std::min(value.uploadCost, value.peerCost);
  return cost + toGpu * llvm::popcount(static_cast<unsigned>(missing & ~kOnCpu));
}

static int64_t costOfNode(const PlacementProblem::Node &node, DeviceMask devices) {
  return (devices & kOnCpu ? node.cpuCost : 0) +
         node.gpuCost * llvm::popcount(static_cast<unsigned>(devices & ~kOnCpu));
}

static int64_t costOfValue(const PlacementProblem &problem, const PlacementProblem::Value &value,
                           const Placement &placement) {
  DeviceMask from = value.producer == PlacementProblem::kHost ? kOnCpu : placement[value.producer];
  DeviceMask to = value.hostReads ? kOnCpu : 0;
  for (uint32_t i = 0; i < value.numReaders; ++i)
    to |= placement[problem.readers[value.firstReader + i]];
  return priceCopies(value, from, to);
}

static int64_t savingOf(const PlacementProblem::Fusion &fusion, const Placement &placement) {
  DeviceMask shared = placement[fusion.producer] & placement[fusion.consumer];
  return !shared ? 0 : shared & kOnCpu ? fusion.cpuSaving : fusion.gpuSaving;
}

std::vector<int64_t> hgc::computeEntryCosts(const PlacementProblem &problem, const Placement &placement) {
  std::vector<int64_t> costs;
  PlacementProblem::Entry at;
  for (const PlacementProblem::Entry &entry : problem.entries) {
    int64_t cost = 0;
    for (; at.endNode < entry.endNode; ++at.endNode)
      cost += costOfNode(problem.nodes[at.endNode], placement[at.endNode]);
    for (; at.endValue < entry.endValue; ++at.endValue)
      cost += costOfValue(problem, problem.values[at.endValue], placement);
    for (; at.endFusion < entry.endFusion; ++at.endFusion)
      cost -= savingOf(problem.fusions[at.endFusion], placement);
    costs.push_back(cost);
  }
  return costs;
}

int64_t hgc::computeCost(const PlacementProblem &problem, const Placement &placement) {
  int64_t cost = 0;
  for (size_t i = 0; i < problem.nodes.size(); ++i)
    cost += costOfNode(problem.nodes[i], placement[i]);
  for (const PlacementProblem::Value &value : problem.values)
    cost += costOfValue(problem, value, placement);
  for (const PlacementProblem::Fusion &fusion : problem.fusions)
    cost -= savingOf(fusion, placement);
  return cost;
}

bool hgc::isValid(const PlacementProblem &problem, const Placement &placement) {
  for (size_t i = 0; i < problem.nodes.size(); ++i) {
    DeviceMask devices = placement[i];
    bool single = llvm::popcount(static_cast<unsigned>(devices)) == 1;
    if (!devices || (devices & ~problem.nodes[i].allowed) || (!single && !problem.nodes[i].mayRepeat))
      return false;
  }
  return true;
}
