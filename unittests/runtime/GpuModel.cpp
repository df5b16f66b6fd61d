//===- GpuModel.cpp - a model with a GPU plan, written by hand ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "GpuModel.h"
#include "GpuModelPtx.h"

#include <cstring>

namespace hgc::rt_test {

std::atomic<bool> ranOnGpu{false};
int64_t brokenScratch = 64;

namespace {

alignas(64) const float weights[] = {0.5f, 0, 0, 0, 1, 2, 3, 4};

// So much dynamic shared memory has to be asked for.
const hgc_rt_gpu_launch_desc scaleLaunch = {"scale", {4, 1, 1}, {256, 1, 1}, 60000, 0};
const hgc_rt_gpu_launch_desc countLaunch = {"accumulate", {1, 1, 1}, {4, 1, 1}, 0, 1};
const hgc_rt_gpu_launch_desc brokenLaunch = {"nowhere", {1, 1, 1}, {4, 1, 1}, 0, 2};
const hgc_rt_gpu_launch_desc gemmLaunch = {"gemm", {1, 1, 1}, {6, 1, 1}, 0, 3};
const hgc_rt_gpu_gemm_desc gemm = {2,          3,          4,          1, 4, 4, 3, 8, 12, 6,
                                   HGC_RT_F32, HGC_RT_F32, HGC_RT_F32, 0, 1, 0, 1, 2, 0,  0};
const hgc_rt_gpu_kernel_desc gemmKernel = {"gemm_0", "matmul", "", &gemmLaunch, &gemm, 1, 0, 0, 48, 104};
const hgc_rt_gpu_kernel_desc scaleKernel = {"scale_0", "mul, add", "gpu.mlir:1:2", &scaleLaunch, nullptr, 1,
                                            0,         0,          2 * kGpuN,      8 * kGpuN};
const hgc_rt_gpu_kernel_desc countKernel = {"count_0", "add", "gpu.mlir:2:2", &countLaunch, nullptr, 1, 0, 0, 4, 48};

void *arena(hgc_rt_ctx *ctx, int64_t offset, int gpu = 0) {
  return reinterpret_cast<void *>(ctx->gpus[gpu].arena + offset);
}

/// Leaves a program at the first failure, as generated code does.
#define TRY(call)                                                                                                      \
  if (hgc_rt_status status = call)                                                                                     \
  return status

hgc_rt_status gpuScale(hgc_rt_ctx *ctx, void **args) {
  ranOnGpu = true;
  void *x = arena(ctx, 0), *y = arena(ctx, 4 * kGpuN);
  void *kernelArgs[] = {x, reinterpret_cast<void *>(ctx->gpus[0].weights), y};
  TRY(hgc_rt_gpu_copy(ctx, 0, 1, x, 0, args[0], HGC_RT_HOST, 4 * kGpuN));
  TRY(hgc_rt_gpu_record(ctx, 0, 1, 0));
  TRY(hgc_rt_gpu_wait(ctx, 0, 0, 0, 0));
  TRY(hgc_rt_gpu_launch(ctx, 0, 0, &scaleKernel, kernelArgs, 3));
  TRY(hgc_rt_gpu_record(ctx, 0, 0, 1));
  TRY(hgc_rt_gpu_wait(ctx, 0, 1, 0, 1));
  TRY(hgc_rt_gpu_copy(ctx, 0, 1, args[1], HGC_RT_HOST, y, 0, 4 * kGpuN));
  return hgc_rt_gpu_sync(ctx, 0, 1);
}

hgc_rt_status gpuCount(hgc_rt_ctx *ctx, void **args) {
  ranOnGpu = true;
  void *x = arena(ctx, 0), *y = arena(ctx, 256);
  void *kernelArgs[] = {x, reinterpret_cast<void *>(ctx->gpus[0].state + 256), y};
  TRY(hgc_rt_gpu_copy(ctx, 0, 0, x, 0, args[0], HGC_RT_HOST, 16));
  TRY(hgc_rt_gpu_launch(ctx, 0, 0, &countKernel, kernelArgs, 3));
  return hgc_rt_gpu_copy(ctx, 0, 0, args[1], HGC_RT_HOST, y, 0, 16); // the end of a call waits
}

const uint8_t pattern1[] = {7}, pattern2[] = {1, 2}, pattern4[] = {1, 2, 3, 4};
const uint8_t pattern8[] = {1, 2, 3, 4, 5, 6, 7, 8}, pattern12[] = {9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 1, 2};
const struct {
  const uint8_t *bytes;
  int64_t size;
} patterns[] = {{pattern1, 1}, {pattern2, 2}, {pattern4, 4}, {pattern8, 8}, {pattern12, 12}};

hgc_rt_status gpuFills(hgc_rt_ctx *ctx, void **args) {
  ranOnGpu = true;
  int64_t offset = 0;
  for (const auto &p : patterns) {
    TRY(hgc_rt_gpu_fill(ctx, 0, 0, arena(ctx, offset), p.bytes, p.size, 240 / p.size));
    offset += 240;
  }
  return hgc_rt_gpu_copy(ctx, 0, 0, args[0], HGC_RT_HOST, arena(ctx, 0), 0, kFillBytes);
}

hgc_rt_status gpuBig(hgc_rt_ctx *ctx, void **args) {
  ranOnGpu = true;
  TRY(hgc_rt_gpu_copy(ctx, 0, 0, arena(ctx, 0), 0, args[0], HGC_RT_HOST, kBigBytes));
  TRY(hgc_rt_gpu_copy(ctx, 0, 0, args[1], HGC_RT_HOST, arena(ctx, 0), 0, kBigBytes));
  // Its source is what is on its way: the runtime has to notice.
  TRY(hgc_rt_gpu_copy(ctx, 0, 0, arena(ctx, 0), 0, args[1], HGC_RT_HOST, kBigBytes));
  return hgc_rt_gpu_copy(ctx, 0, 0, args[1], HGC_RT_HOST, arena(ctx, 0), 0, kBigBytes);
}

hgc_rt_status gpuBroken(hgc_rt_ctx *ctx, void **args) {
  void *kernelArgs[] = {arena(ctx, 0), nullptr};
  TRY(hgc_rt_gpu_copy(ctx, 0, 1, args[0], HGC_RT_HOST, reinterpret_cast<void *>(ctx->gpus[0].weights), 0, 16));
  hgc_rt_gpu_kernel_desc kernel = {"broken_0", "add", "", &brokenLaunch, nullptr, 1, 0, brokenScratch, 4, 48};
  return hgc_rt_gpu_launch(ctx, 0, 0, &kernel, kernelArgs, 2);
}

hgc_rt_status gpuGemm(hgc_rt_ctx *ctx, void **args) {
  ranOnGpu = true;
  void *kernelArgs[] = {arena(ctx, 0), arena(ctx, 256), arena(ctx, 512)};
  TRY(hgc_rt_gpu_copy(ctx, 0, 1, arena(ctx, 0), 0, args[0], HGC_RT_HOST, 32));
  TRY(hgc_rt_gpu_copy(ctx, 0, 1, arena(ctx, 256), 0, args[1], HGC_RT_HOST, 48));
  TRY(hgc_rt_gpu_launch(ctx, 0, 1, &gemmKernel, kernelArgs, 3));
  return hgc_rt_gpu_copy(ctx, 0, 1, args[2], HGC_RT_HOST, arena(ctx, 512), 0, 24);
}

hgc_rt_status gpuHop(hgc_rt_ctx *ctx, void **args) {
  ranOnGpu = true;
  TRY(hgc_rt_gpu_copy(ctx, 0, 0, arena(ctx, 0), 0, args[0], HGC_RT_HOST, 16));
  TRY(hgc_rt_gpu_copy(ctx, 0, 0, arena(ctx, 64, 1), 1, arena(ctx, 0), 0, 16));
  TRY(hgc_rt_gpu_record(ctx, 0, 0, 0));
  TRY(hgc_rt_gpu_wait(ctx, 1, 1, 0, 0));
  return hgc_rt_gpu_copy(ctx, 1, 1, args[1], HGC_RT_HOST, arena(ctx, 64, 1), 1, 16);
}

hgc_rt_status cpuScale(hgc_rt_ctx *ctx, void **args) {
  ranOnGpu = false;
  for (int64_t i = 0; i < kGpuN; ++i)
    static_cast<float *>(args[1])[i] =
        2 * static_cast<float *>(args[0])[i] + reinterpret_cast<const float *>(ctx->weights)[0];
  return HGC_RT_OK;
}

hgc_rt_status cpuCount(hgc_rt_ctx *ctx, void **args) {
  ranOnGpu = false;
  float *counter = reinterpret_cast<float *>(ctx->state);
  for (int i = 0; i < 4; ++i)
    static_cast<float *>(args[1])[i] = counter[i] += static_cast<float *>(args[0])[i];
  return HGC_RT_OK;
}

hgc_rt_status cpuFills(hgc_rt_ctx *, void **args) {
  ranOnGpu = false;
  std::memcpy(args[0], expectedFills().data(), kFillBytes);
  return HGC_RT_OK;
}

hgc_rt_status cpuGemm(hgc_rt_ctx *, void **args) {
  ranOnGpu = false;
  for (int i = 0; i < 6; ++i) {
    float sum = 0;
    for (int k = 0; k < 4; ++k)
      sum += static_cast<float *>(args[0])[i / 3 * 4 + k] * static_cast<float *>(args[1])[i % 3 * 4 + k];
    static_cast<float *>(args[2])[i] = sum;
  }
  return HGC_RT_OK;
}

template <int64_t Bytes> hgc_rt_status cpuCopy(hgc_rt_ctx *, void **args) {
  ranOnGpu = false;
  std::memcpy(args[1], args[0], Bytes);
  return HGC_RT_OK;
}

hgc_rt_status cpuBroken(hgc_rt_ctx *, void **) { return HGC_RT_OK; }

hgc_rt_status load(hgc_rt_ctx *ctx, void **) {
  TRY(hgc_rt_gpu_copy(ctx, 0, 0, reinterpret_cast<void *>(ctx->gpus[0].weights), 0, ctx->weights, HGC_RT_HOST, 16));
  return hgc_rt_gpu_sync(ctx, 0, 0);
}

const int64_t dimsN[] = {kGpuN}, dims4[] = {4}, dims1[] = {1}, dimsFill[] = {kFillBytes}, dimsBig[] = {kBigBytes};
const hgc_rt_tensor_info infoN = {"x", dimsN, HGC_RT_F32, 1}, info4 = {"x", dims4, HGC_RT_F32, 1},
                         infoFill = {"y", dimsFill, HGC_RT_U8, 1}, infoBig = {"x", dimsBig, HGC_RT_U8, 1};
const int64_t dimsA[] = {2, 4}, dimsB[] = {3, 4}, dimsC[] = {2, 3};
const hgc_rt_tensor_info gemmIn[] = {{"a", dimsA, HGC_RT_F32, 2}, {"b", dimsB, HGC_RT_F32, 2}},
                         infoC = {"c", dimsC, HGC_RT_F32, 2};
const hgc_rt_variant_desc variants[] = {
    {cpuScale, 0, gpuScale},   {cpuCount, 0, gpuCount}, {cpuFills, 0, gpuFills}, {cpuCopy<kBigBytes>, 0, gpuBig},
    {cpuBroken, 0, gpuBroken}, {cpuGemm, 0, gpuGemm},   {cpuCopy<16>, 0, gpuHop}};

const hgc_rt_entry_desc entries[] = {
    {{"scale", 0, 1, 1, 1, nullptr, &infoN, &infoN, nullptr}, &variants[0], nullptr},
    {{"count", 0, 1, 1, 1, nullptr, &info4, &info4, nullptr}, &variants[1], nullptr},
    {{"fills", 0, 0, 1, 1, nullptr, nullptr, &infoFill, nullptr}, &variants[2], nullptr},
    {{"big", 0, 1, 1, 1, nullptr, &infoBig, &infoBig, nullptr}, &variants[3], nullptr},
    {{"broken", 0, 0, 1, 1, nullptr, nullptr, &info4, nullptr}, &variants[4], nullptr},
    {{"gemm", 0, 2, 1, 1, nullptr, gemmIn, &infoC, nullptr}, &variants[5], nullptr},
    {{"hop", 0, 1, 1, 1, nullptr, &info4, &info4, nullptr}, &variants[6], nullptr},
};
const hgc_rt_param_desc params[] = {{{{"w", dims1, HGC_RT_F32, 1}, 0, 0, 4}, 0, -1},
                                    {{{"counter", dims4, HGC_RT_F32, 1}, HGC_RT_PARAM_MUTABLE, 0, 16}, 0, 16}};
const hgc_rt_gpu_param_desc homes[] = {{kGpuCounter, 0, 256}};

} // namespace

GpuPlan::GpuPlan() {
  images[0] = {gpuModelPtx, sizeof(gpuModelPtx), HGC_RT_IMAGE_PTX, 75};
  images[1] = {"refuse me: not a cubin of this GPU", 64, HGC_RT_IMAGE_CUBIN, 80};
  devices[0] = {kBigBytes, 64, 512, 64, 1 << 20, nullptr, 0};
  devices[1] = {4096, 0, 0, 64, 1 << 20, nullptr, 0};
  plan = {images, devices, homes, load, 1, 1, 1, 4, 2, 2, 75, 0, 2, 0, nullptr, 0, 0};
  desc = {};
  desc.size = sizeof(desc);
  desc.version = HGC_RT_ABI_VERSION;
  desc.name = "gpumodel";
  desc.hgc_version = "0.1.0";
  desc.target_cpu = "x86-64";
  desc.entries = entries;
  desc.params = params;
  desc.n_entries = 6; // all but the one for two GPUs
  desc.n_params = 2;
  desc.state_bytes = 64;
  desc.weights_bytes = sizeof(weights);
  desc.weights = reinterpret_cast<const uint8_t *>(weights);
  desc.gpu = &plan;
}

std::vector<uint8_t> expectedFills() {
  std::vector<uint8_t> bytes;
  for (const auto &p : patterns)
    for (int64_t i = 0; i < 240; ++i)
      bytes.push_back(p.bytes[i % p.size]);
  return bytes;
}

Environment::Environment(std::map<std::string, std::string> values) {
  for (auto &[name, value] : values) {
    const char *before = getenv(name.c_str());
    old[name] = before ? before : "\x01";
    setenv(name.c_str(), value.c_str(), 1);
  }
}

Environment::~Environment() {
  for (auto &[name, value] : old)
    if (value == "\x01")
      unsetenv(name.c_str());
    else
      setenv(name.c_str(), value.c_str(), 1);
}

} // namespace hgc::rt_test
