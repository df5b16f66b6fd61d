//===- Npy.cpp - NumPy's .npy files ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Support/Npy.h"

#include "NpyHeader.h"
#include "dialects/Graph/ElementTypes.h"
#include "hgc/Support/Error.h"
#include "hgc/Support/OutputFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include <algorithm>
#include <cstring>

using namespace mlir;
using namespace hgc;

llvm::Expected<std::shared_ptr<llvm::MemoryBuffer>> hgc::openFile(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return makeError("cannot read '" + path + "': " + buffer.getError().message(),
                     "check the path; it is relative to the current folder or, for weights, to the model");
  return std::shared_ptr<llvm::MemoryBuffer>(std::move(*buffer));
}

static void swapElements(HostTensor &tensor) {
  size_t size = tensor.getElementBytes();
  char *data = tensor.mutableData();
  for (int64_t i = 0; i < tensor.getNumElements(); ++i)
    std::reverse(data + i * size, data + (i + 1) * size);
}

/// Bytes other than 0 and 1 are true in C but not in compiled code.
static void normalizeBools(HostTensor &tensor) {
  llvm::ArrayRef<char> bytes = tensor.getBytes();
  if (llvm::all_of(bytes, [](char c) { return c == 0 || c == 1; }))
    return;
  char *data = tensor.mutableData();
  for (int64_t i = 0; i < tensor.getNumElements(); ++i)
    data[i] = data[i] != 0;
}

static HostTensor fromFortranOrder(const HostTensor &tensor, llvm::ArrayRef<int64_t> shape) {
  llvm::SmallVector<int64_t> strides;
  int64_t stride = 1;
  for (int64_t extent : shape) {
    strides.push_back(stride);
    stride *= std::max<int64_t>(extent, 1);
  }
  return tensor.gatherStrided(shape, strides);
}

llvm::Expected<HostTensor> hgc::parseNpy(llvm::StringRef bytes, MLIRContext *context,
                                         std::shared_ptr<const void> owner) {
  llvm::Expected<NpyHeader> header = parseNpyHeader(bytes, context);
  if (!header)
    return header.takeError();
  size_t elementBytes = graph::getElementBytes(header->element);
  size_t needed = *countElements(header->shape) * elementBytes;
  llvm::StringRef data = bytes.drop_front(header->dataOffset);
  if (data.size() < needed)
    return makeError("truncated .npy file: the data has " + llvm::Twine(data.size()) + " bytes, the shape needs " +
                         llvm::Twine(needed),
                     "copy the file again");
  HostTensor tensor;
  if (owner && reinterpret_cast<uintptr_t>(data.data()) % elementBytes == 0) {
    tensor = HostTensor::borrow(header->element, header->shape, data.data(), owner);
  } else {
    tensor = HostTensor(header->element, header->shape);
    std::memcpy(tensor.mutableData(), data.data(), needed);
  }
  if (header->swapBytes && elementBytes > 1)
    swapElements(tensor);
  if (header->element.isInteger(1))
    normalizeBools(tensor);
  if (header->fortranOrder && header->shape.size() > 1)
    tensor = fromFortranOrder(tensor, header->shape);
  return tensor;
}

llvm::Expected<HostTensor> hgc::readNpy(llvm::StringRef path, MLIRContext *context) {
  llvm::Expected<std::shared_ptr<llvm::MemoryBuffer>> buffer = openFile(path);
  if (!buffer)
    return buffer.takeError();
  llvm::Expected<HostTensor> tensor = parseNpy((*buffer)->getBuffer(), context, *buffer);
  if (!tensor)
    return addContext("'" + path + "'", tensor.takeError());
  return tensor;
}

void hgc::printNpy(const HostTensor &tensor, llvm::raw_ostream &os) {
  std::string dict = "{'descr': '" + getNpyDescr(tensor.getElementType()) + "', 'fortran_order': False, 'shape': (";
  for (int64_t extent : tensor.getShape())
    dict += std::to_string(extent) + ",";
  dict += "), }";
  // A rank so high that version 1.0 cannot hold the shape does not occur.
  constexpr size_t kPreamble = 10;
  dict.append(63 - (kPreamble + dict.size()) % 64, ' ');
  dict += '\n';
  char length[2];
  llvm::support::endian::write16le(length, static_cast<uint16_t>(dict.size()));
  os << "\x93NUMPY" << '\x01' << '\x00' << llvm::StringRef(length, 2) << dict;
  os << llvm::StringRef(tensor.data(), tensor.getNumBytes());
}

llvm::Error hgc::writeNpy(llvm::StringRef path, const HostTensor &tensor) {
  llvm::Expected<std::unique_ptr<OutputFile>> out = OutputFile::create(path);
  if (!out)
    return out.takeError();
  printNpy(tensor, (*out)->os());
  return (*out)->keep();
}

llvm::Expected<HostTensor> hgc::convertLoaded(HostTensor tensor, Type expected) {
  Type found = tensor.getElementType();
  if (found == expected)
    return tensor;
  if (expected.isBF16() && found.isUnsignedInteger(16))
    return tensor.bitcast(expected);
  std::string text;
  llvm::raw_string_ostream(text) << "has element type " << found << ", expected " << expected;
  if (expected.isBF16())
    return makeError(text, "NumPy has no bfloat16: store the bits as uint16");
  return makeError(text, "convert the array with NumPy's astype before saving it");
}
