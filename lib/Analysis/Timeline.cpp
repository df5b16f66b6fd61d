//===- Timeline.cpp - when each action of a schedule runs -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Analysis/Timeline.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/Twine.h"
#include <numeric>
#include <set>
#include <tuple>

using namespace hgc;

std::string hgc::describeResource(Resource resource) {
  if (resource == kHostResource)
    return "cpu";
  static constexpr llvm::StringLiteral kKinds[kResourcesPerGpu] = {"", " upload", " download"};
  unsigned stream = resource - 1;
  return ("gpu:" + llvm::Twine(stream / kResourcesPerGpu) + kKinds[stream % kResourcesPerGpu]).str();
}

double Timeline::getUtilisation(Resource resource) const {
  if (makespanPs == 0 || resource >= busyPs.size())
    return 0;
  return static_cast<double>(busyPs[resource]) / static_cast<double>(makespanPs);
}

//===----------------------------------------------------------------------===//
// Simulation
//===----------------------------------------------------------------------===//

namespace {

constexpr unsigned kNone = ~0U;

/// What happens as tasks are issued one by one.
class Issuer {
public:
  explicit Issuer(llvm::ArrayRef<TimelineTask> tasks) : tasks(tasks), times(tasks.size()), causes(tasks.size(), kNone) {
    size_t resources = 1;
    for (const TimelineTask &task : tasks)
      resources = std::max<size_t>(resources, task.resource + 1);
    last.assign(resources, kNone);
    busy.assign(resources, 0);
  }

  void issue(unsigned number) {
    const TimelineTask &task = tasks[number];
    auto after = [&](unsigned other) {
      if (other == kNone || times[other].endPs < times[number].startPs)
        return;
      times[number].startPs = times[other].endPs;
      causes[number] = other;
    };
    after(last[kHostResource]);
    after(last[task.resource]);
    for (unsigned dependence : task.dependences) {
      Resource other = tasks[dependence].resource;
      after(task.resource == kHostResource ? last[other] : dependence);
    }
    times[number].endPs = times[number].startPs + task.durationPs;
    last[task.resource] = number;
    busy[task.resource] += task.durationPs;
  }

  /// When `resource` can take another task that is issued now.
  int64_t getFree(Resource resource) const {
    int64_t free = last[kHostResource] == kNone ? 0 : times[last[kHostResource]].endPs;
    return last[resource] == kNone ? free : std::max(free, times[last[resource]].endPs);
  }
  int64_t getEnd(unsigned number) const { return times[number].endPs; }

  Timeline finish() && {
    Timeline timeline;
    unsigned final = kNone;
    for (auto [number, time] : llvm::enumerate(times)) {
      timeline.serialPs += tasks[number].durationPs;
      if (final == kNone || time.endPs > timeline.makespanPs)
        final = number;
      timeline.makespanPs = std::max(timeline.makespanPs, time.endPs);
    }
    for (; final != kNone; final = causes[final])
      timeline.criticalTasks.push_back(final);
    std::reverse(timeline.criticalTasks.begin(), timeline.criticalTasks.end());
    timeline.times = std::move(times);
    timeline.busyPs = std::move(busy);
    return timeline;
  }

private:
  llvm::ArrayRef<TimelineTask> tasks;
  std::vector<TaskTime> times;
  /// The task whose end let each one start.
  std::vector<unsigned> causes;
  /// By resource.
  std::vector<unsigned> last;
  std::vector<int64_t> busy;
};

} // namespace

Timeline hgc::simulateTimeline(llvm::ArrayRef<TimelineTask> tasks, llvm::ArrayRef<unsigned> order) {
  Issuer issuer(tasks);
  for (unsigned number : order)
    issuer.issue(number);
  return std::move(issuer).finish();
}

