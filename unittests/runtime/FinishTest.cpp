//===- FinishTest.cpp - kernels that combine partial results --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TestModel.h"

#include <gtest/gtest.h>

using namespace hgc::rt_test;

namespace {

constexpr int64_t kUnits = 12;

/// args: y, scratch. Every unit keeps its square in memory that all ranges share.
void squareKernel(void **args, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; ++i)
    static_cast<int64_t *>(args[1])[i] = i * i;
}

/// Weighs the squares by their order, which shows one that is missing.
void sumSquares(void **args, int64_t begin, int64_t end) {
  EXPECT_EQ(begin, 0);
  EXPECT_EQ(end, 1);
  auto *squares = static_cast<int64_t *>(args[1]);
  auto *y = static_cast<int64_t *>(args[0]);
  *y = 0;
  for (int64_t i = 0; i < kUnits; ++i) {
    *y = *y * 3 + squares[i];
    squares[i] = -1;
  }
}

const hgc_rt_kernel_desc kernel = {"squares_0", "reduce", "", squareKernel, kUnits,    1, kUnits * 8, 0,
                                   0,           1,        0,  HGC_RT_I64,   sumSquares};

hgc_rt_status launchOne(hgc_rt_ctx *ctx, void **args) {
  void *kernelArgs[] = {args[0], nullptr};
  hgc_rt_launch(ctx, &kernel, kernelArgs, 2);
  return HGC_RT_OK;
}

hgc_rt_status launchTwo(hgc_rt_ctx *ctx, void **args) {
  void *kernelArgs[2][2] = {{args[0], nullptr}, {args[1], nullptr}};
  hgc_rt_parallel_launch launches[] = {{&kernel, kernelArgs[0], 2, 0, 0, 0}, {&kernel, kernelArgs[1], 2, 1, 0, 0}};
  hgc_rt_parallel(ctx, launches, 2, 2);
  return HGC_RT_OK;
}

hgc_rt_model_desc makeDesc() {
  static const hgc_rt_variant_desc one[] = {{launchOne, 0, nullptr}}, two[] = {{launchTwo, 0, nullptr}};
  static const hgc_rt_tensor_info y[] = {{"y", nullptr, HGC_RT_I64, 0}, {"z", nullptr, HGC_RT_I64, 0}};
  static const hgc_rt_entry_desc entries[] = {
      {{"one", 0, 0, 1, 1, nullptr, nullptr, y, nullptr}, one, nullptr},
      {{"two", 0, 0, 2, 1, nullptr, nullptr, y, nullptr}, two, nullptr},
  };
  hgc_rt_model_desc desc = testDesc();
  desc.entries = entries;
  desc.n_entries = 2;
  return desc;
}

int64_t expected() {
  int64_t y = 0;
  for (int64_t i = 0; i < kUnits; ++i)
    y = y * 3 + i * i;
  return y;
}

TEST(Finish, CombinesTheResultsOfAllRanges) {
  for (int threads : {1, 2, 5, 16}) {
    Instance m(makeDesc(), threads);
    for (int round = 0; round < 20; ++round) {
      int64_t y = 0;
      ASSERT_EQ(m.call(0, {&y}), HGC_RT_OK) << lastError();
      ASSERT_EQ(y, expected());
    }
  }
}

TEST(Finish, KernelsSideBySideHaveMemoryOfTheirOwn) {
  for (int threads : {1, 2, 3}) {
    Instance m(makeDesc(), threads);
    for (int round = 0; round < 20; ++round) {
      int64_t y = 0, z = 0;
      ASSERT_EQ(m.call(1, {&y, &z}), HGC_RT_OK) << lastError();
      ASSERT_EQ(y, expected());
      ASSERT_EQ(z, expected());
    }
  }
}

} // namespace
