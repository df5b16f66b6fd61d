//===- Timeline.h - when each action of a schedule runs ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plain data in, plain data out: no IR. One thread issues tasks in a given
// order. Tasks of one resource follow each other in that order; a task starts
// when its resource is free, what it depends on is over, and the issuing thread
// has come to it. The issuing thread runs the tasks of the host itself and does
// not issue anything meanwhile. To wait for a task of another resource it waits
// for all it has issued there. Handing over a task takes it no time, because a
// task's duration includes its launch.
//===----------------------------------------------------------------------===//

#ifndef HGC_ANALYSIS_TIMELINE_H
#define HGC_ANALYSIS_TIMELINE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace hgc {

/// Who runs tasks. The host is resource 0; GPU g has three more.
using Resource = unsigned;
inline constexpr Resource kHostResource = 0;
inline constexpr unsigned kResourcesPerGpu = 3;

/// Resource of stream `stream`, which is numbered over all GPUs: three each,
/// for kernels, copies to it and copies from it.
inline Resource getStreamResource(int64_t stream) { return static_cast<Resource>(stream) + 1; }

/// `cpu`, `gpu:0`, `gpu:0 upload`, `gpu:0 download`.
std::string describeResource(Resource resource);

/// One piece of work.
struct TimelineTask {
  /// For people.
  std::string name;
  Resource resource = kHostResource;
  int64_t durationPs = 0;
  /// Numbers of tasks that must be over first. They are issued before this one.
  llvm::SmallVector<unsigned, 4> dependences;
};

/// When a task runs.
struct TaskTime {
  int64_t startPs = 0, endPs = 0;
};

/// What a schedule comes to.
struct Timeline {
  /// By task number.
  std::vector<TaskTime> times;
  /// Time each resource works.
  std::vector<int64_t> busyPs;
  /// Tasks that leave no gap from the start to the end, first one first: to
  /// shorten the schedule one of them must become shorter or move.
  std::vector<unsigned> criticalTasks;
  int64_t makespanPs = 0;
  /// Sum of all durations: what it takes without any overlap.
  int64_t serialPs = 0;

  /// Share of the makespan that `resource` works, 0 to 1.
  double getUtilisation(Resource resource) const;
};

/// Runs `tasks` in the order `order` (all of them, dependences first).
Timeline simulateTimeline(llvm::ArrayRef<TimelineTask> tasks, llvm::ArrayRef<unsigned> order);
/// The same in the order in which they are listed.
Timeline simulateTimeline(llvm::ArrayRef<TimelineTask> tasks);

/// Longest chain of dependences, and the longest time one resource works: no
/// order of these tasks is shorter than either.
struct TimelineBounds {
  int64_t criticalPathPs = 0, busiestPs = 0;
  int64_t getLowest() const { return std::max(criticalPathPs, busiestPs); }
};
TimelineBounds computeBounds(llvm::ArrayRef<TimelineTask> tasks);

/// Time from the start of each task to the end of the longest chain of
/// dependences behind it.
std::vector<int64_t> computeBottomLevels(llvm::ArrayRef<TimelineTask> tasks);

/// How ties are broken between tasks that could start at the same time.
enum class TaskPriority {
  /// As listed: buffers live about as long as they did.
  ProgramOrder,
  /// The one with the longest chain behind it.
  BottomLevel,
};

/// An order to issue `tasks` in, by list scheduling: what other resources can do
/// is handed over before the host starts work of its own, and each resource
/// takes what can start first. Tasks are listed with dependences first.
std::vector<unsigned> listSchedule(llvm::ArrayRef<TimelineTask> tasks, TaskPriority priority);

/// The best of the given order and those of `listSchedule`; the given one unless
/// another is shorter, and program order among equals.
std::vector<unsigned> chooseOrder(llvm::ArrayRef<TimelineTask> tasks);

} // namespace hgc

#endif // HGC_ANALYSIS_TIMELINE_H
