//===- Gradients.h - reverse-mode differentiation ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_AUTODIFF_GRADIENTS_H
#define HGC_AUTODIFF_GRADIENTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/MapVector.h"

namespace hgc {

/// Attaches GradOp to the ops of the graph dialect when it is loaded.
void registerGradModels(mlir::DialectRegistry &registry);

/// Builds the gradient of `loss` by each value of `wrt`, at the insertion point of
/// `builder`, which `loss` dominates. The loss is a float of rank 0 and stands in
/// the block of the insertion point; shapes are static. `wrt` are arguments or
/// values of that block, each once. A gradient has the type of its value; where the
/// loss does not depend on it, it is a constant of zeros. Contributions are added
/// in the reverse order of the ops they come from. Fails with a diagnostic if an
/// op on the way has no gradient.
///
/// A scan on the way gets a twin that keeps its states, and its uses change to that
/// one: look up values that scans result in again afterwards.
llvm::FailureOr<llvm::SmallVector<mlir::Value>> buildGradients(mlir::OpBuilder &builder, mlir::Value loss,
                                                               llvm::ArrayRef<mlir::Value> wrt);

/// Makes one `hgc.read` a parameter at the beginning of the entry, also for those in
/// regions of its ops, and gives them by the parameter's name, in order of use.
llvm::MapVector<mlir::StringAttr, mlir::Value> gatherReads(mlir::func::FuncOp entry);

} // namespace hgc

#endif // HGC_AUTODIFF_GRADIENTS_H
