//===- RandomProblem.h - placement problems by seed -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_UNITTESTS_PLACEMENT_RANDOMPROBLEM_H
#define HGC_UNITTESTS_PLACEMENT_RANDOMPROBLEM_H

#include "hgc/Placement/PlacementProblem.h"

#include <random>

namespace hgc {

/// What a random problem is made of.
struct RandomShape {
  uint32_t nodes = 8;
  /// A reader is at most so many nodes behind the producer.
  uint32_t reach = UINT32_MAX;
  unsigned gpus = 1;
  bool mayRepeat = true, hasPins = true;
};

/// Values with shared readers, results, inputs, pins, fusions, loops and nodes
/// that may be on both sides.
inline PlacementProblem makeRandomProblem(std::mt19937 &engine, const RandomShape &shape) {
  auto draw = [&](int64_t low, int64_t high) {
    return low + static_cast<int64_t>(engine() % static_cast<uint64_t>(high - low + 1));
  };
  PlacementProblem problem;
  problem.numGpus = shape.gpus;
  uint32_t count = shape.nodes;
  for (uint32_t i = 0; i < count; ++i) {
    PlacementProblem::Node node{draw(0, 100), draw(0, 60)};
    node.allowed = static_cast<DeviceMask>((2u << shape.gpus) - 1);
    if (shape.hasPins && draw(0, 9) == 0)
      node.allowed = static_cast<DeviceMask>(1u << draw(0, shape.gpus));
    node.mayRepeat = shape.mayRepeat && draw(0, 3) == 0;
    if (node.mayRepeat && draw(0, 1))
      node.cpuCost = node.gpuCost = 0;
    problem.addNode(node);
  }
  for (int64_t i = -3; i < static_cast<int64_t>(count); ++i) {
    PlacementProblem::Value value;
    value.producer = i < 0 ? PlacementProblem::kHost : static_cast<NodeId>(i);
    value.uploadCost = draw(0, 80);
    value.downloadCost = draw(0, 80);
    value.peerCost = value.uploadCost + value.downloadCost;
    value.hostReads = i + 1 == static_cast<int64_t>(count) || (i >= 0 && draw(0, 4) == 0);
    std::vector<NodeId> readers;
    int64_t low = std::max<int64_t>(0, i + 1);
    int64_t high = std::min<int64_t>(count - 1, low + std::min<int64_t>(shape.reach, count));
    for (int64_t k = draw(0, 4); k > 0 && low <= high; --k)
      readers.push_back(static_cast<NodeId>(draw(low, high)));
    // A loop carries a value back to an earlier node.
    if (i > 0 && draw(0, 15) == 0)
      readers.push_back(static_cast<NodeId>(i - 1));
    problem.addValue(value, readers);
    const PlacementProblem::Value &made = problem.values.back();
    if (i >= 0 && made.numReaders == 1 && !made.hostReads && problem.readers.back() > i && draw(0, 1)) {
      NodeId consumer = problem.readers.back();
      problem.nodes[consumer].mayRepeat = false;
      problem.fusions.push_back({static_cast<NodeId>(i), consumer, draw(0, 30), draw(0, 30)});
    }
  }
  problem.entries.push_back(
      {count, static_cast<uint32_t>(problem.values.size()), static_cast<uint32_t>(problem.fusions.size())});
  return problem;
}

} // namespace hgc

#endif // HGC_UNITTESTS_PLACEMENT_RANDOMPROBLEM_H
