//===- GpuModel.h - a model with a GPU plan, written by hand --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both plans of every entry, with kernels in PTX. The same model runs on the
// fake driver, which knows the kernels by name, and on the emulator.
//
//===----------------------------------------------------------------------===//
#ifndef HGC_UNITTESTS_RUNTIME_GPUMODEL_H
#define HGC_UNITTESTS_RUNTIME_GPUMODEL_H

#include "TestModel.h"
#include "hgc_rt_gpu_abi.h"

#include <cstdlib>
#include <map>

namespace hgc::rt_test {

/// Entries, in order.
enum GpuEntry : int32_t {
  kGpuScale,  ///< y[1024] = 2 * x[1024] + w[0], on two streams
  kGpuCount,  ///< counter[4] += x[4]; y[4] = counter
  kGpuFills,  ///< y[1200 bytes] = patterns of 1, 2, 4, 8 and 12 bytes
  kGpuBig,    ///< y[kBigBytes] = x, through the GPU
  kGpuBroken, ///< launches a function that does not exist, after a copy to y
  kGpuGemm,   ///< c[2,3] = a[2,4] * transpose(b[3,4]), by cuBLAS if there is one
  kGpuHop,    ///< y[4] = x[4] by way of a second GPU, if the plan has one
};
constexpr int64_t kGpuN = 1024, kFillBytes = 1200, kBigBytes = 20 * 1024 * 1024 + 12;

/// Parameters: `w` (1 float, 0.5), `counter` (4 floats, starts as 1 2 3 4).
enum GpuParam : int32_t { kGpuW, kGpuCounter };

/// A copy of the plan and its parts, to be changed by a test.
struct GpuPlan {
  GpuPlan();
  hgc_rt_gpu_image images[2];
  hgc_rt_gpu_device_desc devices[2];
  hgc_rt_gpu_plan plan;
  hgc_rt_model_desc desc; ///< Points to `plan`.
};

/// What kGpuFills writes.
std::vector<uint8_t> expectedFills();

/// Scratch memory kGpuBroken asks for.
extern int64_t brokenScratch;

/// True while the last program ran on a GPU.
extern std::atomic<bool> ranOnGpu;

/// Sets environment variables for a scope.
class Environment {
public:
  explicit Environment(std::map<std::string, std::string> values);
  ~Environment();

private:
  std::map<std::string, std::string> old;
};

} // namespace hgc::rt_test

#endif
