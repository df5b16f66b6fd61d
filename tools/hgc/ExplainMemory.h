//===- ExplainMemory.h - hgc explain --memory-curve -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_TOOLS_HGC_EXPLAINMEMORY_H
#define HGC_TOOLS_HGC_EXPLAINMEMORY_H

#include "Session.h"

namespace hgc::driver {

/// Prints modelled time against memory for the plans of the model at `path`.
llvm::Error explainMemory(const ArgParser &parser, llvm::StringRef path, CompileFlags &flags, bool json);

} // namespace hgc::driver

#endif // HGC_TOOLS_HGC_EXPLAINMEMORY_H
