//===- CreateTest.cpp - create, destroy, options, memory ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TestModel.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <set>

using namespace hgc::rt_test;

/// Replaces what the CPU reports; internal to the runtime.
extern "C" const uint64_t *hgc_rti_cpu_override;

namespace {

struct Heap {
  std::set<void *> live;
  int calls = 0, failAt = -1, misalignAt = -1;
  size_t bytes = 0, mostAlignment = 0;
  std::string refused;

  static void *alloc(void *user, size_t bytes, size_t alignment) {
    Heap *heap = static_cast<Heap *>(user);
    int call = heap->calls++;
    if (call == heap->failAt) {
      heap->refused = std::to_string(bytes) + " bytes aligned to " + std::to_string(alignment);
      return nullptr;
    }
    heap->bytes += bytes;
    heap->mostAlignment = std::max(heap->mostAlignment, alignment);
    char *ptr = static_cast<char *>(aligned_alloc(alignment, (bytes + 2 * alignment) / alignment * alignment));
    if (call == heap->misalignAt)
      ++ptr;
    heap->live.insert(ptr);
    return ptr;
  }
  static void release(void *user, void *ptr, size_t bytes, size_t) {
    Heap *heap = static_cast<Heap *>(user);
    EXPECT_EQ(heap->live.erase(ptr), 1u);
    heap->bytes -= bytes;
    free(reinterpret_cast<void *>(reinterpret_cast<uintptr_t>(ptr) & ~uintptr_t(1)));
  }
  hgc_rt_options options() {
    hgc_rt_options o = hgc_rt_options_default();
    o.num_threads = 2;
    o.alloc = alloc;
    o.free = release;
    o.alloc_user = this;
    return o;
  }
};

TEST(Create, MakesAnInstance) {
  Instance m(testDesc());
  ASSERT_EQ(m.status, HGC_RT_OK);
  std::vector<float> y;
  EXPECT_EQ(m.scale(3, y), HGC_RT_OK);
  EXPECT_EQ(y[0], 12);
  EXPECT_EQ(y[11], 42);
  EXPECT_EQ(hgc_rt_model_entry_count(m.model), 6);
  EXPECT_STREQ(hgc_rt_model_entry_info(m.model, kPair)->dim_names[1], "m");
  EXPECT_EQ(hgc_rt_model_entry_info(m.model, 6), nullptr);
  EXPECT_EQ(hgc_rt_model_entry_info(m.model, -1), nullptr);
  EXPECT_EQ(m.model->api->size, sizeof(hgc_rt_model_api));
}

TEST(Create, NullArguments) {
  hgc_rt_model_desc desc = testDesc();
  EXPECT_EQ(hgc_rt_create(&desc, nullptr, nullptr), HGC_RT_INVALID_ARGUMENT);
  EXPECT_NE(lastError().find("out NULL"), std::string::npos);
  void *out = &desc;
  EXPECT_EQ(hgc_rt_create(nullptr, nullptr, &out), HGC_RT_INVALID_ARGUMENT);
  EXPECT_EQ(out, &desc) << "outputs are untouched on failure";
  hgc_rt_destroy(nullptr);
  hgc_rt_model_destroy(nullptr);
  EXPECT_EQ(hgc_rt_model_call(nullptr, 0, nullptr, 0, nullptr, 0), HGC_RT_INVALID_ARGUMENT);
  EXPECT_EQ(hgc_rt_call(nullptr, 0, nullptr, nullptr), HGC_RT_INVALID_ARGUMENT);
  EXPECT_EQ(hgc_rt_export_create(nullptr, nullptr, nullptr), HGC_RT_INVALID_ARGUMENT);
}

TEST(Create, DescriptorOfAnotherVersion) {
  hgc_rt_model_desc desc = testDesc();
  desc.version = 99;
  EXPECT_EQ(Instance(desc).status, HGC_RT_VERSION_MISMATCH);
  const std::string size = std::to_string(sizeof(desc));
  EXPECT_NE(lastError().find("the model has ABI size " + size + ", version 99, its runtime " + size + ", " +
                             std::to_string(HGC_RT_ABI_VERSION)),
            std::string::npos)
      << lastError();
  desc = testDesc();
  desc.size -= 8;
  EXPECT_EQ(Instance(desc).status, HGC_RT_VERSION_MISMATCH);
}

TEST(Create, OptionsOfOtherVersions) {
  hgc_rt_options o = hgc_rt_options_default();
  o.version = 2;
  EXPECT_EQ(Instance(testDesc(), 1, &o).status, HGC_RT_VERSION_MISMATCH);
  o = hgc_rt_options_default();
  o.size = 4;
  EXPECT_EQ(Instance(testDesc(), 1, &o).status, HGC_RT_VERSION_MISMATCH);

  // A shorter struct is one of an older header: the rest is default.
  o = hgc_rt_options_default();
  o.size = offsetof(hgc_rt_options, alloc);
  o.num_threads = 1;
  o.alloc = Heap::alloc; // must not be read
  EXPECT_EQ(Instance(testDesc(), 1, &o).status, HGC_RT_OK);

  // A longer one is fine while it asks for nothing new.
  struct {
    hgc_rt_options known;
    uint64_t future;
  } longer = {hgc_rt_options_default(), 0};
  longer.known.size = sizeof(longer);
  hgc_rt_model_desc desc = testDesc();
  void *out = nullptr;
  ASSERT_EQ(hgc_rt_create(&desc, &longer.known, &out), HGC_RT_OK);
  hgc_rt_destroy(out);
  longer.future = 1;
  EXPECT_EQ(hgc_rt_create(&desc, &longer.known, &out), HGC_RT_VERSION_MISMATCH);
  EXPECT_NE(lastError().find("options uses a field this library does not know"), std::string::npos);
}

TEST(Create, BadOptions) {
  hgc_rt_options o = hgc_rt_options_default();
  o.flags = 1u << 20;
  EXPECT_EQ(Instance(testDesc(), 1, &o).status, HGC_RT_INVALID_ARGUMENT);
  EXPECT_NE(lastError().find("options.flags is 0x100000, which has unknown bits"), std::string::npos);
  o = hgc_rt_options_default();
  o.alloc = Heap::alloc;
  EXPECT_EQ(Instance(testDesc(), 1, &o).status, HGC_RT_INVALID_ARGUMENT);
  for (int32_t threads : {-1, 257}) {
    o = hgc_rt_options_default();
    o.num_threads = threads;
    EXPECT_EQ(Instance(testDesc(), 1, &o).status, HGC_RT_INVALID_ARGUMENT);
    EXPECT_NE(lastError().find("the number of threads is " + std::to_string(threads) + ", expected 0 to 256"),
              std::string::npos);
  }
  hgc_rt_pool pool = {};
  o = hgc_rt_options_default();
  o.pool = &pool;
  EXPECT_EQ(Instance(testDesc(), 1, &o).status, HGC_RT_VERSION_MISMATCH);
  pool.size = sizeof(pool);
  pool.version = HGC_RT_VERSION;
  EXPECT_EQ(Instance(testDesc(), 1, &o).status, HGC_RT_INVALID_ARGUMENT);
  EXPECT_NE(lastError().find("options.pool has no parallel_for"), std::string::npos);
}

TEST(Create, ThreadsOfTheEnvironment) {
  setenv("HGC_NUM_THREADS", "3", 1);
  hgc_rt_model_desc desc = testDesc();
  desc.num_threads = 2;
  EXPECT_EQ(hgc_rt_model_get_threads(Instance(desc, 0).model), 3);
  EXPECT_EQ(hgc_rt_model_get_threads(Instance(desc, 4).model), 4);
  for (const char *bad : {"0", "x", "3x", "999999999999", "-1"}) {
    setenv("HGC_NUM_THREADS", bad, 1);
    EXPECT_EQ(Instance(desc, 0).status, HGC_RT_INVALID_ARGUMENT);
    EXPECT_NE(lastError().find(std::string("HGC_NUM_THREADS is '") + bad + "', expected 1 to 256"), std::string::npos);
  }
  unsetenv("HGC_NUM_THREADS");
  EXPECT_EQ(hgc_rt_model_get_threads(Instance(desc, 0).model), 2);
  EXPECT_GE(hgc_rt_model_get_threads(Instance(testDesc(), 0).model), 1);
}

// Which plan runs, and why: to a hook always, to stderr when asked for.
TEST(Create, LogLevel) {
  auto create = [](const char *level) {
    if (level)
      setenv("HGC_LOG", level, 1);
    ::testing::internal::CaptureStderr();
    Instance m(testDesc());
    unsetenv("HGC_LOG");
    return std::pair(m.status, ::testing::internal::GetCapturedStderr());
  };
  auto [status, text] = create("info");
  EXPECT_EQ(status, HGC_RT_OK);
  EXPECT_NE(text.find("runs its CPU plan on cpu '"), std::string::npos) << text;
  EXPECT_NE(text.find("', because it is the only one; "), std::string::npos) << text;
  for (const char *level : {"warning", "error", "", static_cast<const char *>(nullptr)}) {
    auto [status, text] = create(level);
    EXPECT_EQ(status, HGC_RT_OK);
    EXPECT_EQ(text, "");
  }
  EXPECT_EQ(create("debug").first, HGC_RT_INVALID_ARGUMENT);
  EXPECT_NE(lastError().find("HGC_LOG is 'debug', expected info, warning or error"), std::string::npos);
}

TEST(Create, EveryAllocationMayFail) {
  Heap probe;
  {
    hgc_rt_options o = probe.options();
    Instance m(testDesc(), 2, &o);
    ASSERT_EQ(m.status, HGC_RT_OK);
    hgc_rt_memory_info info = {sizeof(info), HGC_RT_VERSION, 0, 0, 0, 0, 0, 0, 0, 0};
    ASSERT_EQ(hgc_rt_model_memory_requirements(m.model, &info), HGC_RT_OK);
    EXPECT_EQ(info.arena_bytes, 16000);
    EXPECT_EQ(info.scratch_bytes_per_thread, 128);
    EXPECT_EQ(info.scratch_bytes, 256);
    EXPECT_EQ(info.state_bytes, 128);
    EXPECT_EQ(info.weights_bytes, 16);
    EXPECT_GE(probe.bytes, 16000u + 256 + 128);
    EXPECT_LE(probe.bytes, 16000u + 256 + 128 + 4096) << "the struct is small";
    int before = probe.calls;
    std::vector<float> y;
    EXPECT_EQ(m.scale(1000, y), HGC_RT_OK);
    EXPECT_EQ(probe.calls, before) << "a call allocates nothing";
  }
  EXPECT_TRUE(probe.live.empty());
  ASSERT_EQ(probe.calls, 4);
  for (int n = 0; n < probe.calls; ++n) {
    Heap heap;
    heap.failAt = n;
    hgc_rt_options o = heap.options();
    EXPECT_EQ(Instance(testDesc(), 2, &o).status, HGC_RT_OUT_OF_MEMORY) << n;
    EXPECT_NE(lastError().find("cannot allocate " + heap.refused), std::string::npos) << lastError();
    EXPECT_TRUE(heap.live.empty()) << n;
  }
  Heap heap;
  heap.misalignAt = 2;
  hgc_rt_options o = heap.options();
  EXPECT_EQ(Instance(testDesc(), 2, &o).status, HGC_RT_OUT_OF_MEMORY);
  EXPECT_TRUE(heap.live.empty());
}

/// Bytes of the process whose pages may be huge.
size_t countHugeBytes() {
  std::ifstream maps("/proc/self/smaps");
  size_t total = 0, size = 0;
  for (std::string line; std::getline(maps, line);) {
    if (line.rfind("Size:", 0) == 0)
      size = std::stoul(line.substr(5)) * 1024;
    if (line.rfind("VmFlags:", 0) == 0 && line.find(" hg") != std::string::npos)
      total += size;
  }
  return total;
}

TEST(Create, LargeArenasHaveHugePages) {
  hgc_rt_model_desc desc = testDesc();
  desc.arena_bytes = 5 << 20;
  size_t before = countHugeBytes();
  {
    Instance m(desc);
    ASSERT_EQ(m.status, HGC_RT_OK);
    std::vector<float> y;
    EXPECT_EQ(m.scale(3, y), HGC_RT_OK);
    if (std::ifstream("/sys/kernel/mm/transparent_hugepage/enabled").good()) {
      EXPECT_EQ(countHugeBytes() - before, 4u << 20);
    }
  }
  // Those of a caller decide themselves.
  Heap heap;
  hgc_rt_options o = heap.options();
  EXPECT_EQ(Instance(desc, 2, &o).status, HGC_RT_OK);
  EXPECT_EQ(heap.mostAlignment, 4096u);
}

TEST(Create, SetThreadsKeepsTheOldOnFailure) {
  Heap heap;
  hgc_rt_options o = heap.options();
  Instance m(testDesc(), 2, &o);
  heap.failAt = heap.calls;
  EXPECT_EQ(hgc_rt_model_set_threads(m.model, 8), HGC_RT_OUT_OF_MEMORY);
  EXPECT_EQ(hgc_rt_model_get_threads(m.model), 2);
  EXPECT_EQ(hgc_rt_model_set_threads(m.model, 8), HGC_RT_OK);
  EXPECT_EQ(hgc_rt_model_get_threads(m.model), 8);
  EXPECT_EQ(hgc_rt_model_set_threads(m.model, -2), HGC_RT_INVALID_ARGUMENT);
  EXPECT_EQ(hgc_rt_model_set_threads(m.model, 0), HGC_RT_OK);
  EXPECT_EQ(hgc_rt_model_get_threads(m.model), 2);
}

TEST(Create, CpuTooOld) {
  hgc_rt_model_desc desc = testDesc();
  desc.target_cpu = "x86-64-v4";
  desc.cpu_features = UINT64_C(1) << HGC_RT_CPU_AVX2 | UINT64_C(1) << HGC_RT_CPU_SSE42 |
                      UINT64_C(1) << HGC_RT_CPU_AVX512VL | UINT64_C(1) << 63;
  const uint64_t old = UINT64_C(1) << HGC_RT_CPU_SSE42;
  hgc_rti_cpu_override = &old;
  EXPECT_EQ(Instance(desc).status, HGC_RT_UNSUPPORTED_CPU);
  hgc_rti_cpu_override = nullptr;
  std::string text = lastError();
  EXPECT_NE(text.find("'x86-64-v4'; this CPU lacks avx2 avx512vl (and features unknown to this version)"),
            std::string::npos)
      << text;

  desc.cpu_features = UINT64_C(1) << 63;
  hgc_rti_cpu_override = &old;
  EXPECT_EQ(Instance(desc).status, HGC_RT_UNSUPPORTED_CPU);
  hgc_rti_cpu_override = nullptr;
  text = lastError();
  EXPECT_NE(text.find("this CPU lacks features unknown to this version"), std::string::npos) << text;
}

#if defined(__x86_64__)
TEST(Create, CpuFeaturesAgreeWithTheCompiler) {
  __builtin_cpu_init();
  auto has = [](int feature) {
    hgc_rt_model_desc desc = testDesc();
    desc.cpu_features = UINT64_C(1) << feature;
    return Instance(desc).status == HGC_RT_OK;
  };
  EXPECT_EQ(has(HGC_RT_CPU_SSE42), !!__builtin_cpu_supports("sse4.2"));
  EXPECT_EQ(has(HGC_RT_CPU_AVX), !!__builtin_cpu_supports("avx"));
  EXPECT_EQ(has(HGC_RT_CPU_AVX2), !!__builtin_cpu_supports("avx2"));
  EXPECT_EQ(has(HGC_RT_CPU_FMA), !!__builtin_cpu_supports("fma"));
  EXPECT_EQ(has(HGC_RT_CPU_BMI2), !!__builtin_cpu_supports("bmi2"));
  EXPECT_EQ(has(HGC_RT_CPU_AVX512F), !!__builtin_cpu_supports("avx512f"));
  EXPECT_EQ(has(HGC_RT_CPU_AVX512VNNI), !!__builtin_cpu_supports("avx512vnni"));
}
#endif

} // namespace
