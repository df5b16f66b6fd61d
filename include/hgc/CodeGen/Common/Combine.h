//===- Combine.h - the operation of a reduction -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_COMMON_COMBINE_H
#define HGC_CODEGEN_COMMON_COMBINE_H

#include "dialects/Graph/GraphOps.h"

#include "mlir/IR/Builders.h"

namespace hgc::codegen {

/// The operation of a reduction; a mean combines like a sum.
struct Combiner {
  graph::ReduceKind kind;
  bool isUnsigned = false;
  /// Whether the greatest or least float may be found as if NaNs were not there,
  /// which is faster.
  bool mayIgnoreNan = false;

  /// The value that changes nothing, in each lane of `type`.
  mlir::Value neutral(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type) const;
  mlir::Value combine(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value a, mlir::Value b) const;
  /// Combines all lanes (a power of two) by halving.
  mlir::Value fold(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value vector) const;
};

/// The reduction that a scatter does at each element; none for `set`.
std::optional<graph::ReduceKind> getReduceKind(graph::ScatterKind kind);

/// Extends or truncates floats to `element`; others stay.
mlir::Value convertFloat(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, mlir::Type element);

} // namespace hgc::codegen

#endif // HGC_CODEGEN_COMMON_COMBINE_H
