//===- PointwiseBuilder.h - arithmetic on scalars and vectors ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to dialects/Graph: what the bodies of pointwise ops share.
//===----------------------------------------------------------------------===//

#ifndef HGC_GRAPH_POINTWISEBUILDER_H
#define HGC_GRAPH_POINTWISEBUILDER_H

#include "dialects/Graph/GraphOps.h"

namespace hgc::graph {

/// A constant of the type (scalar or vector) of `like`.
mlir::Value splat(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value like, double value);
mlir::Value splatInt(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value like, const llvm::APInt &value);

/// `element` in the vector shape of `like`.
mlir::Type withShapeOf(mlir::Value like, mlir::Type element);

/// Whether the value holds floats.
inline bool isFloat(mlir::Value value) { return llvm::isa<mlir::FloatType>(mlir::getElementTypeOrSelf(value)); }

/// Element type of an op's operand, which knows its sign.
inline mlir::Type elementOf(mlir::Value tensor) { return mlir::getElementTypeOrSelf(tensor.getType()); }

/// Conversion from the compute type of `from` to that of `to`.
mlir::Value buildCast(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, mlir::Type from, mlir::Type to);

/// Emits the float op or, by the sign of `element`, the signed or unsigned one.
template <typename FloatOp, typename SignedOp, typename UnsignedOp = SignedOp>
mlir::Value buildByType(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type element, mlir::ValueRange operands) {
  if (isFloat(operands[0]))
    return FloatOp::create(builder, loc, operands[0], operands[1]);
  if (isUnsigned(element))
    return UnsignedOp::create(builder, loc, operands[0], operands[1]);
  return SignedOp::create(builder, loc, operands[0], operands[1]);
}

} // namespace hgc::graph

#endif // HGC_GRAPH_POINTWISEBUILDER_H
