//===- Emulator.cpp - what the tests of the emulated driver share ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Emulator.h"

#include <cstdlib>

const char *const testPtx = R"ptx(
.version 7.0
.target sm_80
.address_size 64

.visible .global .align 4 .u32 table[4] = {1, 2, 3, 4};

.visible .entry scale(.param .u64 x, .param .u64 y, .param .f32 a, .param .u32 n)
{
  .reg .pred %p<2>;
  .reg .b32 %r<8>;
  .reg .f32 %f<4>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [x];
  ld.param.u64 %rd2, [y];
  ld.param.f32 %f1, [a];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.s32 %r5, %r2, %r3, %r4;
  setp.ge.u32 %p1, %r5, %r1;
  @%p1 bra DONE;
  mul.wide.u32 %rd3, %r5, 4;
  add.s64 %rd4, %rd1, %rd3;
  add.s64 %rd5, %rd2, %rd3;
  ld.global.f32 %f2, [%rd4];
  mul.rn.f32 %f3, %f2, %f1;
  st.global.f32 [%rd5], %f3;
DONE:
  ret;
}

.visible .entry bounded(.param .u64 x)
.maxntid 64, 1, 1
{
  .reg .b32 %r<2>;
  .reg .b64 %rd<2>;
  .shared .align 4 .b8 room[1024];
  ld.param.u64 %rd1, [x];
  mov.u32 %r1, 7;
  st.shared.b32 [room], %r1;
  bar.sync 0;
  st.global.b32 [%rd1], %r1;
  ret;
}
)ptx";

namespace {

const char *const variables[] = {"HGC_EMU_DEVICE", "HGC_EMU_DEVICES", "HGC_EMU_MEMORY",   "HGC_EMU_SCHEDULE",
                                 "HGC_EMU_FAIL",   "HGC_EMU_CALLS",   "HGC_EMU_COUNTERS", "HGC_EMU_LEAKS",
                                 "HGC_EMU_CHECKS", "HGC_EMU_THREADS", "HGC_EMU_DRIVER",   "HGC_EMU_SKIP",
                                 "HGC_EMU_APPROX"};

} // namespace

void EmulatorTest::fresh() {
  for (const char *name : variables)
    unsetenv(name);
  setenv("HGC_EMU_MEMORY", "64m", 1);
  module = nullptr;
  hgcemu_reset();
}

void EmulatorTest::TearDown() { fresh(); }

void EmulatorTest::configure(std::vector<std::string> settings) {
  fresh();
  for (const std::string &setting : settings) {
    size_t equals = setting.find('=');
    setenv(setting.substr(0, equals).c_str(), setting.substr(equals + 1).c_str(), 1);
  }
}

hgc_cu_context EmulatorTest::start() { return start(0); }

hgc_cu_context EmulatorTest::start(int device) {
  hgc_cu_context context = nullptr;
  EXPECT_OK(cuInit(0));
  EXPECT_OK(cuDevicePrimaryCtxRetain(&context, device));
  EXPECT_OK(cuCtxSetCurrent(context));
  return context;
}

hgc_cu_ptr EmulatorTest::alloc(size_t bytes) {
  hgc_cu_ptr pointer = 0;
  EXPECT_OK(cuMemAlloc_v2(&pointer, bytes));
  return pointer;
}

hgc_cu_stream EmulatorTest::stream(unsigned flags) {
  hgc_cu_stream created = nullptr;
  EXPECT_OK(cuStreamCreate(&created, flags));
  return created;
}

hgc_cu_event EmulatorTest::event(unsigned flags) {
  hgc_cu_event created = nullptr;
  EXPECT_OK(cuEventCreate(&created, flags));
  return created;
}

hgc_cu_function EmulatorTest::kernel(const char *name) {
  if (!module) {
    EXPECT_OK(cuModuleLoadData(&module, testPtx));
  }
  hgc_cu_function function = nullptr;
  EXPECT_OK(cuModuleGetFunction(&function, module, name));
  return function;
}

float *EmulatorTest::pinned(size_t count, float value) {
  void *memory = nullptr;
  EXPECT_OK(cuMemHostAlloc(&memory, count * sizeof(float), 0));
  float *begin = static_cast<float *>(memory);
  std::fill(begin, begin + count, value);
  return begin;
}

hgc_cu_result EmulatorTest::scale(hgc_cu_ptr x, hgc_cu_ptr y, float a, unsigned n, hgc_cu_stream s) {
  void *params[] = {&x, &y, &a, &n};
  return cuLaunchKernel(kernel("scale"), (n + 127) / 128, 1, 1, 128, 1, 1, 0, s, params, nullptr);
}

hgc_cu_ptr EmulatorTest::floats(size_t count, float value) {
  hgc_cu_ptr pointer = alloc(count * sizeof(float));
  std::vector<float> data(count, value);
  EXPECT_OK(cuMemcpyHtoD_v2(pointer, data.data(), count * sizeof(float)));
  return pointer;
}

std::vector<float> EmulatorTest::read(hgc_cu_ptr from, size_t count) {
  std::vector<float> data(count);
  EXPECT_OK(cuMemcpyDtoH_v2(data.data(), from, count * sizeof(float)));
  return data;
}

std::string EmulatorTest::lastFinding() {
  char text[1024] = "";
  hgcemu_last_finding(text, sizeof text);
  return text;
}
