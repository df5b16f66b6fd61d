//===- CudaTypes.h - the rest of the CUDA driver API's types --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What clients of the emulated driver may use beyond the functions the runtime
// itself needs (runtime/devices/cuda/cuda_driver.h). The unit tests compare
// every declaration with cuda.h where that is installed.
//
//===----------------------------------------------------------------------===//
#ifndef HGC_EMU_CUDA_TYPES_H
#define HGC_EMU_CUDA_TYPES_H

#include "../../devices/cuda/cuda_driver.h"

namespace hgc::emu::cuda {

/// Results that only the emulator returns.
enum Result : int {
  hostAlreadyRegistered = 712,
  hostNotRegistered = 713,
};

/// CUdevice_attribute.
enum DeviceAttribute : int {
  maxThreadsPerBlock = 1,
  maxBlockDimX = 2,
  maxBlockDimY = 3,
  maxBlockDimZ = 4,
  maxGridDimX = 5,
  maxGridDimY = 6,
  maxGridDimZ = 7,
  maxSharedPerBlock = 8,
  totalConstantMemory = 9,
  warpSize = 10,
  maxPitch = 11,
  maxRegistersPerBlock = 12,
  clockRate = 13,
  textureAlignment = 14,
  gpuOverlap = 15,
  multiprocessorCount = 16,
  kernelExecTimeout = 17,
  integrated = 18,
  canMapHostMemory = 19,
  computeMode = 20,
  concurrentKernels = 31,
  eccEnabled = 32,
  pciBusId = 33,
  pciDeviceId = 34,
  tccDriver = 35,
  memoryClockRate = 36,
  globalMemoryBusWidth = 37,
  l2CacheSize = 38,
  maxThreadsPerMultiprocessor = 39,
  asyncEngineCount = 40,
  unifiedAddressing = 41,
  pciDomainId = 50,
  computeCapabilityMajor = 75,
  computeCapabilityMinor = 76,
  streamPrioritiesSupported = 78,
  globalL1Supported = 79,
  localL1Supported = 80,
  maxSharedPerMultiprocessor = 81,
  maxRegistersPerMultiprocessor = 82,
  managedMemory = 83,
  pageableMemoryAccess = 88,
  concurrentManagedAccess = 89,
  cooperativeLaunch = 95,
  maxSharedPerBlockOptin = 97,
  hostRegisterSupported = 99,
  virtualMemoryManagement = 102,
  maxBlocksPerMultiprocessor = 106,
  reservedSharedPerBlock = 111,
  memoryPoolsSupported = 115,
  clusterLaunch = 120,
};

/// CUfunction_attribute.
enum FunctionAttribute : int {
  funcMaxThreadsPerBlock = 0,
  funcSharedSize = 1,
  funcConstSize = 2,
  funcLocalSize = 3,
  funcRegisters = 4,
  funcPtxVersion = 5,
  funcBinaryVersion = 6,
  funcCacheModeCa = 7,
  funcMaxDynamicShared = 8,
  funcSharedCarveout = 9,
};

/// CUjit_option.
enum JitOption : int {
  jitInfoLog = 3,
  jitInfoLogBytes = 4,
  jitErrorLog = 5,
  jitErrorLogBytes = 6,
  jitOptionCount = 35,
};

/// CUpointer_attribute, CUmemorytype.
enum PointerAttribute : int {
  pointerContext = 1,
  pointerMemoryType = 2,
  pointerDevicePointer = 3,
  pointerHostPointer = 4,
  pointerIsManaged = 8,
  pointerDeviceOrdinal = 9,
  pointerRangeStart = 11,
  pointerRangeSize = 12,
  pointerMapped = 13,
};
enum MemoryType : unsigned {
  memoryHost = 1,
  memoryDevice = 2,
  memoryArray = 3,
  memoryUnified = 4,
};

/// CUmemhostalloc, CUmemhostregister, CUevent_flags, CUctx_flags.
enum Flags : unsigned {
  hostAllocAll = 7,
  hostRegisterAll = 15,
  eventBlockingSync = 1,
  eventDisableTiming = 2,
  eventInterprocess = 4,
  contextAll = 0xff,
};

/// Names of the legacy and the per-thread default stream.
inline const hgc_cu_stream legacyStream = reinterpret_cast<hgc_cu_stream>(1);
inline const hgc_cu_stream perThreadStream = reinterpret_cast<hgc_cu_stream>(2);

/// CU_LAUNCH_PARAM_*.
enum LaunchParam : uintptr_t { paramEnd, paramBuffer, paramBytes };

struct Uuid {
  char bytes[16];
};

/// CUDA_MEMCPY2D_v2.
struct Copy2D {
  size_t srcX, srcY;
  unsigned srcType;
  const void *srcHost;
  hgc_cu_ptr srcDevice;
  void *srcArray;
  size_t srcPitch;
  size_t dstX, dstY;
  unsigned dstType;
  void *dstHost;
  hgc_cu_ptr dstDevice;
  void *dstArray;
  size_t dstPitch;
  size_t width, height;
};

/// CUlaunchAttribute and CUlaunchConfig.
struct LaunchAttribute {
  int id;
  char pad[4];
  char value[64];
};
enum LaunchAttributeId : int { attributeIgnore = 0, attributePriority = 8 };
struct LaunchConfig {
  unsigned grid[3];
  unsigned block[3];
  unsigned sharedBytes;
  hgc_cu_stream stream;
  LaunchAttribute *attributes;
  unsigned attributeCount;
};

/// CUdriverProcAddress_flags and CUdriverProcAddressQueryResult.
enum ProcAddress : unsigned { procDefault, procLegacy, procPerThread };
enum ProcStatus : int { procFound, procNotFound, procVersionTooOld };

using HostFunction = void (*)(void *);

} // namespace hgc::emu::cuda

#endif // HGC_EMU_CUDA_TYPES_H
