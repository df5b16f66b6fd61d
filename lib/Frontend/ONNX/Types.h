//===- Types.h - ONNX's types in MLIR ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_FRONTEND_ONNX_TYPES_H
#define HGC_FRONTEND_ONNX_TYPES_H

#include "mlir/IR/BuiltinTypes.h"
#include <string>

namespace onnx {
class TensorShapeProto_Dimension;
class TypeProto;
} // namespace onnx

namespace hgc::onnx {

/// The element type of number `type` in TensorProto.DataType; null when hgc has none.
mlir::Type getElementType(int type, mlir::MLIRContext *context);

/// `float16`, for messages.
std::string describeElementType(int type);

/// Why hgc does not take a tensor of that element type.
std::string refuseElementType(int type);

/// What a value is if it is no tensor, such as `sequence`; empty for a tensor.
llvm::StringRef describeKind(const ::onnx::TypeProto &type);

/// The name of a dim, or empty. `?`, which some exporters write, is none.
llvm::StringRef getDimName(const ::onnx::TensorShapeProto_Dimension &dim);
/// Whether a dim has neither extent nor name; some exporters write -1 for that.
bool isOpenDim(const ::onnx::TensorShapeProto_Dimension &dim);

/// The tensor type if it is wholly known, else null.
mlir::RankedTensorType getStaticType(const ::onnx::TypeProto &type, mlir::MLIRContext *context);

} // namespace hgc::onnx

#endif // HGC_FRONTEND_ONNX_TYPES_H
