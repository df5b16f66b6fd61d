//===- Errors.cpp - cuGetErrorName, cuGetErrorString ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Driver.h"

using namespace hgc::emu;
using namespace hgc::emu::driver;

namespace {

struct ErrorText {
  Result code;
  const char *name, *text;
};

const ErrorText errors[] = {
    {HGC_CU_SUCCESS, "CUDA_SUCCESS", "no error"},
    {HGC_CU_ERROR_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE",
     "invalid argument"},
    {HGC_CU_ERROR_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {HGC_CU_ERROR_NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED",
     "initialization error"},
    {HGC_CU_ERROR_DEINITIALIZED, "CUDA_ERROR_DEINITIALIZED",
     "driver shutting down"},
    {HGC_CU_ERROR_STUB_LIBRARY, "CUDA_ERROR_STUB_LIBRARY",
     "the driver is a stub library"},
    {HGC_CU_ERROR_DEVICE_UNAVAILABLE, "CUDA_ERROR_DEVICE_UNAVAILABLE",
     "the device is busy or unavailable"},
    {HGC_CU_ERROR_NO_DEVICE, "CUDA_ERROR_NO_DEVICE",
     "no CUDA-capable device is detected"},
    {HGC_CU_ERROR_INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE",
     "invalid device ordinal"},
    {HGC_CU_ERROR_INVALID_IMAGE, "CUDA_ERROR_INVALID_IMAGE",
     "the kernel image is invalid"},
    {HGC_CU_ERROR_INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT",
     "invalid device context"},
    {HGC_CU_ERROR_NO_BINARY_FOR_GPU, "CUDA_ERROR_NO_BINARY_FOR_GPU",
     "no kernel image is available for execution on the device"},
    {HGC_CU_ERROR_ECC_UNCORRECTABLE, "CUDA_ERROR_ECC_UNCORRECTABLE",
     "uncorrectable memory error encountered"},
    {HGC_CU_ERROR_PEER_ACCESS_UNSUPPORTED, "CUDA_ERROR_PEER_ACCESS_UNSUPPORTED",
     "peer access is not supported between these two devices"},
    {HGC_CU_ERROR_INVALID_PTX, "CUDA_ERROR_INVALID_PTX",
     "a PTX JIT compilation failed"},
    {HGC_CU_ERROR_JIT_COMPILER_NOT_FOUND, "CUDA_ERROR_JIT_COMPILER_NOT_FOUND",
     "the PTX JIT compiler library was not found"},
    {HGC_CU_ERROR_UNSUPPORTED_PTX_VERSION, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION",
     "the PTX was made with an unsupported toolchain"},
    {HGC_CU_ERROR_JIT_COMPILATION_DISABLED,
     "CUDA_ERROR_JIT_COMPILATION_DISABLED", "PTX JIT compilation is disabled"},
    {HGC_CU_ERROR_INVALID_SOURCE, "CUDA_ERROR_INVALID_SOURCE",
     "the kernel source is invalid"},
    {HGC_CU_ERROR_OPERATING_SYSTEM, "CUDA_ERROR_OPERATING_SYSTEM",
     "a call of the operating system failed"},
    {HGC_CU_ERROR_INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE",
     "invalid resource handle"},
    {HGC_CU_ERROR_NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {HGC_CU_ERROR_NOT_READY, "CUDA_ERROR_NOT_READY", "device not ready"},
    {HGC_CU_ERROR_ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS",
     "an illegal memory access was encountered"},
    {HGC_CU_ERROR_LAUNCH_OUT_OF_RESOURCES, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES",
     "too many resources requested for launch"},
    {HGC_CU_ERROR_LAUNCH_TIMEOUT, "CUDA_ERROR_LAUNCH_TIMEOUT",
     "the launch timed out and was terminated"},
    {HGC_CU_ERROR_PEER_ACCESS_ALREADY_ENABLED,
     "CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED",
     "peer access is already enabled"},
    {HGC_CU_ERROR_PEER_ACCESS_NOT_ENABLED, "CUDA_ERROR_PEER_ACCESS_NOT_ENABLED",
     "peer access has not been enabled"},
    {HGC_CU_ERROR_CONTEXT_IS_DESTROYED, "CUDA_ERROR_CONTEXT_IS_DESTROYED",
     "context is destroyed"},
    {HGC_CU_ERROR_ASSERT, "CUDA_ERROR_ASSERT", "device-side assert triggered"},
    {HGC_CU_ERROR_TOO_MANY_PEERS, "CUDA_ERROR_TOO_MANY_PEERS",
     "peer mapping resources exhausted"},
    {cuda::hostAlreadyRegistered, "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED",
     "part or all of the requested memory range is already mapped"},
    {cuda::hostNotRegistered, "CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED",
     "pointer does not correspond to a registered memory region"},
    {HGC_CU_ERROR_HARDWARE_STACK_ERROR, "CUDA_ERROR_HARDWARE_STACK_ERROR",
     "hardware stack error"},
    {HGC_CU_ERROR_ILLEGAL_INSTRUCTION, "CUDA_ERROR_ILLEGAL_INSTRUCTION",
     "an illegal instruction was encountered"},
    {HGC_CU_ERROR_MISALIGNED_ADDRESS, "CUDA_ERROR_MISALIGNED_ADDRESS",
     "misaligned address"},
    {HGC_CU_ERROR_INVALID_ADDRESS_SPACE, "CUDA_ERROR_INVALID_ADDRESS_SPACE",
     "operation not supported on global/shared address space"},
    {HGC_CU_ERROR_INVALID_PC, "CUDA_ERROR_INVALID_PC",
     "invalid program counter"},
    {HGC_CU_ERROR_LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED",
     "unspecified launch failure"},
    {HGC_CU_ERROR_NOT_PERMITTED, "CUDA_ERROR_NOT_PERMITTED",
     "operation not permitted"},
    {HGC_CU_ERROR_NOT_SUPPORTED, "CUDA_ERROR_NOT_SUPPORTED",
     "operation not supported"},
    {HGC_CU_ERROR_SYSTEM_NOT_READY, "CUDA_ERROR_SYSTEM_NOT_READY",
     "system not yet initialized"},
    {HGC_CU_ERROR_SYSTEM_DRIVER_MISMATCH, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH",
     "system has unsupported display driver / cuda driver combination"},
    {HGC_CU_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE,
     "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE",
     "forward compatibility was attempted on non supported HW"},
    {HGC_CU_ERROR_UNKNOWN, "CUDA_ERROR_UNKNOWN", "unknown error"},
};

Result describe(const char *function, Result error, const char **out,
                const char *ErrorText::*field) {
  Call call(function, Needs::Nothing);
  if (!call)
    return call.result();
  if (!out)
    return HGC_CU_ERROR_INVALID_VALUE;
  *out = nullptr;
  for (const ErrorText &entry : errors)
    if (entry.code == error)
      *out = entry.*field;
  return *out ? HGC_CU_SUCCESS : HGC_CU_ERROR_INVALID_VALUE;
}

} // namespace

HGC_EMU_API Result cuGetErrorName(Result error, const char **text) {
  return describe("cuGetErrorName", error, text, &ErrorText::name);
}

HGC_EMU_API Result cuGetErrorString(Result error, const char **text) {
  return describe("cuGetErrorString", error, text, &ErrorText::text);
}
