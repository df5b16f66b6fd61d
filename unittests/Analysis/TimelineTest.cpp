//===- TimelineTest.cpp - schedules and their bounds ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Analysis/Timeline.h"

#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <numeric>
#include <random>

using namespace hgc;

namespace {

constexpr Resource kCompute = 1, kUpload = 2, kDownload = 3;

TimelineTask task(Resource resource, int64_t duration, llvm::ArrayRef<unsigned> dependences = {}) {
  return {"", resource, duration, llvm::SmallVector<unsigned, 4>(dependences)};
}

TEST(Timeline, NamesResources) {
  EXPECT_EQ(describeResource(kHostResource), "cpu");
  EXPECT_EQ(describeResource(getStreamResource(0)), "gpu:0");
  EXPECT_EQ(describeResource(getStreamResource(4)), "gpu:1 upload");
  EXPECT_EQ(describeResource(getStreamResource(5)), "gpu:1 download");
}

TEST(Timeline, IsEmptyWithoutTasks) {
  Timeline timeline = simulateTimeline({});
  EXPECT_EQ(timeline.makespanPs, 0);
  EXPECT_TRUE(timeline.criticalTasks.empty());
  EXPECT_EQ(timeline.getUtilisation(kHostResource), 0);
  EXPECT_TRUE(chooseOrder({}).empty());
}

TEST(Timeline, TasksOfOneResourceFollowEachOther) {
  std::vector<TimelineTask> tasks = {task(kCompute, 5), task(kCompute, 7)};
  Timeline timeline = simulateTimeline(tasks);
  EXPECT_EQ(timeline.times[1].startPs, 5);
  EXPECT_EQ(timeline.makespanPs, 12);
  EXPECT_EQ(timeline.criticalTasks, (std::vector<unsigned>{0, 1}));
}

TEST(Timeline, ResourcesWorkAtTheSameTime) {
  std::vector<TimelineTask> tasks = {task(kUpload, 4), task(kCompute, 10, {0}), task(kUpload, 6),
                                     task(kDownload, 2, {1})};
  Timeline timeline = simulateTimeline(tasks);
  EXPECT_EQ(timeline.times[2].startPs, 4);
  EXPECT_EQ(timeline.times[3].startPs, 14);
  EXPECT_EQ(timeline.makespanPs, 16);
  EXPECT_EQ(timeline.serialPs, 22);
  EXPECT_EQ(timeline.criticalTasks, (std::vector<unsigned>{0, 1, 3}));
  EXPECT_DOUBLE_EQ(timeline.getUtilisation(kUpload), 10.0 / 16);
}

/// The thread that runs a CPU kernel hands over nothing meanwhile.
TEST(Timeline, WorkOfTheHostDelaysWhatIsIssuedBehindIt) {
  std::vector<TimelineTask> late = {task(kHostResource, 100), task(kCompute, 60)};
  EXPECT_EQ(simulateTimeline(late).makespanPs, 160);
  std::vector<unsigned> order = chooseOrder(late);
  EXPECT_EQ(order, (std::vector<unsigned>{1, 0}));
  EXPECT_EQ(simulateTimeline(late, order).makespanPs, 100);
}

/// The host waits for streams, not for tasks.
TEST(Timeline, TheHostWaitsForAllItIssuedOnAStream) {
  std::vector<TimelineTask> tasks = {task(kDownload, 5), task(kDownload, 50), task(kHostResource, 10, {0})};
  EXPECT_EQ(simulateTimeline(tasks).times[2].startPs, 55);
  EXPECT_EQ(simulateTimeline(tasks, {0, 2, 1}).times[2].startPs, 5);
}

/// A long upload must not hold up the kernel whose data the host makes soon.
TEST(Timeline, AStreamIsNotBlockedByWhatCannotStart) {
  std::vector<TimelineTask> tasks = {task(kUpload, 100), task(kCompute, 50, {0}), task(kHostResource, 10),
                                     task(kCompute, 80, {2})};
  std::vector<unsigned> order = listSchedule(tasks, TaskPriority::ProgramOrder);
  EXPECT_EQ(order, (std::vector<unsigned>{0, 2, 3, 1}));
  EXPECT_EQ(simulateTimeline(tasks, order).makespanPs, 150);
}

/// What has the longest chain behind it goes first.
TEST(Timeline, BottomLevelsOrderUploads) {
  std::vector<TimelineTask> tasks = {task(kUpload, 10), task(kUpload, 10), task(kCompute, 5, {0}),
                                     task(kCompute, 40, {1})};
  EXPECT_EQ(computeBottomLevels(tasks), (std::vector<int64_t>{15, 50, 5, 40}));
  std::vector<unsigned> order = chooseOrder(tasks);
  EXPECT_EQ(order.front(), 1U);
  EXPECT_EQ(simulateTimeline(tasks, order).makespanPs, 55);
}

TEST(Timeline, KeepsTheGivenOrderWhenNoneIsShorter) {
  std::vector<TimelineTask> tasks = {task(kCompute, 3), task(kCompute, 4), task(kCompute, 5, {0})};
  EXPECT_EQ(chooseOrder(tasks), (std::vector<unsigned>{0, 1, 2}));
}

std::vector<TimelineTask> makeRandom(std::mt19937 &random, unsigned count) {
  std::vector<TimelineTask> tasks;
  for (unsigned number = 0; number < count; ++number) {
    tasks.push_back(task(random() % 4, random() % 20));
    for (unsigned other = 0; other < number; ++other)
      if (random() % 4 == 0)
        tasks.back().dependences.push_back(other);
  }
  return tasks;
}

/// The shortest of all orders that put dependences first.
int64_t findShortest(llvm::ArrayRef<TimelineTask> tasks) {
  std::vector<unsigned> order(tasks.size());
  std::iota(order.begin(), order.end(), 0);
  int64_t best = INT64_MAX;
  do {
    std::vector<unsigned> position(tasks.size());
    for (auto [place, number] : llvm::enumerate(order))
      position[number] = place;
    bool isOrder = llvm::all_of(order, [&](unsigned number) {
      return llvm::all_of(tasks[number].dependences,
                          [&](unsigned dependence) { return position[dependence] < position[number]; });
    });
    if (isOrder)
      best = std::min(best, simulateTimeline(tasks, order).makespanPs);
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

void expectSound(llvm::ArrayRef<TimelineTask> tasks, llvm::ArrayRef<unsigned> order) {
  Timeline timeline = simulateTimeline(tasks, order);
  std::vector<unsigned> seen(tasks.size());
  int64_t end = 0;
  for (auto [place, number] : llvm::enumerate(order)) {
    ++seen[number];
    const TaskTime &time = timeline.times[number];
    EXPECT_EQ(time.endPs - time.startPs, tasks[number].durationPs);
    for (unsigned dependence : tasks[number].dependences)
      EXPECT_GE(time.startPs, timeline.times[dependence].endPs);
    for (unsigned other : order.take_front(place))
      if (tasks[other].resource == tasks[number].resource || tasks[other].resource == kHostResource)
        EXPECT_GE(time.startPs, timeline.times[other].endPs);
    end = std::max(end, time.endPs);
  }
  EXPECT_TRUE(llvm::all_of(seen, [](unsigned times) { return times == 1; }));
  EXPECT_EQ(timeline.makespanPs, end);
  // The critical tasks fill the time from start to end.
  int64_t now = 0;
  for (unsigned number : timeline.criticalTasks) {
    EXPECT_EQ(timeline.times[number].startPs, now);
    now = timeline.times[number].endPs;
  }
  EXPECT_EQ(now, timeline.makespanPs);
}

/// No schedule beats the bounds, none is slower than one task at a time, and the
/// chosen one is never worse than the given order.
TEST(Timeline, StaysWithinItsBounds) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    std::vector<TimelineTask> tasks = makeRandom(random, 1 + random() % 40);
    TimelineBounds bounds = computeBounds(tasks);
    std::vector<unsigned> given(tasks.size());
    std::iota(given.begin(), given.end(), 0);
    std::vector<unsigned> chosen = chooseOrder(tasks);
    for (llvm::ArrayRef<unsigned> order : {llvm::ArrayRef(given), llvm::ArrayRef(chosen)}) {
      expectSound(tasks, order);
      Timeline timeline = simulateTimeline(tasks, order);
      EXPECT_GE(timeline.makespanPs, bounds.getLowest());
      EXPECT_LE(timeline.makespanPs, timeline.serialPs);
    }
    EXPECT_LE(simulateTimeline(tasks, chosen).makespanPs, simulateTimeline(tasks).makespanPs);
  }
}

/// Against every order there is: the bounds hold, and list scheduling mostly
/// finds the best.
TEST(Timeline, AgreesWithBruteForce) {
  std::mt19937 random(11);
  int found = 0;
  constexpr int kRounds = 120;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<TimelineTask> tasks = makeRandom(random, 6);
    int64_t shortest = findShortest(tasks);
    int64_t chosen = simulateTimeline(tasks, chooseOrder(tasks)).makespanPs;
    EXPECT_GE(shortest, computeBounds(tasks).getLowest());
    EXPECT_GE(chosen, shortest);
    found += chosen == shortest;
  }
  EXPECT_GE(found, kRounds * 8 / 10);
}

} // namespace
