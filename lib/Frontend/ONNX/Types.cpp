//===- Types.cpp - ONNX's types in MLIR -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Types.h"

#include "hgc/Support/Parameters.h"
#include "onnx.pb.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using ::onnx::TensorProto;
using ::onnx::TypeProto;

Type hgc::onnx::getElementType(int type, MLIRContext *context) {
  auto integer = [&](unsigned width, bool isUnsigned = false) {
    return IntegerType::get(context, width, isUnsigned ? IntegerType::Unsigned : IntegerType::Signless);
  };
  switch (type) {
  case TensorProto::FLOAT:
    return Float32Type::get(context);
  case TensorProto::DOUBLE:
    return Float64Type::get(context);
  case TensorProto::FLOAT16:
    return Float16Type::get(context);
  case TensorProto::BFLOAT16:
    return BFloat16Type::get(context);
  case TensorProto::BOOL:
    return integer(1);
  case TensorProto::INT8:
    return integer(8);
  case TensorProto::INT16:
    return integer(16);
  case TensorProto::INT32:
    return integer(32);
  case TensorProto::INT64:
    return integer(64);
  case TensorProto::UINT8:
    return integer(8, true);
  case TensorProto::UINT16:
    return integer(16, true);
  case TensorProto::UINT32:
    return integer(32, true);
  case TensorProto::UINT64:
    return integer(64, true);
  default:
    return {};
  }
}

std::string hgc::onnx::describeElementType(int type) {
  if (::onnx::TensorProto_DataType_IsValid(type))
    return StringRef(::onnx::TensorProto_DataType_Name(static_cast<::onnx::TensorProto_DataType>(type))).lower();
  return "type number " + std::to_string(type);
}

std::string hgc::onnx::refuseElementType(int type) { return "hgc has no tensors of " + describeElementType(type); }

llvm::StringRef hgc::onnx::describeKind(const TypeProto &type) {
  switch (type.value_case()) {
  case TypeProto::kTensorType:
    return "";
  case TypeProto::kSequenceType:
    return "sequence";
  case TypeProto::kMapType:
    return "map";
  case TypeProto::kOptionalType:
    return "optional value";
  case TypeProto::kSparseTensorType:
    return "sparse tensor";
  case TypeProto::kOpaqueType:
    return "opaque value";
  case TypeProto::VALUE_NOT_SET:
    return "value without a type";
  }
  return "value without a type";
}

llvm::StringRef hgc::onnx::getDimName(const ::onnx::TensorShapeProto_Dimension &dim) {
  return dim.dim_param() == "?" ? StringRef() : StringRef(dim.dim_param());
}

bool hgc::onnx::isOpenDim(const ::onnx::TensorShapeProto_Dimension &dim) {
  return getDimName(dim).empty() && (!dim.has_dim_value() || dim.dim_value() == -1);
}

RankedTensorType hgc::onnx::getStaticType(const TypeProto &type, MLIRContext *context) {
  if (!type.has_tensor_type() || !type.tensor_type().has_shape())
    return {};
  Type element = getElementType(type.tensor_type().elem_type(), context);
  SmallVector<int64_t> shape;
  for (const auto &dim : type.tensor_type().shape().dim()) {
    if (!dim.has_dim_value() || dim.dim_value() < 0)
      return {};
    shape.push_back(dim.dim_value());
  }
  // An absurd declaration tells nothing.
  if (!element || !hgc::countElements(shape, 8))
    return {};
  return RankedTensorType::get(shape, element);
}
