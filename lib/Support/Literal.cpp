//===- Literal.cpp - tensors on the command line --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Support/Literal.h"

#include "dialects/Graph/ElementTypes.h"
#include "hgc/Support/Error.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <cstring>

using namespace mlir;
using namespace hgc;

/// Larger literals are a slip of the keyboard, not data.
static constexpr int64_t kLargestLiteral = int64_t(1) << 32;

Type hgc::parseElementType(llvm::StringRef name, MLIRContext *context) {
  Builder b(context);
  return llvm::StringSwitch<Type>(name)
      .Case("f32", b.getF32Type())
      .Case("f64", b.getF64Type())
      .Case("f16", b.getF16Type())
      .Case("bf16", b.getBF16Type())
      .Case("i1", b.getI1Type())
      .Case("i8", b.getIntegerType(8))
      .Case("i16", b.getIntegerType(16))
      .Case("i32", b.getIntegerType(32))
      .Case("i64", b.getIntegerType(64))
      .Case("ui8", b.getIntegerType(8, false))
      .Case("ui16", b.getIntegerType(16, false))
      .Case("ui32", b.getIntegerType(32, false))
      .Case("ui64", b.getIntegerType(64, false))
      .Default(Type());
}

llvm::Expected<TensorSpec> hgc::parseTensorSpec(llvm::StringRef text, MLIRContext *context) {
  TensorSpec spec;
  llvm::StringRef rest = text;
  while (!rest.empty() && llvm::isDigit(rest.front())) {
    int64_t extent;
    if (rest.consumeInteger(10, extent) || !rest.consume_front("x"))
      return makeError("'" + text + "' is not a tensor type", "write extents and an element type, as in 2x3xf32");
    spec.shape.push_back(extent);
  }
  spec.element = parseElementType(rest, context);
  if (!spec.element)
    return makeError("'" + rest + "' is not an element type",
                     "the types are f32 f64 f16 bf16 i1 i8 i16 i32 i64 ui8 ui16 ui32 ui64");
  std::optional<int64_t> count = countElements(spec.shape, graph::getElementBytes(spec.element));
  if (!count || *count > kLargestLiteral)
    return makeError("'" + text + "' has too many elements", "use a .npy file for large tensors");
  return spec;
}

static llvm::Error badValue(llvm::StringRef value, Type element, const llvm::Twine &hint) {
  std::string type;
  llvm::raw_string_ostream(type) << element;
  return makeError("'" + value + "' is not a value of type " + type, hint);
}

static llvm::Error setElement(HostTensor &tensor, int64_t index, llvm::StringRef value) {
  Type element = tensor.getElementType();
  if (auto type = dyn_cast<FloatType>(element)) {
    // Rounds the text once, straight to the element type.
    llvm::APFloat number(type.getFloatSemantics());
    auto status = number.convertFromString(value, llvm::APFloat::rmNearestTiesToEven);
    if (!status) {
      llvm::consumeError(status.takeError());
      return badValue(value, element, "write numbers such as 1, -2.5, 1e-3, nan, inf");
    }
    llvm::APInt bits = number.bitcastToAPInt();
    std::memcpy(tensor.mutableData() + index * tensor.getElementBytes(), bits.getRawData(), tensor.getElementBytes());
    return llvm::Error::success();
  }
  unsigned width = element.getIntOrFloatBitWidth();
  if (width == 1) {
    if (value != "0" && value != "1" && value != "true" && value != "false")
      return badValue(value, element, "i1 takes 0, 1, true or false");
    tensor.setInt(index, value == "1" || value == "true");
    return llvm::Error::success();
  }
  int64_t number = 0;
  bool bad;
  if (element.isUnsignedInteger()) {
    uint64_t unsignedNumber = 0;
    bad = value.getAsInteger(10, unsignedNumber) || !llvm::isUIntN(width, unsignedNumber);
    number = static_cast<int64_t>(unsignedNumber);
  } else {
    bad = value.getAsInteger(10, number) || !llvm::isIntN(width, number);
  }
  if (bad)
    return badValue(value, element, "write a decimal integer that fits in " + llvm::Twine(width) + " bits");
  tensor.setInt(index, number);
  return llvm::Error::success();
}

llvm::Expected<HostTensor> hgc::parseLiteral(llvm::StringRef text, MLIRContext *context) {
  if (!text.contains('='))
    return makeError("'" + text + "' has no values", "write them after the type, as in 4xf32=1,2,3,4");
  auto [type, values] = text.split('=');
  llvm::Expected<TensorSpec> spec = parseTensorSpec(type, context);
  if (!spec)
    return spec.takeError();
  int64_t count = *countElements(spec->shape);
  llvm::SmallVector<llvm::StringRef> items;
  if (!values.empty())
    values.split(items, ',');
  int64_t given = static_cast<int64_t>(items.size());
  bool isSplat = given == 1 && count != 0;
  if (given != count && !isSplat)
    return makeError("'" + type + "' needs " + llvm::Twine(count) + " values, got " + llvm::Twine(given),
                     "give one value per element, or one for all");
  HostTensor tensor(spec->element, isSplat ? llvm::ArrayRef<int64_t>() : llvm::ArrayRef<int64_t>(spec->shape));
  for (int64_t i = 0; i < given; ++i)
    if (llvm::Error error = setElement(tensor, i, items[i].trim()))
      return error;
  if (!isSplat)
    return tensor;
  llvm::SmallVector<int64_t> strides(spec->shape.size(), 0);
  return tensor.gatherStrided(spec->shape, strides);
}
