//===- OrderKey.h - elements as integers in sorting order -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorting and looking for extremes compare signed integers only: what NaN, -0.0
// and the direction mean is settled when an element becomes its key.
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_COMMON_ORDERKEY_H
#define HGC_CODEGEN_COMMON_ORDERKEY_H

#include "mlir/IR/Builders.h"

namespace hgc::codegen {

/// Maps elements of one type to signed integers. Equal elements have equal keys.
struct OrderKey {
  /// Element type of the graph.
  mlir::Type element;
  /// Whether greater elements get lesser keys.
  bool isReversed = false;
  /// Whether the key of NaN is the greatest one, else the least.
  bool isNaNGreatest = true;

  /// i32, or i64 where the elements have 64 bits.
  mlir::IntegerType getType() const;
  /// Keys of a scalar or vector of the element's compute type.
  mlir::Value build(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value) const;
};

} // namespace hgc::codegen

#endif // HGC_CODEGEN_COMMON_ORDERKEY_H
