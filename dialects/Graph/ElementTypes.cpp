//===- ElementTypes.cpp - element types in memory and in registers --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "dialects/Graph/ElementTypes.h"

using namespace mlir;

Type hgc::graph::getStorageType(Type element) {
  auto integer = dyn_cast<IntegerType>(element);
  if (!integer)
    return element;
  return IntegerType::get(element.getContext(), std::max(integer.getWidth(), 8u));
}

Type hgc::graph::getComputeType(Type element) {
  if (element.isF16() || element.isBF16())
    return Float32Type::get(element.getContext());
  if (auto integer = dyn_cast<IntegerType>(element))
    return IntegerType::get(element.getContext(), integer.getWidth());
  return element;
}

int64_t hgc::graph::getElementBytes(Type element) { return getStorageType(element).getIntOrFloatBitWidth() / 8; }

int64_t hgc::graph::getTensorBytes(ShapedType type) {
  return type.getNumElements() * getElementBytes(type.getElementType());
}

bool hgc::graph::isUnsigned(Type element) {
  auto integer = dyn_cast<IntegerType>(element);
  return integer && (integer.isUnsigned() || integer.getWidth() == 1);
}

Type hgc::graph::getAccumulatorType(Type element) {
  if (element.isInteger())
    return IntegerType::get(element.getContext(), 32);
  if (element.isF64())
    return element;
  return Float32Type::get(element.getContext());
}
