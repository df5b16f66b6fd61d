//===- NativeCpu.h - the table for a machine at hand ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_TARGET_NATIVECPU_H
#define HGC_TARGET_NATIVECPU_H

#include "hgc/Target/DeviceTable.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace hgc {

enum class CpuVendor { Intel, Amd, Other };

/// What a machine says of its CPU: LLVM's name for it, and the features that it lets programs use.
struct HostCpu {
  std::string name;
  bool isX86 = true;
  CpuVendor vendor = CpuVendor::Other;
  llvm::StringMap<bool> features;
};

/// This machine.
HostCpu describeHost();

/// The table for a machine: its own; otherwise, since a virtual machine may hide features of its CPU or call it by
/// another name, that of the vendor's CPU with the most features which the machine has; otherwise the best level.
std::optional<std::string> chooseNativeCpu(const HostCpu &host);

/// Bytes of this machine's last cache as the system tells them, if it does. All its cores share them, those of other
/// virtual machines, too.
std::optional<int64_t> readLastCacheBytes();

/// A CPU's table for this machine: its cores, and its last cache where that is much larger than the table's.
DeviceTable adaptToHost(DeviceTable table, int64_t cores, std::optional<int64_t> lastCacheBytes);

} // namespace hgc

#endif // HGC_TARGET_NATIVECPU_H
