//===- Device.cpp - cuInit, cuDriver*, cuDevice* --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include <cstdio>
#include <cstring>

using namespace hgc::emu;
using namespace hgc::emu::driver;

namespace {

/// Attributes that are the same on every emulated device.
struct FixedAttribute {
  int attribute, value;
};
const FixedAttribute fixedAttributes[] = {
    {cuda::maxThreadsPerBlock, int(Limits::threadsPerBlock)},
    {cuda::maxBlockDimX, int(Limits::block[0])},
    {cuda::maxBlockDimY, int(Limits::block[1])},
    {cuda::maxBlockDimZ, int(Limits::block[2])},
    {cuda::maxGridDimX, int(Limits::grid[0])},
    {cuda::maxGridDimY, int(Limits::grid[1])},
    {cuda::maxGridDimZ, int(Limits::grid[2])},
    {cuda::maxSharedPerBlock, int(Limits::sharedDefault)},
    {cuda::totalConstantMemory, 65536},
    {cuda::warpSize, 32},
    {cuda::maxPitch, 0x7fffffff},
    {cuda::maxRegistersPerBlock, int(Limits::registersPerBlock)},
    {cuda::textureAlignment, 512},
    {cuda::gpuOverlap, 1},
    {cuda::kernelExecTimeout, 0},
    {cuda::canMapHostMemory, 0},
    {cuda::computeMode, 0},
    {cuda::concurrentKernels, 1},
    {cuda::eccEnabled, 0},
    {cuda::pciDeviceId, 0},
    {cuda::pciDomainId, 0},
    {cuda::tccDriver, 0},
    {cuda::asyncEngineCount, 2},
    {cuda::unifiedAddressing, 1},
    {cuda::streamPrioritiesSupported, 1},
    {cuda::globalL1Supported, 1},
    {cuda::localL1Supported, 1},
    {cuda::maxRegistersPerMultiprocessor, int(Limits::registersPerBlock)},
    {cuda::managedMemory, 0},
    {cuda::pageableMemoryAccess, 0},
    {cuda::concurrentManagedAccess, 0},
    {cuda::cooperativeLaunch, 0},
    {cuda::hostRegisterSupported, 1},
    {cuda::virtualMemoryManagement, 0},
    {cuda::memoryPoolsSupported, 1},
    {cuda::clusterLaunch, 0},
};

bool tableAttribute(const Device &device, int attribute, int &value) {
  const DeviceTable &table = *device.table;
  switch (attribute) {
  case cuda::clockRate:
    value = int(table.clockMHz * 1000);
    return true;
  case cuda::multiprocessorCount:
    value = int(table.multiprocessors);
    return true;
  case cuda::integrated:
    value = table.integrated;
    return true;
  case cuda::pciBusId:
    value = device.ordinal + 1;
    return true;
  case cuda::globalMemoryBusWidth:
    value = 1024;
    return true;
  case cuda::memoryClockRate: // kHz, so that both give the bandwidth
    value = int(table.memoryBandwidth / (2.0 * 1024 / 8) / 1000);
    return true;
  case cuda::l2CacheSize:
    value = int(table.l2Bytes);
    return true;
  case cuda::maxThreadsPerMultiprocessor:
    value = int(table.threadsPerMultiprocessor);
    return true;
  case cuda::computeCapabilityMajor:
    value = int(table.sm / 10);
    return true;
  case cuda::computeCapabilityMinor:
    value = int(table.sm % 10);
    return true;
  case cuda::maxSharedPerMultiprocessor:
    value = int(table.sharedPerMultiprocessor);
    return true;
  case cuda::maxSharedPerBlockOptin:
    value = int(table.sharedOptin);
    return true;
  case cuda::maxBlocksPerMultiprocessor:
    value = int(table.blocksPerMultiprocessor);
    return true;
  case cuda::reservedSharedPerBlock:
    value = table.sm >= 80 ? 1024 : 0;
    return true;
  }
  return false;
}

} // namespace

HGC_EMU_API Result cuInit(unsigned flags) {
  Call call("cuInit", Needs::Nothing);
  if (!call)
    return call.result();
  if (flags != 0)
    return HGC_CU_ERROR_INVALID_VALUE;
  Driver &driver = call.driver;
  if (driver.initialised)
    return HGC_CU_SUCCESS;
  if (!driver.config.error.empty()) {
    driver.findings.report(driver.config.error, "");
    return HGC_CU_ERROR_SYSTEM_NOT_READY;
  }
  if (driver.config.devices.empty())
    return HGC_CU_ERROR_NO_DEVICE;
  for (const DeviceTable *table : driver.config.devices) {
    auto device = std::make_unique<Device>();
    device->ordinal = int(driver.devices.size());
    device->table = table;
    uint64_t bytes = driver.config.memoryBytes ? driver.config.memoryBytes
                                               : table->memoryBytes;
    device->memory = std::make_unique<Memory>(unsigned(device->ordinal), bytes);
    driver.devices.push_back(std::move(device));
  }
  driver.initialised = true;
  return HGC_CU_SUCCESS;
}

