//===- Literal.h - tensors on the command line ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_SUPPORT_LITERAL_H
#define HGC_SUPPORT_LITERAL_H

#include "dialects/Graph/Eval/HostTensor.h"

namespace hgc {

/// The element type called `f32`, `i1`, `ui8`, ...; null if there is none.
mlir::Type parseElementType(llvm::StringRef name, mlir::MLIRContext *context);

/// An element type and a shape.
struct TensorSpec {
  mlir::Type element;
  llvm::SmallVector<int64_t> shape;
};

/// Reads `2x3xf32`, or `f32` for a scalar.
llvm::Expected<TensorSpec> parseTensorSpec(llvm::StringRef text, mlir::MLIRContext *context);

/// Reads `4xf32=1,2,3,4`; one value stands for all (`2x2xi32=7`). Floats take
/// `nan` and `inf`, integers must fit, i1 takes 0, 1, true and false.
llvm::Expected<HostTensor> parseLiteral(llvm::StringRef text, mlir::MLIRContext *context);

} // namespace hgc

#endif // HGC_SUPPORT_LITERAL_H
