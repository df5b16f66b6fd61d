//===- PrefetchTest.cpp - inputs of the next call travel early ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On the emulator, whose clock and counters show what overlaps. The program of
// the model waits at a gate when all its work is issued, so that a test decides
// whether the next call is started before or after this one ends.
//
//===----------------------------------------------------------------------===//

#include "GpuModel.h"
#include "runtime/emulator/driver/hgc_emu.h"

#include <gtest/gtest.h>

#include <dlfcn.h>
#include <thread>

using namespace hgc::rt_test;

namespace {

constexpr int64_t kBytes = 4 << 20;
std::atomic<bool> closed{false};
std::atomic<int> inside{0};

/// y = x by way of the GPUs, each of which has an equal part.
template <int Gpus> hgc_rt_status gpuProgram(hgc_rt_ctx *ctx, void **args) {
  constexpr int64_t part = kBytes / Gpus;
  hgc_rt_status status = HGC_RT_OK;
  for (int gpu = 0; gpu < Gpus && status == HGC_RT_OK; ++gpu) {
    void *buffer = reinterpret_cast<void *>(ctx->gpus[gpu].arena);
    char *x = static_cast<char *>(args[0]) + gpu * part, *y = static_cast<char *>(args[1]) + gpu * part;
    status = hgc_rt_gpu_copy(ctx, gpu, 0, buffer, gpu, x, HGC_RT_HOST, part);
    if (status == HGC_RT_OK)
      status = hgc_rt_gpu_copy(ctx, gpu, 0, y, HGC_RT_HOST, buffer, gpu, part);
  }
  ++inside;
  while (closed)
    std::this_thread::yield();
  --inside;
  return status;
}

hgc_rt_status cpuProgram(hgc_rt_ctx *, void **) { return HGC_RT_INTERNAL; }

const int64_t dims[] = {kBytes};
const hgc_rt_tensor_info info = {"x", dims, HGC_RT_U8, 1};
const hgc_rt_variant_desc variant = {cpuProgram, 0, gpuProgram<1>}, variantOfTwo = {cpuProgram, 0, gpuProgram<2>};
const hgc_rt_entry_desc entry = {{"pass", 0, 1, 1, 1, nullptr, &info, &info, nullptr}, &variant, nullptr};
const hgc_rt_entry_desc entryOfTwo = {{"pass", 0, 1, 1, 1, nullptr, &info, &info, nullptr}, &variantOfTwo, nullptr};

template <typename T> T emulator(const char *name) {
  return reinterpret_cast<T>(dlsym(dlopen(HGC_EMULATOR_FILE, RTLD_NOW | RTLD_LOCAL), name));
}
double readClock() { return emulator<decltype(&hgcemu_clock)>("hgcemu_clock")(); }
uint64_t countCalls(const char *name) { return emulator<decltype(&hgcemu_calls)>("hgcemu_calls")(name); }
uint64_t countFindings() { return emulator<decltype(&hgcemu_findings)>("hgcemu_findings")(); }

class Prefetch : public ::testing::Test {
protected:
  Prefetch() {
    gpu.desc.entries = &entry;
    gpu.desc.n_entries = 1;
    options.device = "emulated";
    options.emulator = HGC_EMULATOR_FILE;
    options.log = [](void *, int32_t, const char *) {};
  }
  ~Prefetch() override { EXPECT_EQ(countFindings(), 0u); }

  using Tensor = std::vector<uint8_t>;
  hgc_rt_ticket start(Instance &m, Tensor &x, Tensor &y) {
    void *args[] = {x.data(), y.data()};
    hgc_rt_ticket ticket = 0;
    EXPECT_EQ(hgc_rt_start(m.model, 0, nullptr, args, &ticket), HGC_RT_OK) << hgc_rt_last_error();
    return ticket;
  }
  void waitFor(Instance &m, hgc_rt_ticket ticket) {
    EXPECT_EQ(hgc_rt_wait(m.model, ticket), HGC_RT_OK) << hgc_rt_last_error();
  }
  static int64_t getDeviceBytes(Instance &m) {
    hgc_rt_memory_info info = {};
    info.size = sizeof(info);
    info.version = HGC_RT_VERSION;
    EXPECT_EQ(hgc_rt_model_memory_requirements(m.model, &info), HGC_RT_OK);
    return info.device_bytes;
  }
  /// Starts `y = x` and, while that runs, `z = w`; waits for both.
  void runTwo(Instance &m, Tensor &x, Tensor &y, Tensor &w, Tensor &z) {
    closed = true;
    hgc_rt_ticket first = start(m, x, y);
    while (inside == 0)
      std::this_thread::yield();
    hgc_rt_ticket second = start(m, w, z);
    closed = false;
    waitFor(m, first);
    waitFor(m, second);
  }

