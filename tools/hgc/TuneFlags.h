//===- TuneFlags.h - what --tune says ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_TOOLS_TUNEFLAGS_H
#define HGC_TOOLS_TUNEFLAGS_H

#include "ArgParser.h"

#include "hgc/Pipeline/Pipeline.h"

namespace hgc::driver {

/// Kernels that are measured while a model is compiled.
struct TuneFlags {
  /// `seconds=30`, `cache=FILE`, both joined by commas or given apart.
  std::vector<std::string> items;

  void addTo(ArgParser &parser);
  /// Makes `options` tune, if that was asked for. The target must be settled.
  llvm::Error finish(CompileOptions &options) const;
};

} // namespace hgc::driver

#endif // HGC_TOOLS_TUNEFLAGS_H
