//===- Decisions.h - why each op is where it is -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_PLACEMENT_DECISIONS_H
#define HGC_LIB_PLACEMENT_DECISIONS_H

#include "hgc/Placement/PlacementIndex.h"

#include "llvm/ADT/StringRef.h"

namespace hgc {

/// What the other choice for one node would cost, and the reason for this one.
struct Decision {
  int64_t switchPs = 0;
  llvm::StringRef reason;
};

/// `isPinned`: the user has chosen.
Decision explain(const MovePrices &prices, const PlacementProblem &problem, NodeId node, bool isPinned);

} // namespace hgc

#endif // HGC_LIB_PLACEMENT_DECISIONS_H
