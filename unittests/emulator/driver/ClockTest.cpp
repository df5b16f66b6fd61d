//===- ClockTest.cpp - virtual time and counters --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Emulator.h"

using namespace hgc::emu;

namespace {

class ClockTest : public EmulatorTest {
protected:
  /// Four independent upload-compute-download chains over `n` streams, in
  /// milliseconds of virtual time.
  float pipeline(int n, const std::string &schedule = "lazy", const std::string &device = "a100") {
    configure({"HGC_EMU_SCHEDULE=" + schedule, "HGC_EMU_DEVICE=" + device});
    start();
    constexpr size_t count = 1 << 16;
    std::vector<hgc_cu_stream> streams;
    for (int i = 0; i < n; ++i)
      streams.push_back(stream());
    std::vector<float *> host;
    std::vector<hgc_cu_ptr> memory;
    for (int i = 0; i < 4; ++i) {
      host.push_back(pinned(count, float(i)));
      memory.push_back(alloc(count * 4));
    }
    kernel("scale");
    hgc_cu_event begin = event(), end = event();
    EXPECT_OK(cuEventRecord(begin, streams[0]));
    for (int i = 0; i < 4; ++i) {
      hgc_cu_stream s = streams[size_t(i % n)];
      EXPECT_OK(cuMemcpyHtoDAsync_v2(memory[size_t(i)], host[size_t(i)], count * 4, s));
      EXPECT_OK(scale(memory[size_t(i)], memory[size_t(i)], 2, count, s));
      EXPECT_OK(cuMemcpyDtoHAsync_v2(host[size_t(i)], memory[size_t(i)], count * 4, s));
    }
    for (int i = 1; i < n; ++i) {
      hgc_cu_event e = event();
      EXPECT_OK(cuEventRecord(e, streams[size_t(i)]));
      EXPECT_OK(cuStreamWaitEvent(streams[0], e, 0));
    }
    EXPECT_OK(cuEventRecord(end, streams[0]));
    EXPECT_OK(cuEventSynchronize(end));
    EXPECT_EQ(host[3][7], 6.0f);
    float ms = -1;
    EXPECT_OK(cuEventElapsedTime(&ms, begin, end));
    return ms;
  }
};

} // namespace

TEST_F(ClockTest, StreamsOverlap) {
  float one = pipeline(1), two = pipeline(2), four = pipeline(4);
  EXPECT_GT(one, 0.08f); // 8 x 256 KiB at 25 GB/s
  EXPECT_LT(two, one * 0.8f);
  EXPECT_LE(four, two);
}

TEST_F(ClockTest, EveryScheduleGivesTheSameTime) {
  float lazy = pipeline(3);
  EXPECT_EQ(pipeline(3), lazy);
  EXPECT_EQ(pipeline(3, "eager"), lazy);
  EXPECT_EQ(pipeline(3, "seed:5"), lazy);
  EXPECT_EQ(pipeline(3, "seed:6"), lazy);
}

TEST_F(ClockTest, SlowerLinksTakeLonger) {
  EXPECT_GT(pipeline(1, "lazy", "rtx4090"), 0.0f);
  EXPECT_LT(pipeline(1, "lazy", "h100"), pipeline(1));
}

TEST_F(ClockTest, ElapsedTimeNeedsRecordedTimingEvents) {
  start();
  hgc_cu_stream s = stream();
  hgc_cu_event a = event(), b = event(), untimed = event(cuda::eventDisableTiming);
  float ms = 0;
  EXPECT_EQ(cuEventElapsedTime(&ms, a, b), HGC_CU_ERROR_INVALID_HANDLE);
  EXPECT_OK(cuEventRecord(a, s));
  EXPECT_OK(cuEventRecord(b, s));
  EXPECT_OK(cuEventRecord(untimed, s));
  EXPECT_EQ(cuEventElapsedTime(&ms, a, b), HGC_CU_ERROR_NOT_READY);
  EXPECT_OK(cuStreamSynchronize(s));
  EXPECT_OK(cuEventElapsedTime(&ms, a, b));
  EXPECT_GE(ms, 0.0f);
  EXPECT_EQ(cuEventElapsedTime(&ms, a, untimed), HGC_CU_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuEventElapsedTime(nullptr, a, b), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuEventElapsedTime(&ms, a, nullptr), HGC_CU_ERROR_INVALID_HANDLE);
}

TEST_F(ClockTest, UnfinishedWorkOfOtherStreamsCountsInIssueOrder) {
  start();
  hgc_cu_stream s = stream(), other = stream();
  hgc_cu_event a = event(), b = event();
  hgc_cu_ptr x = floats(1024, 1), y = alloc(4096), z = alloc(4096);
  EXPECT_OK(scale(x, z, 2, 1024, other));
  EXPECT_OK(cuEventRecord(a, s));
  EXPECT_OK(scale(x, y, 2, 1024, s));
  EXPECT_OK(cuEventRecord(b, s));
  EXPECT_OK(cuStreamSynchronize(s));
  EXPECT_EQ(hgcemu_pending(), 1u);
  float ms = 0;
  EXPECT_OK(cuEventElapsedTime(&ms, a, b));
  EXPECT_GT(ms, 0.0f);
  EXPECT_EQ(hgcemu_pending(), 0u);
}

TEST_F(ClockTest, HostClockAdvances) {
  start();
  double before = hgcemu_clock();
  hgc_cu_ptr x = floats(1024, 1);
  EXPECT_OK(cuMemFree_v2(x));
  EXPECT_GT(hgcemu_clock(), before);
}

TEST_F(ClockTest, Counters) {
  start();
  hgc_cu_ptr x = floats(256, 1), y = alloc(1024);
  EXPECT_OK(scale(x, y, 2, 256, nullptr));
  EXPECT_OK(scale(x, y, 2, 256, nullptr));
  EXPECT_OK(cuCtxSynchronize());
  std::string json(hgcemu_counters(nullptr, 0) + 1, 0);
  hgcemu_counters(json.data(), json.size());
  for (const char *part :
       {"\"name\": \"scale\"", "\"launches\": 2", "\"blocks\": 4", "\"bytes_loaded\": 2048", "\"bytes_stored\": 2048",
        "\"bytes_unique\": 4096", "\"sectors\": 128", "\"sector_efficiency\": 1,", "\"bank_conflict_factor\": 1,",
        "\"flops\": 512", "\"direction\": \"host_to_device\"", "\"peak_bytes\": ", "\"findings\": 0",
        "\"virtual_us\": "})
    EXPECT_NE(json.find(part), std::string::npos) << part << " in " << json;
}
