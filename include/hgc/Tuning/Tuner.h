//===- Tuner.h - choices that are measured ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cost model chooses forms of convolutions, and plans choose the sizes of loops.
// Tuning takes each contraction with what is fused to it as a model of its own,
// lets this machine run it in several ways, and notes the fastest at the ops.
//===----------------------------------------------------------------------===//

#ifndef HGC_TUNING_TUNER_H
#define HGC_TUNING_TUNER_H

#include "hgc/Pipeline/Pipeline.h"
#include "hgc/Tuning/TuneCache.h"

#include <memory>

namespace hgc::tuning {

/// A small model that can be timed again and again.
struct Probe {
  virtual ~Probe();
  /// Nanoseconds of its kernels in one undisturbed call.
  virtual llvm::Expected<double> measure() = 0;
};

/// Compiles and loads a model of one entry. Between two calls `coldBytes` of other data
/// have passed through the caches, behind which its inputs were touched.
using ProbeLoader = std::function<llvm::Expected<std::unique_ptr<Probe>>(
    mlir::ModuleOp model, const CompileOptions &options, int64_t coldBytes)>;

struct TuneOptions {
  /// Most seconds to spend; 0: nothing is measured.
  double seconds = 30;
  /// File of the cache.
  std::string cache;
  ProbeLoader load;
};

/// Notes at the contractions of `module`, as `CompileOptions::tune` gets it, how they are
/// to be computed: from the cache, else by measuring, those that take longest first.
/// Whose time has not come when the seconds are over keep what the cost model chose.
llvm::LogicalResult tuneModule(mlir::ModuleOp module, const CompileOptions &options, const TuneOptions &tune);

} // namespace hgc::tuning

#endif // HGC_TUNING_TUNER_H
