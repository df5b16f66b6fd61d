//===- SortItems.h - what a sort moves about --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An item is the key of an element and its position in its line. A key of 32
// bits shares an i64 with the position, so that one comparison decides about
// both; other keys and their positions are two i64.
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_COMMON_SORTITEMS_H
#define HGC_CODEGEN_COMMON_SORTITEMS_H

#include "hgc/CodeGen/Common/ElementEmitter.h"
#include "hgc/CodeGen/Common/OrderKey.h"

namespace hgc::codegen {

/// The i64 values of one item.
using SortItem = llvm::SmallVector<mlir::Value, 2>;

/// Lines and items of one `hgc.arg_sort`.
class SortItems {
public:
  explicit SortItems(graph::ArgSortOp op);

  /// i64 values of an item.
  int64_t columns() const { return isJoined ? 1 : 2; }

  /// The item of the element `position` of a line. `index` is an index of the
  /// line, which is changed.
  SortItem build(EmitContext &context, llvm::SmallVectorImpl<LaneIndex> &index, mlir::Value position) const;
  /// An item that follows all others, also others of its kind with a lower
  /// `position`.
  SortItem buildLast(EmitContext &context, mlir::Value position) const;
  /// Whether `a` has the lesser key, or (joined) is before `b`.
  mlir::Value lessKey(EmitContext &context, const SortItem &a, const SortItem &b) const;
  /// Whether `a` is before `b`: by key, then by position.
  mlir::Value less(EmitContext &context, const SortItem &a, const SortItem &b) const;
  /// Makes the item element `number` of the sorted line and writes it.
  void write(EmitContext &context, llvm::SmallVectorImpl<LaneIndex> &index, mlir::Value number,
             const SortItem &item) const;

  /// One item at `at` of one array per column.
  static SortItem load(EmitContext &context, mlir::ValueRange arrays, mlir::Value at);
  static void store(EmitContext &context, mlir::ValueRange arrays, mlir::Value at, const SortItem &item);

  mlir::Value input, result;
  /// Elements of a line, how many of them are given, and the number of lines.
  int64_t axis, length, kept, lines = 1;
  /// Extents of the input with 1 along the axis.
  llvm::SmallVector<int64_t> outer;

private:
  OrderKey key;
  bool isJoined;
};

} // namespace hgc::codegen

#endif // HGC_CODEGEN_COMMON_SORTITEMS_H
