//===- Verify.h - compiled code against the evaluator -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_TOOLS_VERIFY_H
#define HGC_TOOLS_VERIFY_H

#include "DeviceFlags.h"
#include "Session.h"

namespace hgc::driver {

/// Writes a library of the model to a path.
using LinkFunction = llvm::function_ref<llvm::Error(llvm::StringRef path)>;

/// Gets a temporary library of the model from `link`, or compiles one; runs every
/// entry and variant on seeded random inputs and compares with the evaluator. An
/// error names the first op whose value is wrong. `device` says which plan runs;
/// without it, the CPU's.
llvm::Error verifyModel(mlir::ModuleOp module, const CompileOptions &options, const DeviceFlags &device,
                        Session &session, LinkFunction link = nullptr);

} // namespace hgc::driver

#endif // HGC_TOOLS_VERIFY_H
