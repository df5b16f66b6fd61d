//===- StreamTest.cpp - streams and events of the emulated driver ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Emulator.h"

#include <atomic>
#include <chrono>
#include <thread>

using namespace hgc::emu;

namespace {
class StreamTest : public EmulatorTest {};
} // namespace

TEST_F(StreamTest, RefusesBadArguments) {
  start();
  auto bad = reinterpret_cast<hgc_cu_stream>(0x1230);
  auto noEvent = reinterpret_cast<hgc_cu_event>(0x1230);
  hgc_cu_stream s = stream();
  hgc_cu_event e = event();
  EXPECT_EQ(cuStreamCreate(nullptr, 0), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuStreamCreate(&s, 8), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuStreamSynchronize(bad), HGC_CU_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuStreamQuery(bad), HGC_CU_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuStreamDestroy_v2(bad), HGC_CU_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuStreamWaitEvent(bad, e, 0), HGC_CU_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuStreamWaitEvent(s, noEvent, 0), HGC_CU_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuStreamWaitEvent(s, e, 2), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuEventCreate(nullptr, 0), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuEventCreate(&e, 64), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuEventRecord(noEvent, s), HGC_CU_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuEventRecord(e, bad), HGC_CU_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuEventQuery(noEvent), HGC_CU_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuEventSynchronize(noEvent), HGC_CU_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuEventDestroy_v2(noEvent), HGC_CU_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuLaunchHostFunc(s, nullptr, nullptr), HGC_CU_ERROR_INVALID_VALUE);
  // What is destroyed stays destroyed: handles are not reused.
  EXPECT_OK(cuStreamDestroy_v2(s));
  EXPECT_OK(cuEventDestroy_v2(e));
  stream();
  event();
  EXPECT_EQ(cuStreamSynchronize(s), HGC_CU_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuEventQuery(e), HGC_CU_ERROR_INVALID_HANDLE);
}

TEST_F(StreamTest, StreamsKnowWhatTheyAre) {
  hgc_cu_context ctx = start(), found = nullptr;
  hgc_cu_stream s = nullptr;
  ASSERT_OK(cuStreamCreateWithPriority(&s, 1, -99));
  int priority = 1;
  EXPECT_OK(cuStreamGetPriority(s, &priority));
  EXPECT_EQ(priority, -5);
  EXPECT_OK(cuStreamGetCtx(s, &found));
  EXPECT_EQ(found, ctx);
  EXPECT_OK(cuStreamGetCtx(nullptr, &found));
  EXPECT_EQ(found, ctx);
  EXPECT_EQ(cuStreamGetCtx(s, nullptr), HGC_CU_ERROR_INVALID_VALUE);
}

TEST_F(StreamTest, LazyRunsNothingUntilAsked) {
  start();
  hgc_cu_stream s = stream(), other = stream();
  hgc_cu_ptr x = floats(256, 2), y = alloc(1024), z = alloc(1024);
  EXPECT_OK(scale(x, y, 3, 256, s));
  EXPECT_OK(scale(x, z, 4, 256, other));
  EXPECT_EQ(hgcemu_pending(), 2u);
  EXPECT_OK(cuStreamSynchronize(s));
  EXPECT_EQ(hgcemu_pending(), 1u);
  EXPECT_OK(cuStreamSynchronize(other));
  EXPECT_EQ(read(y, 256)[255], 6.0f);
  EXPECT_EQ(read(z, 256)[0], 8.0f);
}

TEST_F(StreamTest, EagerRunsAtOnce) {
  configure({"HGC_EMU_SCHEDULE=eager"});
  start();
  hgc_cu_ptr x = floats(16, 2), y = alloc(64);
  EXPECT_OK(scale(x, y, 3, 16, nullptr));
  EXPECT_EQ(hgcemu_pending(), 0u);
  EXPECT_EQ(read(y, 16)[15], 6.0f);
}

