//===- Verify.h - compiled code against the evaluator -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_TOOLS_VERIFY_H
#define HGC_TOOLS_VERIFY_H

#include "Session.h"

namespace hgc::driver {

/// Compiles the model into a temporary library, runs every entry and variant on
/// seeded random inputs and compares with the evaluator. An error names the
/// first op whose value is wrong.
llvm::Error verifyModel(mlir::ModuleOp module, const CompileOptions &options, Session &session);

} // namespace hgc::driver

#endif // HGC_TOOLS_VERIFY_H
