//===- MemoryAttempts.h - trial compilations for a memory limit -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_PIPELINE_MEMORYATTEMPTS_H
#define HGC_LIB_PIPELINE_MEMORYATTEMPTS_H

#include "hgc/Pipeline/MemoryLimit.h"

#include <deque>

namespace hgc {

/// A plan, by the options that lead to it.
struct MemoryAttempt {
  CompileOptions options;
  MemoryUse use;
  /// Modelled time of one call of each entry of the GPU plan, or of the CPU plan
  /// when there is no other; that of the plan beside it; a bound of the first
  /// without any limit.
  int64_t costPs = 0, otherPs = 0, boundPs = 0;

  bool isCheaper(const MemoryAttempt &other) const {
    return std::pair(costPs, otherPs) < std::pair(other.costPs, other.otherPs);
  }
};

/// Compiles copies of a module at stage graph, without a word, and keeps count.
class MemoryAttempts {
public:
  MemoryAttempts(mlir::ModuleOp module, const CompileOptions &options) : module(module), base(options) {}

  static constexpr int kMostRuns = 20;
  bool isExhausted() const { return runs >= kMostRuns; }
  int countRuns() const { return runs; }

  /// The plan as the user asked for it; null when it cannot be compiled.
  const MemoryAttempt *runPlain() { return run(base); }
  /// A plan that saves memory where it costs no modelled time: nothing overlaps,
  /// nothing is left to cuBLAS, memory on GPUs has a price (picoseconds a KiB).
  /// `targets` are the bytes of tensors that passes are to aim at, if any.
  const MemoryAttempt *runLean(int64_t price, llvm::StringRef targets = "", bool spills = false);
  /// All plans so far.
  const std::deque<MemoryAttempt> &getAll() const { return all; }

  /// A lower bound of the cost of all plans whose weights on the first GPU fit
  /// into `limit`, by a price on weights alone (Lagrangian relaxation).
  int64_t computeDualBound(int64_t limit);

  /// A price at which nothing stays on a GPU that need not.
  static constexpr int64_t kHighestPrice = 1'000'000'000;

private:
  const MemoryAttempt *run(const CompileOptions &options);
  /// Cost and bound of a module at stage fused.
  void readCosts(mlir::ModuleOp copy, MemoryAttempt &attempt);
  /// Runs one placement; gives the cut's value and the part of it that is memory.
  std::optional<std::pair<int64_t, int64_t>> placeWeights(int64_t price);

  mlir::ModuleOp module;
  CompileOptions base;
  std::deque<MemoryAttempt> all;
  int runs = 0;
};

} // namespace hgc

#endif // HGC_LIB_PIPELINE_MEMORYATTEMPTS_H
