//===- LibraryTest.cpp - models as shared libraries -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TestModel.h"

#include <gtest/gtest.h>

#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <unistd.h>

using namespace hgc::rt_test;

extern "C" int headerTestC(void);
int headerTestCxx();

namespace {

/// Number of threads of this process.
int threadCount() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (word == "Threads:") {
      int n = 0;
      status >> n;
      return n;
    }
  return -1;
}

struct Library {
  void *handle;
  const hgc_rt_model_export *info = nullptr;

  explicit Library(const char *path) : handle(dlopen(path, RTLD_NOW | RTLD_LOCAL)) {
    if (!handle) {
      ADD_FAILURE() << dlerror();
      return;
    }
    void *symbol = dlsym(handle, "hgc_model_v1");
    hgc_rt_model_v1_fn get;
    std::memcpy(&get, &symbol, sizeof(get));
    info = get();
  }
  ~Library() { dlclose(handle); }

  hgc_rt_model *create(int threads) {
    hgc_rt_options o = hgc_rt_options_default();
    o.num_threads = threads;
    hgc_rt_model *model = nullptr;
    EXPECT_EQ(info->create(info, &o, &model), HGC_RT_OK) << info->last_error();
    return model;
  }
};

/// y = x + bias over 64 elements.
float run(hgc_rt_model *model) {
  std::vector<float> x(64, 1.0f), y(64);
  int64_t dims[] = {64};
  hgc_rt_tensor in = {x.data(), dims, nullptr, HGC_RT_F32, 1};
  hgc_rt_tensor out = {y.data(), dims, nullptr, HGC_RT_F32, 1};
  EXPECT_EQ(hgc_rt_model_call(model, 0, &in, 1, &out, 1), HGC_RT_OK) << hgc_rt_model_last_error(model);
  for (float v : y)
    EXPECT_EQ(v, y[0]);
  return y[0];
}

TEST(Library, UsedWithoutItsHeader) {
  Library a(HGC_TINY_A);
  ASSERT_TRUE(a.info);
  EXPECT_STREQ(a.info->name, "tiny_a");
  for (const char *hidden : {"hgc_rt_create", "hgc_rti_api", "hgc_rt_launch"})
    EXPECT_EQ(dlsym(a.handle, hidden), nullptr) << hidden;
  int64_t length = a.info->describe_json(a.info, nullptr, 0);
  std::string text(length + 1, ' ');
  a.info->describe_json(a.info, &text[0], length + 1);
  text.pop_back();
  EXPECT_TRUE(isJson(text)) << text;
  hgc_rt_model *model = a.create(1);
  EXPECT_EQ(run(model), 2);
  hgc_rt_model_destroy(model);
  EXPECT_EQ(a.info->create(a.info, nullptr, nullptr), HGC_RT_INVALID_ARGUMENT);
  EXPECT_NE(std::strstr(a.info->last_error(), "\nhint: "), nullptr);
}

TEST(Library, TwoModelsInOneProcess) {
  Library a(HGC_TINY_A), b(HGC_TINY_B);
  ASSERT_TRUE(a.info && b.info);
  hgc_rt_model *ma = a.create(2), *mb = b.create(2);
  EXPECT_EQ(run(ma), 2);
  EXPECT_EQ(run(mb), 3);
  EXPECT_EQ(run(ma), 2);
  // Errors are a library's own, and so are handles.
  hgc_rt_model_wait(ma, 99);
  EXPECT_STREQ(b.info->last_error(), "");
  EXPECT_EQ(ma->api->wait(mb, 1), HGC_RT_INVALID_ARGUMENT);
  // One library's pool serves the other.
  hgc_rt_options o = hgc_rt_options_default();
  o.num_threads = 2;
  o.pool = hgc_rt_model_get_pool(ma);
  hgc_rt_model *shared = nullptr;
  ASSERT_EQ(b.info->create(b.info, &o, &shared), HGC_RT_OK);
  EXPECT_EQ(run(shared), 3);
  hgc_rt_model_destroy(shared);
  hgc_rt_model_destroy(mb);
  hgc_rt_model_destroy(ma);
}

TEST(Library, CloseEndsItsThreads) {
  int before = threadCount();
  for (int i = 0; i < 20; ++i) {
    Library a(HGC_TINY_A);
    ASSERT_TRUE(a.info);
    hgc_rt_model *model = a.create(4);
    EXPECT_EQ(run(model), 2);
    EXPECT_GE(threadCount(), before + 3);
    hgc_rt_model_destroy(model);
    // A joined thread leaves the process' books a moment later.
    for (int wait = 0; wait < 20000 && threadCount() != before; ++wait)
      usleep(1000);
    EXPECT_EQ(threadCount(), before);
  }
  EXPECT_EQ(dlopen(HGC_TINY_A, RTLD_NOW | RTLD_NOLOAD), nullptr) << "nothing keeps the library loaded";
}

TEST(Library, APlanWithoutItsArchiveRunsOnTheCpu) {
  Library c(HGC_TINY_C);
  ASSERT_TRUE(c.info);
  hgc_rt_options options = hgc_rt_options_default();
  options.log = [](void *, int32_t, const char *) {};
  hgc_rt_model *model = nullptr;
  ASSERT_EQ(c.info->create(c.info, &options, &model), HGC_RT_OK) << c.info->last_error();
  EXPECT_NE(std::strstr(hgc_rt_model_fallback_reason(model), "has a GPU plan but not the CUDA part of the runtime"),
            nullptr);
  EXPECT_EQ(run(model), 4);
  hgc_rt_model_destroy(model);
}

TEST(Library, HeadersServeBothLanguages) {
  EXPECT_EQ(headerTestC(), 0);
  EXPECT_EQ(headerTestCxx(), 0);
}

} // namespace
