//===- RefineShapes.h - static types by inferring again ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_TRANSFORMS_REFINESHAPES_H
#define HGC_LIB_TRANSFORMS_REFINESHAPES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"

namespace hgc {

/// Extent of each dim, in the order the dims first occur.
using DimBinding = llvm::MapVector<mlir::StringAttr, int64_t>;

/// Gives every value of `function` the type that follows from its argument types
/// and `binding`; dim names in `shape` attributes become extents. Arguments must
/// be static already.
llvm::LogicalResult refineShapes(mlir::func::FuncOp function, const DimBinding &binding);

} // namespace hgc

#endif // HGC_LIB_TRANSFORMS_REFINESHAPES_H
