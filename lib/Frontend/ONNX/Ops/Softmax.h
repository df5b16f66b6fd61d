//===- Softmax.h - softmax and its relatives --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_FRONTEND_ONNX_OPS_SOFTMAX_H
#define HGC_FRONTEND_ONNX_OPS_SOFTMAX_H

#include "../OpTable.h"

namespace hgc::onnx {

/// Softmax, LogSoftmax and Hardmax; part of the normalizations.
void addSoftmaxOps(OpTable &table);

} // namespace hgc::onnx

#endif // HGC_FRONTEND_ONNX_OPS_SOFTMAX_H
