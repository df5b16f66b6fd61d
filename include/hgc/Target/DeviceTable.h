//===- DeviceTable.h - what a device can do, as data ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables are JSON files under lib/Target/tables, embedded at build time. Code
// generation and cost model read the table of the target, never the host.
//===----------------------------------------------------------------------===//

#ifndef HGC_TARGET_DEVICETABLE_H
#define HGC_TARGET_DEVICETABLE_H

#include "dialects/Graph/Cost.h"
#include "hgc/Target/KernelFamily.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace mlir {
class ModuleOp;
}

namespace hgc {

/// Rates and sizes of one device. Times are picoseconds, rates per second.
struct DeviceTable {
  std::string name;
  /// LLVM's -mtriple, -mcpu and -mattr for a CPU.
  std::string triple, llvmCpu, llvmFeatures;
  /// LLVM CPU names that share these figures; each is a table of its own.
  std::vector<std::string> aliases;
  /// Bytes of a vector register; 0 for a GPU.
  int64_t vectorBytes = 32;
  /// Bytes of a vector that arithmetic takes at once: less than a register has where one instruction is two of half
  /// the width.
  int64_t vectorPipeBytes = 32;
  /// Vector registers code generation may use.
  int64_t vectorRegisters = 16;
  int64_t l1Bytes = 32 << 10, l2Bytes = 512 << 10, l3Bytes = 16 << 20;
  /// Lines ahead of its reads that code should fetch a stream, because hardware is late; 0 where it is in time.
  int64_t streamLines = 0;
  int64_t cores = 1;
  /// Operations a second of one core, by class.
  std::array<double, graph::kFlopClasses> flops{};
  /// Operations a second of one core's matrix unit on bf16; 0 without one. It does twice as many on i8.
  double matrixFlops = 0;
  /// Divisions and roots a second of one core.
  double divisionRate = 1e9;
  /// Bytes a second from memory, all cores together.
  double memoryBandwidth = 2e10;
  /// Bytes a second of one core, out of its caches and from memory.
  double l1Bandwidth = 1e11, l2Bandwidth = 5e10, l3Bandwidth = 2.5e10, coreBandwidth = 1.5e10;
  int64_t launchPs = 0;
  /// What each tensor that a kernel reads or writes adds to its launch.
  int64_t tensorPs = 0;
  /// Cost of starting an innermost loop.
  int64_t linePs = 0;
  /// Cost of handing work to other threads.
  int64_t forkPs = 0;
  /// Part of the roofline that kernels of each family reach.
  std::array<double, kKernelFamilies> efficiency{};

  double rate(graph::FlopClass c) const { return flops[static_cast<size_t>(c)]; }
};

/// Module attribute that names the CPU the module is compiled for.
inline constexpr llvm::StringLiteral kTargetCpuAttr = "hgc.target_cpu";

/// Module attribute with the JSON of a table that replaces the named CPU's.
inline constexpr llvm::StringLiteral kTargetCpuTableAttr = "hgc.target_cpu_table";

/// The table for LLVM CPU name or table name `cpu`; an error lists the known ones.
llvm::Expected<const DeviceTable *> lookupCpu(llvm::StringRef cpu);

/// The table of the module's target; the default CPU's when it names none.
const DeviceTable &getCpuTable(mlir::ModuleOp module);

/// Names of all CPU tables, the default first.
std::vector<llvm::StringRef> listCpus();

/// Reads one table from JSON. Unknown, missing and ill-typed keys are errors
/// that name the key.
llvm::Expected<DeviceTable> parseDeviceTable(llvm::StringRef json);

/// The JSON that parseDeviceTable reads back.
std::string printDeviceTable(const DeviceTable &table);

/// Roofline time of `cost` on one core of the device, in picoseconds: the longer
/// of computing and moving the bytes. The launch is not included, because views
/// and fused ops have none.
int64_t estimatePs(const DeviceTable &table, const graph::OpCost &cost);

} // namespace hgc

#endif // HGC_TARGET_DEVICETABLE_H
