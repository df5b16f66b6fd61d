//===- PlanLoading.h - from a path on the command line to a plan -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_TOOLS_PLANLOADING_H
#define HGC_TOOLS_PLANLOADING_H

#include "Session.h"

#include "hgc/Report/Plan.h"

namespace hgc::driver {

/// A plan and what to call it.
struct LoadedPlan {
  plans::Plan plan;
  std::string title;
};

/// Reads a plan file, or the one beside a library.
llvm::Expected<LoadedPlan> readPlan(llvm::StringRef path);

/// The same, or the plan that compiling a model would make.
llvm::Expected<LoadedPlan> loadPlan(const ArgParser &parser, llvm::StringRef path, CompileFlags &flags);

} // namespace hgc::driver

#endif // HGC_TOOLS_PLANLOADING_H
