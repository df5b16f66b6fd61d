//===- FailureTest.cpp - injected failures, counted calls, leaks ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Emulator.h"

#include <cstdio>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace {

class FailureTest : public EmulatorTest {
protected:
  /// A small program that stops at the first error and cleans up as a careful
  /// client does; returns that error.
  hgc_cu_result program();
};

std::string slurp(const std::string &path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

hgc_cu_result FailureTest::program() {
  hgc_cu_context ctx = nullptr;
  hgc_cu_stream s = nullptr;
  hgc_cu_module m = nullptr;
  hgc_cu_function f = nullptr;
  hgc_cu_ptr x = 0;
  float h[4] = {1, 2, 3, 4}, a = 2;
  unsigned n = 4;
  void *params[] = {&x, &x, &a, &n};
  hgc_cu_result r = cuInit(0);
  bool retained = !r && !(r = cuDevicePrimaryCtxRetain(&ctx, 0));
  bool pushed = !r && !(r = cuCtxPushCurrent_v2(ctx));
  if (!r)
    r = cuStreamCreate(&s, 1);
  if (!r)
    r = cuMemAlloc_v2(&x, 16);
  if (!r)
    r = cuModuleLoadDataEx(&m, testPtx, 0, nullptr, nullptr);
  if (!r)
    r = cuModuleGetFunction(&f, m, "scale");
  if (!r)
    r = cuMemcpyHtoDAsync_v2(x, h, 16, s);
  if (!r)
    r = cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, s, params, nullptr);
  if (!r)
    r = cuMemcpyDtoHAsync_v2(h, x, 16, s);
  if (!r)
    r = cuStreamSynchronize(s);
  EXPECT_TRUE(r || h[3] == 8.0f);
  // After a failure the work may still be in flight.
  if (r && pushed)
    cuCtxSynchronize();
  auto keep = [&](hgc_cu_result other) { r = r ? r : other; };
  if (x)
    keep(cuMemFree_v2(x));
  if (m)
    keep(cuModuleUnload(m));
  if (s)
    keep(cuStreamDestroy_v2(s));
  if (pushed)
    keep(cuCtxPopCurrent_v2(&ctx));
  if (retained)
    keep(cuDevicePrimaryCtxRelease_v2(0));
  return r;
}

} // namespace

TEST_F(FailureTest, TheProgramIsClean) {
  EXPECT_OK(program());
  EXPECT_EQ(hgcemu_check(), 0u);
  EXPECT_EQ(hgcemu_findings(), 0u);
}

