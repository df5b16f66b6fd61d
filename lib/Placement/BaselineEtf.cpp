//===- BaselineEtf.cpp - earliest task first ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With favourite children it is SCT: whichever reader a value would be dearest to
// move to goes where the producer is.
//===----------------------------------------------------------------------===//

#include "ListPlacement.h"

#include "hgc/Placement/Baselines.h"

#include <queue>

using namespace hgc;

namespace {

class EarliestFirst {
public:
  explicit EarliestFirst(const PlacementProblem &problem) : list(problem), parentOf(problem.nodes.size(), kNone) {}

  /// Gives each node at most one favourite child, and each child one parent.
  void chooseFavourites() {
    const PlacementProblem &problem = list.problem;
    for (NodeId node = 0; node < problem.nodes.size(); ++node) {
      NodeId favourite = kNone;
      int64_t dearest = 0;
      for (uint32_t number : list.index.getMade(node)) {
        const PlacementProblem::Value &value = problem.values[number];
        int64_t price = std::max(value.uploadCost, value.downloadCost);
        for (uint32_t i = 0; i < value.numReaders; ++i) {
          NodeId reader = problem.readers[value.firstReader + i];
          if (reader > node && parentOf[reader] == kNone && price > dearest) {
            dearest = price;
            favourite = reader;
          }
        }
      }
      if (favourite != kNone)
        parentOf[favourite] = node;
    }
  }

  Placement run() {
    std::vector<uint32_t> missing = list.countInputs();
    for (NodeId node = 0; node < missing.size(); ++node)
      if (missing[node] == 0)
        push(node);
    while (!queue.empty()) {
      NodeId node = queue.top().second;
      queue.pop();
      list.place(node, chooseDevice(node));
      release(node, missing);
    }
    return list.placement;
  }

private:
  /// All devices of a node, or the one of its favourite parent.
  llvm::SmallVector<DeviceMask, 2> getDevices(NodeId node) const {
    llvm::SmallVector<DeviceMask, 2> choices = getChoices(list.problem.nodes[node]);
    if (NodeId parent = parentOf[node]; parent != kNone && llvm::is_contained(choices, list.placement[parent]))
      choices.assign({list.placement[parent]});
    return choices;
  }

  DeviceMask chooseDevice(NodeId node) const {
    DeviceMask best = 0;
    int64_t first = INT64_MAX;
    for (DeviceMask device : getDevices(node))
      if (int64_t start = list.getStart(node, device); start < first) {
        first = start;
        best = device;
      }
    return best;
  }

  /// Of nodes that wait for the same device the one with the earliest values
  /// starts first, so the queue needs no update when a device becomes busy.
  void push(NodeId node) {
    int64_t first = INT64_MAX;
    for (DeviceMask device : getDevices(node))
      first = std::min(first, list.getArrival(node, device));
    queue.push({first, node});
  }

  void release(NodeId node, std::vector<uint32_t> &missing) {
    for (uint32_t number : list.index.getMade(node)) {
      const PlacementProblem::Value &value = list.problem.values[number];
      for (uint32_t i = 0; i < value.numReaders; ++i) {
        NodeId reader = list.problem.readers[value.firstReader + i];
        if (reader > node && --missing[reader] == 0)
          push(reader);
      }
    }
  }

  static constexpr NodeId kNone = UINT32_MAX;
  ListPlacement list;
  std::vector<NodeId> parentOf;
  /// By the time the values are there.
  std::priority_queue<std::pair<int64_t, NodeId>, std::vector<std::pair<int64_t, NodeId>>, std::greater<>> queue;
};

} // namespace

Placement hgc::placeByEtf(const PlacementProblem &problem) { return EarliestFirst(problem).run(); }

Placement hgc::placeBySct(const PlacementProblem &problem) {
  EarliestFirst scheduler(problem);
  scheduler.chooseFavourites();
  return scheduler.run();
}
