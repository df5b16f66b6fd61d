//===- Pointer.cpp - cuPointerGetAttribute, cuMemGetAddressRange ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Driver.h"

using namespace hgc::emu;
using namespace hgc::emu::driver;

namespace {

/// The block behind an address, on a device or pinned on the host.
struct Found {
  const Block *block = nullptr;
  uint64_t begin = 0;
  Device *device = nullptr; ///< Null: host memory.
};

Found findBlock(Driver &driver, uint64_t address) {
  Found found;
  found.device = driver.deviceOf(address);
  if (!found.device) {
    found.block = driver.host.find(address, &found.begin);
    return found;
  }
  auto it = driver.blocks.upper_bound(address);
  if (it == driver.blocks.begin())
    return found;
  --it;
  if (address - it->first < it->second.bytes) {
    found.block = &it->second;
    found.begin = it->first;
  }
  return found;
}

template <typename T> Result put(void *out, T value) {
  *static_cast<T *>(out) = value;
  return HGC_CU_SUCCESS;
}

} // namespace

HGC_EMU_API Result cuPointerGetAttribute(void *value, int attribute,
                                         hgc_cu_ptr pointer) {
  Call call("cuPointerGetAttribute", Needs::Init);
  if (!call)
    return call.result();
  if (!value)
    return HGC_CU_ERROR_INVALID_VALUE;
  Found found = findBlock(call.driver, pointer);
  if (attribute == cuda::pointerMapped)
    return put<int>(value, found.block != nullptr);
  // Memory the driver never heard of.
  if (!found.block)
    return HGC_CU_ERROR_INVALID_VALUE;
  switch (attribute) {
  case cuda::pointerContext:
    return put(value, found.block->context->handle);
  case cuda::pointerMemoryType:
    return put<unsigned>(value,
                         found.device ? cuda::memoryDevice : cuda::memoryHost);
  case cuda::pointerDevicePointer:
    return put<hgc_cu_ptr>(value, pointer);
  case cuda::pointerHostPointer:
    if (found.device)
      return HGC_CU_ERROR_INVALID_VALUE;
    return put(value, reinterpret_cast<void *>(pointer));
  case cuda::pointerIsManaged:
    return put<bool>(value, false);
  case cuda::pointerDeviceOrdinal:
    return put<int>(value, found.block->context->device->ordinal);
  case cuda::pointerRangeStart:
    return put<hgc_cu_ptr>(value, found.begin);
  case cuda::pointerRangeSize:
    return put<size_t>(value, found.block->bytes);
  }
  return HGC_CU_ERROR_INVALID_VALUE;
}

HGC_EMU_API Result cuMemGetAddressRange_v2(hgc_cu_ptr *base, size_t *bytes,
                                           hgc_cu_ptr pointer) {
  Call call("cuMemGetAddressRange", Needs::Context);
  if (!call)
    return call.result();
  Found found = findBlock(call.driver, pointer);
  if (!found.block)
    return HGC_CU_ERROR_NOT_FOUND;
  if (base)
    *base = found.begin;
  if (bytes)
    *bytes = found.block->bytes;
  return HGC_CU_SUCCESS;
}
