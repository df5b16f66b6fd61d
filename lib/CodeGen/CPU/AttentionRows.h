//===- AttentionRows.h - softmax of rows in scratch -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_CODEGEN_CPU_ATTENTIONROWS_H
#define HGC_LIB_CODEGEN_CPU_ATTENTIONROWS_H

#include "hgc/CodeGen/CPU/KernelContext.h"
#include "hgc/CodeGen/Common/IndexBuilder.h"

namespace hgc::cpu {

/// Rows of scores in scratch that become the exponentials of a softmax. They are left
/// undivided: who adds them up scales the sums instead, which are fewer.
class AttentionRows {
public:
  /// Rows in work at once: scratch must have room for a multiple of them.
  static constexpr int64_t kRows = 2;

  /// Rows of `keys` elements, `stride` apart (a multiple of `lanes`), to be taken `scale` times, and a number for each.
  AttentionRows(KernelContext &context, mlir::Value scores, mlir::Value factors, int64_t keys, int64_t stride,
                int64_t lanes, double scale)
      : context(context), index(context.builder, context.loc), scores(scores), factors(factors), keys(keys),
        stride(stride), lanes(lanes), scale(scale) {}

  /// Lets the elements between the end of each of `count` rows and the next vector count for
  /// nothing. Before the rows are filled.
  void emitPadding(mlir::Value count);
  /// Replaces `count` rows, and writes the reciprocals of their sums.
  void emitSoftmax(mlir::Value count);
  /// The factor of row `row`.
  mlir::Value emitFactor(mlir::Value row);

private:
  using Rows = llvm::SmallVector<mlir::Value, 2>;
  /// What a vector of a row counts for: the row's number, where the vector is, its lanes.
  using Visit = llvm::function_ref<mlir::Value(size_t row, mlir::Value at, int64_t width)>;

  mlir::Type elementType() const;
  /// Combines all vectors of each row to one number.
  Rows reduce(graph::ReduceKind kind, const Rows &starts, Visit visit);

  KernelContext &context;
  IndexBuilder index;
  mlir::Value scores, factors;
  int64_t keys, stride, lanes;
  double scale;
};

} // namespace hgc::cpu

#endif // HGC_LIB_CODEGEN_CPU_ATTENTIONROWS_H
