//===- Shape.h - padding that other ops need, too ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_FRONTEND_STABLEHLO_OPS_SHAPE_H
#define HGC_FRONTEND_STABLEHLO_OPS_SHAPE_H

#include "../Node.h"

namespace hgc::stablehlo {

/// Adds elements at the borders (negative: crops them) and between neighbours.
mlir::Value padInterior(Node &node, mlir::Value value, mlir::Value fill, Shape low, Shape high, Shape interior);

} // namespace hgc::stablehlo

#endif // HGC_FRONTEND_STABLEHLO_OPS_SHAPE_H
