//===- Exports.cpp - every function by name and version -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every function with the CUDA version from on which a name means it. The
// forms of CUDA 3.1 and before, with 32-bit pointers, do not exist: a client
// that looks up such a symbol by dlsym() finds nothing.
//
//===----------------------------------------------------------------------===//

#include "Exports.h"

#include <cstring>

using namespace hgc::emu::driver;

// F(name, version, symbol), P(name, version, symbol, per-thread form); versions
// of a name in ascending order.
#define HGC_EMU_EXPORTS(F, P)                                                  \
  F(cuCtxCreate, 3020, cuCtxCreate_v2)                                         \
  F(cuCtxCreate, 11040, cuCtxCreate_v3)                                        \
  F(cuCtxCreate, 12050, cuCtxCreate_v4)                                        \
  F(cuCtxDestroy, 4000, cuCtxDestroy_v2)                                       \
  F(cuCtxDisablePeerAccess, 4000, cuCtxDisablePeerAccess)                      \
  F(cuCtxEnablePeerAccess, 4000, cuCtxEnablePeerAccess)                        \
  F(cuCtxGetCurrent, 4000, cuCtxGetCurrent)                                    \
  F(cuCtxGetDevice, 2000, cuCtxGetDevice)                                      \
  F(cuCtxGetFlags, 7000, cuCtxGetFlags)                                        \
  F(cuCtxGetStreamPriorityRange, 5050, cuCtxGetStreamPriorityRange)            \
  F(cuCtxPopCurrent, 4000, cuCtxPopCurrent_v2)                                 \
  F(cuCtxPushCurrent, 4000, cuCtxPushCurrent_v2)                               \
  F(cuCtxSetCurrent, 4000, cuCtxSetCurrent)                                    \
  F(cuCtxSynchronize, 2000, cuCtxSynchronize)                                  \
  F(cuDeviceCanAccessPeer, 4000, cuDeviceCanAccessPeer)                        \
  F(cuDeviceGet, 2000, cuDeviceGet)                                            \
  F(cuDeviceGetAttribute, 2000, cuDeviceGetAttribute)                          \
  F(cuDeviceGetCount, 2000, cuDeviceGetCount)                                  \
  F(cuDeviceGetName, 2000, cuDeviceGetName)                                    \
  F(cuDeviceGetPCIBusId, 4010, cuDeviceGetPCIBusId)                            \
  F(cuDeviceGetUuid, 9020, cuDeviceGetUuid)                                    \
  F(cuDeviceGetUuid, 11040, cuDeviceGetUuid_v2)                                \
  F(cuDevicePrimaryCtxGetState, 7000, cuDevicePrimaryCtxGetState)              \
  F(cuDevicePrimaryCtxRelease, 11000, cuDevicePrimaryCtxRelease_v2)            \
  F(cuDevicePrimaryCtxReset, 11000, cuDevicePrimaryCtxReset_v2)                \
  F(cuDevicePrimaryCtxRetain, 7000, cuDevicePrimaryCtxRetain)                  \
  F(cuDevicePrimaryCtxSetFlags, 11000, cuDevicePrimaryCtxSetFlags_v2)          \
  F(cuDeviceTotalMem, 3020, cuDeviceTotalMem_v2)                               \
  F(cuDriverGetVersion, 2020, cuDriverGetVersion)                              \
  F(cuEventCreate, 2000, cuEventCreate)                                        \
  F(cuEventDestroy, 4000, cuEventDestroy_v2)                                   \
  F(cuEventElapsedTime, 2000, cuEventElapsedTime)                              \
  F(cuEventElapsedTime, 12080, cuEventElapsedTime_v2)                          \
  F(cuEventQuery, 2000, cuEventQuery)                                          \
  P(cuEventRecord, 2000, cuEventRecord, cuEventRecord_ptsz)                    \
  P(cuEventRecordWithFlags, 11010, cuEventRecordWithFlags,                     \
    cuEventRecordWithFlags_ptsz)                                               \
  F(cuEventSynchronize, 2000, cuEventSynchronize)                              \
  F(cuFuncGetAttribute, 2020, cuFuncGetAttribute)                              \
  F(cuFuncSetAttribute, 9000, cuFuncSetAttribute)                              \
  F(cuGetErrorName, 6000, cuGetErrorName)                                      \
  F(cuGetErrorString, 6000, cuGetErrorString)                                  \
  F(cuGetProcAddress, 11030, cuGetProcAddress)                                 \
  F(cuGetProcAddress, 12000, cuGetProcAddress_v2)                              \
  F(cuInit, 2000, cuInit)                                                      \
  P(cuLaunchHostFunc, 10000, cuLaunchHostFunc, cuLaunchHostFunc_ptsz)          \
  P(cuLaunchKernel, 4000, cuLaunchKernel, cuLaunchKernel_ptsz)                 \
  P(cuLaunchKernelEx, 11060, cuLaunchKernelEx, cuLaunchKernelEx_ptsz)          \
  F(cuMemAlloc, 3020, cuMemAlloc_v2)                                           \
  P(cuMemAllocAsync, 11020, cuMemAllocAsync, cuMemAllocAsync_ptsz)             \
  F(cuMemAllocHost, 3020, cuMemAllocHost_v2)                                   \
  F(cuMemFree, 3020, cuMemFree_v2)                                             \
  P(cuMemFreeAsync, 11020, cuMemFreeAsync, cuMemFreeAsync_ptsz)                \
  F(cuMemFreeHost, 2000, cuMemFreeHost)                                        \
  F(cuMemGetAddressRange, 3020, cuMemGetAddressRange_v2)                       \
  F(cuMemGetInfo, 3020, cuMemGetInfo_v2)                                       \
  F(cuMemHostAlloc, 2020, cuMemHostAlloc)                                      \
  F(cuMemHostGetDevicePointer, 3020, cuMemHostGetDevicePointer_v2)             \
  F(cuMemHostGetFlags, 2030, cuMemHostGetFlags)                                \
  F(cuMemHostRegister, 6050, cuMemHostRegister_v2)                             \
  F(cuMemHostUnregister, 4000, cuMemHostUnregister)                            \
  P(cuMemcpy, 4000, cuMemcpy, cuMemcpy_ptds)                                   \
  P(cuMemcpy2D, 3020, cuMemcpy2D_v2, cuMemcpy2D_v2_ptds)                       \
  P(cuMemcpy2DAsync, 3020, cuMemcpy2DAsync_v2, cuMemcpy2DAsync_v2_ptsz)        \
  P(cuMemcpy2DUnaligned, 3020, cuMemcpy2DUnaligned_v2,                         \
    cuMemcpy2DUnaligned_v2_ptds)                                               \
  P(cuMemcpyAsync, 4000, cuMemcpyAsync, cuMemcpyAsync_ptsz)                    \
  P(cuMemcpyDtoD, 3020, cuMemcpyDtoD_v2, cuMemcpyDtoD_v2_ptds)                 \
  P(cuMemcpyDtoDAsync, 3020, cuMemcpyDtoDAsync_v2, cuMemcpyDtoDAsync_v2_ptsz)  \
  P(cuMemcpyDtoH, 3020, cuMemcpyDtoH_v2, cuMemcpyDtoH_v2_ptds)                 \
  P(cuMemcpyDtoHAsync, 3020, cuMemcpyDtoHAsync_v2, cuMemcpyDtoHAsync_v2_ptsz)  \
  P(cuMemcpyHtoD, 3020, cuMemcpyHtoD_v2, cuMemcpyHtoD_v2_ptds)                 \
  P(cuMemcpyHtoDAsync, 3020, cuMemcpyHtoDAsync_v2, cuMemcpyHtoDAsync_v2_ptsz)  \
  P(cuMemcpyPeer, 4000, cuMemcpyPeer, cuMemcpyPeer_ptds)                       \
  P(cuMemcpyPeerAsync, 4000, cuMemcpyPeerAsync, cuMemcpyPeerAsync_ptsz)        \
  P(cuMemsetD16, 3020, cuMemsetD16_v2, cuMemsetD16_v2_ptds)                    \
  P(cuMemsetD16Async, 3020, cuMemsetD16Async, cuMemsetD16Async_ptsz)           \
  P(cuMemsetD32, 3020, cuMemsetD32_v2, cuMemsetD32_v2_ptds)                    \
  P(cuMemsetD32Async, 3020, cuMemsetD32Async, cuMemsetD32Async_ptsz)           \
  P(cuMemsetD8, 3020, cuMemsetD8_v2, cuMemsetD8_v2_ptds)                       \
  P(cuMemsetD8Async, 3020, cuMemsetD8Async, cuMemsetD8Async_ptsz)              \
  F(cuModuleGetFunction, 2000, cuModuleGetFunction)                            \
  F(cuModuleGetGlobal, 3020, cuModuleGetGlobal_v2)                             \
  F(cuModuleLoadData, 2000, cuModuleLoadData)                                  \
  F(cuModuleLoadDataEx, 2010, cuModuleLoadDataEx)                              \
  F(cuModuleUnload, 2000, cuModuleUnload)                                      \
  F(cuOccupancyMaxActiveBlocksPerMultiprocessor, 6050,                         \
    cuOccupancyMaxActiveBlocksPerMultiprocessor)                               \
  F(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, 7000,                \
    cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags)                      \
  F(cuPointerGetAttribute, 4000, cuPointerGetAttribute)                        \
  F(cuStreamCreate, 2000, cuStreamCreate)                                      \
  F(cuStreamCreateWithPriority, 5050, cuStreamCreateWithPriority)              \
  F(cuStreamDestroy, 4000, cuStreamDestroy_v2)                                 \
  P(cuStreamGetCtx, 9020, cuStreamGetCtx, cuStreamGetCtx_ptsz)                 \
  P(cuStreamGetCtx, 12050, cuStreamGetCtx_v2, cuStreamGetCtx_v2_ptsz)          \
  P(cuStreamGetFlags, 5050, cuStreamGetFlags, cuStreamGetFlags_ptsz)           \
  P(cuStreamGetPriority, 5050, cuStreamGetPriority, cuStreamGetPriority_ptsz)  \
  P(cuStreamQuery, 2000, cuStreamQuery, cuStreamQuery_ptsz)                    \
  P(cuStreamSynchronize, 2000, cuStreamSynchronize, cuStreamSynchronize_ptsz)  \
  P(cuStreamWaitEvent, 3020, cuStreamWaitEvent, cuStreamWaitEvent_ptsz)

