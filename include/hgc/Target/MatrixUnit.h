//===- MatrixUnit.h - products by tile registers ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Some CPUs have a unit that multiplies tiles of bf16 or i8 (AMX), an order of
// magnitude faster than vectors of f32 are multiplied. A product of f32 takes six
// products of bf16 there: each factor is the sum of three of bf16, and what the
// three smallest of their nine products add is below the rounding of a sum.
// docs/numerics.md has the bound.
//===----------------------------------------------------------------------===//

#ifndef HGC_TARGET_MATRIXUNIT_H
#define HGC_TARGET_MATRIXUNIT_H

#include "dialects/Graph/GraphOps.h"
#include "hgc/Target/DeviceTable.h"

namespace hgc {

/// The form of contractions that a matrix unit computes; see kConvFormAttr.
inline constexpr llvm::StringLiteral kMatrixForm = "matrix";

/// Products of parts that make up one of elements stored as `parts` addends.
inline int64_t countPartProducts(int64_t parts) { return parts == 3 ? 6 : 1; }

/// Elements at the end of the depth of a matmul, stored as `parts` addends, that vectors multiply: so few that another
/// step of tiles would take longer.
int64_t countPlainDepth(int64_t depth, int64_t parts);

/// Whether panels of `elements` weights hold f32 as they are: those that would fill much of the second-level cache are
/// shorter so, and become parts beside the products of `rows` rows if these are many enough to hide it. Rows that
/// meet few columns are better written a few at a time, for all panels.
bool keepsWhole(const DeviceTable &table, int64_t elements, int64_t columns, int64_t rows);

/// Rows of tiles for the windows of a line: with strides of one, windows go on from line to line over the padding;
/// otherwise each line fills whole tiles.
int64_t countLineRows(const graph::ConvShape &shape);

/// Whether a matmul or convolution is noted or packed for a matrix unit.
bool usesMatrixUnit(mlir::Operation *op);

/// Whether the target has a unit for operands of that type.
bool hasMatrixUnit(const DeviceTable &table, mlir::Type element);

/// Whether the op, not packed yet, can be computed by the matrix unit of its module's target. That the right operand
/// is known before a call is the caller's business.
bool canUseMatrixUnit(graph::MatmulOp op);
bool canUseMatrixUnit(graph::ConvOp op);

} // namespace hgc

#endif // HGC_TARGET_MATRIXUNIT_H
