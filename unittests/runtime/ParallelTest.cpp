//===- ParallelTest.cpp - kernels side by side ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TestModel.h"

#include <gtest/gtest.h>

#include <mutex>
#include <set>
#include <thread>

using namespace hgc::rt_test;

namespace {

constexpr int64_t kBranches = 5, kSteps = 3;
/// One slot per branch: a kernel adds its number behind what the branch has done.
int64_t trails[kBranches];
std::mutex threadsMutex;
std::set<std::thread::id> threadsSeen;
std::atomic<int> inside{0}, mostInside{0};

/// args: trail, step, scratch. Uses scratch memory in a way that shows sharing.
void stepKernel(void **args, int64_t begin, int64_t end) {
  EXPECT_EQ(begin, 0);
  EXPECT_EQ(end, 7);
  int now = ++inside;
  for (int most = mostInside; now > most && !mostInside.compare_exchange_weak(most, now);) {
  }
  auto *trail = static_cast<int64_t *>(args[0]);
  auto *scratch = static_cast<int64_t *>(args[2]);
  *scratch = *trail;
  for (int i = 0; i < 5; ++i)
    std::this_thread::yield(); // a shared scratch would now be overwritten
  *trail = *scratch * 10 + *static_cast<const int64_t *>(args[1]);
  {
    std::lock_guard<std::mutex> lock(threadsMutex);
    threadsSeen.insert(std::this_thread::get_id());
  }
  --inside;
}

hgc_rt_status besides(hgc_rt_ctx *ctx, void **) {
  static const hgc_rt_kernel_desc kernel = {"step_0", "step", "", stepKernel, 7, 1, 64, 0, 0, 0, 0, 0, nullptr};
  static const hgc_rt_kernel_desc empty = {"empty_0", "none", "", nullptr, 0, 1, 0, 0, 0, 0, 0, 0, nullptr};
  static int64_t steps[kSteps] = {1, 2, 3};
  void *args[kBranches * kSteps][3];
  hgc_rt_parallel_launch launches[kBranches * kSteps + 1];
  int64_t count = 0;
  for (int64_t branch = 0; branch < kBranches; ++branch)
    for (int64_t step = 0; step < kSteps; ++step, ++count) {
      args[count][0] = &trails[branch];
      args[count][1] = &steps[step];
      launches[count] = {&kernel, args[count], 3, branch, 0, 0};
    }
  launches[count++] = {&empty, nullptr, 0, 0, 0, 0};
  hgc_rt_parallel(ctx, launches, count, kBranches);
  return HGC_RT_OK;
}

hgc_rt_model_desc makeDesc() {
  static const hgc_rt_variant_desc variants[] = {{besides, 0, nullptr}};
  static const hgc_rt_entry_desc entries[] = {
      {{"besides", 0, 0, 0, 1, nullptr, nullptr, nullptr, nullptr}, variants, nullptr}};
  hgc_rt_model_desc desc = testDesc();
  desc.entries = entries;
  desc.n_entries = 1;
  return desc;
}

TEST(Parallel, BranchesRunInOrderOnAnyThreads) {
  for (int threads : {1, 2, 3, 8}) {
    Instance m(makeDesc(), threads);
    threadsSeen.clear();
    mostInside = 0;
    for (int round = 0; round < 10; ++round) {
      std::fill(std::begin(trails), std::end(trails), 0);
      ASSERT_EQ(m.call(0, {}), HGC_RT_OK);
      for (int64_t trail : trails)
        ASSERT_EQ(trail, 123);
    }
    EXPECT_LE(mostInside, std::min<int64_t>(threads, kBranches));
    EXPECT_LE(threadsSeen.size(), size_t(threads));
  }
}

TEST(Parallel, TooLittleScratchIsAnError) {
  hgc_rt_model_desc desc = makeDesc();
  desc.scratch_bytes = 0;
  Instance m(desc, 2);
  std::fill(std::begin(trails), std::end(trails), 0);
  EXPECT_EQ(m.call(0, {}), HGC_RT_INTERNAL);
  EXPECT_NE(lastError().find("'step_0' needs 64 bytes"), std::string::npos);
  EXPECT_EQ(trails[0], 0);
}

TEST(Parallel, HooksAreCalledByTheCaller) {
  struct Seen {
    std::thread::id caller = std::this_thread::get_id();
    int calls = 0;
  } seen;
  hgc_rt_options o = hgc_rt_options_default();
  o.num_threads = 3;
  o.timing_user = &seen;
  o.kernel_timing = [](void *user, const hgc_rt_kernel_timing *t) {
    auto *s = static_cast<Seen *>(user);
    EXPECT_EQ(std::this_thread::get_id(), s->caller);
    EXPECT_STREQ(t->name, "step_0");
    EXPECT_EQ(t->ranges, 1);
    EXPECT_GT(t->begin_ns, 0);
    EXPECT_GE(t->end_ns, t->begin_ns);
    ++s->calls;
  };
  Instance m(makeDesc(), 3, &o);
  ASSERT_EQ(m.call(0, {}), HGC_RT_OK);
  EXPECT_EQ(seen.calls, kBranches * kSteps);
}

TEST(Parallel, UsesThePoolOfTheApplication) {
  int calls = 0;
  hgc_rt_pool pool = {sizeof(hgc_rt_pool),
                      HGC_RT_VERSION,
                      &calls,
                      [](void *user, hgc_rt_task_fn fn, void *task, int64_t count) {
                        ++*static_cast<int *>(user);
                        EXPECT_EQ(count, 4);
                        while (count-- > 0)
                          fn(task, count);
                      },
                      [](void *) {},
                      [](void *) {}};
  hgc_rt_options o = hgc_rt_options_default();
  o.num_threads = 4;
  o.pool = &pool;
  Instance m(makeDesc(), 4, &o);
  std::fill(std::begin(trails), std::end(trails), 0);
  ASSERT_EQ(m.call(0, {}), HGC_RT_OK);
  EXPECT_EQ(calls, 1);
  for (int64_t trail : trails)
    EXPECT_EQ(trail, 123);
}

} // namespace
