//===- Registration.h - all dialects and passes of hgc ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_PIPELINE_REGISTRATION_H
#define HGC_PIPELINE_REGISTRATION_H

#include "mlir/IR/DialectRegistry.h"
#include "llvm/ADT/StringRef.h"

namespace hgc {

/// Dialects, evaluator models and inliner hooks.
void registerDialects(mlir::DialectRegistry &registry);

/// Every pass of hgc, and the pipelines that lead from stage to stage
/// (hgc-to-graph, hgc-to-placed, ...), for command lines.
void registerPasses();

/// Lets the pass with flag `name` do nothing in every context made from the
/// registry. For tests that ask whether a pass has tests.
void skipPass(mlir::DialectRegistry &registry, llvm::StringRef name);

} // namespace hgc

#endif // HGC_PIPELINE_REGISTRATION_H
