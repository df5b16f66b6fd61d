//===- MathExpansion.h - elementary functions as polynomials ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_COMMON_MATHEXPANSION_H
#define HGC_CODEGEN_COMMON_MATHEXPANSION_H

#include "mlir/IR/PatternMatch.h"

namespace hgc::codegen {

/// Rewrites the elementary functions of the math dialect on f32 scalars and
/// vectors into arithmetic (relative error at most 1e-6, infinities and NaN as in
/// libm). Those on f64 vectors become scalar ones, which become calls of libm;
/// without a C library (`hasLibm`) they are expanded too (error at most 1e-13).
void populateMathExpansionPatterns(mlir::RewritePatternSet &patterns, bool hasLibm = true);

} // namespace hgc::codegen

#endif // HGC_CODEGEN_COMMON_MATHEXPANSION_H
