//===- GradModels.h - how ops get their gradients ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to lib/Autodiff. A rule is a function; attachRule<Op, fn> makes it the
// op's GradOp model.
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_AUTODIFF_GRADMODELS_H
#define HGC_LIB_AUTODIFF_GRADMODELS_H

#include "GradBuilder.h"

namespace hgc {

/// Location of the ops that make the gradient of `op`: `<its name>.grad`.
mlir::Location getGradLoc(mlir::Operation *op);

/// What a rule sees and fills in: the gradient by the op's (first) result, which of
/// the inputs are asked for, and their gradients.
struct Rule : GradBuilder {
  Rule(mlir::OpBuilder &builder, mlir::Operation *op, llvm::ArrayRef<mlir::Value> results, llvm::ArrayRef<bool> needed,
       llvm::SmallVectorImpl<mlir::Value> &gradients)
      : GradBuilder(builder, getGradLoc(op)), results(results), needed(needed), gradients(gradients),
        gradient(results.front()) {}

  bool needs(unsigned input) const { return needed[input]; }
  /// Gives an input its gradient.
  void give(unsigned input, mlir::Value value) const { gradients[input] = value; }

  llvm::ArrayRef<mlir::Value> results;
  llvm::ArrayRef<bool> needed;
  llvm::SmallVectorImpl<mlir::Value> &gradients;
  mlir::Value gradient;
};

/// `fn(op, rule)`; one that cannot fail returns nothing.
template <typename OpT, auto fn> struct GradModel : graph::GradOp::ExternalModel<GradModel<OpT, fn>, OpT> {
  llvm::LogicalResult buildGradients(mlir::Operation *op, mlir::OpBuilder &builder, llvm::ArrayRef<mlir::Value> results,
                                     llvm::ArrayRef<bool> needed, llvm::SmallVectorImpl<mlir::Value> &gradients) const {
    fn(llvm::cast<OpT>(op), Rule(builder, op, results, needed, gradients));
    return llvm::success();
  }
};

template <typename OpT, auto fn> void attachRule(mlir::MLIRContext *context) {
  OpT::template attachInterface<GradModel<OpT, fn>>(*context);
}

/// Gradients by `wrt` of values of the block of the insertion point, given the
/// gradients by these. Null where they are zero.
llvm::FailureOr<llvm::SmallVector<mlir::Value>> differentiate(mlir::OpBuilder &builder,
                                                              llvm::ArrayRef<mlir::Value> outputs,
                                                              llvm::ArrayRef<mlir::Value> seeds,
                                                              llvm::ArrayRef<mlir::Value> wrt);

/// Adds to `active` the floats that these ops make from active values.
void findActive(llvm::ArrayRef<mlir::Operation *> ops, llvm::DenseSet<mlir::Value> &active);

/// Erases ops of the block, and of regions in it, whose results nobody uses.
void eraseDeadOps(mlir::Block &block);

void attachUnaryRules(mlir::MLIRContext *context);
void attachBinaryRules(mlir::MLIRContext *context);
void attachContractionRules(mlir::MLIRContext *context);
void attachReductionRules(mlir::MLIRContext *context);
void attachShapeRules(mlir::MLIRContext *context);
void attachBoxRules(mlir::MLIRContext *context);
void attachIndexingRules(mlir::MLIRContext *context);
void attachNormalizationRules(mlir::MLIRContext *context);
void attachAttentionRules(mlir::MLIRContext *context);
void attachPoolRules(mlir::MLIRContext *context);
void attachControlRules(mlir::MLIRContext *context);

} // namespace hgc

#endif // HGC_LIB_AUTODIFF_GRADMODELS_H