TEST_F(StreamTest, EverySeedGivesTheSameResult) {
  for (int seed = 0; seed < 12; ++seed) {
    configure({"HGC_EMU_SCHEDULE=seed:" + std::to_string(seed)});
    start();
    hgc_cu_stream a = stream(), b = stream();
    hgc_cu_event ready = event(), back = event();
    hgc_cu_ptr x = floats(64, 1), y = alloc(256), z = alloc(256);
    EXPECT_OK(scale(x, y, 2, 64, a));
    EXPECT_OK(cuEventRecord(ready, a));
    EXPECT_OK(cuStreamWaitEvent(b, ready, 0));
    EXPECT_OK(scale(y, z, 5, 64, b));
    EXPECT_OK(cuEventRecord(back, b));
    EXPECT_OK(cuStreamWaitEvent(a, back, 0));
    EXPECT_OK(scale(z, x, 3, 64, a));
    EXPECT_OK(cuStreamSynchronize(a));
    EXPECT_EQ(read(x, 64)[63], 30.0f) << seed;
    EXPECT_EQ(hgcemu_findings(), 0u) << seed;
  }
}

TEST_F(StreamTest, QueriesMakeProgress) {
  start();
  hgc_cu_stream s = stream();
  hgc_cu_event e = event();
  hgc_cu_ptr x = floats(16, 2), y = alloc(64);
  EXPECT_OK(cuStreamQuery(s));
  EXPECT_OK(cuEventQuery(e));
  EXPECT_OK(scale(x, y, 3, 16, s));
  EXPECT_OK(cuEventRecord(e, s));
  EXPECT_OK(scale(y, x, 3, 16, s));
  EXPECT_EQ(cuEventQuery(e), HGC_CU_ERROR_NOT_READY);
  EXPECT_EQ(cuEventQuery(e), HGC_CU_ERROR_NOT_READY);
  EXPECT_OK(cuEventQuery(e));
  EXPECT_EQ(cuStreamQuery(s), HGC_CU_ERROR_NOT_READY);
  EXPECT_OK(cuStreamQuery(s));
}

TEST_F(StreamTest, DefaultStreamAndBlockingStreamsWaitForEachOther) {
  start();
  hgc_cu_stream s = stream(HGC_CU_STREAM_DEFAULT);
  hgc_cu_ptr x = floats(64, 1), y = alloc(256);
  EXPECT_OK(scale(x, y, 2, 64, s));
  EXPECT_OK(scale(y, x, 2, 64, nullptr));
  EXPECT_OK(scale(x, y, 2, 64, s));
  EXPECT_OK(cuStreamSynchronize(s));
  EXPECT_EQ(read(y, 64)[0], 8.0f);
  EXPECT_EQ(hgcemu_findings(), 0u);
}

TEST_F(StreamTest, EventOfAnEarlierRecordingIsWaitedFor) {
  start();
  hgc_cu_stream a = stream(), b = stream(), c = stream();
  hgc_cu_event e = event();
  hgc_cu_ptr x = floats(64, 1), y = alloc(256), z = alloc(256);
  EXPECT_OK(scale(x, y, 2, 64, a));
  EXPECT_OK(cuEventRecord(e, a));
  EXPECT_OK(cuStreamWaitEvent(b, e, 0));
  EXPECT_OK(cuEventRecord(e, c)); // does not change what b waits for
  EXPECT_OK(scale(y, z, 2, 64, b));
  EXPECT_OK(cuStreamSynchronize(b));
  EXPECT_EQ(read(z, 64)[5], 4.0f);
  EXPECT_EQ(hgcemu_findings(), 0u);
}

TEST_F(StreamTest, DestroyedStreamsFinishTheirWork) {
  start();
  hgc_cu_stream s = stream();
  hgc_cu_ptr x = floats(64, 1), y = alloc(256);
  EXPECT_OK(scale(x, y, 2, 64, s));
  EXPECT_OK(cuStreamDestroy_v2(s));
  EXPECT_OK(cuCtxSynchronize());
  EXPECT_EQ(read(y, 64)[0], 2.0f);
  EXPECT_EQ(hgcemu_findings(), 0u);
}

