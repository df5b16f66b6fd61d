//===- OrderTest.cpp - missing synchronisation is found -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each program comes twice: with an order missing, which must be found under
// every schedule, and with it, which must not be blamed.
//
//===----------------------------------------------------------------------===//

#include "Emulator.h"

namespace {

class OrderTest : public EmulatorTest, public testing::WithParamInterface<const char *> {
protected:
  void SetUp() override {
    EmulatorTest::SetUp();
    configure({std::string("HGC_EMU_SCHEDULE=") + GetParam()});
    start();
  }
  /// Expects the fault of a missing order, and its text.
  void expectFinding(hgc_cu_result result, const std::string &first, const std::string &second) {
    EXPECT_EQ(result, HGC_CU_ERROR_LAUNCH_FAILED);
    EXPECT_EQ(hgcemu_findings(), 1u);
    EXPECT_NE(lastFinding().find(first), std::string::npos) << lastFinding();
    EXPECT_NE(lastFinding().find(second), std::string::npos) << lastFinding();
  }
  void expectClean(hgc_cu_result result) {
    EXPECT_OK(result);
    EXPECT_EQ(hgcemu_findings(), 0u) << lastFinding();
  }
};

} // namespace

INSTANTIATE_TEST_SUITE_P(, OrderTest, testing::Values("lazy", "eager", "seed:1", "seed:2"), [](const auto &info) {
  std::string name = info.param;
  name.erase(std::remove(name.begin(), name.end(), ':'), name.end());
  return name;
});

TEST_P(OrderTest, MissingEventWait) {
  hgc_cu_stream a = stream(), b = stream();
  hgc_cu_ptr x = floats(64, 1), y = alloc(256), z = alloc(256);
  EXPECT_OK(cuMemsetD8_v2(y, 0, 256));
  EXPECT_OK(cuCtxSynchronize());
  EXPECT_OK(scale(x, y, 2, 64, a));
  scale(y, z, 2, 64, b);
  expectFinding(cuCtxSynchronize(), "missing synchronisation: kernel 'scale'", "and nothing orders the two");
}

TEST_P(OrderTest, WithEventWait) {
  hgc_cu_stream a = stream(), b = stream();
  hgc_cu_event e = event();
  hgc_cu_ptr x = floats(64, 1), y = alloc(256), z = alloc(256);
  EXPECT_OK(scale(x, y, 2, 64, a));
  EXPECT_OK(cuEventRecord(e, a));
  EXPECT_OK(cuStreamWaitEvent(b, e, 0));
  EXPECT_OK(scale(y, z, 2, 64, b));
  expectClean(cuCtxSynchronize());
}

TEST_P(OrderTest, EventRecordedTooEarly) {
  hgc_cu_stream a = stream(), b = stream();
  hgc_cu_event e = event();
  hgc_cu_ptr x = floats(64, 1), y = floats(64, 1), z = alloc(256);
  EXPECT_OK(cuEventRecord(e, a));
  EXPECT_OK(scale(x, y, 2, 64, a));
  EXPECT_OK(cuStreamWaitEvent(b, e, 0));
  scale(y, z, 2, 64, b);
  expectFinding(cuCtxSynchronize(), "missing synchronisation", "scale");
}

TEST_P(OrderTest, TwoReadersAreFine) {
  hgc_cu_stream a = stream(), b = stream();
  hgc_cu_ptr x = floats(64, 1), y = alloc(256), z = alloc(256);
  EXPECT_OK(scale(x, y, 2, 64, a));
  EXPECT_OK(scale(x, z, 2, 64, b));
  expectClean(cuCtxSynchronize());
}

TEST_P(OrderTest, NeighboursInOneBufferAreFine) {
  hgc_cu_stream a = stream(), b = stream();
  hgc_cu_ptr x = floats(64, 1), y = alloc(512);
  EXPECT_OK(scale(x, y, 2, 63, a));
  EXPECT_OK(scale(x, y + 63 * 4, 2, 64, b));
  expectClean(cuCtxSynchronize());
}

TEST_P(OrderTest, ReaderMustFinishBeforeTheBufferIsReused) {
  hgc_cu_stream a = stream(), b = stream();
  hgc_cu_ptr x = floats(64, 1), y = alloc(256), w = floats(64, 2);
  EXPECT_OK(scale(x, y, 2, 64, a));
  cuMemcpyDtoDAsync_v2(x, w, 256, b);
  expectFinding(cuCtxSynchronize(), "cuMemcpyDtoDAsync of 256 bytes", "scale");
}

TEST_P(OrderTest, DefaultStreamDoesNotOrderNonBlockingStreams) {
  hgc_cu_stream a = stream();
  hgc_cu_ptr x = floats(64, 1), y = floats(64, 1);
  EXPECT_OK(scale(x, y, 2, 64, a));
  cuMemsetD8_v2(y, 0, 256);
  expectFinding(cuCtxSynchronize(), "cuMemsetD8 of 256 bytes", "default stream");
}

