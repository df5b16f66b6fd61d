//===- PoolTest.cpp - launches, threads, fork -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TestModel.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <functional>
#include <pthread.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace hgc::rt_test;

/// Number of threads that may still start; the linker routes the runtime's
/// pthread_create here.
static std::atomic<int> threadsLeft{1 << 30};

extern "C" {
int __real_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*fn)(void *), void *arg) {
  if (threadsLeft-- <= 0)
    return EAGAIN;
  return __real_pthread_create(thread, attr, fn, arg);
}
}

namespace {

using Ranges = std::vector<std::pair<int64_t, int64_t>>;

Ranges rangesOf(Instance &m, int64_t units, int64_t grain) {
  recordUnits = units;
  recordGrain = grain;
  EXPECT_EQ(m.call(kRecord, {}), HGC_RT_OK);
  return takeRanges();
}

TEST(Launch, CutsUnitsEvenly) {
  for (int threads = 1; threads <= 4; ++threads) {
    Instance m(testDesc(), threads);
    for (int64_t units : {1, 2, 3, 4, 7, 16, 1001})
      for (int64_t grain : {1, 2, 5, 2000}) {
        Ranges ranges = rangesOf(m, units, grain);
        int64_t expected = std::min<int64_t>(threads, (units + grain - 1) / grain);
        ASSERT_EQ(int64_t(ranges.size()), expected);
        int64_t at = 0, least = units, most = 0;
        for (auto [begin, end] : ranges) {
          EXPECT_EQ(begin, at);
          at = end;
          least = std::min(least, end - begin);
          most = std::max(most, end - begin);
        }
        EXPECT_EQ(at, units);
        EXPECT_LE(most - least, 1);
      }
    EXPECT_TRUE(rangesOf(m, 0, 1).empty());
    EXPECT_EQ(rangesOf(m, 5, 0).size(), size_t(threads)) << "a grain below 1 is 1";
  }
}

TEST(Launch, SameResultForAnyThreads) {
  std::vector<float> one, y;
  ASSERT_EQ(Instance(testDesc(), 1).scale(1000, one), HGC_RT_OK);
  for (int threads = 2; threads <= 4; ++threads) {
    Instance m(testDesc(), threads);
    for (int i = 0; i < 100; ++i) {
      ASSERT_EQ(m.scale(1000, y), HGC_RT_OK);
      ASSERT_EQ(y, one);
    }
  }
}

TEST(Launch, ScratchIsPerRange) {
  for (int threads : {1, 2, 8}) {
    Instance m(testDesc(), threads);
    for (int i = 0; i < 20; ++i) {
      int64_t y[8] = {};
      ASSERT_EQ(m.call(kScratch, {y}), HGC_RT_OK);
      for (int64_t k = 0; k < 8; ++k)
        ASSERT_EQ(y[k], k);
    }
  }
}

TEST(Launch, TooLittleScratchIsAnError) {
  hgc_rt_model_desc desc = testDesc();
  desc.scratch_bytes = 32;
  Instance m(desc, 2);
  int64_t y[8] = {};
  EXPECT_EQ(m.call(kScratch, {y}), HGC_RT_INTERNAL);
  EXPECT_NE(lastError().find("'scratch_0' needs 100 bytes of scratch, the model has 64\n"), std::string::npos);
}

TEST(Launch, FillRepeatsThePattern) {
  for (int64_t count : {0, 1, 2, 3, 7, 64, 100}) {
    std::vector<int32_t> data(101, -1);
    int32_t pattern = 0x01020304;
    hgc_rt_fill(nullptr, data.data(), &pattern, 4, count);
    for (int64_t i = 0; i < 101; ++i)
      ASSERT_EQ(data[i], i < count ? pattern : -1) << count;
  }
  char text[5] = "abcd";
  hgc_rt_fill(nullptr, text, "x", 1, 3);
  EXPECT_STREQ(text, "xxxd");
}

TEST(Pool, WorksWithoutThreads) {
  for (int left : {0, 1}) {
    threadsLeft = left;
    {
      Instance m(testDesc(), 4);
      EXPECT_EQ(rangesOf(m, 100, 1).size(), 4u);
      EXPECT_EQ(rangesOf(m, 100, 1).size(), 4u);
      int64_t x = 3, y = 0;
      void *args[] = {&x, &y};
      hgc_rt_ticket ticket = 0;
      ASSERT_EQ(hgc_rt_start(m.model, kCount, nullptr, args, &ticket), HGC_RT_OK);
      EXPECT_EQ(hgc_rt_wait(m.model, ticket), HGC_RT_OK);
      EXPECT_EQ(y, 3);
      threadsLeft = 1 << 30; // from now on there is a worker
      ASSERT_EQ(hgc_rt_start(m.model, kCount, nullptr, args, &ticket), HGC_RT_OK);
      EXPECT_EQ(hgc_rt_wait(m.model, ticket), HGC_RT_OK);
      EXPECT_EQ(y, 6);
    }
  }
}

TEST(Pool, IsMadeLazily) {
  threadsLeft = 1000;
  {
    Instance m(testDesc(), 3);
    rangesOf(m, 10, 10);
    EXPECT_EQ(threadsLeft, 1000) << "one range needs no thread";
    rangesOf(m, 10, 1);
    EXPECT_EQ(threadsLeft, 998);
    Instance other(testDesc(), 2);
    rangesOf(other, 10, 1);
    EXPECT_EQ(threadsLeft, 998) << "one pool for all instances";
    EXPECT_EQ(hgc_rt_model_set_threads(other.model, 5), HGC_RT_OK);
    EXPECT_EQ(rangesOf(other, 10, 1).size(), 5u);
    EXPECT_EQ(threadsLeft, 996) << "it grows";
  }
  Instance m(testDesc(), 2);
  rangesOf(m, 10, 1);
  EXPECT_EQ(threadsLeft, 995) << "and is made anew after the last destroy";
  threadsLeft = 1 << 30;
}

TEST(Pool, SurvivesParking) {
  Instance m(testDesc(), 4);
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(rangesOf(m, 100, 1).size(), 4u);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

struct AppPool {
  int calls = 0, retained = 0;
  hgc_rt_pool pool = {sizeof(hgc_rt_pool), HGC_RT_VERSION, this, run, retain, release};
  static void run(void *user, hgc_rt_task_fn fn, void *task, int64_t count) {
    ++static_cast<AppPool *>(user)->calls;
    for (int64_t i = count; i-- > 0;)
      fn(task, i);
  }
  static void retain(void *user) { ++static_cast<AppPool *>(user)->retained; }
  static void release(void *user) { --static_cast<AppPool *>(user)->retained; }
};

TEST(Pool, OfTheApplication) {
  AppPool app;
  hgc_rt_options o = hgc_rt_options_default();
  o.num_threads = 4;
  o.pool = &app.pool;
  threadsLeft = 1000;
  {
    Instance m(testDesc(), 4, &o);
    EXPECT_EQ(app.retained, 1);
    EXPECT_EQ(rangesOf(m, 100, 1).size(), 4u);
    EXPECT_EQ(hgc_rt_model_get_pool(m.model), &app.pool);
  }
  EXPECT_EQ(app.calls, 1);
  EXPECT_EQ(app.retained, 0);
  EXPECT_EQ(threadsLeft, 1000);
  threadsLeft = 1 << 30;
}

TEST(Pool, SharedBetweenModels) {
  auto first = std::make_unique<Instance>(testDesc(), 1);
  hgc_rt_options o = hgc_rt_options_default();
  o.num_threads = 3;
  o.pool = hgc_rt_model_get_pool(first->model);
  Instance second(testDesc(), 3, &o);
  first.reset(); // the pool must outlive its model
  EXPECT_EQ(rangesOf(second, 100, 1).size(), 3u);
  EXPECT_EQ(rangesOf(second, 100, 1).size(), 3u);
}

TEST(Pool, NestedUseRunsInline) {
  Instance m(testDesc(), 4);
  const hgc_rt_pool *pool = hgc_rt_model_get_pool(m.model);
  pool->retain(pool->user);
  struct State {
    const hgc_rt_pool *pool;
    std::atomic<int> count{0};
  } state{pool};
  pool->parallel_for(
      pool->user,
      [](void *task, int64_t) {
        State *s = static_cast<State *>(task);
        s->pool->parallel_for(
            s->pool->user, [](void *inner, int64_t) { ++static_cast<State *>(inner)->count; }, s, 5);
      },
      &state, 6);
  EXPECT_EQ(state.count, 30);
  pool->release(pool->user);
}

/// Runs `body` in a forked child; false when it fails or hangs.
bool inChild(const std::function<bool()> &body) {
  pid_t child = fork();
  if (child == 0) {
    alarm(20);
    _exit(body() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// ThreadSanitizer cannot follow threads that start after a fork.
#if !defined(HGC_RT_TSAN)
TEST(Fork, ChildHasItsOwnPool) {
  Instance m(testDesc(), 4);
  std::vector<float> y, expected;
  ASSERT_EQ(m.scale(1000, expected), HGC_RT_OK);
  EXPECT_TRUE(inChild([&] {
    for (int i = 0; i < 50; ++i)
      if (m.scale(1000, y) != HGC_RT_OK || y != expected)
        return false;
    Instance own(testDesc(), 3);
    bool good = own.scale(1000, y) == HGC_RT_OK && y == expected;
    hgc_rt_model_destroy(m.model);
    return good;
  }));
  EXPECT_EQ(m.scale(1000, y), HGC_RT_OK) << "the parent goes on";
}

#endif
TEST(Fork, DestroyInTheChildDoesNotHang) {
  Instance m(testDesc(), 4);
  std::vector<float> y;
  int64_t x[2] = {1, 0};
  void *args[] = {&x[0], &x[1]};
  hgc_rt_ticket ticket = 0;
  ASSERT_EQ(m.scale(1000, y), HGC_RT_OK);
  ASSERT_EQ(hgc_rt_start(m.model, kCount, nullptr, args, &ticket), HGC_RT_OK);
  ASSERT_EQ(hgc_rt_wait(m.model, ticket), HGC_RT_OK);
  EXPECT_TRUE(inChild([&] {
    hgc_rt_model_destroy(m.model);
    return true;
  }));
}

#if !defined(HGC_RT_TSAN)
TEST(Fork, CallsInFlightAreLostInTheChild) {
  Instance m(testDesc(), 1);
  float x = 1, y = 0;
  void *args[] = {&x, &y};
  hgc_rt_ticket ticket = 0;
  gateClosed = true;
  ASSERT_EQ(hgc_rt_start(m.model, kGate, nullptr, args, &ticket), HGC_RT_OK);
  EXPECT_TRUE(inChild([&] {
    gateClosed = false;
    bool lost = hgc_rt_wait(m.model, ticket) == HGC_RT_DEVICE_FAILED &&
                lastError().find("the call was in flight in another process when it forked") < 99;
    // The model has state, so the instance counts as failed until reset.
    bool failed = m.call(kGate, {&x, &y}) == HGC_RT_FAILED_INSTANCE;
    bool again = hgc_rt_model_reset(m.model) == HGC_RT_OK && m.call(kGate, {&x, &y}) == HGC_RT_OK &&
                 hgc_rt_start(m.model, kGate, nullptr, args, &ticket) == HGC_RT_OK &&
                 hgc_rt_wait(m.model, ticket) == HGC_RT_OK;
    return lost && failed && again;
  }));
  gateClosed = false;
  EXPECT_EQ(hgc_rt_wait(m.model, ticket), HGC_RT_OK);
}
#endif

} // namespace