TEST_F(StreamTest, WorkOfDestroyedStreamsIsWaitedFor) {
  for (const char *schedule : {"lazy", "eager"}) {
    configure({std::string("HGC_EMU_SCHEDULE=") + schedule});
    start();
    hgc_cu_stream s = stream(HGC_CU_STREAM_DEFAULT), other = stream();
    hgc_cu_ptr x = floats(64, 1), y = alloc(256), z = alloc(256);
    EXPECT_OK(scale(x, y, 2, 64, s));
    EXPECT_OK(scale(x, z, 2, 64, other));
    EXPECT_OK(cuStreamDestroy_v2(s));
    EXPECT_OK(cuStreamDestroy_v2(other));
    // The default stream still comes after the blocking one.
    EXPECT_OK(scale(y, y, 2, 64, nullptr));
    EXPECT_OK(cuCtxSynchronize());
    EXPECT_OK(cuMemFree_v2(y));
    EXPECT_OK(cuMemFree_v2(z));
    EXPECT_EQ(hgcemu_findings(), 0u) << lastFinding();
  }
}

TEST_F(StreamTest, ThreadsShareTheDriver) {
  hgc_cu_context ctx = start();
  kernel("scale");
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      EXPECT_OK(cuCtxSetCurrent(ctx));
      hgc_cu_stream s = stream();
      hgc_cu_ptr x = floats(64, float(t)), y = alloc(256);
      for (int i = 0; i < 20; ++i) {
        EXPECT_OK(scale(x, y, 2, 64, s));
        EXPECT_OK(cuStreamSynchronize(s));
        EXPECT_EQ(read(y, 64)[63], 2.0f * float(t));
      }
      EXPECT_OK(cuMemFree_v2(x));
      EXPECT_OK(cuMemFree_v2(y));
      EXPECT_OK(cuStreamDestroy_v2(s));
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(hgcemu_findings(), 0u) << lastFinding();
}

TEST_F(StreamTest, PerThreadStreamIsItsOwn) {
  start();
  hgc_cu_ptr x = floats(64, 1), y = alloc(256);
  EXPECT_OK(scale(x, y, 2, 64, cuda::perThreadStream));
  EXPECT_OK(cuStreamSynchronize(cuda::perThreadStream));
  EXPECT_EQ(read(y, 64)[0], 2.0f);
  EXPECT_OK(scale(x, y, 3, 64, cuda::legacyStream));
  EXPECT_OK(cuStreamSynchronize(nullptr));
  EXPECT_EQ(read(y, 64)[0], 3.0f);
}

TEST_F(StreamTest, HostFunctionsRunInOrder) {
  start();
  hgc_cu_stream s = stream();
  hgc_cu_ptr x = floats(4, 1);
  float *h = pinned(4, 0);
  struct Data {
    float *h;
    float seen;
    hgc_cu_result nested;
  } data = {h, 0, 0};
  EXPECT_OK(cuMemcpyDtoHAsync_v2(h, x, 16, s));
  EXPECT_OK(cuLaunchHostFunc(
      s,
      [](void *p) {
        Data *d = static_cast<Data *>(p);
        d->seen = d->h[0];
        // The driver is not for host functions.
        d->nested = cuCtxSynchronize();
        d->h[0] = 7;
      },
      &data));
  EXPECT_OK(cuMemcpyHtoDAsync_v2(x, h, 16, s));
  EXPECT_OK(cuStreamSynchronize(s));
  EXPECT_EQ(data.seen, 1.0f);
  EXPECT_EQ(data.nested, HGC_CU_ERROR_NOT_PERMITTED);
  EXPECT_EQ(read(x, 4)[0], 7.0f);
}

TEST_F(StreamTest, HostFunctionsRunWithoutAnyoneWaiting) {
  start();
  hgc_cu_stream s = stream();
  std::atomic<bool> called{false};
  EXPECT_OK(cuLaunchHostFunc(
      s, [](void *p) { *static_cast<std::atomic<bool> *>(p) = true; }, &called));
  for (int i = 0; i < 2000 && !called; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_TRUE(called);
}