TEST_F(FailureTest, FailsTheNthCallOfAFunction) {
  configure({"HGC_EMU_FAIL=cuMemAlloc:2,cuStreamCreate:1=304"});
  start();
  hgc_cu_ptr p = 0;
  EXPECT_OK(cuMemAlloc_v2(&p, 16));
  hgc_cu_ptr q = 5;
  EXPECT_EQ(cuMemAlloc_v2(&q, 16), HGC_CU_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(q, 5u);
  EXPECT_OK(cuMemAlloc_v2(&q, 16));
  hgc_cu_stream s = nullptr;
  EXPECT_EQ(cuStreamCreate(&s, 0), HGC_CU_ERROR_OPERATING_SYSTEM);
  EXPECT_OK(cuStreamCreate(&s, 0));
}

TEST_F(FailureTest, StubDriver) {
  configure({"HGC_EMU_FAIL=cuInit:1=34"});
  EXPECT_EQ(cuInit(0), HGC_CU_ERROR_STUB_LIBRARY);
  configure({"HGC_EMU_FAIL=cuInit:1"});
  EXPECT_EQ(cuInit(0), HGC_CU_ERROR_NO_DEVICE);
}

TEST_F(FailureTest, EveryCallInTurn) {
  ASSERT_OK(program());
  uint64_t calls = hgcemu_calls(nullptr);
  ASSERT_GT(calls, 12u);
  for (uint64_t n = 1; n <= calls; ++n) {
    configure({"HGC_EMU_FAIL=any:" + std::to_string(n)});
    EXPECT_NE(program(), HGC_CU_SUCCESS) << n;
    EXPECT_EQ(hgcemu_check(), 0u) << n << ": " << lastFinding();
    EXPECT_EQ(hgcemu_findings(), 0u) << n << ": " << lastFinding();
  }
  configure({"HGC_EMU_FAIL=any:" + std::to_string(calls + 1)});
  EXPECT_OK(program());
}

TEST_F(FailureTest, LeftOutWaitsAreFound) {
  auto crossing = [&] {
    start();
    hgc_cu_stream a = stream(), b = stream();
    hgc_cu_event e = event();
    hgc_cu_ptr x = floats(64, 1), y = floats(64, 1);
    EXPECT_OK(scale(x, y, 2, 64, a));
    EXPECT_OK(cuEventRecord(e, a));
    EXPECT_OK(cuStreamWaitEvent(b, e, 0));
    EXPECT_OK(scale(y, x, 2, 64, b));
    EXPECT_OK(cuStreamSynchronize(b));
    cuMemFree_v2(x);
    return hgcemu_findings();
  };
  EXPECT_EQ(crossing(), 0u);
  for (const char *skip : {"cuStreamWaitEvent:1", "cuEventRecord:1", "cuStreamSynchronize:1"}) {
    configure({std::string("HGC_EMU_SKIP=") + skip});
    EXPECT_EQ(crossing(), 1u) << skip;
  }
  configure({"HGC_EMU_SKIP=cuStreamWaitEvent:2,cuEventSynchronize:1,"
             "cuCtxSynchronize:1"});
  EXPECT_EQ(crossing(), 0u);
  // A left out synchronisation runs nothing.
  hgc_cu_ptr z = alloc(4);
  EXPECT_OK(cuMemsetD8_v2(z, 0, 4));
  EXPECT_OK(cuCtxSynchronize());
  EXPECT_EQ(hgcemu_pending(), 1u);
  EXPECT_OK(cuCtxSynchronize());
  EXPECT_EQ(hgcemu_pending(), 0u);
}

TEST_F(FailureTest, CallsAreCounted) {
  start();
  alloc(4);
  alloc(4);
  EXPECT_EQ(hgcemu_calls("cuMemAlloc"), 2u);
  EXPECT_EQ(hgcemu_calls("cuMemFree"), 0u);
  EXPECT_EQ(hgcemu_calls(nullptr), 5u);
}

TEST_F(FailureTest, LeaksAreListed) {
  start();
  hgc_cu_ptr p = alloc(48);
  pinned(4, 0);
  stream();
  event();
  kernel("scale");
  hgc_cublas_handle blas = nullptr;
  EXPECT_EQ(cublasCreate_v2(&blas), HGC_CUBLAS_SUCCESS);
  testing::internal::CaptureStderr();
  EXPECT_EQ(hgcemu_check(), 7u);
  std::string text = testing::internal::GetCapturedStderr();
  for (const char *part : {"leak: 48 bytes of device memory at 0x", "leak: 16 bytes of pinned host memory",
                           "leak: stream", "leak: 1 events of device 0", "leak: a module with 2 kernels",
                           "leak: a cuBLAS handle", "leak: the primary context of device 0"})
    EXPECT_NE(text.find(part), std::string::npos) << text;
  EXPECT_OK(cuMemFree_v2(p));
  EXPECT_EQ(hgcemu_check(), 6u);
}

TEST_F(FailureTest, ContextTakesLeaksWithItButTheyAreRemembered) {
  start();
  alloc(48);
  EXPECT_OK(cuDevicePrimaryCtxRelease_v2(0));
  EXPECT_EQ(hgcemu_check(), 1u);
  EXPECT_NE(lastFinding().find("leak: 48 bytes"), std::string::npos);
}

TEST_F(FailureTest, RegisteredMemoryAndContextsLeak) {
  ASSERT_OK(cuInit(0));
  hgc_cu_context ctx = nullptr;
  ASSERT_OK(cuCtxCreate_v2(&ctx, 0, 0));
  std::vector<char> own(64);
  ASSERT_OK(cuMemHostRegister_v2(own.data(), 64, 0));
  testing::internal::CaptureStderr();
  EXPECT_EQ(hgcemu_check(), 2u);
  std::string text = testing::internal::GetCapturedStderr();
  EXPECT_NE(text.find("leak: 64 bytes of registered host memory"), std::string::npos);
  EXPECT_NE(text.find("leak: a context of device 0"), std::string::npos);
}

// The files and the leak report appear when the process ends.
TEST_F(FailureTest, ReportsAtExit) {
  std::string base = testing::TempDir() + "hgc_emu_" + std::to_string(getpid());
  std::string calls = base + ".calls", counters = base + ".json";
  auto child = [&] {
    configure({"HGC_EMU_CALLS=" + calls, "HGC_EMU_COUNTERS=" + counters, "HGC_EMU_LEAKS=1"});
    start();
    floats(16, 1);
    std::exit(0);
  };
  EXPECT_EXIT(child(), testing::ExitedWithCode(0), "hgc-emu: error: leak: 64 bytes of device memory");
  std::string text = slurp(calls);
  EXPECT_EQ(text.rfind("any 5\n", 0), 0u) << text;
  EXPECT_NE(text.find("cuMemAlloc 1\n"), std::string::npos) << text;
  text = slurp(counters);
  EXPECT_NE(text.find("\"direction\": \"host_to_device\", \"count\": 1, "
                      "\"bytes\": 64"),
            std::string::npos)
      << text;
  std::remove(calls.c_str());
  std::remove(counters.c_str());
}

TEST_F(FailureTest, FilesThatCannotBeWritten) {
  auto child = [&] {
    configure({"HGC_EMU_CALLS=/nowhere/calls"});
    start();
    std::exit(0);
  };
  EXPECT_EXIT(child(), testing::ExitedWithCode(0), "hgc-emu: error: cannot write '/nowhere/calls'");
}
