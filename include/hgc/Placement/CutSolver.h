//===- CutSolver.h - cheapest placement by minimum cuts ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_PLACEMENT_CUTSOLVER_H
#define HGC_PLACEMENT_CUTSOLVER_H

#include "hgc/Placement/PlacementProblem.h"

namespace hgc {

/// A placement with what is known about its cost.
struct CutResult {
  Placement placement;
  int64_t cost = 0;
  /// No placement costs less. Equal to `cost` with one GPU.
  int64_t bound = 0;
};

/// The cheapest placement on the CPU and one GPU, exactly: one minimum cut. Of
/// several the one with most nodes on the CPU.
CutResult placeByCut(const PlacementProblem &problem, unsigned gpu = 0);

/// For more GPUs: starts with the best cut for one of them and lets each device
/// in turn take nodes from the others by further cuts, as long as that pays.
/// Never dearer than that start. The bound is that of one GPU for everything,
/// which more of the same kind cannot beat one after the other.
CutResult placeByExpansion(const PlacementProblem &problem);

} // namespace hgc

#endif // HGC_PLACEMENT_CUTSOLVER_H
