//===- ResultShapes.h - which dims a result's extents follow ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_TRANSFORMS_RESULTSHAPES_H
#define HGC_LIB_TRANSFORMS_RESULTSHAPES_H

#include "RefineShapes.h"

namespace hgc {

/// Sets `hgc.shape` on the results of all variants of an entry: an extent that
/// differs between variants is named by the dim it equals in each of them. An
/// extent that equals none is an error: callers could not know it.
llvm::LogicalResult nameResultShapes(llvm::ArrayRef<mlir::func::FuncOp> variants, llvm::ArrayRef<DimBinding> bindings);

/// The same for variants that a front end made, with the dims they say they are for.
llvm::LogicalResult nameResultShapes(llvm::ArrayRef<mlir::func::FuncOp> variants);

} // namespace hgc

#endif // HGC_LIB_TRANSFORMS_RESULTSHAPES_H