// Only the addresses are needed, and no header declares the functions.
#define HGC_EMU_DECLARE_F(name, version, symbol) extern "C" void symbol();
#define HGC_EMU_DECLARE_P(name, version, symbol, perThread)                    \
  extern "C" void symbol();                                                    \
  extern "C" void perThread();

namespace exported {
HGC_EMU_EXPORTS(HGC_EMU_DECLARE_F, HGC_EMU_DECLARE_P)
} // namespace exported

namespace {

struct Export {
  const char *name;
  int version;
  void (*symbol)();
  void (*perThread)();
};

#define HGC_EMU_ENTRY_F(name, version, symbol)                                 \
  {#name, version, exported::symbol, exported::symbol},
#define HGC_EMU_ENTRY_P(name, version, symbol, perThread)                      \
  {#name, version, exported::symbol, exported::perThread},
const Export exports[] = {HGC_EMU_EXPORTS(HGC_EMU_ENTRY_F, HGC_EMU_ENTRY_P)};

} // namespace

void *hgc::emu::driver::findExport(const char *name, int version,
                                   bool perThread, bool &known) {
  const Export *best = nullptr;
  known = false;
  for (const Export &entry : exports) {
    if (std::strcmp(entry.name, name) != 0)
      continue;
    known = true;
    if (entry.version <= version)
      best = &entry;
  }
  if (!best)
    return nullptr;
  return reinterpret_cast<void *>(perThread ? best->perThread : best->symbol);
}
