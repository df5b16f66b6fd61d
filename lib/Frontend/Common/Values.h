//===- Values.h - what importers compute with scalars and coordinates -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops whose starts, pads, indices, ... are known only at run time compute where
// each element of their result comes from. Coordinates of one dim have extent 1
// elsewhere, so that they stay small until they are joined; all of it is
// evaluated while importing when the inputs are constants.
//===----------------------------------------------------------------------===//

#ifndef HGC_FRONTEND_COMMON_VALUES_H
#define HGC_FRONTEND_COMMON_VALUES_H

#include "Builder.h"

namespace hgc::frontend {

using Values = llvm::SmallVector<mlir::Value>;

/// Row-major strides in elements.
Extents stridesOf(Shape shape);
int64_t product(Shape extents);

// Scalars and lists.
mlir::Value i64(Builder &b, int64_t value);
mlir::Value f32(Builder &b, double value);
/// The greatest (or least) value of a type, of rank 0; infinity for floats.
mlir::Value extreme(Builder &b, mlir::Type type, bool isGreatest);
/// A value of integers as a one-dimensional i64 tensor.
mlir::Value asList(Builder &b, mlir::Value value);
/// Element `index` of a one-dimensional value, of rank 0.
mlir::Value element(Builder &b, mlir::Value list, int64_t index);
/// Scalars of rank 0 as a list.
mlir::Value listOf(Builder &b, llvm::ArrayRef<mlir::Value> scalars);
mlir::Value both(Builder &b, mlir::Value a, mlir::Value c);
/// `low <= value < high` by element.
mlir::Value inRange(Builder &b, mlir::Value value, mlir::Value low, mlir::Value high);
mlir::Value clamp(Builder &b, mlir::Value value, mlir::Value low, mlir::Value high);
/// Negative indices counted from the end of a dim of this extent.
mlir::Value fromFront(Builder &b, mlir::Value index, int64_t extent);
mlir::Value fromFront(Builder &b, mlir::Value index, mlir::Value extent);
/// The remainder with the sign of the divisor.
mlir::Value modulo(Builder &b, mlir::Value value, mlir::Value divisor);

// Coordinates.
/// A list laid along dim `axis` of a tensor of this rank, of extent 1 elsewhere.
mlir::Value along(Builder &b, mlir::Value list, int64_t rank, int64_t axis);
/// Counts along dim `axis` of a tensor of this rank, of extent 1 elsewhere.
mlir::Value count(Builder &b, int64_t extent, int64_t rank, int64_t axis);
/// Row-major index into `shape` of one coordinate a dim.
mlir::Value flatIndex(Builder &b, llvm::ArrayRef<mlir::Value> coordinates, Shape shape);
/// Elements of `value` at one coordinate a dim, in the shape `result` that the
/// coordinates broadcast to.
mlir::Value pick(Builder &b, mlir::Value value, llvm::ArrayRef<mlir::Value> coordinates, Shape result);

/// The same bits as elements of another type of that width; every NaN has the bits of the quiet one.
mlir::Value bitCast(Builder &b, mlir::Value value, mlir::Type type);

} // namespace hgc::frontend

#endif // HGC_FRONTEND_COMMON_VALUES_H
