//===- Utils.h - small helpers of graph passes ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_TRANSFORMS_UTILS_H
#define HGC_LIB_TRANSFORMS_UTILS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Operation.h"

namespace hgc {

/// Gives ops that a pass of stage fused made the device of the op whose result
/// they read, or else of one that reads theirs. Does nothing before placement.
void inheritDevices(mlir::Operation *scope);

/// Gives new ops the pin of the op they replace, and its device unless the entry
/// is to be placed again.
struct NoteKeeper final : mlir::OpBuilder::Listener {
  explicit NoteKeeper(mlir::Operation *replaced);
  void notifyOperationInserted(mlir::Operation *op, mlir::OpBuilder::InsertPoint) override;

private:
  mlir::Attribute device, pin;
};

/// `value` with its dims permuted. Merges with a transpose that makes `value`;
/// gives the original when nothing is left to permute.
mlir::Value makeTranspose(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                          llvm::ArrayRef<int64_t> permutation);

/// `value` with another static shape of as many elements.
mlir::Value makeReshape(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, llvm::ArrayRef<int64_t> shape);

/// `value` converted to another element type, if it has not that type already.
mlir::Value makeCast(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, mlir::Type element);

/// Erases ops of `scope` whose results nobody uses, users first.
void eraseDeadOps(mlir::Operation *scope);

} // namespace hgc

#endif // HGC_LIB_TRANSFORMS_UTILS_H
