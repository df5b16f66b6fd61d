//===- Bounded.h - values whose extents are known at run time ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A bounded value is a tensor of the largest shape and one i64 a dim (null where
// the type tells). Elements beyond the actual extents are anything.
//===----------------------------------------------------------------------===//

#ifndef HGC_FRONTEND_ONNX_BOUNDED_H
#define HGC_FRONTEND_ONNX_BOUNDED_H

#include "Node.h"

namespace hgc::onnx {

/// What an entry returns for a bounded value.
struct ActualValue {
  /// Of the largest shape; its first elements are those of the actual shape, dense.
  mlir::Value value;
  /// The actual shape, a list of i64.
  mlir::Value shape;
};
/// `extents` has one value a dim, null where it is the type's.
ActualValue makeActual(Builder &b, mlir::Value value, llvm::ArrayRef<mlir::Value> extents);

/// A bounded value that is declared with a static shape: a plain tensor of it, and
/// the call fails when the extents are others. Null when the shape does not fit.
mlir::Value settle(Builder &b, mlir::Value value, llvm::ArrayRef<mlir::Value> extents, mlir::RankedTensorType declared,
                   llvm::StringRef name);

/// The extent of `dim` as a rank-0 i64, a constant where it is the type's.
mlir::Value getActualExtent(Node &node, mlir::Value value, int64_t dim);

/// Dim `i` of `to` has the extent that dim `dims[i]` of `from` has; -1: the type's.
void mapExtents(Node &node, mlir::Value from, mlir::Value to, Shape dims);
/// The same when dims of extent 1 are added or removed, or leading dims are kept;
/// a bounded dim that has no counterpart is refused.
llvm::LogicalResult keepExtents(Node &node, mlir::Value from, mlir::Value to);

/// Whether keepExtents can, and it has.
bool tryKeepExtents(Node &node, mlir::Value from, mlir::Value to);

/// A dim of a value.
struct DimOf {
  mlir::Value value;
  int64_t dim;
};
/// Dim `dim` of `result` has the extent that all of `sources` have, but those that
/// are broadcast along it; the call fails when they have different ones.
void joinExtents(Node &node, mlir::Value result, int64_t dim, llvm::ArrayRef<DimOf> sources);

/// Gives `value` these extents, one a dim; null ones are the type's.
void setExtents(Node &node, mlir::Value value, llvm::ArrayRef<mlir::Value> extents);

/// The actual elements of a value as a list, dense from the front on; `count` is
/// their number.
mlir::Value flattenActual(Node &node, mlir::Value value, mlir::Value &count);

/// The actual elements of a value in another shape, whose actual extents may be less
/// (null: they are not). The call fails when these hold another number of elements.
mlir::Value reshapeActual(Node &node, mlir::Value value, Shape shape, llvm::ArrayRef<mlir::Value> actual);

/// Output 0 with these extents.
llvm::LogicalResult doneWith(Node &node, mlir::Value result, llvm::ArrayRef<mlir::Value> extents);
/// Output 0 with the extents that keepExtents gives it.
llvm::LogicalResult doneKeeping(Node &node, mlir::Value from, mlir::Value result);

/// Values one behind the other along `axis`, without gaps where their extents along
/// it are known only at run time.
mlir::Value concatActual(Node &node, llvm::ArrayRef<mlir::Value> values, int64_t axis);

/// `value` with `fill` (rank 0) in all elements beyond its extents along `axes`.
mlir::Value fillBeyond(Node &node, mlir::Value value, mlir::Value fill, Shape axes);
/// Flags of the elements of `value` within its extents; null when all are.
mlir::Value getInside(Node &node, mlir::Value value, Shape axes);

/// Makes `value` output `index`, with `extent` along `dim`: a plain tensor when the
/// extent is a constant or the model declares the output's shape (the call then
/// requires it), else a bounded one.
void setBoundedOutput(Node &node, unsigned index, mlir::Value value, int64_t dim, mlir::Value extent);

/// Positions of the set elements of a list of flags first, in order, and their
/// number.
struct Selection {
  mlir::Value positions, count;
};
Selection selectFlags(Builder &b, mlir::Value flags);

/// Sums of the elements of an i64 list up to each place.
mlir::Value prefixSum(Builder &b, mlir::Value list);

} // namespace hgc::onnx

#endif // HGC_FRONTEND_ONNX_BOUNDED_H
