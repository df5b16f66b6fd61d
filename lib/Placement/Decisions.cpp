//===- Decisions.cpp - why each op is where it is -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Decisions.h"

using namespace hgc;

/// The cheapest move to the other kind of device; of a node on both, away from
/// one of them.
static MovePrices::Difference findSwitch(const MovePrices &prices, const PlacementProblem &problem, NodeId node) {
  DeviceMask devices = prices.getPlacement()[node];
  bool isOnBoth = (devices & kOnCpu) && isOnGpu(devices);
  MovePrices::Difference best;
  bool found = false;
  auto consider = [&](DeviceMask other) {
    MovePrices::Difference difference = prices.getDifference(node, other);
    if (!found || difference.getTotal() < best.getTotal())
      best = difference;
    found = true;
  };
  if (isOnBoth || !(devices & kOnCpu))
    consider(kOnCpu);
  if (isOnBoth || !isOnGpu(devices))
    for (unsigned gpu = 0; gpu < problem.numGpus; ++gpu)
      consider(onGpu(gpu));
  return best;
}

Decision hgc::explain(const MovePrices &prices, const PlacementProblem &problem, NodeId node, bool isPinned) {
  MovePrices::Difference difference = findSwitch(prices, problem, node);
  DeviceMask devices = prices.getPlacement()[node], allowed = problem.nodes[node].allowed;
  Decision decision{difference.getTotal(), {}};
  if (isPinned)
    decision.reason = "pinned";
  else if (!(allowed & kOnCpu) || !isOnGpu(allowed))
    decision.reason = "no other device has a kernel for it";
  else if ((devices & kOnCpu) && isOnGpu(devices))
    decision.reason = "computed on both sides, which costs less than a copy";
  else if (difference.getTotal() < 0)
    decision.reason = "runs beside the work of the other side, which saves more than it costs";
  else if (difference.getTotal() == 0)
    decision.reason = "either side costs the same";
  else if (difference.computing > 0)
    decision.reason = "computes faster here";
  else if (difference.fusing > difference.copying)
    decision.reason = "shares a kernel with its neighbours here";
  else
    decision.reason = "its values are here, and copies would cost more than the other side saves";
  return decision;
}
