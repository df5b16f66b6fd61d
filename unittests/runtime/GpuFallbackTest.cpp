//===- GpuFallbackTest.cpp - why a GPU is not used ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "FakeCuda.h"
#include "GpuModel.h"
#include "hgc_rt_cuda.h"

#include <gtest/gtest.h>

#include <cstring>
#include <dlfcn.h>

using namespace hgc::rt_test;

namespace {

/// The library as the runtime opens it.
void *fakeSymbol(const char *name) {
  void *library = dlopen(HGC_FAKE_CUDA, RTLD_NOW | RTLD_LOCAL);
  void *symbol = library ? dlsym(library, name) : nullptr;
  EXPECT_TRUE(symbol) << name;
  return symbol;
}

FakeCudaState fakeState() { return reinterpret_cast<FakeCudaState (*)()>(fakeSymbol("fakeCudaState"))(); }

/// Everything that can keep an instance from its GPU.
struct Case {
  std::map<std::string, std::string> environment;
  std::string message;
  hgc_rt_status strict = HGC_RT_NO_DEVICE;
  void (*change)(GpuPlan &) = nullptr;
};

/// `auto` falls back, says why, and gives the right results; whoever insists
/// gets the same words as an error; nothing is left behind.
void check(const Case &c) {
  std::map<std::string, std::string> values = {{"HGC_CUDA_DRIVER", HGC_FAKE_CUDA}};
  for (auto &[name, value] : c.environment)
    values[name] = value;
  Environment environment(values);
  GpuPlan gpu;
  if (c.change)
    c.change(gpu);
  std::string log;
  hgc_rt_options options = hgc_rt_options_default();
  options.log_user = &log;
  options.log = [](void *user, int32_t level, const char *message) {
    if (level == HGC_RT_LOG_WARNING)
      *static_cast<std::string *>(user) += message;
  };
  {
    Instance m(gpu.desc, 1, &options);
    ASSERT_EQ(m.status, HGC_RT_OK) << c.message << ": " << hgc_rt_last_error();
    EXPECT_STREQ(hgc_rt_model_device(m.model), "cpu");
    EXPECT_STREQ(hgc_rt_model_device_name(m.model), "x86-64");
    EXPECT_NE(log.find("model 'gpumodel' runs on the CPU: "), std::string::npos) << log;
    for (const std::string &text : {log, std::string(hgc_rt_model_fallback_reason(m.model))}) {
      EXPECT_NE(text.find(c.message), std::string::npos) << c.message << "\n" << text;
      EXPECT_NE(text.find("\nhint: "), std::string::npos) << text;
    }
    float x[4] = {10, 10, 10, 10}, y[4] = {};
    EXPECT_EQ(m.call(kGpuCount, {x, y}), HGC_RT_OK);
    EXPECT_EQ(y[3], 14) << "the state starts with its initial values";
  }
  options.flags = HGC_RT_STRICT_PLACEMENT;
  Instance strict(gpu.desc, 1, &options);
  EXPECT_EQ(strict.status, c.strict) << c.message;
  EXPECT_NE(lastError().find(c.message), std::string::npos) << lastError();
  options.flags = 0;
  options.device = "gpu";
  EXPECT_EQ(Instance(gpu.desc, 1, &options).status, c.strict) << c.message;
  options.device = "cpu";
  Instance asked(gpu.desc, 1, &options);
  EXPECT_EQ(asked.status, HGC_RT_OK);
  EXPECT_STREQ(hgc_rt_model_fallback_reason(asked.model), "");
  FakeCudaState state = fakeState();
  EXPECT_EQ(state.blocks + state.pinned + state.streams + state.events + state.modules + state.contexts + state.stack,
            0)
      << c.message;
}

TEST(GpuFallback, Driver) {
  check({{{"HGC_CUDA_DRIVER", "/nowhere/libcuda.so.1"}}, "no NVIDIA driver: /nowhere/libcuda.so.1: cannot open"});
  check({{{"FAKE_CUDA_INIT", "34"}}, "is the CUDA toolkit's stub, not a driver: cuInit gave FAKE_ERROR_34 (34)"});
  check({{{"FAKE_CUDA_INIT", "100"}}, "the NVIDIA driver finds no GPU: cuInit"});
  check({{{"FAKE_CUDA_INIT", "3"}}, "this process cannot use CUDA"});
  check({{{"FAKE_CUDA_INIT", "803"}}, "library and kernel module do not agree"});
  check({{{"FAKE_CUDA_INIT", "999"}}, "the NVIDIA driver does not start"});
  check({{{"FAKE_CUDA_FAIL", "cuDriverGetVersion:1"}}, "cuDriverGetVersion gave FAKE_ERROR_999 (999)"});
  check({{{"HGC_CUDA_DRIVER", HGC_FAKE_CUDA_OLD}}, "the NVIDIA driver is too old: it has no cuStreamGetCtx"});
  check({{{"FAKE_CUDA_VERSION", "10020"}},
         "the NVIDIA driver is too old: it supports CUDA 10.2, the model's PTX 7.0 needs 11.0"});
}

TEST(GpuFallback, Devices) {
  check({{{"FAKE_CUDA_DEVICES", "0"}}, "the NVIDIA driver finds no GPU"});
  check({{{"HGC_VISIBLE_DEVICES", ""}}, "HGC_VISIBLE_DEVICES leaves none of 1 GPUs"});
  for (const char *bad : {"1", "x", "0,0", "0,x", "0 ", "-1", "99999999999"})
    check({{{"HGC_VISIBLE_DEVICES", bad}},
           std::string("HGC_VISIBLE_DEVICES is '") + bad + "', expected different numbers below 1"});
  check({{{"FAKE_CUDA_SM", "61"}}, "GPU 0 'Fake GPU' is too old: it is sm_61, the model needs sm_75"});
  check({{{"FAKE_CUDA_MODE", "2"}}, "GPU 0 'Fake GPU' is in compute mode 'prohibited'"});
  check({{{"FAKE_CUDA_FAIL", "cuDeviceGetName:1"}}, "the GPUs cannot be listed: the driver gave FAKE_ERROR_999"});
  check({{}, "the model uses 2 GPUs, 1 can be used", HGC_RT_NO_DEVICE, [](GpuPlan &g) { g.plan.n_devices = 2; }});
}

TEST(GpuFallback, Memory) {
  check({{{"FAKE_CUDA_MEMORY", "1000000"}},
         "needs 20972620 bytes on GPU 0 'Fake GPU' (arena 20971532, weights 64, state 512, scratch 256 per stream), "
         "which has 1000000 of 1000000 free",
         HGC_RT_OUT_OF_MEMORY});
  check({{{"FAKE_CUDA_FAIL", "cuMemAlloc_v2:1=2"}},
         "cuMemAlloc_v2 gave FAKE_ERROR_2 (2, made up) on GPU 0 'Fake GPU'",
         HGC_RT_OUT_OF_MEMORY});
}

TEST(GpuFallback, Code) {
  check({{}, "refuses the kernels: FAKE_ERROR_218 (218): line 7: syntax error", HGC_RT_DEVICE_FAILED, [](GpuPlan &g) {
           g.images[0].data = "refuse me";
         }});
  check({{}, "has no code for GPU 0 'Fake GPU', which is sm_80", HGC_RT_NO_DEVICE, [](GpuPlan &g) {
           g.images[0].sm = 90;
         }});
  check({{}, "cuModuleLoadDataEx gave FAKE_ERROR_218", HGC_RT_DEVICE_FAILED, [](GpuPlan &g) {
           g.images[0] = g.images[1]; // a cubin, and no PTX to fall back to
         }});
  check({{}, "variant 0 of entry 'broken' has no GPU program", HGC_RT_INTERNAL, [](GpuPlan &g) {
           static hgc_rt_variant_desc none = {g.desc.entries[4].variants[0].program, 0, nullptr};
           static std::vector<hgc_rt_entry_desc> entries(g.desc.entries, g.desc.entries + g.desc.n_entries);
           entries[4].variants = &none;
           g.desc.entries = entries.data();
         }});
}

TEST(GpuFallback, ACubinThatDoesNotLoadIsNoProblem) {
  Environment environment({{"HGC_CUDA_DRIVER", HGC_FAKE_CUDA}});
  GpuPlan gpu;
  gpu.plan.n_images = 2;
  Instance m(gpu.desc);
  ASSERT_EQ(m.status, HGC_RT_OK);
  EXPECT_STREQ(hgc_rt_model_device(m.model), "gpu");
}

TEST(GpuFallback, NoPlan) {
  Environment environment({{"HGC_CUDA_DRIVER", HGC_FAKE_CUDA}});
  hgc_rt_options options = hgc_rt_options_default();
  EXPECT_EQ(Instance(testDesc(), 1, &options).status, HGC_RT_OK);
  options.flags = HGC_RT_STRICT_PLACEMENT;
  EXPECT_EQ(Instance(testDesc(), 1, &options).status, HGC_RT_OK) << "there is nothing to fall back from";
  for (const char *device : {"gpu", "emulated"}) {
    options.device = device;
    EXPECT_EQ(Instance(testDesc(), 1, &options).status, HGC_RT_NO_DEVICE);
    EXPECT_NE(lastError().find("model 'testmodel' has no code for a GPU"), std::string::npos) << lastError();
  }
}

TEST(GpuFallback, Environment) {
  GpuPlan gpu;
  Environment driver({{"HGC_CUDA_DRIVER", "/nowhere/libcuda.so.1"}});
  {
    Environment strict({{"HGC_STRICT", "1"}});
    EXPECT_EQ(Instance(gpu.desc).status, HGC_RT_NO_DEVICE);
    Environment cpu({{"HGC_DEVICE", "cpu"}});
    EXPECT_EQ(Instance(gpu.desc).status, HGC_RT_OK);
  }
  Environment lax({{"HGC_STRICT", "0"}, {"HGC_DEVICE", "gpu"}});
  EXPECT_EQ(Instance(gpu.desc).status, HGC_RT_NO_DEVICE);
  hgc_rt_options options = hgc_rt_options_default();
  options.log = [](void *, int32_t, const char *) {};
  options.device = "auto"; // stronger than the environment
  EXPECT_EQ(Instance(gpu.desc, 1, &options).status, HGC_RT_OK);
  for (const char *bad : {"tpu", "emulated:", "gpu0", "CPU"}) {
    options.device = bad;
    EXPECT_EQ(Instance(gpu.desc, 1, &options).status, HGC_RT_INVALID_ARGUMENT);
    EXPECT_NE(lastError().find(std::string("options.device is '") + bad), std::string::npos) << lastError();
  }
  Environment wrong({{"HGC_DEVICE", "tpu"}});
  EXPECT_EQ(Instance(gpu.desc).status, HGC_RT_INVALID_ARGUMENT);
  EXPECT_NE(lastError().find("HGC_DEVICE is 'tpu', expected auto, cpu, gpu, emulated or emulated:TABLE"),
            std::string::npos);
}

TEST(GpuFallback, Emulator) {
  GpuPlan gpu;
  hgc_rt_options options = hgc_rt_options_default();
  options.device = "emulated";
  const std::pair<const char *, const char *> cases[] = {
      {"", "device 'emulated' needs the emulator, which is not part of a model"},
      {"libhgc_emucuda.so", "the emulator is 'libhgc_emucuda.so', expected an absolute path"},
      {"/nowhere/libhgc_emucuda.so", "no emulator: /nowhere/libhgc_emucuda.so: cannot open"}};
  for (auto [path, message] : cases) {
    Environment environment({{"HGC_EMULATOR", path}});
    EXPECT_EQ(Instance(gpu.desc, 1, &options).status, HGC_RT_NO_DEVICE);
    EXPECT_NE(lastError().find(message), std::string::npos) << lastError();
  }
  // Its library may be named by the caller, too.
  options.emulator = HGC_FAKE_CUDA;
  Instance m(gpu.desc, 1, &options);
  ASSERT_EQ(m.status, HGC_RT_OK) << hgc_rt_last_error();
  EXPECT_STREQ(hgc_rt_model_device(m.model), "emulated");
  options.device = "emulated:h100"; // it runs already, with another table
  Environment table({{"HGC_EMU_DEVICE", "a100"}});
  EXPECT_EQ(Instance(gpu.desc, 1, &options).status, HGC_RT_NO_DEVICE);
  EXPECT_NE(lastError().find("the emulator runs as 'a100' already, not as 'h100'"), std::string::npos) << lastError();
}

TEST(GpuFallback, CallersStream) {
  Environment environment({{"HGC_CUDA_DRIVER", HGC_FAKE_CUDA}});
  GpuPlan gpu;
  hgc_rt_options options = hgc_rt_options_default();
  int other = 0;
  options.cuda_stream = &other;
  EXPECT_EQ(Instance(gpu.desc, 1, &options).status, HGC_RT_INVALID_ARGUMENT) << "not a reason to use the CPU";
  EXPECT_NE(lastError().find("options.cuda_stream is not a stream of GPU 0 'Fake GPU'"), std::string::npos);
  auto push = reinterpret_cast<decltype(&cuCtxPushCurrent_v2)>(fakeSymbol("cuCtxPushCurrent_v2"));
  auto pop = reinterpret_cast<decltype(&cuCtxPopCurrent_v2)>(fakeSymbol("cuCtxPopCurrent_v2"));
  auto create = reinterpret_cast<decltype(&cuStreamCreate)>(fakeSymbol("cuStreamCreate"));
  auto destroy = reinterpret_cast<decltype(&cuStreamDestroy_v2)>(fakeSymbol("cuStreamDestroy_v2"));
  hgc_cu_context context = nullptr;
  hgc_cu_stream stream = nullptr;
  push(nullptr);
  create(&stream, 0);
  options.cuda_stream = stream;
  {
    Instance m(gpu.desc, 1, &options);
    ASSERT_EQ(m.status, HGC_RT_OK) << hgc_rt_last_error();
    EXPECT_EQ(fakeState().streams, 2) << "the caller's and one of its own";
    std::vector<float> x(kGpuN, 3.0f), y(kGpuN);
    EXPECT_EQ(m.call(kGpuScale, {x.data(), y.data()}), HGC_RT_OK);
    EXPECT_EQ(y[5], 6.5f);
    EXPECT_EQ(fakeState().stack, 1) << "the thread's own context is current again";
  }
  EXPECT_EQ(fakeState().streams, 1) << "the caller's is not ours to destroy";
  destroy(stream);
  pop(&context);
}

TEST(GpuFallback, SeveralGpus) {
  Environment environment({{"HGC_CUDA_DRIVER", HGC_FAKE_CUDA},
                           {"FAKE_CUDA_DEVICES", "3"},
                           {"FAKE_CUDA_OLD_DEVICE", "1"},
                           {"HGC_VISIBLE_DEVICES", "2,1,0"}});
  GpuPlan gpu;
  gpu.plan.n_devices = 2;
  gpu.desc.n_entries = 7;
  {
    Instance m(gpu.desc);
    ASSERT_EQ(m.status, HGC_RT_OK);
    EXPECT_STREQ(hgc_rt_model_device(m.model), "gpu") << hgc_rt_model_fallback_reason(m.model);
    float x[4] = {1, 2, 3, 4}, y[4] = {};
    ASSERT_EQ(m.call(kGpuHop, {x, y}), HGC_RT_OK) << hgc_rt_last_error();
    EXPECT_EQ(y[3], 4);
  }
  EXPECT_EQ(fakeState().contexts, 0);
  hgc_rt_cuda_info info;
  ASSERT_EQ(hgc_rt_cuda_find("gpu", nullptr, &info), HGC_RT_OK) << info.problem;
  EXPECT_EQ(info.driver_version, 13000);
  ASSERT_EQ(info.n_gpus, 3);
  EXPECT_EQ(info.gpus[0].visible, 3);
  EXPECT_EQ(info.gpus[2].visible, 1);
  EXPECT_EQ(info.gpus[0].sm, 80);
  EXPECT_EQ(info.gpus[1].sm, 60);
  EXPECT_STREQ(info.gpus[0].name, "Fake GPU");
  EXPECT_EQ(info.gpus[0].free_bytes, 1 << 30);
  EXPECT_EQ(fakeState().contexts, 0);
  Environment none({{"FAKE_CUDA_DEVICES", "0"}});
  EXPECT_EQ(hgc_rt_cuda_find("gpu", nullptr, &info), HGC_RT_NO_DEVICE);
  EXPECT_NE(std::strstr(info.problem, "finds no GPU\nhint: "), nullptr) << info.problem;
}

} // namespace
