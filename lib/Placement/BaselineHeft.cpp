//===- BaselineHeft.cpp - heterogeneous earliest finish time --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ListPlacement.h"

#include "hgc/Placement/Baselines.h"

#include <algorithm>
#include <numeric>

using namespace hgc;

Placement hgc::placeByHeft(const PlacementProblem &problem) {
  ListPlacement list(problem);
  std::vector<int64_t> ranks = list.computeRanks();
  std::vector<NodeId> order(problem.nodes.size());
  std::iota(order.begin(), order.end(), 0);
  // Equal ranks stay in program order, so producers are placed before readers.
  std::sort(order.begin(), order.end(),
            [&](NodeId a, NodeId b) { return std::pair(-ranks[a], a) < std::pair(-ranks[b], b); });
  for (NodeId node : order) {
    DeviceMask best = 0;
    int64_t bestEnd = INT64_MAX;
    for (DeviceMask device : getChoices(problem.nodes[node]))
      if (int64_t end = list.getStart(node, device) + list.getTime(node, device); end < bestEnd) {
        bestEnd = end;
        best = device;
      }
    list.place(node, best);
  }
  return list.placement;
}
