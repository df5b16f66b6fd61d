//===- HostTensorAttr.cpp - host tensors from and to attributes -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Eval/HostTensor.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/StringExtras.h"
#include <cstring>

using namespace mlir;
using namespace hgc;

/// Text and bytecode print a `dense` literal inline; above this many bytes the
/// data goes to the resource section.
static constexpr int64_t kInlineBytes = 1024;

static llvm::Expected<HostTensor> fromResource(DenseResourceElementsAttr attr, Type element,
                                               llvm::ArrayRef<int64_t> shape) {
  AsmResourceBlob *blob = attr.getRawHandle().getBlob();
  if (!blob)
    return llvm::createStringError("resource '" + attr.getRawHandle().getKey() + "' has no data");
  HostTensor probe(element, {});
  llvm::ArrayRef<char> data = blob->getData();
  int64_t expected = *hgc::countElements(shape) * probe.getElementBytes();
  if (static_cast<int64_t>(data.size()) != expected)
    return llvm::createStringError("resource '" + attr.getRawHandle().getKey() + "' has " + llvm::Twine(data.size()) +
                                   " bytes, its type needs " + llvm::Twine(expected));
  // Blobs live as long as the context. An unaligned one would be read with the
  // wrong loads, so it is copied.
  if (reinterpret_cast<uintptr_t>(data.data()) % probe.getElementBytes() == 0)
    return HostTensor::borrow(element, shape, data.data(), nullptr);
  HostTensor copy(element, shape);
  std::memcpy(copy.mutableData(), data.data(), data.size());
  return copy;
}

static HostTensor fromDense(DenseElementsAttr attr, Type element, llvm::ArrayRef<int64_t> shape) {
  HostTensor result(element, shape);
  char *out = result.mutableData();
  int64_t count = result.getNumElements(), size = result.getElementBytes();
  // How MLIR packs i1 is its own business.
  if (element.isInteger(1)) {
    for (auto [i, bit] : llvm::enumerate(attr.getValues<bool>()))
      out[i] = bit;
    return result;
  }
  llvm::ArrayRef<char> raw = attr.getRawData();
  if (!attr.isSplat()) {
    std::memcpy(out, raw.data(), count * size);
    return result;
  }
  for (int64_t i = 0; i < count; ++i)
    std::memcpy(out + i * size, raw.data(), size);
  return result;
}

llvm::Expected<HostTensor> HostTensor::fromAttr(ElementsAttr attr) {
  ShapedType type = attr.getShapedType();
  if (!type.hasStaticShape() || !hgc::countElements(type.getShape(), 8))
    return llvm::createStringError("a literal needs a static shape that fits in memory");
  Type element = type.getElementType();
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attr))
    return fromResource(resource, element, type.getShape());
  if (auto dense = dyn_cast<DenseElementsAttr>(attr))
    return fromDense(dense, element, type.getShape());
  return llvm::createStringError("a literal is 'dense' or 'dense_resource'");
}

ElementsAttr HostTensor::toAttr(llvm::StringRef name) const {
  RankedTensorType type = getType();
  bool isBool = element.isInteger(1);
  if (isSplat() || getNumBytes() <= kInlineBytes) {
    int64_t values = isSplat() ? 1 : count;
    if (isBool) {
      llvm::SmallVector<bool> bits;
      for (int64_t i = 0; i < values; ++i)
        bits.push_back(getInt(i));
      return DenseElementsAttr::get(type, llvm::ArrayRef<bool>(bits));
    }
    return DenseElementsAttr::getFromRawBuffer(type, getBytes().take_front(values * getElementBytes()));
  }
  // The blob shares this tensor's memory: its deleter holds a reference. Its alignment is part of printed modules,
  // which are the same in every run: where the memory happens to be does not count.
  AsmResourceBlob blob(
      getBytes(), getElementBytes(), [keep = bytes](void *, size_t, size_t) {}, /*dataIsMutable=*/false);
  return DenseResourceElementsAttr::get(type, name, std::move(blob));
}
