//===- TrainingFlags.h - how a model is trained -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_TOOLS_TRAININGFLAGS_H
#define HGC_TOOLS_TRAININGFLAGS_H

#include "ArgParser.h"

#include "hgc/Pipeline/Pipeline.h"

namespace hgc::driver {

/// Flags that add training entries to a library.
struct TrainingFlags {
  void addTo(ArgParser &parser, TrainingOptions &options);
  /// A usage error when flags do not fit each other.
  llvm::Error finish(TrainingOptions &options);

private:
  std::string optimizer;
};

} // namespace hgc::driver

#endif // HGC_TOOLS_TRAININGFLAGS_H
