//===- Baselines.h - placements to compare with -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Known heuristics over the same problem. All honour pins and use the CPU and
// GPU 0 only, unless a pin names another.
//===----------------------------------------------------------------------===//

#ifndef HGC_PLACEMENT_BASELINES_H
#define HGC_PLACEMENT_BASELINES_H

#include "hgc/Placement/PlacementProblem.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace hgc {

/// Everything on the CPU, or on the GPU, that may be there.
Placement placeAllOnCpu(const PlacementProblem &problem);
Placement placeAllOnGpu(const PlacementProblem &problem);

/// In program order, each node where it adds least to the cost so far.
Placement placeGreedily(const PlacementProblem &problem);

/// Heterogeneous earliest finish time (Topcuoglu et al.): nodes by the length of
/// the chain behind them, each where it ends first. Gaps stay empty.
Placement placeByHeft(const PlacementProblem &problem);

/// Earliest task first (m-ETF of Baechi, without a memory limit): of all nodes
/// that are ready, the one that can start first, where it can.
Placement placeByEtf(const PlacementProblem &problem);

/// Small communication times (m-SCT of Baechi, without a memory limit): as ETF,
/// but the reader to which moving a value is dearest stays with its producer.
Placement placeBySct(const PlacementProblem &problem);

/// A baseline and its key in `alternatives`.
struct Baseline {
  llvm::StringLiteral name;
  Placement (*place)(const PlacementProblem &);
};
llvm::ArrayRef<Baseline> getBaselines();

} // namespace hgc

#endif // HGC_PLACEMENT_BASELINES_H
