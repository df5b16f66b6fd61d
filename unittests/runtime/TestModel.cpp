//===- TestModel.cpp - a model written by hand ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TestModel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <thread>
#include <unistd.h>

namespace hgc::rt_test {

alignas(64) const float kWeights[4] = {10, 20, 30, 40};
int64_t recordUnits = 0, recordGrain = 1;
std::atomic<bool> gateClosed{false};
std::atomic<int> gateInside{0};

namespace {

std::mutex rangesMutex;
std::vector<std::pair<int64_t, int64_t>> ranges;

void scaleKernel(void **args, int64_t begin, int64_t end) {
  const float *x = static_cast<float *>(args[0]);
  const float *w = static_cast<float *>(args[1]);
  float *y = static_cast<float *>(args[2]);
  for (int64_t i = begin * 4; i < end * 4; ++i)
    y[i] = 2 * x[i] + w[i % 4];
}

template <int64_t Batch> hgc_rt_status scale(hgc_rt_ctx *ctx, void **args) {
  static const hgc_rt_kernel_desc kernel = {"scale_0", "mul, \"add\"", "test.mlir:3:4", scaleKernel, Batch, 1,
                                            0,         Batch * 8,      Batch * 32,      Batch * 4,   2,     HGC_RT_F32,
                                            nullptr};
  void *kernelArgs[] = {args[0], const_cast<uint8_t *>(ctx->weights), args[1]};
  // Goes through the arena, so that a missing one is noticed.
  hgc_rt_copy(ctx, ctx->arena, args[0], Batch * 16);
  kernelArgs[0] = ctx->arena;
  hgc_rt_launch(ctx, &kernel, kernelArgs, 3);
  return HGC_RT_OK;
}

hgc_rt_status count(hgc_rt_ctx *ctx, void **args) {
  int64_t counter, x;
  std::memcpy(&counter, ctx->state + 64, 8);
  std::memcpy(&x, args[0], 8);
  if (x == kRefusedCount)
    return hgc_rt_fail(ctx, HGC_RT_INVALID_ARGUMENT, "x is too many");
  counter += x;
  std::memcpy(ctx->state + 64, &counter, 8);
  if (x < 0)
    return hgc_rt_fail(ctx, HGC_RT_DEVICE_FAILED, "x is negative\nhint: count upwards");
  std::memcpy(args[1], &counter, 8);
  return HGC_RT_OK;
}

template <int64_t N, int64_t M> hgc_rt_status pair(hgc_rt_ctx *ctx, void **args) {
  int64_t value = N * 100 + M;
  hgc_rt_fill(ctx, args[2], &value, 8, 1);
  return HGC_RT_OK;
}

void scratchKernel(void **args, int64_t begin, int64_t end) {
  int64_t *scratch = static_cast<int64_t *>(args[1]);
  for (int64_t i = begin; i < end; ++i) {
    scratch[0] = i;
    std::this_thread::yield(); // a shared scratch would now be overwritten
    static_cast<int64_t *>(args[0])[i] = reinterpret_cast<uintptr_t>(scratch) % 64 ? -1 : scratch[0];
  }
}

hgc_rt_status scratch(hgc_rt_ctx *ctx, void **args) {
  static const hgc_rt_kernel_desc kernel = {"scratch_0", "iota", "", scratchKernel, 8, 1, 100, 0, 0, 0, 0, 0, nullptr};
  void *kernelArgs[] = {args[0], nullptr};
  hgc_rt_launch(ctx, &kernel, kernelArgs, 2);
  return HGC_RT_OK;
}

void recordKernel(void **, int64_t begin, int64_t end) {
  std::lock_guard<std::mutex> lock(rangesMutex);
  ranges.emplace_back(begin, end);
}

hgc_rt_status record(hgc_rt_ctx *ctx, void **) {
  hgc_rt_kernel_desc kernel = {"record_0", "none", "", recordKernel, recordUnits, recordGrain, 0, 0, 0,
                               0,          0,      0,  nullptr};
  void *none[] = {nullptr};
  hgc_rt_launch(ctx, &kernel, none, 0);
  return HGC_RT_OK;
}

hgc_rt_status gate(hgc_rt_ctx *ctx, void **args) {
  ++gateInside;
  while (gateClosed)
    std::this_thread::yield();
  --gateInside;
  hgc_rt_copy(ctx, args[1], args[0], 4);
  return HGC_RT_OK;
}

const int64_t dimsX[] = {-1, 4}, dimsA[] = {-1, -2}, dimsB[] = {-2};
const int64_t dims8[] = {8}, dims4[] = {4};
const char *const batchName[] = {"batch"};
const char *const pairNames[] = {"n", "m"};
const hgc_rt_tensor_info scaleIn[] = {{"x", dimsX, HGC_RT_F32, 2}};
const hgc_rt_tensor_info scaleOut[] = {{"y", dimsX, HGC_RT_F32, 2}};
const hgc_rt_tensor_info scalarIn[] = {{"x", nullptr, HGC_RT_I64, 0}};
const hgc_rt_tensor_info scalarOut[] = {{"y", nullptr, HGC_RT_I64, 0}};
const hgc_rt_tensor_info pairIn[] = {{"a", dimsA, HGC_RT_I8, 2}, {"b", dimsB, HGC_RT_BOOL, 1}};
const hgc_rt_tensor_info scratchOut[] = {{"y", dims8, HGC_RT_I64, 1}};
const hgc_rt_tensor_info gateIn[] = {{"x", nullptr, HGC_RT_F32, 0}};
const hgc_rt_tensor_info gateOut[] = {{"y", nullptr, HGC_RT_F32, 0}};
const int64_t scaleDims[] = {1, 3, 1000}, pairDims[] = {2, 3, 0, 3, 4, 1};
const hgc_rt_variant_desc scaleVariants[] = {
    {scale<1>, 16, nullptr}, {scale<3>, 48, nullptr}, {scale<1000>, 16000, nullptr}};
const hgc_rt_variant_desc countVariants[] = {{count, 0, nullptr}};
const hgc_rt_variant_desc pairVariants[] = {
    {pair<2, 3>, 0, nullptr}, {pair<0, 3>, 0, nullptr}, {pair<4, 1>, 0, nullptr}};
const hgc_rt_variant_desc scratchVariants[] = {{scratch, 0, nullptr}};
const hgc_rt_variant_desc recordVariants[] = {{record, 0, nullptr}};
const hgc_rt_variant_desc gateVariants[] = {{gate, 0, nullptr}};

const hgc_rt_entry_desc entries[] = {
    {{"scale", 1, 1, 1, 3, batchName, scaleIn, scaleOut, scaleDims}, scaleVariants, nullptr},
    {{"count", 0, 1, 1, 1, nullptr, scalarIn, scalarOut, nullptr}, countVariants, nullptr},
    {{"pair", 2, 2, 1, 3, pairNames, pairIn, scalarOut, pairDims}, pairVariants, nullptr},
    {{"scratch", 0, 0, 1, 1, nullptr, nullptr, scratchOut, nullptr}, scratchVariants, nullptr},
    {{"record", 0, 0, 0, 1, nullptr, nullptr, nullptr, nullptr}, recordVariants, nullptr},
    {{"gate", 0, 1, 1, 1, nullptr, gateIn, gateOut, nullptr}, gateVariants, nullptr}};

const hgc_rt_param_desc params[] = {{{{"w", dims4, HGC_RT_F32, 1}, 0, 0, 16}, 0, -1},
                                    {{{"counter", nullptr, HGC_RT_I64, 0}, HGC_RT_PARAM_MUTABLE, 0, 8}, 64, -1},
                                    {{{"packed", dims4, HGC_RT_F32, 1}, HGC_RT_PARAM_PACKED, 0, 16}, 0, -1}};

} // namespace

hgc_rt_model_desc testDesc() {
  hgc_rt_model_desc desc = {};
  desc.size = sizeof(desc);
  desc.version = HGC_RT_ABI_VERSION;
  desc.name = "testmodel";
  desc.hgc_version = "0.1.0";
  desc.target_cpu = "x86-64";
  desc.entries = entries;
  desc.params = params;
  desc.n_entries = 6;
  desc.n_params = 3;
  desc.arena_bytes = 16000;
  desc.scratch_bytes = 100;
  desc.state_bytes = 128;
  desc.weights_bytes = sizeof(kWeights);
  desc.weights = reinterpret_cast<const uint8_t *>(kWeights);
  desc.n_extents = 2;
  return desc;
}

std::vector<std::pair<int64_t, int64_t>> takeRanges() {
  std::lock_guard<std::mutex> lock(rangesMutex);
  std::sort(ranges.begin(), ranges.end());
  return std::move(ranges);
}

Instance::Instance(const hgc_rt_model_desc &from, int threads, const hgc_rt_options *options) : desc(from) {
  hgc_rt_options own = options ? *options : hgc_rt_options_default();
  if (!options)
    own.num_threads = threads;
  void *out = nullptr;
  status = hgc_rt_create(&desc, &own, &out);
  model = static_cast<hgc_rt_model *>(out);
}

hgc_rt_status Instance::call(int32_t entry, std::vector<void *> args, std::vector<int64_t> dims) {
  return hgc_rt_call(model, entry, dims.data(), args.data());
}

hgc_rt_status Instance::scale(int64_t batch, std::vector<float> &y) {
  std::vector<float> x(batch * 4, 1.0f);
  y.assign(batch * 4, 0.0f);
  return call(kScale, {x.data(), y.data()}, {batch});
}

hgc_rt_status Instance::count(int64_t x, int64_t &y) { return call(kCount, {&x, &y}); }

std::string lastError() {
  std::string text = hgc_rt_last_error();
  size_t line = text.rfind('\n');
  EXPECT_TRUE(line != std::string::npos && text.compare(line + 1, 6, "hint: ") == 0) << text;
  return text;
}

std::string tempPath(const std::string &name) {
  return ::testing::TempDir() + "hgc_rt_tests." + std::to_string(getpid()) + "." + name;
}

} // namespace hgc::rt_test
