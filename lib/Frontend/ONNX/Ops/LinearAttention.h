//===- LinearAttention.h - attention by a recurrence ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_FRONTEND_ONNX_OPS_LINEARATTENTION_H
#define HGC_FRONTEND_ONNX_OPS_LINEARATTENTION_H

#include "../OpTable.h"

namespace hgc::onnx {

/// LinearAttention and CausalConvWithState; part of the attention ops.
void addLinearAttentionOps(OpTable &table);

} // namespace hgc::onnx

#endif // HGC_FRONTEND_ONNX_OPS_LINEARATTENTION_H
