//===- Baselines.cpp - placements to compare with -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Placement/Baselines.h"

#include "ListPlacement.h"

using namespace hgc;

llvm::ArrayRef<Baseline> hgc::getBaselines() {
  static constexpr Baseline kBaselines[] = {
      {"all_cpu", placeAllOnCpu}, {"all_gpu", placeAllOnGpu}, {"greedy", placeGreedily},
      {"heft", placeByHeft},      {"m_etf", placeByEtf},      {"m_sct", placeBySct},
  };
  return kBaselines;
}

Placement hgc::placeAllOnCpu(const PlacementProblem &problem) {
  Placement placement;
  for (const PlacementProblem::Node &node : problem.nodes)
    placement.push_back(node.allowed & kOnCpu ? kOnCpu : getGpuOf(node));
  return placement;
}

Placement hgc::placeAllOnGpu(const PlacementProblem &problem) {
  Placement placement;
  for (const PlacementProblem::Node &node : problem.nodes)
    placement.push_back(isOnGpu(node.allowed) ? getGpuOf(node) : kOnCpu);
  return placement;
}

Placement hgc::placeGreedily(const PlacementProblem &problem) {
  PlacementIndex index(problem);
  Placement placement(problem.nodes.size(), 0);
  // Where each value is already.
  std::vector<DeviceMask> present(problem.values.size());
  for (size_t i = 0; i < problem.values.size(); ++i)
    present[i] = problem.values[i].producer == PlacementProblem::kHost ? kOnCpu : 0;

  auto getPrice = [&](NodeId node, DeviceMask device) {
    int64_t price = device & kOnCpu ? problem.nodes[node].cpuCost : problem.nodes[node].gpuCost;
    for (uint32_t value : index.getRead(node))
      if (present[value])
        price += priceCopies(problem.values[value], present[value], device);
    for (uint32_t number : index.getFusions(node)) {
      const PlacementProblem::Fusion &fusion = problem.fusions[number];
      if (fusion.consumer == node && placement[fusion.producer] == device)
        price -= device & kOnCpu ? fusion.cpuSaving : fusion.gpuSaving;
    }
    for (uint32_t value : index.getMade(node))
      price += problem.values[value].hostReads ? priceCopies(problem.values[value], device, kOnCpu) : 0;
    return price;
  };
  for (NodeId node = 0; node < problem.nodes.size(); ++node) {
    int64_t best = INT64_MAX;
    for (DeviceMask device : getChoices(problem.nodes[node]))
      if (int64_t price = getPrice(node, device); price < best) {
        best = price;
        placement[node] = device;
      }
    for (uint32_t value : index.getRead(node))
      if (present[value])
        present[value] |= placement[node];
    for (uint32_t value : index.getMade(node))
      present[value] = placement[node] | (problem.values[value].hostReads ? kOnCpu : 0);
  }
  return placement;
}
