//===- ListPlacement.cpp - placing nodes one after the other --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ListPlacement.h"

#include "llvm/ADT/bit.h"

using namespace hgc;

DeviceMask hgc::getGpuOf(const PlacementProblem::Node &node) {
  DeviceMask gpus = node.allowed & ~kOnCpu;
  return static_cast<DeviceMask>(gpus & -gpus);
}

llvm::SmallVector<DeviceMask, 2> hgc::getChoices(const PlacementProblem::Node &node) {
  llvm::SmallVector<DeviceMask, 2> choices;
  if (node.allowed & kOnCpu)
    choices.push_back(kOnCpu);
  if (isOnGpu(node.allowed))
    choices.push_back(getGpuOf(node));
  return choices;
}

ListPlacement::ListPlacement(const PlacementProblem &problem)
    : problem(problem), index(problem), placement(problem.nodes.size(), 0), ends(problem.nodes.size(), 0) {}

int64_t ListPlacement::getTime(NodeId node, DeviceMask device) const {
  return device & kOnCpu ? problem.nodes[node].cpuCost : problem.nodes[node].gpuCost;
}

int64_t ListPlacement::getStart(NodeId node, DeviceMask device) const {
  return std::max(freeAt[llvm::countr_zero(device)], getArrival(node, device));
}

int64_t ListPlacement::getArrival(NodeId node, DeviceMask device) const {
  int64_t arrival = 0;
  for (uint32_t number : index.getRead(node)) {
    const PlacementProblem::Value &value = problem.values[number];
    bool isHosts = value.producer == PlacementProblem::kHost;
    if (!isHosts && !isForward(number, node))
      continue;
    int64_t made = isHosts ? 0 : ends[value.producer];
    arrival = std::max(arrival, made + priceCopies(value, isHosts ? kOnCpu : placement[value.producer], device));
  }
  return arrival;
}

void ListPlacement::place(NodeId node, DeviceMask device) {
  ends[node] = getStart(node, device) + getTime(node, device);
  freeAt[llvm::countr_zero(device)] = ends[node];
  placement[node] = device;
}

std::vector<int64_t> ListPlacement::computeRanks() const {
  std::vector<int64_t> ranks(problem.nodes.size(), 0);
  for (NodeId node = static_cast<NodeId>(ranks.size()); node-- > 0;) {
    int64_t longest = 0;
    for (uint32_t number : index.getMade(node)) {
      const PlacementProblem::Value &value = problem.values[number];
      int64_t copy = (value.uploadCost + value.downloadCost) / 4;
      for (uint32_t i = 0; i < value.numReaders; ++i)
        if (NodeId reader = problem.readers[value.firstReader + i]; reader > node)
          longest = std::max(longest, copy + ranks[reader]);
    }
    ranks[node] = longest + (problem.nodes[node].cpuCost + problem.nodes[node].gpuCost) / 2;
  }
  return ranks;
}

std::vector<uint32_t> ListPlacement::countInputs() const {
  std::vector<uint32_t> counts(problem.nodes.size(), 0);
  for (NodeId node = 0; node < counts.size(); ++node)
    for (uint32_t number : index.getRead(node))
      counts[node] += isForward(number, node);
  return counts;
}
