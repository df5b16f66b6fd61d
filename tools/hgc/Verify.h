//===- Verify.h - compiled code against the evaluator -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_TOOLS_VERIFY_H
#define HGC_TOOLS_VERIFY_H

#include "DeviceFlags.h"
#include "Session.h"

namespace hgc::driver {

/// Compiles the model into a temporary library, runs every entry and variant on
/// seeded random inputs and compares with the evaluator. An error names the
/// first op whose value is wrong. `device` says which plan runs; without it, the
/// CPU's.
llvm::Error verifyModel(mlir::ModuleOp module, const CompileOptions &options, const DeviceFlags &device,
                        Session &session);

} // namespace hgc::driver

#endif // HGC_TOOLS_VERIFY_H
