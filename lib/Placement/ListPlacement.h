//===- ListPlacement.h - placing nodes one after the other ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What list schedulers share: each device runs one node at a time, a copy takes
// its price and keeps nobody busy. Values that loops carry back do not count.
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_PLACEMENT_LISTPLACEMENT_H
#define HGC_LIB_PLACEMENT_LISTPLACEMENT_H

#include "hgc/Placement/PlacementIndex.h"

#include "llvm/ADT/SmallVector.h"
#include <array>

namespace hgc {

/// The GPU a baseline uses for `node`: GPU 0, unless a pin names another.
DeviceMask getGpuOf(const PlacementProblem::Node &node);

/// The devices a baseline may choose from, the CPU first.
llvm::SmallVector<DeviceMask, 2> getChoices(const PlacementProblem::Node &node);

/// Nodes with the times they run at.
class ListPlacement {
public:
  explicit ListPlacement(const PlacementProblem &problem);

  /// When all that `node` reads is on `device`. Needs its producers to be placed.
  int64_t getArrival(NodeId node, DeviceMask device) const;
  /// When `node` could start on `device`: its values are there, the device free.
  int64_t getStart(NodeId node, DeviceMask device) const;
  int64_t getTime(NodeId node, DeviceMask device) const;
  void place(NodeId node, DeviceMask device);

  /// The longest chain of nodes and copies from each node on, in mean times.
  std::vector<int64_t> computeRanks() const;
  /// How many values of earlier nodes each node reads.
  std::vector<uint32_t> countInputs() const;

  /// Whether `node` reads the value in time: not by way of a loop.
  bool isForward(uint32_t value, NodeId node) const {
    NodeId producer = problem.values[value].producer;
    return producer != PlacementProblem::kHost && producer < node;
  }

  const PlacementProblem &problem;
  PlacementIndex index;
  Placement placement;

private:
  std::vector<int64_t> ends;
  std::array<int64_t, kMaxGpus + 1> freeAt{};
};

} // namespace hgc

#endif // HGC_LIB_PLACEMENT_LISTPLACEMENT_H
