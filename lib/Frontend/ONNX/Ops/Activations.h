//===- Activations.h - functions of recurrent cells -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_FRONTEND_ONNX_OPS_ACTIVATIONS_H
#define HGC_FRONTEND_ONNX_OPS_ACTIVATIONS_H

#include "lib/Frontend/ONNX/Node.h"

namespace hgc::onnx {

/// A function named by `activations`, with its factors.
struct Activation {
  mlir::Value (*build)(Node &node, mlir::Value x, double alpha, double beta) = nullptr;
  double alpha = 0, beta = 0;

  mlir::Value operator()(Node &node, mlir::Value x) const { return x ? build(node, x, alpha, beta) : x; }
};

/// Functions that the node names, or `defaults` repeated for each direction. The
/// lists of factors hold entries only for functions that have them.
llvm::FailureOr<llvm::SmallVector<Activation>> readActivations(Node &node, llvm::ArrayRef<llvm::StringRef> defaults,
                                                               size_t directions);

} // namespace hgc::onnx

#endif // HGC_FRONTEND_ONNX_OPS_ACTIVATIONS_H