  // Read when the emulator is opened; ctest gives each test a process of its own.
  Environment environment{{{"HGC_EMU_DEVICES", "2"}}};
  GpuPlan gpu;
  hgc_rt_options options = hgc_rt_options_default();
};

TEST_F(Prefetch, OverlapsWithTheCallBefore) {
  Instance m(gpu.desc, 1, &options);
  ASSERT_EQ(m.status, HGC_RT_OK) << hgc_rt_last_error();
  Tensor x(kBytes, 1), w(kBytes, 2), y(kBytes), z(kBytes);
  // The first call shows what is copied.
  ASSERT_EQ(m.call(0, {x.data(), y.data()}), HGC_RT_OK) << hgc_rt_last_error();

  uint64_t uploads = countCalls("cuMemcpyHtoDAsync");
  double begin = readClock();
  waitFor(m, start(m, x, y));
  waitFor(m, start(m, w, z));
  double apart = readClock() - begin;
  uint64_t copies = countCalls("cuMemcpyHtoDAsync") - uploads;
  EXPECT_EQ(y, x);
  EXPECT_EQ(z, w);
  EXPECT_EQ(countCalls("cuMemcpyDtoDAsync"), 0u) << "nothing is sent ahead of a call that runs at once";

  y.assign(kBytes, 0);
  z.assign(kBytes, 0);
  uploads = countCalls("cuMemcpyHtoDAsync");
  begin = readClock();
  runTwo(m, x, y, w, z);
  double together = readClock() - begin;
  EXPECT_EQ(y, x);
  EXPECT_EQ(z, w);
  EXPECT_EQ(countCalls("cuMemcpyDtoDAsync"), 1u);
  EXPECT_LE(countCalls("cuMemcpyHtoDAsync") - uploads, copies) << "no more copies than before";
  // Of two times up and down, one way up is hidden behind the way down.
  EXPECT_LT(together, 0.85 * apart);
}

TEST_F(Prefetch, FirstCallSendsNothing) {
  Instance m(gpu.desc, 1, &options);
  ASSERT_EQ(m.status, HGC_RT_OK) << hgc_rt_last_error();
  Tensor x(kBytes, 1), w(kBytes, 2), y(kBytes), z(kBytes);
  uint64_t before = countCalls("cuMemcpyDtoDAsync");
  int64_t bytes = getDeviceBytes(m);
  runTwo(m, x, y, w, z);
  EXPECT_EQ(countCalls("cuMemcpyDtoDAsync"), before);
  EXPECT_EQ(getDeviceBytes(m), bytes);
  EXPECT_EQ(z, w);
  runTwo(m, x, y, w, z);
  EXPECT_EQ(countCalls("cuMemcpyDtoDAsync"), before + 1);
  EXPECT_EQ(getDeviceBytes(m), bytes + kBytes);
}

// Each GPU gets its part of the input early.
TEST_F(Prefetch, EveryGpu) {
  gpu.desc.entries = &entryOfTwo;
  gpu.plan.n_devices = 2;
  gpu.devices[1].arena_bytes = kBytes / 2;
  Instance m(gpu.desc, 1, &options);
  ASSERT_EQ(m.status, HGC_RT_OK) << hgc_rt_last_error();
  Tensor x(kBytes, 1), w(kBytes, 2), y(kBytes), z(kBytes);
  int64_t bytes = getDeviceBytes(m);
  ASSERT_EQ(m.call(0, {x.data(), y.data()}), HGC_RT_OK) << hgc_rt_last_error();
  uint64_t taken = countCalls("cuMemcpyDtoDAsync");
  runTwo(m, x, y, w, z);
  EXPECT_EQ(countCalls("cuMemcpyDtoDAsync") - taken, 2u);
  EXPECT_EQ(getDeviceBytes(m), bytes + kBytes);
  EXPECT_EQ(y, x);
  EXPECT_EQ(z, w);
}

// What a memory limit has not counted is not taken.
TEST_F(Prefetch, LimitedPlansTakeNoMoreMemory) {
  gpu.plan.is_limited = 1;
  Instance m(gpu.desc, 1, &options);
  ASSERT_EQ(m.status, HGC_RT_OK) << hgc_rt_last_error();
  Tensor x(kBytes, 1), w(kBytes, 2), y(kBytes), z(kBytes);
  int64_t bytes = getDeviceBytes(m);
  runTwo(m, x, y, w, z);
  runTwo(m, x, y, w, z);
  EXPECT_EQ(getDeviceBytes(m), bytes);
  EXPECT_EQ(y, x);
  EXPECT_EQ(z, w);
}

// The next call reads what this one writes: it must not be read early.
TEST_F(Prefetch, InputIsAnOutput) {
  Instance m(gpu.desc, 1, &options);
  ASSERT_EQ(m.status, HGC_RT_OK) << hgc_rt_last_error();
  Tensor x(kBytes, 7), y(kBytes, 0), z(kBytes, 0);
  ASSERT_EQ(m.call(0, {x.data(), z.data()}), HGC_RT_OK) << hgc_rt_last_error();
  runTwo(m, x, y, y, z);
  EXPECT_EQ(z, x);
}

} // namespace
