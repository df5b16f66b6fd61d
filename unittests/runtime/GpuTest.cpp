//===- GpuTest.cpp - instances that run on a GPU --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each test runs on the fake driver and on the emulator.
//
//===----------------------------------------------------------------------===//

#include "GpuModel.h"

#include <gtest/gtest.h>

#include <cstring>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace hgc::rt_test;

namespace {

class Gpu : public ::testing::TestWithParam<const char *> {
protected:
  Gpu() : environment({{"HGC_CUDA_DRIVER", HGC_FAKE_CUDA}, {"HGC_EMULATOR", HGC_EMULATOR_FILE}}) {
    options.device = GetParam();
    options.num_threads = 1;
  }

  /// y = 2 x + 0.5 for x = 0, 1, ...; true when all of it is right.
  static bool scales(Instance &m) {
    std::vector<float> x(kGpuN), y(kGpuN, -1.0f);
    for (int64_t i = 0; i < kGpuN; ++i)
      x[i] = static_cast<float>(i);
    EXPECT_EQ(m.call(kGpuScale, {x.data(), y.data()}), HGC_RT_OK) << hgc_rt_last_error();
    for (int64_t i = 0; i < kGpuN; ++i)
      if (y[i] != 2 * x[i] + 0.5f)
        return false;
    return true;
  }
  static std::vector<float> counter(Instance &m) {
    std::vector<float> values(4);
    EXPECT_EQ(hgc_rt_model_get_param(m.model, kGpuCounter, values.data(), 16), HGC_RT_OK) << hgc_rt_last_error();
    return values;
  }

