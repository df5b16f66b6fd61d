//===- Search.h - placements by what overlaps -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cut counts one thing after the other. A program overlaps copies, GPU
// kernels and CPU kernels; what that comes to is simulated, and a local search
// moves nodes as long as it gets shorter.
//===----------------------------------------------------------------------===//

#ifndef HGC_PLACEMENT_SEARCH_H
#define HGC_PLACEMENT_SEARCH_H

#include "hgc/Analysis/Timeline.h"
#include "hgc/Placement/CutSolver.h"
#include "hgc/Placement/PlacementIndex.h"

#include "llvm/ADT/StringRef.h"

namespace hgc {

/// The programs that placements of one problem lead to.
class MakespanModel {
public:
  explicit MakespanModel(const PlacementProblem &problem);

  /// What one call of each entry takes, added up.
  struct Estimate {
    int64_t makespanPs = 0;
    /// Nodes without which no schedule gets shorter: those of critical kernels,
    /// and the ends of critical copies. In the order in which they run.
    std::vector<NodeId> critical;
  };
  Estimate estimate(const Placement &placement) const;

  /// The tasks of entry `entry`: a kernel for all nodes that fuse, a copy for each
  /// value and device that misses it. What costs nothing is no task.
  std::vector<TimelineTask> buildTasks(const Placement &placement, uint32_t entry) const;

  const PlacementIndex &getIndex() const { return index; }

private:
  friend class TaskBuilder;
  const PlacementProblem &problem;
  PlacementIndex index;
  std::vector<uint32_t> entryOf;
};

/// Modelled time of one call of each entry, overlap included. At most the serial
/// cost.
std::vector<int64_t> computeEntryMakespans(const PlacementProblem &problem, const Placement &placement);

/// A placement to start from, and how reports call it.
struct SearchStart {
  llvm::StringRef name;
  Placement placement;
};

/// How far a search goes. Both limits keep it linear in the size of the problem.
struct SearchOptions {
  /// A plan that the search finds must be shorter than the best start by this
  /// part of it: a model's last percents are not worth a dearer plan.
  int64_t leastGainPercent = 5;
  /// Larger problems are not searched.
  size_t mostNodes = 3000;
  /// Nodes simulated in total: this many, or that of a single pass over the starts.
  size_t mostSteps = 400'000;
};

struct SearchResult {
  Placement placement;
  int64_t makespanPs = 0;
  /// The start it came from, and the makespan there.
  llvm::StringRef start;
  int64_t startPs = 0;
  /// Moves that were made and schedules that were simulated.
  unsigned moves = 0, simulations = 0;
};

/// Improves each of `starts` by moving critical nodes, alone, with what they are
/// fused to or with their neighbours in the critical path, to another device that
/// they may be on. Only moves that shorten the makespan are made. The result is the
/// best start (of equals the first), or something shorter by `leastGainPercent`.
SearchResult searchMakespan(const PlacementProblem &problem, llvm::ArrayRef<SearchStart> starts,
                            const SearchOptions &options = {});

/// The cut and all baselines, whose views are where they are read.
std::vector<SearchStart> getSearchStarts(const PlacementProblem &problem, const Placement &cut);

/// Replaces the cut's placement, and its cost, by what the search finds from
/// there and from all baselines. Problems that are too large stay as they are.
void improveMakespan(const PlacementProblem &problem, CutResult &result, const SearchOptions &options = {});

} // namespace hgc

#endif // HGC_PLACEMENT_SEARCH_H
