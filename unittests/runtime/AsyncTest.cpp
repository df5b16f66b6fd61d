//===- AsyncTest.cpp - tickets and concurrent callers ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TestModel.h"

#include <gtest/gtest.h>

#include <thread>

using namespace hgc::rt_test;

namespace {

/// Holds calls of kGate inside the model while it is in scope.
struct Gate {
  Gate() { gateClosed = true; }
  ~Gate() { gateClosed = false; }
  void waitInside() {
    while (gateInside == 0)
      std::this_thread::yield();
  }
};

hgc_rt_status start(Instance &m, int32_t entry, std::vector<void *> args, hgc_rt_ticket &ticket,
                    std::vector<int64_t> dims = {}) {
  return hgc_rt_start(m.model, entry, dims.data(), args.data(), &ticket);
}

TEST(Async, TwoCallsInOrder) {
  Instance m(testDesc(), 2);
  int64_t one = 1, two = 2, y[100] = {};
  hgc_rt_ticket a = 0, b = 0;
  int64_t sum = 0;
  ASSERT_EQ(start(m, kCount, {&one, &y[0]}, a), HGC_RT_OK);
  for (int i = 1; i < 100; ++i) {
    ASSERT_EQ(start(m, kCount, {i % 2 ? &two : &one, &y[i]}, b), HGC_RT_OK);
    EXPECT_NE(a, b);
    ASSERT_EQ(hgc_rt_wait(m.model, a), HGC_RT_OK);
    a = b;
  }
  ASSERT_EQ(hgc_rt_wait(m.model, a), HGC_RT_OK);
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(y[i], sum += i % 2 ? 2 : 1);
}

TEST(Async, GenericStart) {
  Instance m(testDesc(), 2);
  std::vector<float> x(4000, 3.0f), y(4000);
  int64_t dims[2] = {1000, 4};
  hgc_rt_tensor in = {x.data(), dims, nullptr, HGC_RT_F32, 2};
  hgc_rt_tensor out = {y.data(), dims, nullptr, HGC_RT_F32, 2};
  hgc_rt_ticket ticket = 0;
  ASSERT_EQ(hgc_rt_model_start(m.model, kScale, &in, 1, &out, 1, &ticket), HGC_RT_OK);
  ASSERT_EQ(hgc_rt_model_wait(m.model, ticket), HGC_RT_OK);
  EXPECT_EQ(y[3999], 46);
  dims[0] = 5;
  EXPECT_EQ(hgc_rt_model_start(m.model, kScale, &in, 1, &out, 1, &ticket), HGC_RT_NO_VARIANT);
  EXPECT_EQ(hgc_rt_model_start(m.model, kScale, &in, 2, &out, 1, &ticket), HGC_RT_INVALID_ARGUMENT);
}

TEST(Async, DepthIsTwoAndOrderOfWaitingIsFree) {
  Instance m(testDesc());
  float x = 4, y[3] = {};
  hgc_rt_ticket t[3] = {7, 7, 7};
  {
    Gate gate;
    ASSERT_EQ(start(m, kGate, {&x, &y[0]}, t[0]), HGC_RT_OK);
    ASSERT_EQ(start(m, kGate, {&x, &y[1]}, t[1]), HGC_RT_OK);
    EXPECT_EQ(start(m, kGate, {&x, &y[2]}, t[2]), HGC_RT_BUSY);
    EXPECT_EQ(t[2], 7u) << "outputs are untouched on failure";
    EXPECT_NE(lastError().find("2 calls are in flight already"), std::string::npos);
  }
  EXPECT_EQ(hgc_rt_wait(m.model, t[1]), HGC_RT_OK);
  EXPECT_EQ(y[0], 4) << "calls run in order";
  ASSERT_EQ(start(m, kGate, {&x, &y[2]}, t[2]), HGC_RT_OK);
  EXPECT_EQ(hgc_rt_wait(m.model, t[2]), HGC_RT_OK);
  EXPECT_EQ(hgc_rt_wait(m.model, t[0]), HGC_RT_OK);
  EXPECT_EQ(y[2], 4);
}

TEST(Async, BadTickets) {
  Instance m(testDesc());
  float x = 0, y = 0;
  hgc_rt_ticket t = 0;
  EXPECT_EQ(hgc_rt_wait(m.model, 0), HGC_RT_INVALID_ARGUMENT);
  EXPECT_EQ(hgc_rt_wait(m.model, 12), HGC_RT_INVALID_ARGUMENT);
  EXPECT_NE(lastError().find("ticket 12 is not in flight"), std::string::npos);
  ASSERT_EQ(start(m, kGate, {&x, &y}, t), HGC_RT_OK);
  EXPECT_EQ(hgc_rt_wait(m.model, t), HGC_RT_OK);
  EXPECT_EQ(hgc_rt_wait(m.model, t), HGC_RT_INVALID_ARGUMENT) << "spent";
  std::vector<void *> args = {&x, &y};
  EXPECT_EQ(hgc_rt_start(m.model, kGate, nullptr, args.data(), nullptr), HGC_RT_INVALID_ARGUMENT);
  EXPECT_NE(lastError().find("ticket is NULL"), std::string::npos);
  EXPECT_EQ(start(m, kGate, {&x, nullptr}, t), HGC_RT_INVALID_ARGUMENT);
}

TEST(Async, NothingElseBesideACallInFlight) {
  Instance m(testDesc());
  float x = 0, y = 0;
  int64_t counter = 0;
  hgc_rt_ticket t = 0;
  ASSERT_EQ(start(m, kGate, {&x, &y}, t), HGC_RT_OK);
  EXPECT_EQ(m.count(1, counter), HGC_RT_BUSY);
  EXPECT_NE(lastError().find("not waited for"), std::string::npos);
  EXPECT_EQ(hgc_rt_model_set_param(m.model, kCounter, &counter, 8), HGC_RT_BUSY);
  EXPECT_EQ(hgc_rt_model_get_param(m.model, kCounter, &counter, 8), HGC_RT_BUSY);
  EXPECT_EQ(hgc_rt_model_reset(m.model), HGC_RT_BUSY);
  EXPECT_EQ(hgc_rt_model_set_threads(m.model, 2), HGC_RT_BUSY);
  EXPECT_EQ(hgc_rt_wait(m.model, t), HGC_RT_OK);
  EXPECT_EQ(m.count(1, counter), HGC_RT_OK);
}

TEST(Async, FailureComesOutOfWait) {
  Instance m(testDesc());
  int64_t bad = -1, good = 1, y = 0;
  hgc_rt_ticket a = 0, b = 0;
  ASSERT_EQ(start(m, kCount, {&bad, &y}, a), HGC_RT_OK);
  hgc_rt_status second = start(m, kCount, {&good, &y}, b);
  EXPECT_EQ(hgc_rt_wait(m.model, a), HGC_RT_DEVICE_FAILED);
  EXPECT_NE(lastError().find("x is negative"), std::string::npos);
  if (second == HGC_RT_OK)
    second = hgc_rt_wait(m.model, b);
  EXPECT_EQ(second, HGC_RT_FAILED_INSTANCE);
  EXPECT_EQ(hgc_rt_model_reset(m.model), HGC_RT_OK);
  EXPECT_EQ(m.count(1, y), HGC_RT_OK);
}

TEST(Async, DestroyWaitsForCallsInFlight) {
  float x = 9, y[2] = {};
  {
    Instance m(testDesc());
    hgc_rt_ticket t = 0;
    ASSERT_EQ(start(m, kGate, {&x, &y[0]}, t), HGC_RT_OK);
    ASSERT_EQ(start(m, kGate, {&x, &y[1]}, t), HGC_RT_OK);
  }
  EXPECT_EQ(y[1], 9);
}

TEST(Concurrent, SecondCallerIsTold) {
  Instance m(testDesc());
  float x = 5, y = 0, other = 0;
  std::thread caller;
  {
    Gate gate;
    caller = std::thread([&] { EXPECT_EQ(m.call(kGate, {&x, &y}), HGC_RT_OK); });
    gate.waitInside();
    EXPECT_EQ(m.call(kGate, {&x, &other}), HGC_RT_BUSY);
    EXPECT_NE(lastError().find("in use by another thread"), std::string::npos);
    EXPECT_EQ(hgc_rt_model_reset(m.model), HGC_RT_BUSY);
    hgc_rt_ticket t;
    EXPECT_EQ(start(m, kGate, {&x, &other}, t), HGC_RT_BUSY);
  }
  caller.join();
  EXPECT_EQ(y, 5);
  EXPECT_EQ(other, 0);
}

TEST(Concurrent, InstancesRunInParallel) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([] {
      Instance m(testDesc(), 3);
      std::vector<float> y;
      for (int i = 0; i < 200; ++i) {
        ASSERT_EQ(m.scale(1000, y), HGC_RT_OK);
        for (int64_t k = 0; k < 4000; ++k)
          ASSERT_EQ(y[k], 2 + kWeights[k % 4]);
      }
    });
  for (std::thread &t : threads)
    t.join();
}

} // namespace
