//===- MemoryLimit.h - plans that fit into a device's memory ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_PIPELINE_MEMORYLIMIT_H
#define HGC_PIPELINE_MEMORYLIMIT_H

#include "hgc/Pipeline/Pipeline.h"
#include "hgc/Support/MemoryLimits.h"

#include <string>
#include <vector>

namespace hgc {

/// Module attribute with what is known of a plan under a limit: `limits` (text),
/// `cost_ps`, `bound_ps` (no plan within the limit is cheaper), `gap_ps`, `runs`,
/// and the limits in bytes under `devices` (`cpu`, `gpu_0`).
inline constexpr llvm::StringLiteral kMemoryLimitAttr = "hgc.memory_limit";

/// Memory of an instance, as it is allocated.
struct MemoryUse {
  /// Arena, weights, state and scratch of all threads in host memory.
  int64_t cpu = 0;
  /// Arena, weights, state, scratch and the workspace of cuBLAS of each GPU.
  llvm::SmallVector<int64_t> gpus;
  /// The part of these that are arenas.
  int64_t cpuArena = 0;
  llvm::SmallVector<int64_t> gpuArenas;

  bool fits(const MemoryLimits &limits) const;
};

/// What `module`, at stage exec, will allocate with so many threads.
MemoryUse measureMemory(mlir::ModuleOp module, int64_t threads);

/// Finds the cheapest plan of `module`, at stage graph, that keeps
/// `options.memoryLimit`, by compiling copies of it, at most 20 times. A limit of
/// the CPU needs `options.numThreads`. Gives the
/// options that lead to that plan and sets `hgc.memory_limit`. Reports a limit
/// that cannot be kept, with the smallest one that can.
mlir::FailureOr<CompileOptions> chooseUnderLimit(mlir::ModuleOp module, const CompileOptions &options);

/// Proves that `module`, from stage exec on, keeps `options.memoryLimit`.
llvm::LogicalResult checkMemoryLimit(mlir::ModuleOp module, const CompileOptions &options);

/// A plan that is cheaper than all that need no more memory.
struct MemoryCurvePoint {
  int64_t limitBytes = 0;
  int64_t costPs = 0;
};

/// Modelled time of the plans of `module`, at stage graph, against the memory
/// that they need on the first GPU (without a GPU plan: on the host). From the
/// smallest limit to the unlimited plan; times fall. Compiles at most 20 times.
mlir::FailureOr<std::vector<MemoryCurvePoint>> computeMemoryCurve(mlir::ModuleOp module, const CompileOptions &options);

/// One line for people about `hgc.memory_limit`; empty without it.
std::string describeMemoryLimit(mlir::ModuleOp module);

} // namespace hgc

#endif // HGC_PIPELINE_MEMORYLIMIT_H
