//===- GpuEmulatorTest.cpp - the GPU plan on differently set emulators ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The emulator reads its settings once, so each case is a process: this program
// again, with HGC_TEST_CHILD naming what to do there. The emulator stands in for
// the driver, so that the fallback is seen as well.
//
//===----------------------------------------------------------------------===//

#include "FakeCuda.h"
#include "GpuModel.h"

#include <gtest/gtest.h>

#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

using namespace hgc::rt_test;

namespace {

struct Result {
  int status; ///< Of the process.
  std::string output;
};

Result runChild(const std::string &test, std::map<std::string, std::string> values) {
  std::string path = tempPath("child.txt");
  values["HGC_CUDA_DRIVER"] = HGC_EMULATOR_FILE;
  values["HGC_TEST_CHILD"] = test;
  values["HGC_EMU_LEAKS"] = "1";
  Environment environment(values);
  std::string command =
      "/proc/" + std::to_string(getpid()) + "/exe --gtest_filter=GpuEmulatorChild.* >" + path + " 2>&1";
  Result result = {std::system(command.c_str()), ""};
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  result.output = text.str();
  unlink(path.c_str());
  return result;
}

void expectGood(const std::string &test, const std::map<std::string, std::string> &values) {
  Result result = runChild(test, values);
  std::string settings;
  for (auto &[name, value] : values)
    settings += name + "=" + value + " ";
  EXPECT_EQ(result.status, 0) << settings << result.output;
  EXPECT_NE(result.output.find("[  PASSED  ] 1 test."), std::string::npos) << settings << result.output;
  for (const char *bad : {"hgc-emu: error", "leak:"})
    EXPECT_EQ(result.output.find(bad), std::string::npos) << settings << result.output;
}

/// All programs; every result is right, or an error with a hint.
void use(Instance &m, bool mayFail) {
  std::vector<float> x(kGpuN, 3.0f), y(kGpuN, -1.0f);
  std::vector<uint8_t> fills(kFillBytes);
  float one[4] = {1, 1, 1, 1}, count[4] = {}, b[12] = {1, 2}, c[6] = {};
  auto good = [&](hgc_rt_status status) {
    EXPECT_TRUE(status == HGC_RT_OK || (mayFail && std::strstr(hgc_rt_last_error(), "\nhint: ")))
        << status << " " << hgc_rt_last_error();
    return status == HGC_RT_OK;
  };
  if (good(m.call(kGpuScale, {x.data(), y.data()}))) {
    EXPECT_EQ(y, std::vector<float>(kGpuN, 6.5f));
  }
  if (good(m.call(kGpuFills, {fills.data()}))) {
    EXPECT_EQ(fills, expectedFills());
  }
  if (good(m.call(kGpuCount, {one, count}))) {
    EXPECT_EQ(count[3], 5);
  }
  if (good(m.call(kGpuGemm, {x.data(), b, c}))) {
    EXPECT_EQ(c[0], 9);
    EXPECT_EQ(c[4], 0);
  }
  good(hgc_rt_model_set_param(m.model, kGpuCounter, one, 16));
  if (good(hgc_rt_model_get_param(m.model, kGpuCounter, count, 16))) {
    EXPECT_EQ(count[2], 1);
  }
}

/// The first product fails in cuBLAS, which the call reports; later ones are right.
void failInCublas(Instance &m) {
  float a[8] = {3, 3, 3, 3, 3, 3, 3, 3}, b[12] = {1, 2}, c[6] = {};
  EXPECT_EQ(m.call(kGpuGemm, {a, b, c}), HGC_RT_DEVICE_FAILED);
  EXPECT_NE(lastError().find("model 'gpumodel': cuBLAS gave status 13 in kernel 'gemm_0' on GPU 0 'hgc emulated A100'"),
            std::string::npos)
      << lastError();
  EXPECT_EQ(c[0], 0) << "no result comes back";
  EXPECT_EQ(m.call(kGpuGemm, {a, b, c}), HGC_RT_FAILED_INSTANCE) << "it has state";
  EXPECT_EQ(hgc_rt_model_reset(m.model), HGC_RT_OK) << hgc_rt_last_error();
}

/// A stream that the application has made in the GPU's primary context.
struct CallersStream {
  CallersStream() {
    function<decltype(&cuInit)>("cuInit")(0);
    function<decltype(&cuDevicePrimaryCtxRetain)>("cuDevicePrimaryCtxRetain")(&context, 0);
    function<decltype(&cuCtxPushCurrent_v2)>("cuCtxPushCurrent_v2")(context);
    EXPECT_EQ(function<decltype(&cuStreamCreate)>("cuStreamCreate")(&stream, HGC_CU_STREAM_NON_BLOCKING), 0);
  }
  ~CallersStream() {
    EXPECT_EQ(function<decltype(&cuStreamDestroy_v2)>("cuStreamDestroy_v2")(stream), 0) << "it is still there";
    hgc_cu_context popped = nullptr;
    function<decltype(&cuCtxPopCurrent_v2)>("cuCtxPopCurrent_v2")(&popped);
    EXPECT_EQ(popped, context) << "and its context still current";
    function<decltype(&cuDevicePrimaryCtxRelease_v2)>("cuDevicePrimaryCtxRelease_v2")(0);
  }
  template <typename T> static T function(const char *name) {
    return reinterpret_cast<T>(dlsym(dlopen(HGC_EMULATOR_FILE, RTLD_NOW | RTLD_LOCAL), name));
  }
  hgc_cu_context context = nullptr;
  hgc_cu_stream stream = nullptr;
};

/// Exists in a child only.
class GpuEmulatorChild : public ::testing::Test {
public:
  void TestBody() override {
    gpu.devices[0].arena_bytes = 16384;
    gpu.plan.uses_cublas = 1;
    std::string what = getenv("HGC_TEST_CHILD");
    if (what == "TwoGpus") {
      gpu.plan.n_devices = 2;
      gpu.desc.n_entries = 7;
    }
    if (what != "MayFail" && what != "FallsBack")
      options.device = what == "FailsInCublas" ? "emulated" : "gpu";
    options.emulator = HGC_EMULATOR_FILE;
    std::optional<CallersStream> caller;
    if (what == "CallersStream")
      options.cuda_stream = caller.emplace().stream;
    hgc_cu_ptr others = 0;
    if (what == "FullGpu") {
      caller.emplace();
      EXPECT_EQ(CallersStream::function<decltype(&cuMemAlloc_v2)>("cuMemAlloc_v2")(&others, (64 << 20) - 4096), 0);
    }
    std::string log;
    options.log_user = &log;
    options.log = [](void *user, int32_t, const char *text) { *static_cast<std::string *>(user) += text; };
    Instance m(gpu.desc, 1, &options);
    ASSERT_EQ(m.status, HGC_RT_OK) << hgc_rt_last_error();
    std::string reason = hgc_rt_model_fallback_reason(m.model);
    EXPECT_STREQ(hgc_rt_model_device(m.model), !reason.empty() ? "cpu" : options.device ? options.device : "gpu");
    if (what == "FallsBack") {
      EXPECT_NE(reason.find(getenv("EXPECTED_REASON")), std::string::npos) << reason;
    } else if (what == "TwoGpus") {
      float x[4] = {1, 2, 3, 4}, y[4] = {};
      ASSERT_EQ(m.call(kGpuHop, {x, y}), HGC_RT_OK) << hgc_rt_last_error();
      EXPECT_EQ(y[3], 4);
    } else if (what == "FailsInCublas") {
      failInCublas(m);
    }
    use(m, what == "MayFail" && reason.empty());
    if (const char *expected = getenv("EXPECTED_LOG")) {
      EXPECT_NE(log.find(expected), std::string::npos) << log;
    }
    if (others) {
      EXPECT_EQ(CallersStream::function<decltype(&cuMemFree_v2)>("cuMemFree_v2")(others), 0);
    }
  }

private:
  GpuPlan gpu;
  hgc_rt_options options = hgc_rt_options_default();
};

[[maybe_unused]] const bool registered = [] {
  if (getenv("HGC_TEST_CHILD"))
    ::testing::RegisterTest("GpuEmulatorChild", "Run", nullptr, nullptr, __FILE__, __LINE__,
                            []() -> ::testing::Test * { return new GpuEmulatorChild; });
  return true;
}();

TEST(GpuEmulator, AnySchedule) {
  for (const char *schedule : {"lazy", "eager", "seed:1", "seed:2", "seed:3"})
    expectGood("Works", {{"HGC_EMU_SCHEDULE", schedule}});
}

TEST(GpuEmulator, AnyDevice) {
  for (const char *device : {"t4", "a100", "h100"})
    expectGood("Works", {{"HGC_EMU_DEVICE", device}});
  expectGood("TwoGpus", {{"HGC_EMU_DEVICES", "2"}});
}

TEST(GpuEmulator, CallersStream) { expectGood("CallersStream", {}); }

// The first GPU has no room for the plan: the next one is taken.
TEST(GpuEmulator, GpuWithRoom) {
  expectGood("Works", {{"HGC_EMU_MEMORY", "64m"},
                       {"HGC_EMU_DEVICES", "2"},
                       {"EXPECTED_LOG", "model 'gpumodel' runs its GPU plan on gpu 'hgc emulated A100 (sm_80)', "
                                        "because GPU 0 has 67"}});
  expectGood("FullGpu",
             {{"HGC_EMU_MEMORY", "64m"}, {"HGC_EMU_DEVICES", "2"}, {"EXPECTED_LOG", "because GPU 1 has 67"}});
}

TEST(GpuEmulator, Fallback) {
  expectGood("FallsBack", {{"HGC_EMU_MEMORY", "4096"}, {"EXPECTED_REASON", "free\nhint: free memory of the GPU"}});
  expectGood("FallsBack", {{"HGC_EMU_DEVICES", "0"},
                           {"EXPECTED_REASON", "finds no GPU"},
                           {"EXPECTED_LOG", "runs its CPU plan on cpu 'x86-64', because the GPU cannot be used; "}});
  expectGood("FallsBack", {{"HGC_EMU_DRIVER", "10020"}, {"EXPECTED_REASON", "supports CUDA 10.2"}});
}

TEST(GpuEmulator, FailsInCublas) {
  for (const char *function : {"cublasSetStream", "cublasSetWorkspace", "cublasGemmStridedBatchedEx"})
    expectGood("FailsInCublas", {{"HGC_EMU_FAIL", std::string(function) + ":1=13"}});
}

TEST(GpuEmulator, EveryFunctionFails) {
  std::string path = tempPath("calls.txt");
  expectGood("MayFail", {{"HGC_EMU_CALLS", path}});
  std::ifstream file(path);
  std::string function;
  int count = 0, runs = 0;
  while (file >> function >> count && !HasFailure()) {
    if (function == "any")
      continue;
    for (int call : std::set<int>{1, 2, count}) {
      if (call < 1 || call > count)
        continue;
      expectGood("MayFail", {{"HGC_EMU_FAIL", function + ":" + std::to_string(call)}});
      ++runs;
    }
  }
  EXPECT_GT(runs, 60);
  unlink(path.c_str());
}

} // namespace
