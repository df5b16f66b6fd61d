//===- ElementTypes.h - element types in memory and in registers -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_GRAPH_ELEMENTTYPES_H
#define HGC_GRAPH_ELEMENTTYPES_H

#include "mlir/IR/BuiltinTypes.h"

namespace hgc::graph {

/// The element type an array in memory has: i1 takes a byte, signs are in the
/// operations.
mlir::Type getStorageType(mlir::Type element);

/// The type arithmetic is done in: half precision computes in f32.
mlir::Type getComputeType(mlir::Type element);

/// Marks a `math.exp` whose operand is in [-87, 88] or NaN, which takes less code.
inline constexpr llvm::StringLiteral kBoundedAttr = "bounded";

/// Bytes of one element in memory.
int64_t getElementBytes(mlir::Type element);

/// Bytes of a statically shaped tensor in memory.
int64_t getTensorBytes(mlir::ShapedType type);

/// Whether the integer type `element` is unsigned. i1 counts as unsigned.
bool isUnsigned(mlir::Type element);

/// Element type a contraction of `element` accumulates and results in.
mlir::Type getAccumulatorType(mlir::Type element);

} // namespace hgc::graph

#endif // HGC_GRAPH_ELEMENTTYPES_H
