//===- GuardedTest.cpp - buffers between guard pages ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TestModel.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace hgc::rt_test;

namespace {

const int64_t sizes[] = {100, 0, 5000, 4096, 16};

/// What the program does: {buffer, offset, what}.
struct Action {
  int64_t buffer, offset;
  enum { Check, Write, Read } what;
} action;

hgc_rt_status program(hgc_rt_ctx *ctx, void **) {
  if (action.what == Action::Check) {
    for (int64_t i = 0; i < 5; ++i) {
      const unsigned char *p = static_cast<unsigned char *>(hgc_rt_guarded(ctx, i));
      if (reinterpret_cast<uintptr_t>(p) % 16)
        return hgc_rt_fail(ctx, HGC_RT_INTERNAL, "misaligned");
      for (int64_t k = 0; k < sizes[i]; ++k)
        if (p[k] != 0xCB)
          return hgc_rt_fail(ctx, HGC_RT_INTERNAL, "not poisoned");
      std::memset(const_cast<unsigned char *>(p), 0, sizes[i]);
    }
    return HGC_RT_OK;
  }
  volatile char *p = static_cast<char *>(hgc_rt_guarded(ctx, action.buffer)) + action.offset;
  if (action.what == Action::Write)
    *p = 1;
  else
    (void)*p;
  return HGC_RT_OK;
}

const hgc_rt_variant_desc variants[] = {{program, 0, nullptr}};
const hgc_rt_entry_desc entries[] = {{{"main", 0, 0, 0, 1, nullptr, nullptr, nullptr, nullptr}, variants, nullptr}};

hgc_rt_model_desc guardedDesc() {
  hgc_rt_model_desc desc = testDesc();
  desc.entries = entries;
  desc.n_entries = 1;
  desc.state_bytes = 0;
  desc.n_params = 0;
  desc.guarded_sizes = sizes;
  desc.n_guarded = 5;
  return desc;
}

hgc_rt_status run(int64_t buffer, int64_t offset, decltype(Action::what) what = Action::Write) {
  Instance m(guardedDesc());
  action = {buffer, offset, what};
  return m.call(0, {});
}

TEST(Guarded, PoisonedAtEveryCall) {
  Instance m(guardedDesc());
  action.what = Action::Check;
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(m.call(0, {}), HGC_RT_OK) << hgc_rt_last_error();
  hgc_rt_memory_info info = {sizeof(info), HGC_RT_VERSION, 0, 0, 0, 0, 0, 0, 0, 0};
  ASSERT_EQ(hgc_rt_model_memory_requirements(m.model, &info), HGC_RT_OK);
  EXPECT_GE(info.guarded_bytes, 100 + 5000 + 4096 + 16);
}

TEST(Guarded, InsideIsFine) {
  EXPECT_EQ(run(0, 99), HGC_RT_OK);
  EXPECT_EQ(run(2, 0), HGC_RT_OK);
}

TEST(Guarded, SlackIsChecked) {
  EXPECT_EQ(run(0, 100), HGC_RT_INTERNAL);
  EXPECT_NE(lastError().find("guarded buffer 0 of 100 bytes was written past"), std::string::npos);
  EXPECT_EQ(run(0, -1), HGC_RT_INTERNAL);
  EXPECT_NE(lastError().find("before its start"), std::string::npos);
}

TEST(GuardedDeathTest, OverflowFaults) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(run(0, 112), "");
  EXPECT_DEATH(run(3, 4096), "");
#if defined(__x86_64__) // one page; elsewhere there is slack before it
  EXPECT_DEATH(run(3, -1), "");
#endif
  EXPECT_DEATH(run(4, 16, Action::Read), "");
  EXPECT_DEATH(run(1, 0, Action::Read), "");
}

} // namespace
