//===- ReduceElements.h - element types of a reduction -------- -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_COMMON_REDUCEELEMENTS_H
#define HGC_CODEGEN_COMMON_REDUCEELEMENTS_H

#include "dialects/Graph/GraphOps.h"

#include "mlir/IR/Builders.h"

namespace hgc::codegen {

/// `perDim` (one entry per dim of the input) as seen by the result's dims.
template <typename T>
llvm::SmallVector<T> toReduceResult(graph::ReduceOp reduce, llvm::ArrayRef<T> perDim, const T &ofReduced) {
  llvm::SmallVector<T> result;
  for (auto [d, value] : llvm::enumerate(perDim)) {
    if (!llvm::is_contained(reduce.getAxes(), static_cast<int64_t>(d)))
      result.push_back(value);
    else if (reduce.getKeepdims())
      result.push_back(ofReduced);
  }
  return result;
}

/// Type in which elements are combined. Products of f32 can leave its range on
/// the way to a representable result; means of integers need the whole sum.
mlir::Type getCombineType(graph::ReduceOp reduce);

/// An element (scalar or vector) in the wider type `type` of the same kind.
mlir::Value widen(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value, mlir::Type type, bool isUnsigned);

/// The result from the combined value of `count` elements: divides means,
/// restores the compute type.
mlir::Value finishReduce(mlir::OpBuilder &b, mlir::Location loc, graph::ReduceOp reduce, mlir::Value value,
                         int64_t count);

} // namespace hgc::codegen

#endif // HGC_CODEGEN_COMMON_REDUCEELEMENTS_H
