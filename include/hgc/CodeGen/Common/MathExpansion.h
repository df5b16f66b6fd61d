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

/// exp(x) for x <= 0 where other terms of a sum are about 1, in half the work: the
/// relative error is at most 2e-7 + 8e-8 |x| (f32), and results below 2^-126, the
/// least normal number, are 0. That of NaN is NaN; of x > 0 it means nothing. A CPU
/// may have an instruction for p 2^n with a whole number n of p's type (`scale`). Of f32 it is exp(factor x) for a
/// positive factor, all of the above for the product.
mlir::Value createExpOfDifference(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value x, double factor = 1,
                                  llvm::function_ref<mlir::Value(mlir::Value p, mlir::Value n)> scale = nullptr);

} // namespace hgc::codegen

#endif // HGC_CODEGEN_COMMON_MATHEXPANSION_H
