//===- ExpressionKey.h - equal expressions over parameters ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_TRANSFORMS_EXPRESSIONKEY_H
#define HGC_LIB_TRANSFORMS_EXPRESSIONKEY_H

#include "mlir/IR/Operation.h"
#include <vector>

namespace hgc {

/// Identity of an expression over parameters and constants: ops in other
/// functions or on other devices that compute the same bytes have the same key.
using ExpressionKey = std::vector<const void *>;

/// Key of the expression that ends in `op`, all of whose operands have ops.
ExpressionKey makeExpressionKey(mlir::Operation *op);

} // namespace hgc

#endif // HGC_LIB_TRANSFORMS_EXPRESSIONKEY_H
