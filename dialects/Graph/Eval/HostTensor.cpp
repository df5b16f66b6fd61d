//===- HostTensor.cpp - a tensor's value in host memory -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Eval/HostTensor.h"

#include "dialects/Graph/ElementTypes.h"
#include "dialects/Graph/Eval/ElementDispatch.h"

#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <cstring>

using namespace mlir;
using namespace hgc;

std::optional<int64_t> hgc::countElements(llvm::ArrayRef<int64_t> shape, int64_t elementBytes) {
  // An extent of zero makes the product zero but must not hide an overflow of
  // the others: strides are computed from them.
  int64_t elements = 1, nonZero = 1, bytes;
  for (int64_t extent : shape) {
    if (extent < 0 || llvm::MulOverflow(nonZero, std::max<int64_t>(extent, 1), nonZero))
      return std::nullopt;
    elements = extent == 0 ? 0 : elements * extent;
  }
  if (llvm::MulOverflow(nonZero, elementBytes, bytes))
    return std::nullopt;
  return elements;
}

double hgc::roundToFloat(Type element, double value) {
  return dispatchElement(element, [&](auto tag) {
    using Traits = ElementTraits<decltype(tag)>;
    return Traits::toDouble(Traits::fromDouble(value));
  });
}

int64_t hgc::wrapToInt(Type element, int64_t value) {
  return dispatchElement(element, [&](auto tag) {
    using Traits = ElementTraits<decltype(tag)>;
    return Traits::toInt(Traits::fromInt(value));
  });
}

//===----------------------------------------------------------------------===//
// Construction
//===----------------------------------------------------------------------===//

HostTensor::HostTensor(Type element, llvm::ArrayRef<int64_t> shape)
    : element(element), shape(shape), count(*countElements(shape)), owned(true) {
  // 64-byte aligned, never null, so that views may be read with vector loads.
  size_t size = llvm::alignTo(std::max<int64_t>(getNumBytes(), 1), 64);
  char *memory = static_cast<char *>(std::aligned_alloc(64, size));
  if (!memory)
    llvm::report_bad_alloc_error("out of memory for a host tensor");
  std::memset(memory, 0, size);
  bytes = std::shared_ptr<char>(memory, [](char *p) { std::free(p); });
}

HostTensor HostTensor::borrow(Type element, llvm::ArrayRef<int64_t> shape, const char *data,
                              std::shared_ptr<const void> owner) {
  HostTensor result;
  result.element = element;
  result.shape.assign(shape.begin(), shape.end());
  result.count = *countElements(shape);
  // The const is given back by mutableData(), which copies borrowed memory.
  result.bytes = std::shared_ptr<char>(const_cast<char *>(data), [owner](char *) {});
  return result;
}

HostTensor HostTensor::splat(Type element, llvm::ArrayRef<int64_t> shape, double value) {
  HostTensor result(element, shape);
  dispatchElement(element, [&](auto tag) {
    using T = decltype(tag);
    T *out = reinterpret_cast<T *>(result.bytes.get());
    std::fill(out, out + result.count, ElementTraits<T>::fromDouble(value));
  });
  return result;
}

HostTensor HostTensor::fromDoubles(Type element, llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<double> values) {
  HostTensor result(element, shape);
  dispatchElement(element, [&](auto tag) {
    using T = decltype(tag);
    T *out = reinterpret_cast<T *>(result.bytes.get());
    for (int64_t i = 0; i < result.count; ++i)
      out[i] = ElementTraits<T>::fromDouble(values[i]);
  });
  return result;
}

HostTensor HostTensor::fromInts(Type element, llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> values) {
  HostTensor result(element, shape);
  dispatchElement(element, [&](auto tag) {
    using T = decltype(tag);
    T *out = reinterpret_cast<T *>(result.bytes.get());
    for (int64_t i = 0; i < result.count; ++i)
      out[i] = ElementTraits<T>::fromInt(values[i]);
  });
  return result;
}

//===----------------------------------------------------------------------===//
// Access
//===----------------------------------------------------------------------===//

int64_t HostTensor::getElementBytes() const { return graph::getElementBytes(element); }

char *HostTensor::mutableData() {
  if (!owned || bytes.use_count() > 1) {
    HostTensor copy(element, shape);
    std::memcpy(copy.bytes.get(), bytes.get(), getNumBytes());
    *this = std::move(copy);
  }
  return bytes.get();
}

double HostTensor::getDouble(int64_t index) const {
  return dispatchElement(element, [&](auto tag) {
    using T = decltype(tag);
    return ElementTraits<T>::toDouble(reinterpret_cast<const T *>(data())[index]);
  });
}

