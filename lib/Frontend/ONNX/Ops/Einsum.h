//===- Einsum.h - sums of products by index letters -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_FRONTEND_ONNX_OPS_EINSUM_H
#define HGC_FRONTEND_ONNX_OPS_EINSUM_H

#include "../Node.h"

namespace hgc::onnx {

/// Imports a node of op Einsum.
llvm::LogicalResult importEinsum(Node &node);

} // namespace hgc::onnx

#endif // HGC_FRONTEND_ONNX_OPS_EINSUM_H
