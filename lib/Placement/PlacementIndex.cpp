//===- PlacementIndex.cpp - what hangs on each node -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Placement/PlacementIndex.h"

#include "llvm/ADT/bit.h"

using namespace hgc;

PlacementIndex::PlacementIndex(const PlacementProblem &problem)
    : made(problem.nodes.size(),
           [&](auto visit) {
             for (uint32_t i = 0; i < problem.values.size(); ++i)
               if (problem.values[i].producer != PlacementProblem::kHost)
                 visit(problem.values[i].producer, i);
           }),
      read(problem.nodes.size(),
           [&](auto visit) {
             for (uint32_t i = 0; i < problem.values.size(); ++i)
               for (uint32_t k = 0; k < problem.values[i].numReaders; ++k)
                 visit(problem.readers[problem.values[i].firstReader + k], i);
           }),
      fusions(problem.nodes.size(), [&](auto visit) {
        for (uint32_t i = 0; i < problem.fusions.size(); ++i) {
          visit(problem.fusions[i].producer, i);
          visit(problem.fusions[i].consumer, i);
        }
      }) {}

MovePrices::MovePrices(const PlacementProblem &problem, const Placement &placement)
    : problem(problem), placement(placement), index(problem), numDevices(problem.numGpus + 1),
      counts(problem.values.size() * numDevices, 0) {
  for (NodeId node = 0; node < placement.size(); ++node)
    count(node, 1);
}

void MovePrices::count(NodeId node, int difference) {
  for (uint32_t value : index.getRead(node))
    for (unsigned device = 0; device < numDevices; ++device)
      if (placement[node] >> device & 1)
        counts[size_t(value) * numDevices + device] += difference;
}

DeviceMask MovePrices::getReaders(uint32_t value, DeviceMask without) const {
  DeviceMask readers = problem.values[value].hostReads ? kOnCpu : 0;
  for (unsigned device = 0; device < numDevices; ++device)
    if (counts[size_t(value) * numDevices + device] > (without >> device & 1u))
      readers |= static_cast<DeviceMask>(1u << device);
  return readers;
}

MovePrices::Difference MovePrices::getDifference(NodeId node, DeviceMask devices) const {
  Difference difference;
  DeviceMask old = placement[node];
  auto getTime = [&](DeviceMask on) {
    const PlacementProblem::Node &costs = problem.nodes[node];
    return (on & kOnCpu ? costs.cpuCost : 0) + costs.gpuCost * llvm::popcount(static_cast<unsigned>(on & ~kOnCpu));
  };
  difference.computing = getTime(devices) - getTime(old);
  for (uint32_t number : index.getMade(node)) {
    const PlacementProblem::Value &value = problem.values[number];
    DeviceMask readers = getReaders(number, 0);
    difference.copying += priceCopies(value, devices, readers) - priceCopies(value, old, readers);
  }
  for (uint32_t number : index.getRead(node)) {
    const PlacementProblem::Value &value = problem.values[number];
    DeviceMask from = value.producer == PlacementProblem::kHost ? kOnCpu : placement[value.producer];
    DeviceMask others = getReaders(number, old);
    difference.copying += priceCopies(value, from, others | devices) - priceCopies(value, from, others | old);
  }
  for (uint32_t number : index.getFusions(node)) {
    const PlacementProblem::Fusion &fusion = problem.fusions[number];
    DeviceMask other = placement[fusion.producer == node ? fusion.consumer : fusion.producer];
    auto getSaving = [&](DeviceMask shared) {
      return !shared ? 0 : shared & kOnCpu ? fusion.cpuSaving : fusion.gpuSaving;
    };
    difference.fusing += getSaving(other & old) - getSaving(other & devices);
  }
  return difference;
}

void MovePrices::move(NodeId node, DeviceMask devices) {
  count(node, -1);
  placement[node] = devices;
  count(node, 1);
}
