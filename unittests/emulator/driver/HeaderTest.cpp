//===- HeaderTest.cpp - own declarations against cuda.h -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Built where a CUDA toolkit is installed; everything is checked by the
// compiler.
//
//===----------------------------------------------------------------------===//

#include "runtime/emulator/driver/CudaTypes.h"

#include <cuda.h>
#include <gtest/gtest.h>

using namespace hgc::emu;

#define SAME(ours, theirs) static_assert(int64_t(cuda::ours) == int64_t(theirs), #theirs)

SAME(hostAlreadyRegistered, CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
SAME(hostNotRegistered, CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);

#define ATTRIBUTE(ours, theirs) SAME(ours, CU_DEVICE_ATTRIBUTE_##theirs)
ATTRIBUTE(maxThreadsPerBlock, MAX_THREADS_PER_BLOCK);
ATTRIBUTE(maxBlockDimX, MAX_BLOCK_DIM_X);
ATTRIBUTE(maxBlockDimY, MAX_BLOCK_DIM_Y);
ATTRIBUTE(maxBlockDimZ, MAX_BLOCK_DIM_Z);
ATTRIBUTE(maxGridDimX, MAX_GRID_DIM_X);
ATTRIBUTE(maxGridDimY, MAX_GRID_DIM_Y);
ATTRIBUTE(maxGridDimZ, MAX_GRID_DIM_Z);
ATTRIBUTE(maxSharedPerBlock, MAX_SHARED_MEMORY_PER_BLOCK);
ATTRIBUTE(totalConstantMemory, TOTAL_CONSTANT_MEMORY);
ATTRIBUTE(warpSize, WARP_SIZE);
ATTRIBUTE(maxPitch, MAX_PITCH);
ATTRIBUTE(maxRegistersPerBlock, MAX_REGISTERS_PER_BLOCK);
ATTRIBUTE(clockRate, CLOCK_RATE);
ATTRIBUTE(textureAlignment, TEXTURE_ALIGNMENT);
ATTRIBUTE(gpuOverlap, GPU_OVERLAP);
ATTRIBUTE(multiprocessorCount, MULTIPROCESSOR_COUNT);
ATTRIBUTE(kernelExecTimeout, KERNEL_EXEC_TIMEOUT);
ATTRIBUTE(integrated, INTEGRATED);
ATTRIBUTE(canMapHostMemory, CAN_MAP_HOST_MEMORY);
ATTRIBUTE(computeMode, COMPUTE_MODE);
ATTRIBUTE(concurrentKernels, CONCURRENT_KERNELS);
ATTRIBUTE(eccEnabled, ECC_ENABLED);
ATTRIBUTE(pciBusId, PCI_BUS_ID);
ATTRIBUTE(pciDeviceId, PCI_DEVICE_ID);
ATTRIBUTE(tccDriver, TCC_DRIVER);
ATTRIBUTE(memoryClockRate, MEMORY_CLOCK_RATE);
ATTRIBUTE(globalMemoryBusWidth, GLOBAL_MEMORY_BUS_WIDTH);
ATTRIBUTE(l2CacheSize, L2_CACHE_SIZE);
ATTRIBUTE(maxThreadsPerMultiprocessor, MAX_THREADS_PER_MULTIPROCESSOR);
ATTRIBUTE(asyncEngineCount, ASYNC_ENGINE_COUNT);
ATTRIBUTE(unifiedAddressing, UNIFIED_ADDRESSING);
ATTRIBUTE(pciDomainId, PCI_DOMAIN_ID);
ATTRIBUTE(computeCapabilityMajor, COMPUTE_CAPABILITY_MAJOR);
ATTRIBUTE(computeCapabilityMinor, COMPUTE_CAPABILITY_MINOR);
ATTRIBUTE(streamPrioritiesSupported, STREAM_PRIORITIES_SUPPORTED);
ATTRIBUTE(globalL1Supported, GLOBAL_L1_CACHE_SUPPORTED);
ATTRIBUTE(localL1Supported, LOCAL_L1_CACHE_SUPPORTED);
ATTRIBUTE(maxSharedPerMultiprocessor, MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
ATTRIBUTE(maxRegistersPerMultiprocessor, MAX_REGISTERS_PER_MULTIPROCESSOR);
ATTRIBUTE(managedMemory, MANAGED_MEMORY);
ATTRIBUTE(pageableMemoryAccess, PAGEABLE_MEMORY_ACCESS);
ATTRIBUTE(concurrentManagedAccess, CONCURRENT_MANAGED_ACCESS);
ATTRIBUTE(cooperativeLaunch, COOPERATIVE_LAUNCH);
ATTRIBUTE(maxSharedPerBlockOptin, MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
ATTRIBUTE(hostRegisterSupported, HOST_REGISTER_SUPPORTED);
ATTRIBUTE(virtualMemoryManagement, VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED);
ATTRIBUTE(maxBlocksPerMultiprocessor, MAX_BLOCKS_PER_MULTIPROCESSOR);
ATTRIBUTE(reservedSharedPerBlock, RESERVED_SHARED_MEMORY_PER_BLOCK);
ATTRIBUTE(memoryPoolsSupported, MEMORY_POOLS_SUPPORTED);
ATTRIBUTE(clusterLaunch, CLUSTER_LAUNCH);

SAME(funcMaxThreadsPerBlock, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
SAME(funcSharedSize, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
SAME(funcConstSize, CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES);
SAME(funcLocalSize, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
SAME(funcRegisters, CU_FUNC_ATTRIBUTE_NUM_REGS);
SAME(funcPtxVersion, CU_FUNC_ATTRIBUTE_PTX_VERSION);
SAME(funcBinaryVersion, CU_FUNC_ATTRIBUTE_BINARY_VERSION);
SAME(funcCacheModeCa, CU_FUNC_ATTRIBUTE_CACHE_MODE_CA);
SAME(funcMaxDynamicShared, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
SAME(funcSharedCarveout, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT);

SAME(jitInfoLog, CU_JIT_INFO_LOG_BUFFER);
SAME(jitInfoLogBytes, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES);
SAME(jitErrorLog, CU_JIT_ERROR_LOG_BUFFER);
SAME(jitErrorLogBytes, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);

SAME(pointerContext, CU_POINTER_ATTRIBUTE_CONTEXT);
SAME(pointerMemoryType, CU_POINTER_ATTRIBUTE_MEMORY_TYPE);
SAME(pointerDevicePointer, CU_POINTER_ATTRIBUTE_DEVICE_POINTER);
SAME(pointerHostPointer, CU_POINTER_ATTRIBUTE_HOST_POINTER);
SAME(pointerIsManaged, CU_POINTER_ATTRIBUTE_IS_MANAGED);
SAME(pointerDeviceOrdinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL);
SAME(pointerRangeStart, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR);
SAME(pointerRangeSize, CU_POINTER_ATTRIBUTE_RANGE_SIZE);
SAME(pointerMapped, CU_POINTER_ATTRIBUTE_MAPPED);
SAME(memoryHost, CU_MEMORYTYPE_HOST);
SAME(memoryDevice, CU_MEMORYTYPE_DEVICE);
SAME(memoryArray, CU_MEMORYTYPE_ARRAY);
SAME(memoryUnified, CU_MEMORYTYPE_UNIFIED);
SAME(hostAllocAll, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_WRITECOMBINED);
SAME(hostRegisterAll, CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP | CU_MEMHOSTREGISTER_IOMEMORY |
                          CU_MEMHOSTREGISTER_READ_ONLY);
SAME(eventBlockingSync, CU_EVENT_BLOCKING_SYNC);
SAME(eventDisableTiming, CU_EVENT_DISABLE_TIMING);
SAME(contextAll, CU_CTX_FLAGS_MASK);
SAME(paramEnd, CU_LAUNCH_PARAM_END_AS_INT);
SAME(paramBuffer, CU_LAUNCH_PARAM_BUFFER_POINTER_AS_INT);
SAME(paramBytes, CU_LAUNCH_PARAM_BUFFER_SIZE_AS_INT);
SAME(attributeIgnore, CU_LAUNCH_ATTRIBUTE_IGNORE);
SAME(attributePriority, CU_LAUNCH_ATTRIBUTE_PRIORITY);
SAME(procLegacy, CU_GET_PROC_ADDRESS_LEGACY_STREAM);
SAME(procPerThread, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM);
SAME(procFound, CU_GET_PROC_ADDRESS_SUCCESS);
SAME(procNotFound, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
SAME(procVersionTooOld, CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);

#define FIELD(ours, ourField, theirs, theirField)                                                                      \
  static_assert(offsetof(cuda::ours, ourField) == offsetof(theirs, theirField))
static_assert(sizeof(cuda::Copy2D) == sizeof(CUDA_MEMCPY2D));
FIELD(Copy2D, srcType, CUDA_MEMCPY2D, srcMemoryType);
FIELD(Copy2D, srcHost, CUDA_MEMCPY2D, srcHost);
FIELD(Copy2D, srcPitch, CUDA_MEMCPY2D, srcPitch);
FIELD(Copy2D, dstX, CUDA_MEMCPY2D, dstXInBytes);
FIELD(Copy2D, dstType, CUDA_MEMCPY2D, dstMemoryType);
FIELD(Copy2D, dstDevice, CUDA_MEMCPY2D, dstDevice);
FIELD(Copy2D, width, CUDA_MEMCPY2D, WidthInBytes);
FIELD(Copy2D, height, CUDA_MEMCPY2D, Height);
static_assert(sizeof(cuda::LaunchConfig) == sizeof(CUlaunchConfig));
static_assert(sizeof(cuda::LaunchAttribute) == sizeof(CUlaunchAttribute));
FIELD(LaunchConfig, grid, CUlaunchConfig, gridDimX);
FIELD(LaunchConfig, block, CUlaunchConfig, blockDimX);
FIELD(LaunchConfig, sharedBytes, CUlaunchConfig, sharedMemBytes);
FIELD(LaunchConfig, stream, CUlaunchConfig, hStream);
FIELD(LaunchConfig, attributes, CUlaunchConfig, attrs);
FIELD(LaunchConfig, attributeCount, CUlaunchConfig, numAttrs);
static_assert(sizeof(cuda::Uuid) == sizeof(CUuuid));

TEST(HeaderTest, StreamNames) {
  EXPECT_EQ(static_cast<void *>(cuda::legacyStream), static_cast<void *>(CU_STREAM_LEGACY));
  EXPECT_EQ(static_cast<void *>(cuda::perThreadStream), static_cast<void *>(CU_STREAM_PER_THREAD));
}