Timeline hgc::simulateTimeline(llvm::ArrayRef<TimelineTask> tasks) {
  return simulateTimeline(tasks, llvm::to_vector(llvm::seq<unsigned>(0, tasks.size())));
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

std::vector<int64_t> hgc::computeBottomLevels(llvm::ArrayRef<TimelineTask> tasks) {
  std::vector<int64_t> levels(tasks.size());
  for (unsigned number : llvm::reverse(llvm::seq<unsigned>(0, tasks.size()))) {
    levels[number] += tasks[number].durationPs;
    for (unsigned dependence : tasks[number].dependences)
      levels[dependence] = std::max(levels[dependence], levels[number]);
  }
  return levels;
}

TimelineBounds hgc::computeBounds(llvm::ArrayRef<TimelineTask> tasks) {
  TimelineBounds bounds;
  std::vector<int64_t> busy;
  for (const TimelineTask &task : tasks) {
    busy.resize(std::max<size_t>(busy.size(), task.resource + 1));
    bounds.busiestPs = std::max(bounds.busiestPs, busy[task.resource] += task.durationPs);
  }
  for (int64_t level : computeBottomLevels(tasks))
    bounds.criticalPathPs = std::max(bounds.criticalPathPs, level);
  return bounds;
}

//===----------------------------------------------------------------------===//
// List scheduling
//===----------------------------------------------------------------------===//

namespace {

/// Tasks of one resource all of whose dependences are issued.
class ReadyQueue {
public:
  void add(int64_t readyPs, int64_t rank, unsigned number) { waiting.insert({readyPs, rank, number}); }
  bool empty() const { return waiting.empty() && startable.empty(); }

  /// When the next task could start if its resource is free at `freePs`.
  int64_t getStart(int64_t freePs) {
    admit(freePs);
    return startable.empty() ? std::get<0>(*waiting.begin()) : freePs;
  }

  /// The task that is taken next.
  unsigned peek(int64_t freePs) {
    admit(getStart(freePs));
    return startable.begin()->second;
  }

  unsigned take(int64_t freePs) {
    unsigned number = peek(freePs);
    startable.erase(startable.begin());
    return number;
  }

private:
  /// Of tasks that can start, the rank alone decides.
  void admit(int64_t nowPs) {
    while (!waiting.empty() && std::get<0>(*waiting.begin()) <= nowPs) {
      startable.insert({std::get<1>(*waiting.begin()), std::get<2>(*waiting.begin())});
      waiting.erase(waiting.begin());
    }
  }

  std::set<std::tuple<int64_t, int64_t, unsigned>> waiting;
  std::set<std::pair<int64_t, unsigned>> startable;
};

} // namespace

std::vector<unsigned> hgc::listSchedule(llvm::ArrayRef<TimelineTask> tasks, TaskPriority priority) {
  std::vector<int64_t> ranks(tasks.size());
  if (priority == TaskPriority::BottomLevel)
    for (auto [rank, level] : llvm::zip_equal(ranks, computeBottomLevels(tasks)))
      rank = -level;
  std::vector<llvm::SmallVector<unsigned, 4>> successors(tasks.size());
  std::vector<unsigned> missing(tasks.size());
  size_t resources = 1;
  for (auto [number, task] : llvm::enumerate(tasks)) {
    resources = std::max<size_t>(resources, task.resource + 1);
    missing[number] = task.dependences.size();
    for (unsigned dependence : task.dependences)
      successors[dependence].push_back(number);
  }

  Issuer issuer(tasks);
  std::vector<ReadyQueue> queues(resources);
  auto add = [&](unsigned number) {
    int64_t ready = 0;
    for (unsigned dependence : tasks[number].dependences)
      ready = std::max(ready, issuer.getEnd(dependence));
    queues[tasks[number].resource].add(ready, ranks[number], number);
  };
  for (unsigned number : llvm::seq<unsigned>(0, tasks.size()))
    if (!missing[number])
      add(number);

  std::vector<unsigned> order;
  while (order.size() < tasks.size()) {
    // While the host works nothing is handed over: what can start before the host
    // is done comes first, what cannot may be overtaken by what the host enables.
    Resource chosen = kHostResource;
    int64_t start = INT64_MAX;
    if (ReadyQueue &host = queues[kHostResource]; !host.empty()) {
      int64_t free = issuer.getFree(kHostResource);
      start = host.getStart(free) + tasks[host.peek(free)].durationPs;
    }
    for (Resource resource : llvm::seq<Resource>(1, resources)) {
      if (queues[resource].empty())
        continue;
      int64_t other = queues[resource].getStart(issuer.getFree(resource));
      if (other < start)
        std::tie(start, chosen) = std::pair(other, resource);
    }
    unsigned number = queues[chosen].take(issuer.getFree(chosen));
    issuer.issue(number);
    order.push_back(number);
    for (unsigned successor : successors[number])
      if (--missing[successor] == 0)
        add(successor);
  }
  return order;
}

std::vector<unsigned> hgc::chooseOrder(llvm::ArrayRef<TimelineTask> tasks) {
  std::vector<unsigned> best(tasks.size());
  std::iota(best.begin(), best.end(), 0);
  int64_t bestPs = simulateTimeline(tasks, best).makespanPs;
  for (TaskPriority priority : {TaskPriority::ProgramOrder, TaskPriority::BottomLevel}) {
    std::vector<unsigned> order = listSchedule(tasks, priority);
    int64_t makespan = simulateTimeline(tasks, order).makespanPs;
    if (makespan >= bestPs)
      continue;
    bestPs = makespan;
    best = std::move(order);
  }
  return best;
}
