//===- SinkTransposes.h - push permutations towards the results -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_TRANSFORMS_SINKTRANSPOSES_H
#define HGC_LIB_TRANSFORMS_SINKTRANSPOSES_H

#include "hgc/Analysis/Invariance.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SetVector.h"

namespace hgc {

/// Moves the transposes that layout conversion made below the ops that read
/// them. Transposes of the model's writer stay where they are, except that a
/// chain of transposes is merged.
class TransposeSinker {
public:
  explicit TransposeSinker(const Invariance &invariance) : invariance(invariance) {}

  /// `op` now computes its result in the order before `permutation`: changes the
  /// result's type and puts a transpose behind it.
  void appendTranspose(mlir::Operation *op, llvm::ArrayRef<int64_t> permutation);

  /// Lets `op` read what the transposes before it read, and transposes its
  /// result instead. Leaves ops alone for which that is not possible.
  void sinkThrough(mlir::Operation *op);

  /// Turns transposes that only move dims of extent one into reshapes.
  void finish();

private:
  /// The permutation of a transpose made here that defines `value`, or empty.
  llvm::ArrayRef<int64_t> getPermutation(mlir::Value value) const;
  mlir::Value getSource(mlir::Value value) const;
  bool sinkPointwise(mlir::Operation *op);
  bool sinkAxes(mlir::Operation *op, llvm::ArrayRef<int64_t> permutation);
  void sinkReduce(mlir::Operation *op, llvm::ArrayRef<int64_t> permutation);
  /// `operand`, to be read in the order before `permutation`; null if it cannot.
  mlir::Value permuteOperand(mlir::Operation *op, mlir::Value operand, llvm::ArrayRef<int64_t> permutation);

  const Invariance &invariance;
  llvm::SetVector<mlir::Operation *> made;
};

} // namespace hgc

#endif // HGC_LIB_TRANSFORMS_SINKTRANSPOSES_H
