//===- CudaHeaderTest.cpp - our declarations agree with NVIDIA's ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled where the toolkit's headers are installed: a wrong constant or
// argument does not compile.
//
//===----------------------------------------------------------------------===//

#include "runtime/devices/cuda/cublas_api.h"

#include <gtest/gtest.h>

// As exported: the macros of cuda.h name other versions of some functions.
#define __CUDA_API_VERSION_INTERNAL
#include <cublas_api.h>
#include <cuda.h>
#undef cublasGemmStridedBatchedEx

#include <type_traits>

namespace {

/// The same machine-level type: size, and floating point or not.
template <typename A, typename B>
constexpr bool
    sameSlot = sizeof(A) == sizeof(B) && std::is_floating_point_v<A> ==
                                             std::is_floating_point_v<B> &&std::is_pointer_v<A> == std::is_pointer_v<B>;

template <typename A, typename B> struct SameCall : std::false_type {};
template <typename R, typename... As, typename S, typename... Bs>
struct SameCall<R (*)(As...), S (*)(Bs...)>
    : std::bool_constant<sizeof...(As) == sizeof...(Bs) && sizeof(R) == sizeof(S)> {
  template <bool SameCount = sizeof...(As) == sizeof...(Bs)> static constexpr bool slots() {
    if constexpr (SameCount)
      return (sameSlot<As, Bs> && ...);
    else
      return false;
  }
  static constexpr bool value = slots();
};

#define CHECK_CALL(name, args) static_assert(SameCall<decltype(hgc_cu_api::name), decltype(&::name)>::value, #name);
HGC_CU_FUNCTIONS(CHECK_CALL)
HGC_CU_OPTIONAL_FUNCTIONS(CHECK_CALL)
#undef CHECK_CALL

static_assert(SameCall<decltype(hgc_cublas_api::cublasCreate_v2), decltype(&::cublasCreate_v2)>::value);
static_assert(SameCall<decltype(hgc_cublas_api::cublasDestroy_v2), decltype(&::cublasDestroy_v2)>::value);
static_assert(SameCall<decltype(hgc_cublas_api::cublasGetVersion_v2), decltype(&::cublasGetVersion_v2)>::value);
static_assert(SameCall<decltype(hgc_cublas_api::cublasSetStream_v2), decltype(&::cublasSetStream_v2)>::value);
static_assert(SameCall<decltype(hgc_cublas_api::cublasSetWorkspace_v2), decltype(&::cublasSetWorkspace_v2)>::value);
static_assert(SameCall<decltype(hgc_cublas_api::cublasSetMathMode), decltype(&::cublasSetMathMode)>::value);
static_assert(SameCall<decltype(hgc_cublas_api::cublasSetAtomicsMode), decltype(&::cublasSetAtomicsMode)>::value);
// Overloaded in C++; this is the one a library exports.
using Gemm = cublasStatus_t (*)(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const void *,
                                const void *, cudaDataType, int, long long, const void *, cudaDataType, int, long long,
                                const void *, void *, cudaDataType, int, long long, int, cublasComputeType_t,
                                cublasGemmAlgo_t);
static_assert(SameCall<decltype(hgc_cublas_api::cublasGemmStridedBatchedEx), Gemm>::value);
static_assert(static_cast<Gemm>(&::cublasGemmStridedBatchedEx) != nullptr);

#define SAME(ours, theirs) static_assert(static_cast<int>(ours) == static_cast<int>(theirs), #theirs);
#define SAME_RESULT(name) SAME(HGC_CU_##name, CUDA_##name)
SAME_RESULT(SUCCESS)
SAME_RESULT(ERROR_INVALID_VALUE)
SAME_RESULT(ERROR_OUT_OF_MEMORY)
SAME_RESULT(ERROR_NOT_INITIALIZED)
SAME_RESULT(ERROR_DEINITIALIZED)
SAME_RESULT(ERROR_STUB_LIBRARY)
SAME_RESULT(ERROR_DEVICE_UNAVAILABLE)
SAME_RESULT(ERROR_NO_DEVICE)
SAME_RESULT(ERROR_INVALID_DEVICE)
SAME_RESULT(ERROR_INVALID_IMAGE)
SAME_RESULT(ERROR_INVALID_CONTEXT)
SAME_RESULT(ERROR_NO_BINARY_FOR_GPU)
SAME_RESULT(ERROR_ECC_UNCORRECTABLE)
SAME_RESULT(ERROR_PEER_ACCESS_UNSUPPORTED)
SAME_RESULT(ERROR_INVALID_PTX)
SAME_RESULT(ERROR_JIT_COMPILER_NOT_FOUND)
SAME_RESULT(ERROR_UNSUPPORTED_PTX_VERSION)
SAME_RESULT(ERROR_JIT_COMPILATION_DISABLED)
SAME_RESULT(ERROR_INVALID_SOURCE)
SAME_RESULT(ERROR_OPERATING_SYSTEM)
SAME_RESULT(ERROR_INVALID_HANDLE)
SAME_RESULT(ERROR_NOT_FOUND)
SAME_RESULT(ERROR_NOT_READY)
SAME_RESULT(ERROR_ILLEGAL_ADDRESS)
SAME_RESULT(ERROR_LAUNCH_OUT_OF_RESOURCES)
SAME_RESULT(ERROR_LAUNCH_TIMEOUT)
SAME_RESULT(ERROR_PEER_ACCESS_ALREADY_ENABLED)
SAME_RESULT(ERROR_PEER_ACCESS_NOT_ENABLED)
SAME_RESULT(ERROR_CONTEXT_IS_DESTROYED)
SAME_RESULT(ERROR_ASSERT)
SAME_RESULT(ERROR_TOO_MANY_PEERS)
SAME_RESULT(ERROR_HARDWARE_STACK_ERROR)
SAME_RESULT(ERROR_ILLEGAL_INSTRUCTION)
SAME_RESULT(ERROR_MISALIGNED_ADDRESS)
SAME_RESULT(ERROR_INVALID_ADDRESS_SPACE)
SAME_RESULT(ERROR_INVALID_PC)
SAME_RESULT(ERROR_LAUNCH_FAILED)
SAME_RESULT(ERROR_NOT_PERMITTED)
SAME_RESULT(ERROR_NOT_SUPPORTED)
SAME_RESULT(ERROR_SYSTEM_NOT_READY)
SAME_RESULT(ERROR_SYSTEM_DRIVER_MISMATCH)
SAME_RESULT(ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE)
SAME_RESULT(ERROR_UNKNOWN)

#define SAME_ATTRIBUTE(name) SAME(HGC_CU_DEVICE_##name, CU_DEVICE_ATTRIBUTE_##name)
SAME_ATTRIBUTE(MAX_THREADS_PER_BLOCK)
SAME_ATTRIBUTE(WARP_SIZE)
SAME_ATTRIBUTE(MULTIPROCESSOR_COUNT)
SAME_ATTRIBUTE(COMPUTE_MODE)
SAME_ATTRIBUTE(UNIFIED_ADDRESSING)
SAME_ATTRIBUTE(COMPUTE_CAPABILITY_MAJOR)
SAME_ATTRIBUTE(COMPUTE_CAPABILITY_MINOR)
SAME_ATTRIBUTE(MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)

SAME(HGC_CU_COMPUTEMODE_PROHIBITED, CU_COMPUTEMODE_PROHIBITED)
SAME(HGC_CU_STREAM_DEFAULT, CU_STREAM_DEFAULT)
SAME(HGC_CU_STREAM_NON_BLOCKING, CU_STREAM_NON_BLOCKING)
SAME(HGC_CU_EVENT_DEFAULT, CU_EVENT_DEFAULT)
SAME(HGC_CU_EVENT_DISABLE_TIMING, CU_EVENT_DISABLE_TIMING)
SAME(HGC_CU_FUNC_MAX_DYNAMIC_SHARED_SIZE_BYTES, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)
SAME(HGC_CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER)
SAME(HGC_CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
SAME(HGC_CU_POINTER_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_MEMORY_TYPE)
SAME(HGC_CU_POINTER_IS_MANAGED, CU_POINTER_ATTRIBUTE_IS_MANAGED)
SAME(HGC_CU_POINTER_DEVICE_ORDINAL, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL)
SAME(HGC_CU_MEMORYTYPE_HOST, CU_MEMORYTYPE_HOST)

SAME(HGC_CUBLAS_SUCCESS, CUBLAS_STATUS_SUCCESS)
SAME(HGC_CUBLAS_NOT_INITIALIZED, CUBLAS_STATUS_NOT_INITIALIZED)
SAME(HGC_CUBLAS_ALLOC_FAILED, CUBLAS_STATUS_ALLOC_FAILED)
SAME(HGC_CUBLAS_INVALID_VALUE, CUBLAS_STATUS_INVALID_VALUE)
SAME(HGC_CUBLAS_ARCH_MISMATCH, CUBLAS_STATUS_ARCH_MISMATCH)
SAME(HGC_CUBLAS_EXECUTION_FAILED, CUBLAS_STATUS_EXECUTION_FAILED)
SAME(HGC_CUBLAS_INTERNAL_ERROR, CUBLAS_STATUS_INTERNAL_ERROR)
SAME(HGC_CUBLAS_NOT_SUPPORTED, CUBLAS_STATUS_NOT_SUPPORTED)
SAME(HGC_CUBLAS_OP_N, CUBLAS_OP_N)
SAME(HGC_CUBLAS_OP_T, CUBLAS_OP_T)
SAME(HGC_CUBLAS_DEFAULT_MATH, CUBLAS_DEFAULT_MATH)
SAME(HGC_CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION, CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION)
SAME(HGC_CUBLAS_ATOMICS_NOT_ALLOWED, CUBLAS_ATOMICS_NOT_ALLOWED)
SAME(HGC_CUBLAS_GEMM_DEFAULT, CUBLAS_GEMM_DEFAULT)
SAME(HGC_CUBLAS_COMPUTE_32F, CUBLAS_COMPUTE_32F)
SAME(HGC_CUBLAS_COMPUTE_64F, CUBLAS_COMPUTE_64F)
SAME(HGC_CUBLAS_COMPUTE_32I, CUBLAS_COMPUTE_32I)
SAME(HGC_CUDA_R_32F, CUDA_R_32F)
SAME(HGC_CUDA_R_64F, CUDA_R_64F)
SAME(HGC_CUDA_R_16F, CUDA_R_16F)
SAME(HGC_CUDA_R_8I, CUDA_R_8I)
SAME(HGC_CUDA_R_32I, CUDA_R_32I)
SAME(HGC_CUDA_R_16BF, CUDA_R_16BF)

TEST(CudaHeader, AgreesWithTheToolkit) { EXPECT_EQ(sizeof(hgc_cu_ptr), sizeof(CUdeviceptr)); }

} // namespace
