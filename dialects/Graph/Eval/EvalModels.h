//===- EvalModels.h - how ops get their evaluators --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to dialects/Graph/Eval. An evaluator is a function; attach<Op, fn>
// makes it the op's EvalOp model.
//===----------------------------------------------------------------------===//

#ifndef HGC_GRAPH_EVAL_EVALMODELS_H
#define HGC_GRAPH_EVAL_EVALMODELS_H

#include "dialects/Graph/Eval/EvalContext.h"

namespace hgc::graph {

using Operands = llvm::ArrayRef<HostTensor>;
using Results = llvm::SmallVectorImpl<HostTensor>;

/// `fn(op, operands, context, results)`; its first parameter may be the op's
/// class or `Operation *`.
template <typename OpT, auto fn> struct EvalModel : EvalOp::ExternalModel<EvalModel<OpT, fn>, OpT> {
  llvm::LogicalResult evaluate(mlir::Operation *op, llvm::ArrayRef<HostTensor> operands, EvalContext &context,
                               llvm::SmallVectorImpl<HostTensor> &results) const {
    return fn(llvm::cast<OpT>(op), operands, context, results);
  }
};

template <typename OpT, auto fn> void attach(mlir::MLIRContext *context) {
  OpT::template attachInterface<EvalModel<OpT, fn>>(*context);
}

/// Element type of the op's only result.
inline mlir::Type getResultElement(mlir::Operation *op) {
  return mlir::getElementTypeOrSelf(op->getResult(0).getType());
}

/// Every operand repeated to their common shape, as NumPy broadcasts.
llvm::LogicalResult broadcastOperands(mlir::Operation *op, Operands operands, EvalContext &context, Results &expanded);

/// `tensor` repeated to `shape`, which it broadcasts to.
HostTensor broadcastTo(const HostTensor &tensor, llvm::ArrayRef<int64_t> shape);

/// Dim `i` of the result is dim `permutation[i]` of `tensor`.
HostTensor transpose(const HostTensor &tensor, llvm::ArrayRef<int64_t> permutation);

/// Images with their channels in the last dim, and back.
HostTensor toChannelsLast(const HostTensor &tensor, DataLayout layout);
HostTensor fromChannelsLast(const HostTensor &tensor, DataLayout layout);

/// A filter in hwio order.
HostTensor filterToHwio(const HostTensor &filter, FilterLayout layout);

void attachUnaryModels(mlir::MLIRContext *context);
void attachBinaryModels(mlir::MLIRContext *context);
void attachConvertModels(mlir::MLIRContext *context);
void attachMatmulModels(mlir::MLIRContext *context);
void attachConvModels(mlir::MLIRContext *context);
void attachConvGradientModels(mlir::MLIRContext *context);
void attachReductionModels(mlir::MLIRContext *context);
void attachOrderingModels(mlir::MLIRContext *context);
void attachAttentionModels(mlir::MLIRContext *context);
void attachIndexingModels(mlir::MLIRContext *context);
void attachNormalizationModels(mlir::MLIRContext *context);
void attachPoolModels(mlir::MLIRContext *context);
void attachRandomModels(mlir::MLIRContext *context);
void attachShapeModels(mlir::MLIRContext *context);
void attachBoxModels(mlir::MLIRContext *context);
void attachStructureModels(mlir::MLIRContext *context);

} // namespace hgc::graph

#endif // HGC_GRAPH_EVAL_EVALMODELS_H