int64_t HostTensor::getInt(int64_t index) const {
  return dispatchElement(element, [&](auto tag) {
    using T = decltype(tag);
    return ElementTraits<T>::toInt(reinterpret_cast<const T *>(data())[index]);
  });
}

void HostTensor::setDouble(int64_t index, double value) {
  dispatchElement(element, [&](auto tag) {
    using T = decltype(tag);
    reinterpret_cast<T *>(mutableData())[index] = ElementTraits<T>::fromDouble(value);
  });
}

void HostTensor::setInt(int64_t index, int64_t value) {
  dispatchElement(element, [&](auto tag) {
    using T = decltype(tag);
    reinterpret_cast<T *>(mutableData())[index] = ElementTraits<T>::fromInt(value);
  });
}

std::vector<double> HostTensor::toDoubles() const {
  std::vector<double> result(count);
  dispatchElement(element, [&](auto tag) {
    using T = decltype(tag);
    const T *in = reinterpret_cast<const T *>(data());
    for (int64_t i = 0; i < count; ++i)
      result[i] = ElementTraits<T>::toDouble(in[i]);
  });
  return result;
}

std::vector<int64_t> HostTensor::toInts() const {
  std::vector<int64_t> result(count);
  dispatchElement(element, [&](auto tag) {
    using T = decltype(tag);
    const T *in = reinterpret_cast<const T *>(data());
    for (int64_t i = 0; i < count; ++i)
      result[i] = ElementTraits<T>::toInt(in[i]);
  });
  return result;
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

HostTensor HostTensor::reshape(llvm::ArrayRef<int64_t> newShape) const {
  assert(countElements(newShape) == count && "reshape keeps the number of elements");
  HostTensor result = *this;
  result.shape.assign(newShape.begin(), newShape.end());
  return result;
}

HostTensor HostTensor::bitcast(Type newElement) const {
  assert(graph::getElementBytes(newElement) == getElementBytes() && "bitcast keeps the element size");
  HostTensor result = *this;
  result.element = newElement;
  return result;
}

llvm::SmallVector<int64_t> HostTensor::getStrides() const {
  llvm::SmallVector<int64_t> strides(shape.size());
  int64_t stride = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= std::max<int64_t>(shape[i], 1);
  }
  return strides;
}

template <typename Word>
static void copyStrided(const Word *source, llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> strides,
                        Word *&out) {
  if (shape.empty()) {
    *out++ = *source;
    return;
  }
  int64_t extent = shape.front(), stride = strides.front();
  if (shape.size() > 1) {
    for (int64_t i = 0; i < extent; ++i)
      copyStrided(source + i * stride, shape.drop_front(), strides.drop_front(), out);
    return;
  }
  for (int64_t i = 0; i < extent; ++i)
    *out++ = source[i * stride];
}

HostTensor HostTensor::gatherStrided(llvm::ArrayRef<int64_t> newShape, llvm::ArrayRef<int64_t> strides,
                                     int64_t offset) const {
  HostTensor result(element, newShape);
  if (result.count == 0)
    return result;
  auto run = [&](auto word) {
    using Word = decltype(word);
    Word *out = reinterpret_cast<Word *>(result.bytes.get());
    copyStrided(reinterpret_cast<const Word *>(data()) + offset, newShape, strides, out);
  };
  switch (getElementBytes()) {
  case 1:
    run(uint8_t());
    break;
  case 2:
    run(uint16_t());
    break;
  case 4:
    run(uint32_t());
    break;
  default:
    run(uint64_t());
    break;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Whole tensors
//===----------------------------------------------------------------------===//

bool HostTensor::operator==(const HostTensor &other) const {
  if (element != other.element || shape != other.shape)
    return false;
  return !element || count == 0 || std::memcmp(data(), other.data(), getNumBytes()) == 0;
}

bool HostTensor::isSplat() const {
  size_t size = getElementBytes();
  for (int64_t i = 1; i < count; ++i)
    if (std::memcmp(data(), data() + i * size, size) != 0)
      return false;
  return count > 0;
}

std::string HostTensor::str(int64_t limit) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (int64_t extent : shape)
    os << extent << 'x';
  os << element;
  if (limit == 0)
    return text;
  os << '=';
  for (int64_t i = 0; i < std::min(count, limit); ++i) {
    os << (i ? "," : "");
    if (isFloat())
      os << llvm::format("%.9g", getDouble(i));
    else if (element.isUnsignedInteger())
      os << getUInt(i);
    else
      os << getInt(i);
  }
  if (count > limit)
    os << ",...";
  return text;
}
