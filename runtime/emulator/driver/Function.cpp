//===- Function.cpp - cuFunc*, cuOccupancy* -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Kernel.h"

using namespace hgc::emu;
using namespace hgc::emu::driver;

unsigned hgc::emu::driver::registersOf(const Kernel &kernel) {
  unsigned registers = std::min(kernel.registers, Limits::registersPerThread);
  unsigned threads = threadLimit(kernel);
  // A bound on the threads makes the assembler spill until they fit.
  if (kernel.maxThreads[0] || kernel.reqThreads[0])
    registers = std::min(registers, Limits::registersPerBlock / threads);
  return std::max(registers, 1u);
}

unsigned hgc::emu::driver::threadLimit(const Kernel &kernel) {
  const uint32_t *bound =
      kernel.reqThreads[0] ? kernel.reqThreads : kernel.maxThreads;
  uint64_t threads = 1;
  for (int i = 0; i < 3; ++i)
    threads *= std::max(bound[i], 1u);
  if (!bound[0])
    threads = Limits::threadsPerBlock;
  return unsigned(std::min<uint64_t>(threads, Limits::threadsPerBlock));
}

HGC_EMU_API Result cuFuncGetAttribute(int *value, int attribute,
                                      hgc_cu_function handle) {
  Call call("cuFuncGetAttribute", Needs::Context);
  if (!call)
    return call.result();
  std::shared_ptr<Function> function = call.driver.functions.find(handle);
  if (!value)
    return HGC_CU_ERROR_INVALID_VALUE;
  if (!function)
    return HGC_CU_ERROR_INVALID_HANDLE;
  const Kernel &kernel = *function->kernel;
  switch (attribute) {
  case cuda::funcMaxThreadsPerBlock:
    *value = int(std::min(threadLimit(kernel),
                          Limits::registersPerBlock / registersOf(kernel)));
    break;
  case cuda::funcSharedSize:
    *value = int(kernel.staticShared);
    break;
  case cuda::funcConstSize:
  case cuda::funcCacheModeCa:
    *value = 0;
    break;
  case cuda::funcLocalSize:
    *value = int(kernel.localBytes);
    break;
  case cuda::funcRegisters:
    *value = int(registersOf(kernel));
    break;
  case cuda::funcPtxVersion:
    *value = int(function->module->code->targetSm());
    break;
  case cuda::funcBinaryVersion:
    *value = int(function->module->context->device->table->sm);
    break;
  case cuda::funcMaxDynamicShared:
    *value = function->maxDynamicShared;
    break;
  case cuda::funcSharedCarveout:
    *value = function->carveout;
    break;
  default:
    return HGC_CU_ERROR_INVALID_VALUE;
  }
  return HGC_CU_SUCCESS;
}

HGC_EMU_API Result cuFuncSetAttribute(hgc_cu_function handle, int attribute,
                                      int value) {
  Call call("cuFuncSetAttribute", Needs::Context);
  if (!call)
    return call.result();
  std::shared_ptr<Function> function = call.driver.functions.find(handle);
  if (!function)
    return HGC_CU_ERROR_INVALID_HANDLE;
  if (attribute == cuda::funcMaxDynamicShared) {
    int most = int(function->module->context->device->table->sharedOptin) -
               int(function->kernel->staticShared);
    if (value < 0 || value > most)
      return HGC_CU_ERROR_INVALID_VALUE;
    function->maxDynamicShared = value;
    return HGC_CU_SUCCESS;
  }
  if (attribute != cuda::funcSharedCarveout || value < -1 || value > 100)
    return HGC_CU_ERROR_INVALID_VALUE;
  function->carveout = value;
  return HGC_CU_SUCCESS;
}

HGC_EMU_API Result cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, hgc_cu_function handle, int threads, size_t dynamicShared,
    unsigned flags) {
  Call call("cuOccupancyMaxActiveBlocksPerMultiprocessor", Needs::Context);
  if (!call)
    return call.result();
  std::shared_ptr<Function> function = call.driver.functions.find(handle);
  if (!blocks || threads <= 0 || flags > 1)
    return HGC_CU_ERROR_INVALID_VALUE;
  if (!function)
    return HGC_CU_ERROR_INVALID_HANDLE;
  const Kernel &kernel = *function->kernel;
  bool fits = unsigned(threads) <= threadLimit(kernel) &&
              dynamicShared <= size_t(function->maxDynamicShared);
  *blocks =
      fits ? int(blocksPerMultiprocessor(
                 *function->module->context->device->table, unsigned(threads),
                 registersOf(kernel), kernel.staticShared + dynamicShared))
           : 0;
  return HGC_CU_SUCCESS;
}

HGC_EMU_API Result cuOccupancyMaxActiveBlocksPerMultiprocessor(
    int *blocks, hgc_cu_function function, int threads, size_t dynamicShared) {
  return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      blocks, function, threads, dynamicShared, 0);
}
