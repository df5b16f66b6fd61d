//===- GpuTable.h - what a GPU can do, as data ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables are JSON files under lib/Target/tables of kind "gpu". Code generation
// and cost model read the table of the target; no GPU need be present.
//===----------------------------------------------------------------------===//

#ifndef HGC_TARGET_GPUTABLE_H
#define HGC_TARGET_GPUTABLE_H

#include "dialects/Graph/Cost.h"

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

/// How matrix products come near a peak rate.
struct GemmFigures {
  /// From the launch to the first result.
  int64_t latencyPs = 0;
  /// Part of the rate that large tiles reach.
  double efficiency = 1;
  /// Rows, or columns, of a tile at which half of the rate is lost.
  double tileOverhead = 0;
};

/// Rates and sizes of one GPU. Times are picoseconds, rates per second.
struct GpuTable {
  /// Name on the command line, and the product's.
  std::string name, description;
  /// 80 means compute capability 8.0.
  int64_t sm = 0;
  /// Streaming multiprocessors, and their clock.
  int64_t sms = 1, clockHz = 0;
  /// Operations a second of the whole GPU without tensor cores, by class.
  std::array<double, graph::kFlopClasses> flops{};
  /// Operations a second of the tensor cores.
  double tensorTf32 = 0, tensorF16 = 0;
  /// Bytes a second from its memory, and that memory's size.
  double memoryBandwidth = 0;
  int64_t memoryBytes = 0, l2Bytes = 0;
  /// Shared memory: the most one block can ask for, and what one SM has.
  int64_t sharedBytesPerBlock = 0, sharedBytesPerSm = 0;
  /// Bytes a second between host and GPU, one way, and the time of an empty copy.
  double linkBandwidth = 0;
  int64_t linkLatencyPs = 0;
  int64_t launchPs = 0;
  /// Host and GPU share their memory: a transfer moves no bytes.
  bool unifiedMemory = false;
  /// Products on the tensor cores, and without them.
  GemmFigures gemmF16, gemmTf32, gemmSimt;
  /// Whether products of f32 may use the tensor cores. The module says so.
  bool useTf32 = false;

  double rate(graph::FlopClass c) const { return flops[static_cast<size_t>(c)]; }
};

/// Module attribute that names the GPUs the module is compiled for: names of
/// tables or `sm_<n>`, separated by commas.
inline constexpr llvm::StringLiteral kTargetGpuAttr = "hgc.target_gpu";

/// Module attribute: GPUs may round f32 operands of products and convolutions to
/// tf32, which their tensor cores multiply.
inline constexpr llvm::StringLiteral kAllowTf32Attr = "hgc.allow_tf32";
bool allowsTf32(mlir::ModuleOp module);

/// Module attribute with the JSON of a table that stands for the first GPU.
inline constexpr llvm::StringLiteral kTargetGpuTableAttr = "hgc.target_gpu_table";

/// Oldest GPU hgc makes code for (compute capability 7.5), and the oldest with
/// tensor cores for tf32.
inline constexpr int64_t kOldestSm = 75, kOldestTf32Sm = 80;

/// The table called `name` (`a100`), or the one that stands for `sm_<n>`; a
/// table of the next older generation serves an `sm` that has none, under its
/// own number. The error lists what is known.
llvm::Expected<GpuTable> lookupGpu(llvm::StringRef name);

/// The tables of a list as in `kTargetGpuAttr`, oldest first: that one decides
/// what code may use.
llvm::Expected<std::vector<GpuTable>> lookupGpus(llvm::StringRef list);

/// The oldest GPU the module is compiled for; a default for a module without
/// (or with an unknown) `kTargetGpuAttr`.
GpuTable getGpuTable(mlir::ModuleOp module);

/// The compute capability of the newest GPU the module is compiled for.
int64_t getNewestSm(mlir::ModuleOp module);

/// Names of all GPU tables.
std::vector<llvm::StringRef> listGpus();

/// Roofline time of `cost` on the whole GPU without its tensor cores, in
/// picoseconds and without the launch.
int64_t estimatePs(const GpuTable &table, const graph::OpCost &cost);

/// Reads one table from JSON; see parseDeviceTable.
llvm::Expected<GpuTable> parseGpuTable(llvm::StringRef json);

} // namespace hgc

#endif // HGC_TARGET_GPUTABLE_H
