//===- TargetTables.h - device tables from files ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_TOOLS_TARGETTABLES_H
#define HGC_TOOLS_TARGETTABLES_H

#include "hgc/Pipeline/Pipeline.h"

#include "llvm/Support/Error.h"

namespace hgc::driver {

/// Reads the files of `--target-table` into `options`: a CPU's replaces the table
/// of the target CPU, a GPU's stands for the GPU and asks for a GPU plan.
llvm::Error readTargetTables(llvm::ArrayRef<std::string> files, bool hasTargetCpu, CompileOptions &options);

/// Makes this machine the target CPU: the table of its kind, with as many cores as
/// this process may use.
llvm::Error useNativeCpu(CompileOptions &options);

} // namespace hgc::driver

#endif // HGC_TOOLS_TARGETTABLES_H
