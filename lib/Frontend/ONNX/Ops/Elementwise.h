//===- Elementwise.h - ops of one element each ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_FRONTEND_ONNX_OPS_ELEMENTWISE_H
#define HGC_FRONTEND_ONNX_OPS_ELEMENTWISE_H

#include "../Node.h"
#include "../OpTable.h"

namespace hgc::onnx {

/// Gives the result of an elementwise op the bounded dims of the node's inputs.
void copyExtents(Node &node, mlir::Value result);

/// Import function of an op that `Build` makes; bounded dims pass through.
template <mlir::Value (*Build)(Node &)> llvm::LogicalResult importElementwise(Node &node) {
  mlir::Value result = Build(node);
  if (result)
    copyExtents(node, result);
  return node.done(result);
}

template <mlir::Value (*Build)(Node &)>
void addElementwise(OpTable &table, llvm::StringRef op, llvm::StringRef note = "") {
  table.addBounded(op, importElementwise<Build>, 1, note);
}

/// Functions of one number: Ops/Unary.cpp.
void addUnaryOps(OpTable &table);
/// Conversions: Ops/Cast.cpp.
void addCastOps(OpTable &table);

} // namespace hgc::onnx

#endif // HGC_FRONTEND_ONNX_OPS_ELEMENTWISE_H
