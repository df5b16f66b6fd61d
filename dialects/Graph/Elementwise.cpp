//===- Elementwise.cpp - types of elementwise ops -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Infer.h"

using namespace mlir;
using namespace hgc::graph;

LogicalResult CastOp::inferReturnTypes(MLIRContext *, MaybeLoc loc, Adaptor adaptor, SmallVectorImpl<Type> &types) {
  Type to = adaptor.getTo();
  if (!to.isIntOrFloat())
    return emitWithHint(loc, "cast to a type that is no number", "name an element type such as f32 after `to`");
  types.push_back(withElement(adaptor.getInput().getType(), to));
  return success();
}

/// Operands are never converted silently.
static LogicalResult checkSameElement(Operation *op, Value lhs, Value rhs) {
  Type a = getElementTypeOrSelf(lhs), b = getElementTypeOrSelf(rhs);
  if (a == b)
    return success();
  InFlightDiagnostic diag = op->emitOpError() << "has operands of element types " << a << " and " << b;
  diag.attachNote() << "hint: convert one of them with hgc.cast";
  return diag;
}

LogicalResult CompareOp::verify() { return checkSameElement(*this, getLhs(), getRhs()); }

LogicalResult SelectOp::verify() { return checkSameElement(*this, getOnTrue(), getOnFalse()); }
