//===- StepReplay.h - a step of a GPU, again on the CPU ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_TOOLS_STEPREPLAY_H
#define HGC_TOOLS_STEPREPLAY_H

#include "BatchFeed.h"
#include "KernelWatch.h"
#include "TrainState.h"

namespace hgc::driver {

/// Says where numbers of a GPU stop to be finite: what its kernels write cannot
/// be looked at, so a step that fails is made again on the CPU.
class StepReplay {
public:
  StepReplay(llvm::StringRef path, ModelLibrary::Options options, mlir::MLIRContext *context)
      : path(path.str()), options(std::move(options)), context(context) {}

  /// The step that comes next begins with these parameters.
  llvm::Error remember(const ModelLibrary &library);
  /// The first parameter that is not finite now, and as what; empty if all are.
  std::string findBad() const;
  /// Makes the step that began with the parameters before the last ones again.
  llvm::Expected<std::string> explain(const StepPlan &plan, Batch &batch, int64_t step) const;

private:
  std::string path;
  ModelLibrary::Options options;
  mlir::MLIRContext *context;
  NamedTensors before, now;
};

} // namespace hgc::driver

#endif // HGC_TOOLS_STEPREPLAY_H