HGC_EMU_API Result cuDriverGetVersion(int *version) {
  Call call("cuDriverGetVersion", Needs::Nothing);
  if (!call)
    return call.result();
  if (!version)
    return HGC_CU_ERROR_INVALID_VALUE;
  *version = call.driver.config.driverVersion;
  return HGC_CU_SUCCESS;
}

HGC_EMU_API Result cuDeviceGetCount(int *count) {
  Call call("cuDeviceGetCount", Needs::Init);
  if (!call)
    return call.result();
  if (!count)
    return HGC_CU_ERROR_INVALID_VALUE;
  *count = int(call.driver.devices.size());
  return HGC_CU_SUCCESS;
}

HGC_EMU_API Result cuDeviceGet(hgc_cu_device *device, int ordinal) {
  Call call("cuDeviceGet", Needs::Init);
  if (!call)
    return call.result();
  if (!device)
    return HGC_CU_ERROR_INVALID_VALUE;
  if (!call.driver.device(ordinal))
    return HGC_CU_ERROR_INVALID_DEVICE;
  *device = ordinal;
  return HGC_CU_SUCCESS;
}

HGC_EMU_API Result cuDeviceGetName(char *name, int capacity,
                                   hgc_cu_device ordinal) {
  Call call("cuDeviceGetName", Needs::Init);
  if (!call)
    return call.result();
  Device *device = call.driver.device(ordinal);
  if (!name || capacity <= 0)
    return HGC_CU_ERROR_INVALID_VALUE;
  if (!device)
    return HGC_CU_ERROR_INVALID_DEVICE;
  std::snprintf(name, size_t(capacity), "hgc emulated %s",
                device->table->title);
  return HGC_CU_SUCCESS;
}

HGC_EMU_API Result cuDeviceTotalMem_v2(size_t *bytes, hgc_cu_device ordinal) {
  Call call("cuDeviceTotalMem", Needs::Init);
  if (!call)
    return call.result();
  Device *device = call.driver.device(ordinal);
  if (!bytes)
    return HGC_CU_ERROR_INVALID_VALUE;
  if (!device)
    return HGC_CU_ERROR_INVALID_DEVICE;
  *bytes = device->memory->capacity();
  return HGC_CU_SUCCESS;
}

HGC_EMU_API Result cuDeviceGetAttribute(int *value, int attribute,
                                        hgc_cu_device ordinal) {
  Call call("cuDeviceGetAttribute", Needs::Init);
  if (!call)
    return call.result();
  Device *device = call.driver.device(ordinal);
  if (!value)
    return HGC_CU_ERROR_INVALID_VALUE;
  if (!device)
    return HGC_CU_ERROR_INVALID_DEVICE;
  if (tableAttribute(*device, attribute, *value))
    return HGC_CU_SUCCESS;
  for (const FixedAttribute &fixed : fixedAttributes) {
    if (fixed.attribute != attribute)
      continue;
    *value = fixed.value;
    return HGC_CU_SUCCESS;
  }
  return HGC_CU_ERROR_INVALID_VALUE;
}

HGC_EMU_API Result cuDeviceGetUuid_v2(cuda::Uuid *uuid, hgc_cu_device ordinal) {
  Call call("cuDeviceGetUuid", Needs::Init);
  if (!call)
    return call.result();
  if (!uuid)
    return HGC_CU_ERROR_INVALID_VALUE;
  if (!call.driver.device(ordinal))
    return HGC_CU_ERROR_INVALID_DEVICE;
  std::memcpy(uuid->bytes, "hgc emulated \0\0\0", sizeof uuid->bytes);
  uuid->bytes[15] = char(ordinal + 1);
  return HGC_CU_SUCCESS;
}

HGC_EMU_API Result cuDeviceGetUuid(cuda::Uuid *uuid, hgc_cu_device ordinal) {
  return cuDeviceGetUuid_v2(uuid, ordinal);
}

HGC_EMU_API Result cuDeviceGetPCIBusId(char *id, int capacity,
                                       hgc_cu_device ordinal) {
  Call call("cuDeviceGetPCIBusId", Needs::Init);
  if (!call)
    return call.result();
  if (!id || capacity <= 0)
    return HGC_CU_ERROR_INVALID_VALUE;
  if (!call.driver.device(ordinal))
    return HGC_CU_ERROR_INVALID_DEVICE;
  std::snprintf(id, size_t(capacity), "0000:%02X:00.0", unsigned(ordinal) + 1);
  return HGC_CU_SUCCESS;
}

HGC_EMU_API Result cuDeviceCanAccessPeer(int *can, hgc_cu_device device,
                                         hgc_cu_device peer) {
  Call call("cuDeviceCanAccessPeer", Needs::Init);
  if (!call)
    return call.result();
  if (!can)
    return HGC_CU_ERROR_INVALID_VALUE;
  if (!call.driver.device(device) || !call.driver.device(peer))
    return HGC_CU_ERROR_INVALID_DEVICE;
  *can = device != peer;
  return HGC_CU_SUCCESS;
}
