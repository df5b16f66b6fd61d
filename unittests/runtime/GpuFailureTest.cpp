//===- GpuFailureTest.cpp - every driver call fails once ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whatever call fails: a right result, or an error with a message and a hint;
// nothing left behind, nothing under way, no context left current.
//
//===----------------------------------------------------------------------===//

#include "FakeCuda.h"
#include "GpuModel.h"

#include <gtest/gtest.h>

#include <cstring>
#include <dlfcn.h>

using namespace hgc::rt_test;

namespace {

template <typename T> T fakeFunction(const char *name) {
  return reinterpret_cast<T>(dlsym(dlopen(HGC_FAKE_CUDA, RTLD_NOW | RTLD_LOCAL), name));
}

FakeCudaState fakeState() { return fakeFunction<decltype(&fakeCudaState)>("fakeCudaState")(); }

/// Statuses a failing driver may lead to.
bool clean(hgc_rt_status status) {
  bool expected = status == HGC_RT_OK || status == HGC_RT_DEVICE_FAILED || status == HGC_RT_OUT_OF_MEMORY ||
                  status == HGC_RT_FAILED_INSTANCE;
  return expected && (status == HGC_RT_OK || std::strstr(hgc_rt_last_error(), "\nhint: "));
}

/// Uses all of an instance's GPU functions. Returns the first failure.
hgc_rt_status use(Instance &m) {
  std::vector<float> x(kGpuN, 3.0f), y(kGpuN, -1.0f);
  float one[4] = {1, 1, 1, 1}, count[4] = {};
  std::vector<uint8_t> fills(kFillBytes);
  hgc_rt_status first = m.call(kGpuScale, {x.data(), y.data()});
  EXPECT_TRUE(clean(first)) << first << hgc_rt_last_error();
  if (first == HGC_RT_OK) {
    EXPECT_EQ(y[0], 6.5f);
    EXPECT_EQ(y[kGpuN - 1], 6.5f);
  }
  EXPECT_EQ(fakeState().queued, 0) << "nothing is under way after a call";
  hgc_rt_status status = m.call(kGpuFills, {fills.data()});
  EXPECT_TRUE(clean(status)) << status << hgc_rt_last_error();
  if (status == HGC_RT_OK) {
    EXPECT_EQ(fills, expectedFills());
  }
  first = first ? first : status;
  status = m.call(kGpuCount, {one, count});
  EXPECT_TRUE(clean(status)) << status << hgc_rt_last_error();
  if (status == HGC_RT_OK) {
    EXPECT_EQ(count[3], 5);
  }
  first = first ? first : status;
  status = hgc_rt_model_set_param(m.model, kGpuCounter, one, 16);
  EXPECT_TRUE(clean(status)) << status << hgc_rt_last_error();
  first = first ? first : status;
  status = hgc_rt_model_get_param(m.model, kGpuCounter, count, 16);
  EXPECT_TRUE(clean(status)) << status << hgc_rt_last_error();
  if (status == HGC_RT_OK) {
    EXPECT_EQ(count[0], 1);
  }
  EXPECT_EQ(fakeState().queued, 0);
  return first ? first : status;
}

/// One run with the n-th call failing; false when there was no n-th call.
bool run(int call, int code, int devices) {
  Environment environment({{"HGC_CUDA_DRIVER", HGC_FAKE_CUDA},
                           {"FAKE_CUDA_DEVICES", std::to_string(devices)},
                           {"FAKE_CUDA_FAIL", "any:" + std::to_string(call) + "=" + std::to_string(code)}});
  GpuPlan gpu;
  gpu.plan.n_devices = devices;
  gpu.devices[0].arena_bytes = 16384;
  std::string log;
  hgc_rt_options options = hgc_rt_options_default();
  options.log_user = &log;
  options.log = [](void *user, int32_t, const char *message) { *static_cast<std::string *>(user) += message; };
  options.kernel_timing = [](void *, const hgc_rt_kernel_timing *) {};
  hgc_rt_status status = HGC_RT_OK;
  bool fellBack = false;
  {
    Instance m(gpu.desc, 1, &options);
    EXPECT_EQ(m.status, HGC_RT_OK) << "auto always has the CPU: " << hgc_rt_last_error();
    if (m.status != HGC_RT_OK)
      return false;
    fellBack = std::strlen(hgc_rt_model_fallback_reason(m.model)) > 0;
    status = use(m);
  }
  FakeCudaState state = fakeState();
  // Without its context nothing can be given back but the context itself.
  if (!std::strcmp(state.failed, "cuCtxPushCurrent_v2"))
    fakeFunction<decltype(&fakeCudaForget)>("fakeCudaForget")();
  else
    EXPECT_EQ(state.blocks + state.pinned + state.streams + state.events + state.modules, 0) << state.failed;
  EXPECT_EQ(state.contexts, 0) << state.failed;
  EXPECT_EQ(state.stack, 0) << state.failed;
  EXPECT_TRUE(!fellBack || status == HGC_RT_OK) << "the CPU plan does not fail";
  return state.failed[0] != 0;
}

/// All calls in turn; of a long row of the same one, its first and last.
void exhaust(int code, int devices, int least) {
  auto nameOf = fakeFunction<decltype(&fakeCudaCall)>("fakeCudaCall");
  ASSERT_FALSE(run(0, code, devices)) << "without a failure";
  std::vector<std::string> names = {""};
  for (int call = 1; *nameOf(call); ++call)
    names.push_back(nameOf(call));
  names.push_back("");
  int count = 0;
  for (int call = 1; call + 1 < static_cast<int>(names.size()) && !::testing::Test::HasFailure(); ++call)
    if (names[call] != names[call - 1] || names[call] != names[call + 1]) {
      EXPECT_TRUE(run(call, code, devices)) << call << " " << names[call];
      ++count;
    }
  EXPECT_GT(count, least) << "that many calls failed";
}

TEST(GpuFailure, EveryCallOnce) { exhaust(HGC_CU_ERROR_INVALID_VALUE, 1, 90); }
TEST(GpuFailure, EveryCallLosesTheContext) { exhaust(HGC_CU_ERROR_ILLEGAL_ADDRESS, 1, 90); }
TEST(GpuFailure, EveryCallIsOutOfMemory) { exhaust(HGC_CU_ERROR_OUT_OF_MEMORY, 1, 90); }
TEST(GpuFailure, EveryCallOnceWithTwoGpus) { exhaust(HGC_CU_ERROR_UNKNOWN, 2, 130); }

/// The status of a call whose launch fails with `code`, and of what follows.
void checkLaunch(int code, hgc_rt_status expected, bool lost) {
  Environment environment(
      {{"HGC_CUDA_DRIVER", HGC_FAKE_CUDA}, {"FAKE_CUDA_FAIL", "cuLaunchKernel:1=" + std::to_string(code)}});
  GpuPlan gpu;
  Instance m(gpu.desc);
  std::vector<float> x(kGpuN), y(kGpuN);
  EXPECT_EQ(m.call(kGpuScale, {x.data(), y.data()}), expected);
  std::string error = lastError();
  EXPECT_NE(error.find("model 'gpumodel': cuLaunchKernel of kernel 'scale_0' gave FAKE_ERROR_" + std::to_string(code) +
                       " (" + std::to_string(code) + ", made up) on GPU 0 'Fake GPU'"),
            std::string::npos)
      << error;
  EXPECT_EQ(m.call(kGpuScale, {x.data(), y.data()}), HGC_RT_FAILED_INSTANCE);
  EXPECT_EQ(hgc_rt_model_reset(m.model), lost ? HGC_RT_FAILED_INSTANCE : HGC_RT_OK);
  if (lost)
    EXPECT_NE(lastError().find("an earlier error has made Fake GPU (sm_80) unusable"), std::string::npos)
        << lastError();
  EXPECT_EQ(m.call(kGpuScale, {x.data(), y.data()}), lost ? HGC_RT_FAILED_INSTANCE : HGC_RT_OK);
}

TEST(GpuFailure, Launch) {
  checkLaunch(HGC_CU_ERROR_INVALID_VALUE, HGC_RT_DEVICE_FAILED, false);
  checkLaunch(HGC_CU_ERROR_LAUNCH_OUT_OF_RESOURCES, HGC_RT_DEVICE_FAILED, false);
  checkLaunch(HGC_CU_ERROR_OUT_OF_MEMORY, HGC_RT_OUT_OF_MEMORY, false);
  for (int code : {HGC_CU_ERROR_ILLEGAL_ADDRESS, HGC_CU_ERROR_LAUNCH_FAILED, HGC_CU_ERROR_ECC_UNCORRECTABLE,
                   HGC_CU_ERROR_LAUNCH_TIMEOUT, HGC_CU_ERROR_UNKNOWN})
    checkLaunch(code, HGC_RT_DEVICE_FAILED, true);
}

} // namespace
