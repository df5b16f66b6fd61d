//===- ReducedDims.h - what a reduction walks over --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_COMMON_REDUCEDDIMS_H
#define HGC_CODEGEN_COMMON_REDUCEDDIMS_H

#include "hgc/CodeGen/Common/IterationSpace.h"

namespace hgc::codegen {

/// The dims of a reduction's input: which of them are reduced, and how what comes
/// after the root moves through memory when they are walked.
struct ReducedDims {
  /// For a kernel whose root is a reduction, a softmax or a normalisation.
  explicit ReducedDims(exec::KernelOp kernel);

  mlir::Value input;
  llvm::SmallVector<bool> isReduced;
  llvm::SmallVector<Access> accesses;
};

} // namespace hgc::codegen

#endif // HGC_CODEGEN_COMMON_REDUCEDDIMS_H
