//===- AttentionForm.h - attention as one CPU kernel ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_TARGET_ATTENTIONFORM_H
#define HGC_TARGET_ATTENTIONFORM_H

#include "dialects/Graph/GraphOps.h"

#include <optional>

namespace hgc {

/// A product of the softmax of rows, of which one kernel makes some at a time: `sums` =
/// softmax(x) * values. Where x is computed from a product as well, `scores` is that.
struct AttentionForm {
  graph::MatmulOp scores;
  graph::SoftmaxOp softmax;
  graph::MatmulOp sums;

  /// The roots of a kernel's body, if they are such ops and nothing else reads what is between
  /// them.
  static std::optional<AttentionForm> find(mlir::Block &body);
};

/// Whether `value` is computed from `source` element by element, reading it once.
bool isExpressionOf(mlir::Value value, mlir::Value source);

/// Whether the result of `scores` only goes, element by element, to a softmax that could share a
/// kernel with it and with the product that reads it.
bool feedsAttention(graph::MatmulOp scores);

/// Whether the two may share a kernel: one type of f32 or f64, rows along the last dim, right
/// operands that are no packed weights.
bool canAttend(graph::SoftmaxOp softmax, graph::MatmulOp sums);
bool canAttend(graph::MatmulOp scores, graph::SoftmaxOp softmax);

} // namespace hgc

#endif // HGC_TARGET_ATTENTIONFORM_H
