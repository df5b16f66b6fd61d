//===- TraceTest.cpp - kernel times and descriptions ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TestModel.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace hgc::rt_test;

namespace {

std::string readAll(const std::string &path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

int count(const std::string &text, const std::string &what) {
  int n = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
    ++n;
  return n;
}

struct Trace : ::testing::Test {
  std::string path = tempPath("trace.json");
  void SetUp() override {
    unlink(path.c_str());
    setenv("HGC_TRACE", path.c_str(), 1);
  }
  void TearDown() override {
    unsetenv("HGC_TRACE");
    unlink(path.c_str());
  }
};

TEST_F(Trace, HoldsEveryKernel) {
  std::vector<float> y;
  {
    Instance m(testDesc(), 2);
    for (int i = 0; i < 3; ++i)
      ASSERT_EQ(m.scale(1000, y), HGC_RT_OK);
  }
  std::string text = readAll(path);
  EXPECT_TRUE(isJson(text)) << text;
  EXPECT_EQ(count(text, "\"cat\":\"kernel\""), 3);
  EXPECT_EQ(count(text, "\"cat\":\"call\""), 3);
  for (const char *part :
       {"{\"name\":\"scale_0\",\"cat\":\"kernel\",\"ph\":\"X\",\"ts\":", "\"ops\":\"mul, \\\"add\\\"\"",
        "\"location\":\"test.mlir:3:4\"", "\"units\":1000", "\"ranges\":2", "\"flops\":8000", "\"bytes\":32000",
        "\"model\":\"testmodel\"", "\"tid\":", "\"dur\":"})
    EXPECT_NE(text.find(part), std::string::npos) << part;
}

TEST_F(Trace, IsSharedByInstancesButNotByRuns) {
  std::ofstream(path) << "{\"left\": \"over\"}";
  std::vector<float> y;
  for (int i = 0; i < 3; ++i) {
    Instance m(testDesc(), 1);
    ASSERT_EQ(m.scale(1, y), HGC_RT_OK);
  }
  std::string text = readAll(path);
  EXPECT_TRUE(isJson(text)) << text;
  EXPECT_EQ(count(text, "scale_0"), 3);
  EXPECT_EQ(text.find("left"), std::string::npos);
}

TEST_F(Trace, OutgrowsItsBuffer) {
  const int calls = 5000; // two events each
  std::vector<float> y;
  {
    Instance m(testDesc(), 1);
    for (int i = 0; i < calls; ++i)
      ASSERT_EQ(m.scale(1, y), HGC_RT_OK);
  }
  std::string text = readAll(path);
  EXPECT_TRUE(isJson(text));
  EXPECT_EQ(count(text, "scale_0"), calls);
}

TEST_F(Trace, UnwritableFileIsAWarning) {
  setenv("HGC_TRACE", "/nonexistent/folder/t.json", 1);
  std::string log;
  hgc_rt_options o = hgc_rt_options_default();
  o.num_threads = 1;
  o.log_user = &log;
  o.log = [](void *user, int32_t level, const char *text) {
    *static_cast<std::string *>(user) += std::to_string(level) + text + "\n";
  };
  std::vector<float> y;
  {
    Instance m(testDesc(), 1, &o);
    EXPECT_EQ(log.rfind("0hgc: model 'testmodel'", 0), 0u) << log;
    ASSERT_EQ(m.scale(1, y), HGC_RT_OK);
  }
  EXPECT_NE(log.find("1hgc: warning: cannot write 2 trace events to "
                     "'/nonexistent/folder/t.json'"),
            std::string::npos)
      << log;
  ::testing::internal::CaptureStderr();
  {
    Instance m(testDesc(), 1);
    ASSERT_EQ(m.scale(1, y), HGC_RT_OK);
  }
  EXPECT_NE(::testing::internal::GetCapturedStderr().find("hint: set HGC_TRACE"), std::string::npos);
}

TEST(Timing, HookSeesEveryKernel) {
  std::vector<hgc_rt_kernel_timing> seen;
  hgc_rt_options o = hgc_rt_options_default();
  o.num_threads = 2;
  o.timing_user = &seen;
  o.kernel_timing = [](void *user, const hgc_rt_kernel_timing *t) {
    static_cast<std::vector<hgc_rt_kernel_timing> *>(user)->push_back(*t);
  };
  Instance m(testDesc(), 2, &o);
  std::vector<float> y;
  ASSERT_EQ(m.scale(3, y), HGC_RT_OK);
  ASSERT_EQ(m.scale(1, y), HGC_RT_OK);
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_STREQ(seen[0].name, "scale_0");
  EXPECT_EQ(seen[0].units, 3);
  EXPECT_EQ(seen[0].ranges, 2);
  EXPECT_EQ(seen[1].ranges, 1);
  EXPECT_EQ(seen[0].flops, 24);
  EXPECT_EQ(seen[0].output_count, 12);
  EXPECT_EQ(seen[1].output, y.data());
  EXPECT_EQ(seen[1].output_dtype, HGC_RT_F32);
  EXPECT_GE(seen[0].end_ns, seen[0].begin_ns);
  EXPECT_GE(seen[1].begin_ns, seen[0].end_ns);
}

TEST(Describe, IsJson) {
  hgc_rt_model_desc desc = testDesc();
  desc.extra_json = "{\"opt\": 3}";
  desc.cpu_features = 1u << HGC_RT_CPU_SSE3;
  Instance m(desc);
  int64_t length = hgc_rt_model_describe_json(m.model, nullptr, 0);
  std::string text(length + 1, '?');
  EXPECT_EQ(hgc_rt_model_describe_json(m.model, &text[0], length + 1), length);
  EXPECT_EQ(std::strlen(text.c_str()), size_t(length));
  text.pop_back();
  EXPECT_TRUE(isJson(text)) << text;
  for (const char *part :
       {"\"name\":\"testmodel\"", "\"cpu\":\"x86-64\",\"features\":[\"sse3\"]",
        "{\"name\":\"x\",\"dtype\":\"f32\",\"shape\":[\"batch\",4]}", "{\"dims\":{\"n\":0,\"m\":3},\"arena_bytes\":0}",
        "{\"name\":\"counter\",\"dtype\":\"i64\",\"shape\":[],\"bytes\":8,"
        "\"mutable\":true,\"readable\":true}",
        "\"arena_bytes\":16000", "\"weights_file\":null", "\"compiler\":{\"opt\": 3}"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;

  char small[10] = "?????????";
  EXPECT_EQ(hgc_rt_model_describe_json(m.model, small, 5), length);
  EXPECT_STREQ(small, "{\"na");
  hgc_rt_model_export info = {sizeof(info),         HGC_RT_VERSION,         "testmodel",      &desc,
                              hgc_rt_export_create, hgc_rt_export_describe, hgc_rt_last_error};
  // Without an instance it says the same but for where the instance runs.
  int64_t shorter = info.describe_json(&info, nullptr, 0);
  std::string device = R"(,"device":{"kind":"cpu","name":"x86-64","fallback_reason":""})";
  EXPECT_NE(text.find(device), std::string::npos) << text;
  EXPECT_EQ(shorter, length - static_cast<int64_t>(device.size()));
}

TEST(Describe, MemoryRequirementsChecksItsStruct) {
  Instance m(testDesc());
  hgc_rt_memory_info info = {};
  EXPECT_EQ(hgc_rt_model_memory_requirements(m.model, &info), HGC_RT_VERSION_MISMATCH);
  EXPECT_EQ(hgc_rt_model_memory_requirements(m.model, nullptr), HGC_RT_INVALID_ARGUMENT);
}

} // namespace
