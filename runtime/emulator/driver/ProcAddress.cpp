//===- ProcAddress.cpp - cuGetProcAddress ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Driver.h"
#include "Exports.h"

using namespace hgc::emu;
using namespace hgc::emu::driver;

HGC_EMU_API Result cuGetProcAddress_v2(const char *name, void **function,
                                       int version, uint64_t flags,
                                       int *status) {
  Call call("cuGetProcAddress", Needs::Nothing);
  if (!call)
    return call.result();
  if (!name || !function || flags > cuda::procPerThread ||
      version > call.driver.config.driverVersion)
    return HGC_CU_ERROR_INVALID_VALUE;
  bool known = false;
  *function = findExport(name, version, flags == cuda::procPerThread, known);
  if (status)
    *status = *function ? cuda::procFound
              : known   ? cuda::procVersionTooOld
                        : cuda::procNotFound;
  return HGC_CU_SUCCESS;
}

HGC_EMU_API Result cuGetProcAddress(const char *name, void **function,
                                    int version, uint64_t flags) {
  Result result = cuGetProcAddress_v2(name, function, version, flags, nullptr);
  return result || *function ? result : HGC_CU_ERROR_NOT_FOUND;
}
