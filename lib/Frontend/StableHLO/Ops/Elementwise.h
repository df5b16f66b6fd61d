//===- Elementwise.h - ops of one element each ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_FRONTEND_STABLEHLO_OPS_ELEMENTWISE_H
#define HGC_FRONTEND_STABLEHLO_OPS_ELEMENTWISE_H

#include "../Node.h"
#include "../OpTable.h"

namespace hgc::stablehlo {

/// Import function of an op of one operand that `Build` makes.
template <mlir::Value (*Build)(Node &, mlir::Value)> llvm::LogicalResult importUnary(Node &node) {
  return node.hasOperands(1) ? node.done(Build(node, node.getOperand(0))) : mlir::failure();
}

/// Two operands that broadcast to the op's shape, without repeated elements where that is enough.
std::optional<std::pair<mlir::Value, mlir::Value>> getPair(Node &node);

/// Import function of an op of two operands that `Build` makes.
template <mlir::Value (*Build)(Node &, mlir::Value, mlir::Value)> llvm::LogicalResult importBinary(Node &node) {
  auto pair = getPair(node);
  return pair ? node.done(Build(node, pair->first, pair->second)) : mlir::failure();
}

template <typename Op> mlir::Value buildUnary(Node &node, mlir::Value x) { return node.create<Op>(x); }
template <typename Op> mlir::Value buildBinary(Node &node, mlir::Value x, mlir::Value y) {
  return node.create<Op>(x, y);
}

} // namespace hgc::stablehlo

#endif // HGC_FRONTEND_STABLEHLO_OPS_ELEMENTWISE_H
