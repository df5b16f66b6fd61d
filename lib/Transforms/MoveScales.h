//===- MoveScales.h - numbers that scale operands of products ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_TRANSFORMS_MOVESCALES_H
#define HGC_LIB_TRANSFORMS_MOVESCALES_H

#include "mlir/IR/PatternMatch.h"

namespace hgc {

/// matmul(a * x, b * y)  ==>  a * b * matmul(x, y), where a and b are known and what is
/// scaled is part of a tensor that stays in memory: the product can read it there.
void populateMoveScales(mlir::RewritePatternSet &patterns);

} // namespace hgc

#endif // HGC_LIB_TRANSFORMS_MOVESCALES_H
