//===- Products.h - matrix products and convolutions of ONNX ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The graph dialect contracts floats and i8; ONNX also multiplies matrices of
// wide integers and of uint8 with zero points.
//===----------------------------------------------------------------------===//

#ifndef HGC_FRONTEND_ONNX_OPS_PRODUCTS_H
#define HGC_FRONTEND_ONNX_OPS_PRODUCTS_H

#include "Windows.h"

namespace hgc::onnx {

/// The type `element` is computed in: half precision in f32.
mlir::Type getWideType(mlir::Type element);

/// Product over the last two dims of operands of rank two or more, in their
/// element type; any number type.
mlir::Value multiplyMatrices(Node &node, mlir::Value lhs, mlir::Value rhs, bool transposeLhs = false,
                             bool transposeRhs = false);

/// NumPy's matmul of operands of rank one or more. `multiply` gives the product of
/// operands of rank two or more.
mlir::Value multiplyAsNumPy(Node &node, mlir::Value lhs, mlir::Value rhs,
                            llvm::function_ref<mlir::Value(mlir::Value, mlir::Value)> multiply);

/// `(lhs - lhsZero) * (rhs - rhsZero)` in i32 as NumPy's matmul, exact for 8-bit
/// operands of either sign. A zero point is null, a scalar, one number per row (of
/// rhs: per column), or broadcasts.
mlir::Value multiplyIntegers(Node &node, mlir::Value lhs, mlir::Value rhs, mlir::Value lhsZero, mlir::Value rhsZero);

/// Convolution of floats or i8, channels first; in f32, f64 or i32.
mlir::Value convolve(Node &node, mlir::Value data, mlir::Value filter, const SlidingWindow &window,
                     llvm::ArrayRef<int64_t> pads, int64_t groups);

/// `(data - dataZero)` convolved with `(filter - filterZero)` in i32, exact for
/// 8-bit operands of either sign. Zero points are null or scalars, that of the
/// filter may be one per output channel.
mlir::Value convolveIntegers(Node &node, mlir::Value data, mlir::Value filter, mlir::Value dataZero,
                             mlir::Value filterZero, const SlidingWindow &window, int64_t groups);

/// `value` as a scalar of rank 0 if it has one element.
mlir::Value scalarize(Node &node, mlir::Value value);

/// A zero point or scale of a matrix as a scalar or, if it has one number per row,
/// as a column; others stay.
mlir::Value alongRows(Node &node, mlir::Value value);

} // namespace hgc::onnx

#endif // HGC_FRONTEND_ONNX_OPS_PRODUCTS_H