  Environment environment;
  GpuPlan gpu;
  hgc_rt_options options = hgc_rt_options_default();
};

TEST_P(Gpu, RunsThePlan) {
  Instance m(gpu.desc, 1, &options);
  ASSERT_EQ(m.status, HGC_RT_OK) << hgc_rt_last_error();
  EXPECT_STREQ(hgc_rt_model_device(m.model), GetParam());
  EXPECT_STREQ(hgc_rt_model_fallback_reason(m.model), "");
  EXPECT_NE(std::strstr(hgc_rt_model_device_name(m.model), "(sm_"), nullptr) << hgc_rt_model_device_name(m.model);
  for (int i = 0; i < 3; ++i)
    EXPECT_TRUE(scales(m));
  EXPECT_TRUE(ranOnGpu);
}

TEST_P(Gpu, MemoryAndDescriptionTellOfIt) {
  Instance m(gpu.desc, 1, &options);
  ASSERT_EQ(m.status, HGC_RT_OK) << hgc_rt_last_error();
  hgc_rt_memory_info info = {sizeof(info), HGC_RT_VERSION, 0, 0, 0, 0, 0, 0, 0, 0};
  ASSERT_EQ(hgc_rt_model_memory_requirements(m.model, &info), HGC_RT_OK);
  EXPECT_EQ(info.device_bytes, kBigBytes + 64 + 512 + 2 * 256);
  EXPECT_GE(info.pinned_bytes, 64 * 1024);
  // A caller with the header of an earlier version.
  hgc_rt_memory_info old = {};
  old.size = offsetof(hgc_rt_memory_info, device_bytes);
  old.version = HGC_RT_VERSION;
  old.device_bytes = -7;
  ASSERT_EQ(hgc_rt_model_memory_requirements(m.model, &old), HGC_RT_OK);
  EXPECT_EQ(old.device_bytes, -7);
  EXPECT_EQ(old.state_bytes, 64);
  int64_t length = hgc_rt_model_describe_json(m.model, nullptr, 0);
  std::string text(length + 1, ' ');
  hgc_rt_model_describe_json(m.model, &text[0], length + 1);
  text.pop_back();
  EXPECT_TRUE(isJson(text)) << text;
  std::string kind = std::string("\"device\":{\"kind\":\"") + GetParam() + "\"";
  for (const std::string &part : {kind, std::string("\"gpu\":{\"min_sm\":75"), std::string("\"kind\":\"ptx\"")})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST_P(Gpu, StateLivesThere) {
  Instance m(gpu.desc, 1, &options);
  ASSERT_EQ(m.status, HGC_RT_OK) << hgc_rt_last_error();
  EXPECT_EQ(counter(m), (std::vector<float>{1, 2, 3, 4}));
  float x[4] = {10, 20, 30, 40}, y[4] = {};
  ASSERT_EQ(m.call(kGpuCount, {x, y}), HGC_RT_OK) << hgc_rt_last_error();
  EXPECT_EQ(y[3], 44);
  ASSERT_EQ(m.call(kGpuCount, {x, y}), HGC_RT_OK);
  EXPECT_EQ(counter(m), (std::vector<float>{21, 42, 63, 84}));
  float set[4] = {-1, -2, -3, -4};
  ASSERT_EQ(hgc_rt_model_set_param(m.model, kGpuCounter, set, 16), HGC_RT_OK);
  ASSERT_EQ(m.call(kGpuCount, {x, y}), HGC_RT_OK);
  EXPECT_EQ(y[0], 9);
  ASSERT_EQ(hgc_rt_model_reset(m.model), HGC_RT_OK);
  EXPECT_EQ(counter(m), (std::vector<float>{1, 2, 3, 4}));
  float w = 0;
  EXPECT_EQ(hgc_rt_model_get_param(m.model, kGpuW, &w, 4), HGC_RT_OK);
  EXPECT_EQ(w, 0.5f);
}

TEST_P(Gpu, FillsAnyPattern) {
  Instance m(gpu.desc, 1, &options);
  std::vector<uint8_t> y(kFillBytes);
  ASSERT_EQ(m.call(kGpuFills, {y.data()}), HGC_RT_OK) << hgc_rt_last_error();
  EXPECT_EQ(y, expectedFills());
}

TEST_P(Gpu, CopiesMoreThanTheStagingMemory) {
  Instance m(gpu.desc, 1, &options);
  std::vector<uint8_t> x(kBigBytes), y(kBigBytes);
  for (int64_t i = 0; i < kBigBytes; ++i)
    x[i] = static_cast<uint8_t>(i * 2654435761u >> 13);
  ASSERT_EQ(m.call(kGpuBig, {x.data(), y.data()}), HGC_RT_OK) << hgc_rt_last_error();
  EXPECT_TRUE(x == y);
}

TEST_P(Gpu, ProductsWithAndWithoutCublas) {
  float a[8], b[12], c[6];
  for (int i = 0; i < 8; ++i)
    a[i] = static_cast<float>(i);
  for (int i = 0; i < 12; ++i)
    b[i] = static_cast<float>(i * i);
  int64_t bytes[2] = {};
  for (int cublas : {0, 1}) {
    gpu.plan.uses_cublas = cublas;
    Instance m(gpu.desc, 1, &options);
    ASSERT_EQ(m.status, HGC_RT_OK) << hgc_rt_last_error();
    ASSERT_EQ(m.call(kGpuGemm, {a, b, c}), HGC_RT_OK) << hgc_rt_last_error();
    for (int i = 0; i < 6; ++i) {
      float sum = 0;
      for (int k = 0; k < 4; ++k)
        sum += a[i / 3 * 4 + k] * b[i % 3 * 4 + k];
      EXPECT_EQ(c[i], sum) << i << " " << cublas;
    }
    hgc_rt_memory_info info = {sizeof(info), HGC_RT_VERSION, 0, 0, 0, 0, 0, 0, 0, 0};
    ASSERT_EQ(hgc_rt_model_memory_requirements(m.model, &info), HGC_RT_OK);
    bytes[cublas] = info.device_bytes;
  }
  if (HGC_EMULATOR_IS_REAL && std::strcmp(GetParam(), "emulated") == 0)
    EXPECT_EQ(bytes[1] - bytes[0], 2 << 20) << "a workspace for each stream";
  else
    EXPECT_EQ(bytes[1], bytes[0]) << "cuBLAS does not start on the fake driver";
}

TEST_P(Gpu, StartAndWait) {
  Instance m(gpu.desc, 1, &options);
  float x[4] = {1, 1, 1, 1}, y[2][4] = {};
  hgc_rt_ticket tickets[2];
  for (int i = 0; i < 2; ++i) {
    void *args[] = {x, y[i]};
    ASSERT_EQ(hgc_rt_start(m.model, kGpuCount, nullptr, args, &tickets[i]), HGC_RT_OK);
  }
  EXPECT_EQ(hgc_rt_wait(m.model, tickets[0]), HGC_RT_OK) << hgc_rt_last_error();
  EXPECT_EQ(hgc_rt_wait(m.model, tickets[1]), HGC_RT_OK);
  EXPECT_EQ(y[0][0], 2);
  EXPECT_EQ(y[1][3], 6);
  EXPECT_TRUE(scales(m)) << "the caller's thread again";
}

TEST_P(Gpu, InstancesAreIndependent) {
  Instance a(gpu.desc, 1, &options), b(gpu.desc, 1, &options);
  float x[4] = {5, 5, 5, 5}, y[4];
  ASSERT_EQ(a.call(kGpuCount, {x, y}), HGC_RT_OK) << hgc_rt_last_error();
  EXPECT_EQ(counter(b)[0], 1);
  EXPECT_TRUE(scales(a));
  EXPECT_TRUE(scales(b));
}

TEST_P(Gpu, InstancesRunInParallel) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([this] {
      Instance m(gpu.desc, 1, &options);
      ASSERT_EQ(m.status, HGC_RT_OK) << hgc_rt_last_error();
      for (int i = 0; i < 5; ++i) {
        float x[4] = {1, 1, 1, 1}, y[4] = {};
        ASSERT_EQ(m.call(kGpuCount, {x, y}), HGC_RT_OK) << hgc_rt_last_error();
        EXPECT_EQ(y[0], 2 + i);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}

struct Timings {
  std::vector<std::string> kernels;
  int64_t last = 0;
};

TEST_P(Gpu, KernelsAreTimed) {
  Timings timings;
  options.timing_user = &timings;
  options.kernel_timing = [](void *user, const hgc_rt_kernel_timing *t) {
    Timings *all = static_cast<Timings *>(user);
    all->kernels.push_back(std::string(t->name) + "|" + t->ops + "|" + std::to_string(t->gpu) +
                           std::to_string(t->stream));
    EXPECT_LE(t->begin_ns, t->end_ns);
    EXPECT_GT(t->begin_ns, 0);
    EXPECT_EQ(t->ranges, 1);
    EXPECT_EQ(t->units, t->flops == 4 ? 1 : 4);
  };
  std::string path = tempPath("gpu_trace.json");
  {
    Environment trace({{"HGC_TRACE", path}});
    Instance m(gpu.desc, 1, &options);
    float x[4] = {}, y[4];
    ASSERT_EQ(m.call(kGpuCount, {x, y}), HGC_RT_OK) << hgc_rt_last_error();
    EXPECT_TRUE(scales(m));
  }
  EXPECT_EQ(timings.kernels, (std::vector<std::string>{"count_0|add|00", "scale_0|mul, add|00"}));
  FILE *file = fopen(path.c_str(), "r");
  ASSERT_TRUE(file);
  std::string text(10000, 0);
  text.resize(fread(&text[0], 1, text.size(), file));
  fclose(file);
  unlink(path.c_str());
  EXPECT_TRUE(isJson(text)) << text;
  EXPECT_NE(text.find("\"name\":\"scale_0\",\"cat\":\"kernel\""), std::string::npos) << text;
  EXPECT_NE(text.find("\"gpu\":0,\"stream\":0"), std::string::npos) << text;
}

TEST_P(Gpu, SeparateBuffers) {
  const int64_t sizes[] = {16, 0};
  gpu.devices[0].guarded_sizes = sizes;
  gpu.devices[0].n_guarded = 2;
  Instance m(gpu.desc, 1, &options);
  ASSERT_EQ(m.status, HGC_RT_OK) << hgc_rt_last_error();
  EXPECT_TRUE(scales(m));
  EXPECT_TRUE(scales(m));
}

TEST_P(Gpu, AFailedCallNeverTouchesTheOutputsLater) {
  Instance m(gpu.desc, 1, &options);
  float y[4] = {1, 2, 3, 4};
  EXPECT_EQ(m.call(kGpuBroken, {y}), HGC_RT_DEVICE_FAILED);
  std::string error = lastError();
  EXPECT_NE(error.find("cuModuleGetFunction of kernel 'nowhere' gave"), std::string::npos) << error;
  EXPECT_EQ(y[0], 1) << "the copy was given up";
  EXPECT_EQ(m.call(kGpuBroken, {y}), HGC_RT_FAILED_INSTANCE) << "it has state";
  EXPECT_EQ(hgc_rt_model_reset(m.model), HGC_RT_OK);
  EXPECT_TRUE(scales(m));
}

TEST_P(Gpu, TooMuchScratchIsABugOfTheCompiler) {
  Instance m(gpu.desc, 1, &options);
  float y[4];
  brokenScratch = 10000;
  EXPECT_EQ(m.call(kGpuBroken, {y}), HGC_RT_INTERNAL);
  brokenScratch = 64;
  EXPECT_NE(lastError().find("kernel 'broken_0' has 2 arguments and needs 10000 bytes of scratch, at most 512 and 256"),
            std::string::npos)
      << lastError();
}

TEST_P(Gpu, KernelsRunOnStreamsWithMemoryForThem) {
  gpu.plan.n_launch_streams = 1;
  Instance m(gpu.desc, 1, &options);
  float a[8] = {}, b[12] = {}, c[6];
  EXPECT_EQ(m.call(kGpuGemm, {a, b, c}), HGC_RT_INTERNAL);
  EXPECT_NE(lastError().find("is launched on stream 1 of 1 that have memory for kernels"), std::string::npos)
      << lastError();
}

TEST_P(Gpu, AForkedChildCannotUseIt) {
  Instance m(gpu.desc, 1, &options);
  ASSERT_TRUE(scales(m));
  pid_t child = fork();
  if (child == 0) {
    float x[4] = {}, y[4];
    bool good = m.call(kGpuCount, {x, y}) == HGC_RT_FAILED_INSTANCE &&
                std::strstr(hgc_rt_last_error(), "the instance runs on a GPU and belongs to the process that forked") &&
                hgc_rt_model_reset(m.model) == HGC_RT_FAILED_INSTANCE;
    hgc_rt_model_destroy(m.model);
    _exit(good ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(scales(m)) << "the parent goes on";
}

INSTANTIATE_TEST_SUITE_P(Drivers, Gpu, ::testing::Values("gpu", "emulated"),
                         [](const auto &info) { return std::string(info.param); });

} // namespace
