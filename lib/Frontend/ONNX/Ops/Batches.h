//===- Batches.h - ops that treat the samples of a batch alike --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Input 0 may have extents that are known only at run time along dims whose
// elements do not meet each other in the op.
//===----------------------------------------------------------------------===//

#ifndef HGC_FRONTEND_ONNX_OPS_BATCHES_H
#define HGC_FRONTEND_ONNX_OPS_BATCHES_H

#include "../Node.h"

namespace hgc::onnx {

/// Output 0, whose first `dims` dims have the extents of those of input 0. All
/// other dims of the inputs must be known, or the node is refused.
llvm::LogicalResult doneBatched(Node &node, mlir::Value result, int64_t dims = 1);

} // namespace hgc::onnx

#endif // HGC_FRONTEND_ONNX_OPS_BATCHES_H
