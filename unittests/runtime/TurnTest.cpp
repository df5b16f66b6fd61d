//===- TurnTest.cpp - who runs which units of a loop's kernels, and when --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TestModel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

using namespace hgc::rt_test;

namespace {

constexpr int64_t kUnits = 12;

std::atomic<int64_t> clockTicks;
std::thread::id firstUnitBy;

/// args: y. Every unit notes when it ran.
void noteKernel(void **args, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; ++i) {
    static_cast<int64_t *>(args[0])[i] = clockTicks++;
    if (i == 0)
      firstUnitBy = std::this_thread::get_id();
  }
}

const hgc_rt_kernel_desc kernel = {"note_0", "note",     "", noteKernel, kUnits, 1, 0, 0,
                                   0,        kUnits, 0,  HGC_RT_I64, nullptr};

/// args: turn, y.
hgc_rt_status launch(hgc_rt_ctx *ctx, void **args) {
  void *kernelArgs[] = {args[1]};
  hgc_rt_launch_turn(ctx, &kernel, kernelArgs, 1, *static_cast<int64_t *>(args[0]));
  return HGC_RT_OK;
}

hgc_rt_model_desc makeDesc() {
  static const hgc_rt_variant_desc variants[] = {{launch, 0, nullptr}};
  static const int64_t shape[] = {kUnits};
  static const hgc_rt_tensor_info turn[] = {{"turn", nullptr, HGC_RT_I64, 0}}, y[] = {{"y", shape, HGC_RT_I64, 1}};
  static const hgc_rt_entry_desc entries[] = {{{"run", 0, 1, 1, 1, nullptr, turn, y, nullptr}, variants, nullptr}};
  hgc_rt_model_desc desc = testDesc();
  desc.entries = entries;
  desc.n_entries = 1;
  return desc;
}

TEST(Turn, OddIterationsRunEachRangeBackToFront) {
  for (int threads : {1, 2, 3}) {
    Instance m(makeDesc(), threads);
    int64_t length = kUnits / threads;
    for (int64_t turn = 0; turn < 20; ++turn) {
      std::vector<int64_t> ticks(kUnits, -1);
      ASSERT_EQ(m.call(0, {&turn, ticks.data()}), HGC_RT_OK) << lastError();
      for (int64_t i = 0; i < kUnits; ++i) {
        ASSERT_GE(ticks[i], 0);
        if (i % length)
          ASSERT_EQ(ticks[i - 1] > ticks[i], turn % 2 == 1) << "unit " << i << ", turn " << turn;
      }
    }
  }
}

TEST(Turn, TheFirstRangeIsTheCallers) {
  Instance m(makeDesc(), 2);
  for (int64_t turn = 0; turn < 200; ++turn) {
    std::vector<int64_t> ticks(kUnits, -1);
    ASSERT_EQ(m.call(0, {&turn, ticks.data()}), HGC_RT_OK) << lastError();
    ASSERT_EQ(firstUnitBy, std::this_thread::get_id());
  }
}

} // namespace
