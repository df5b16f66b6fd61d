//===- MathExpansion.h - elementary functions as polynomials ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_COMMON_MATHEXPANSION_H
#define HGC_CODEGEN_COMMON_MATHEXPANSION_H

#include "mlir/IR/PatternMatch.h"

namespace hgc::codegen {

/// Rewrites the elementary functions of the math dialect on f32 scalars and
/// vectors into arithmetic (relative error at most 1e-6, infinities and NaN as in
/// libm), and those on f64 vectors into scalar ones, which become calls of libm.
void populateMathExpansionPatterns(mlir::RewritePatternSet &patterns);

} // namespace hgc::codegen

#endif // HGC_CODEGEN_COMMON_MATHEXPANSION_H
