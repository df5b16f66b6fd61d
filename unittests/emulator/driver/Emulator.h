//===- Emulator.h - what the tests of the emulated driver share -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tests see what a client sees: the exported functions of the library.
//
//===----------------------------------------------------------------------===//
#ifndef HGC_UNITTESTS_EMULATOR_H
#define HGC_UNITTESTS_EMULATOR_H

#include "runtime/devices/cuda/cublas_api.h"
#include "runtime/devices/cuda/cuda_driver.h"
#include "runtime/emulator/driver/CudaTypes.h"
#include "runtime/emulator/driver/hgc_emu.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#define DECLARE(name, args) hgc_cu_result name args;
#define DECLARE_BLAS(name, args) hgc_cublas_status name args;
extern "C" {
HGC_CU_FUNCTIONS(DECLARE)
HGC_CU_OPTIONAL_FUNCTIONS(DECLARE)
HGC_CUBLAS_FUNCTIONS(DECLARE_BLAS)

// Beyond what the runtime uses.
hgc_cu_result cuDeviceGetUuid_v2(hgc::emu::cuda::Uuid *, hgc_cu_device);
hgc_cu_result cuDeviceGetPCIBusId(char *, int, hgc_cu_device);
hgc_cu_result cuDevicePrimaryCtxGetState(hgc_cu_device, unsigned *, int *);
hgc_cu_result cuDevicePrimaryCtxReset_v2(hgc_cu_device);
hgc_cu_result cuDevicePrimaryCtxSetFlags_v2(hgc_cu_device, unsigned);
hgc_cu_result cuCtxCreate_v2(hgc_cu_context *, unsigned, hgc_cu_device);
hgc_cu_result cuCtxDestroy_v2(hgc_cu_context);
hgc_cu_result cuCtxSetCurrent(hgc_cu_context);
hgc_cu_result cuCtxGetCurrent(hgc_cu_context *);
hgc_cu_result cuCtxGetDevice(hgc_cu_device *);
hgc_cu_result cuCtxDisablePeerAccess(hgc_cu_context);
hgc_cu_result cuMemAllocAsync(hgc_cu_ptr *, size_t, hgc_cu_stream);
hgc_cu_result cuMemFreeAsync(hgc_cu_ptr, hgc_cu_stream);
hgc_cu_result cuMemAllocHost_v2(void **, size_t);
hgc_cu_result cuMemHostRegister_v2(void *, size_t, unsigned);
hgc_cu_result cuMemHostUnregister(void *);
hgc_cu_result cuMemHostGetDevicePointer_v2(hgc_cu_ptr *, void *, unsigned);
hgc_cu_result cuMemGetAddressRange_v2(hgc_cu_ptr *, size_t *, hgc_cu_ptr);
hgc_cu_result cuMemcpyHtoD_v2(hgc_cu_ptr, const void *, size_t);
hgc_cu_result cuMemcpyDtoH_v2(void *, hgc_cu_ptr, size_t);
hgc_cu_result cuMemcpyDtoD_v2(hgc_cu_ptr, hgc_cu_ptr, size_t);
hgc_cu_result cuMemcpy(hgc_cu_ptr, hgc_cu_ptr, size_t);
hgc_cu_result cuMemcpyAsync(hgc_cu_ptr, hgc_cu_ptr, size_t, hgc_cu_stream);
hgc_cu_result cuMemcpyPeer(hgc_cu_ptr, hgc_cu_context, hgc_cu_ptr, hgc_cu_context, size_t);
hgc_cu_result cuMemcpy2D_v2(const hgc::emu::cuda::Copy2D *);
hgc_cu_result cuMemcpy2DAsync_v2(const hgc::emu::cuda::Copy2D *, hgc_cu_stream);
hgc_cu_result cuMemsetD8_v2(hgc_cu_ptr, unsigned char, size_t);
hgc_cu_result cuMemsetD32_v2(hgc_cu_ptr, unsigned, size_t);
hgc_cu_result cuModuleLoadData(hgc_cu_module *, const void *);
hgc_cu_result cuModuleGetGlobal_v2(hgc_cu_ptr *, size_t *, hgc_cu_module, const char *);
hgc_cu_result cuFuncGetAttribute(int *, int, hgc_cu_function);
hgc_cu_result cuOccupancyMaxActiveBlocksPerMultiprocessor(int *, hgc_cu_function, int, size_t);
hgc_cu_result cuLaunchKernelEx(const hgc::emu::cuda::LaunchConfig *, hgc_cu_function, void **, void **);
hgc_cu_result cuLaunchHostFunc(hgc_cu_stream, hgc::emu::cuda::HostFunction, void *);
hgc_cu_result cuStreamCreateWithPriority(hgc_cu_stream *, unsigned, int);
hgc_cu_result cuStreamQuery(hgc_cu_stream);
hgc_cu_result cuStreamGetPriority(hgc_cu_stream, int *);
hgc_cu_result cuEventQuery(hgc_cu_event);
hgc_cu_result cuGetProcAddress_v2(const char *, void **, int, uint64_t, int *);
hgc_cu_result cuGetProcAddress(const char *, void **, int, uint64_t);
hgc_cublas_status cublasSgemm_v2(hgc_cublas_handle, int, int, int, int, int, const float *, const float *, int,
                                 const float *, int, const float *, float *, int);
hgc_cublas_status cublasDgemm_v2(hgc_cublas_handle, int, int, int, int, int, const double *, const double *, int,
                                 const double *, int, const double *, double *, int);
hgc_cublas_status cublasGemmEx(hgc_cublas_handle, int, int, int, int, int, const void *, const void *, int, int,
                               const void *, int, int, const void *, void *, int, int, int, int);
hgc_cublas_status cublasSgemmStridedBatched(hgc_cublas_handle, int, int, int, int, int, const float *, const float *,
                                            int, long long, const float *, int, long long, const float *, float *, int,
                                            long long, int);
}
#undef DECLARE
#undef DECLARE_BLAS

#define EXPECT_OK(call) EXPECT_EQ(call, HGC_CU_SUCCESS)
#define ASSERT_OK(call) ASSERT_EQ(call, HGC_CU_SUCCESS)

/// y[i] = x[i] * a for i < n (kernel `scale`), and kernels that do wrong.
extern const char *const testPtx;

/// Starts every test with a fresh driver.
class EmulatorTest : public testing::Test {
protected:
  void SetUp() override { fresh(); }
  void TearDown() override;

  /// Sets variables ("HGC_EMU_X=value") over an otherwise clean environment.
  void configure(std::vector<std::string> variables);
  /// A context of device 0, current.
  hgc_cu_context start();
  hgc_cu_context start(int device);

  hgc_cu_ptr alloc(size_t bytes);
  hgc_cu_stream stream(unsigned flags = HGC_CU_STREAM_NON_BLOCKING);
  hgc_cu_event event(unsigned flags = 0);
  hgc_cu_function kernel(const char *name);
  /// Pinned floats of one value.
  float *pinned(size_t count, float value);
  /// Puts y = x * a on a stream.
  hgc_cu_result scale(hgc_cu_ptr x, hgc_cu_ptr y, float a, unsigned n, hgc_cu_stream s);
  /// Device memory of `count` floats of one value, ready to use.
  hgc_cu_ptr floats(size_t count, float value);
  std::vector<float> read(hgc_cu_ptr from, size_t count);

  static std::string lastFinding();

  hgc_cu_module module = nullptr;

private:
  void fresh();
};

#endif // HGC_UNITTESTS_EMULATOR_H