TEST_P(OrderTest, HostCopyBeforeTheKernelIsDone) {
  hgc_cu_stream a = stream();
  hgc_cu_ptr x = floats(64, 1), y = floats(64, 1);
  std::vector<float> h(64);
  EXPECT_OK(scale(x, y, 2, 64, a));
  // The synchronous copy is on the default stream, which does not wait for a.
  cuMemcpyDtoH_v2(h.data(), y, 256);
  expectFinding(cuCtxSynchronize(), "cuMemcpyDtoH of 256 bytes", "scale");
}

TEST_P(OrderTest, PinnedBufferUsedByTwoStreams) {
  hgc_cu_stream a = stream(), b = stream();
  hgc_cu_ptr x = floats(64, 1), y = floats(64, 2);
  float *h = pinned(64, 0);
  EXPECT_OK(cuMemcpyDtoHAsync_v2(h, x, 256, a));
  cuMemcpyDtoHAsync_v2(h, y, 256, b);
  expectFinding(cuCtxSynchronize(), "bytes of host memory at", "cuMemcpyDtoHAsync");
}

TEST_P(OrderTest, FreeInFlight) {
  hgc_cu_stream a = stream();
  hgc_cu_ptr x = floats(64, 1), y = alloc(256);
  EXPECT_OK(scale(x, y, 2, 64, a));
  expectFinding(cuMemFree_v2(y), "cuMemFree releases 256 bytes at", "still writes");
}

TEST_P(OrderTest, FreeAfterWaiting) {
  hgc_cu_stream a = stream();
  hgc_cu_event e = event();
  hgc_cu_ptr x = floats(64, 1), y = alloc(256);
  EXPECT_OK(scale(x, y, 2, 64, a));
  EXPECT_OK(cuEventRecord(e, a));
  EXPECT_OK(cuEventSynchronize(e));
  EXPECT_OK(cuMemFree_v2(y));
  EXPECT_OK(cuMemFree_v2(x));
  expectClean(cuCtxSynchronize());
}

TEST_P(OrderTest, FreeHostMemoryInFlight) {
  hgc_cu_stream a = stream();
  hgc_cu_ptr x = alloc(256);
  float *h = pinned(64, 1);
  EXPECT_OK(cuMemcpyHtoDAsync_v2(x, h, 256, a));
  expectFinding(cuMemFreeHost(h), "cuMemFreeHost releases 256 bytes at", "still reads");
}

TEST_P(OrderTest, UnregisterInFlight) {
  hgc_cu_stream a = stream();
  hgc_cu_ptr x = alloc(256);
  std::vector<float> h(64, 1);
  EXPECT_OK(cuMemHostRegister_v2(h.data(), 256, 0));
  EXPECT_OK(cuMemcpyHtoDAsync_v2(x, h.data(), 256, a));
  expectFinding(cuMemHostUnregister(h.data()), "cuMemHostUnregister releases", "still reads");
}

TEST_P(OrderTest, FreeAsyncOnTheWrongStream) {
  hgc_cu_stream a = stream(), b = stream();
  hgc_cu_ptr x = floats(64, 1), y = floats(64, 1);
  EXPECT_OK(scale(x, y, 2, 64, a));
  EXPECT_OK(cuStreamSynchronize(b));
  cuMemFreeAsync(y, b);
  hgc_cu_result result = cuCtxSynchronize();
  // Under a schedule that frees first, the kernel meets freed memory.
  EXPECT_TRUE(result == HGC_CU_ERROR_LAUNCH_FAILED || result == HGC_CU_ERROR_ILLEGAL_ADDRESS) << result;
  EXPECT_EQ(hgcemu_findings(), 1u);
}

TEST_P(OrderTest, FaultsStopTheRestOfTheContext) {
  hgc_cu_stream a = stream(), b = stream();
  hgc_cu_ptr x = floats(64, 1), y = floats(64, 1);
  EXPECT_OK(scale(x, y, 2, 64, a));
  scale(y, x, 2, 64, b);
  EXPECT_EQ(cuCtxSynchronize(), HGC_CU_ERROR_LAUNCH_FAILED);
  EXPECT_EQ(cuMemsetD8Async(x, 0, 256, a), HGC_CU_ERROR_LAUNCH_FAILED);
  EXPECT_EQ(cuCtxSynchronize(), HGC_CU_ERROR_LAUNCH_FAILED);
  EXPECT_EQ(hgcemu_findings(), 1u);
}

TEST_P(OrderTest, CheckCanBeOff) {
  configure({std::string("HGC_EMU_SCHEDULE=") + GetParam(), "HGC_EMU_CHECKS=races,init"});
  start();
  hgc_cu_stream a = stream(), b = stream();
  hgc_cu_ptr x = floats(64, 1), y = floats(64, 1);
  EXPECT_OK(scale(x, y, 2, 64, a));
  EXPECT_OK(scale(y, x, 2, 64, b));
  expectClean(cuCtxSynchronize());
}

TEST_P(OrderTest, ManyStreamsComeAndGo) {
  hgc_cu_ptr x = floats(64, 1), y = floats(64, 1);
  for (int i = 0; i < 50; ++i) {
    hgc_cu_stream s = stream();
    EXPECT_OK(scale(x, y, 2, 64, s));
    EXPECT_OK(cuStreamSynchronize(s));
    EXPECT_OK(cuStreamDestroy_v2(s));
  }
  expectClean(cuCtxSynchronize());
}
