//===- Tensors.cpp - data in an ONNX model and beside it ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No memory is taken for a declared shape before data of that size is seen.
//===----------------------------------------------------------------------===//

#include "Tensors.h"
#include "Types.h"

#include "hgc/Support/Error.h"
#include "onnx.pb.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cstring>

using namespace mlir;
using namespace hgc;
using namespace hgc::onnx;
using ::onnx::TensorProto;

namespace {

llvm::Error makeSizeError(int64_t actual, StringRef unit, int64_t expected) {
  return makeError("the tensor has " + Twine(actual) + " " + unit + ", its shape needs " + Twine(expected),
                   "the file is damaged: export it again");
}

/// Data of an element type whose numbers are in the list `values`; `Stored` is the
/// form in memory.
template <typename Stored, typename List>
llvm::Expected<HostTensor> convert(Type element, ArrayRef<int64_t> shape, const List &values) {
  int64_t count = *countElements(shape);
  if (values.size() != count)
    return makeSizeError(values.size(), "elements", count);
  HostTensor result(element, shape);
  auto *out = reinterpret_cast<Stored *>(result.mutableData());
  for (int64_t i = 0; i < count; ++i)
    out[i] = static_cast<Stored>(values[i]);
  return result;
}

/// Data in the fields of its own type.
llvm::Expected<HostTensor> readFields(const TensorProto &tensor, Type element, ArrayRef<int64_t> shape) {
  switch (tensor.data_type()) {
  case TensorProto::FLOAT:
    return convert<float>(element, shape, tensor.float_data());
  case TensorProto::DOUBLE:
    return convert<double>(element, shape, tensor.double_data());
  case TensorProto::INT64:
    return convert<int64_t>(element, shape, tensor.int64_data());
  case TensorProto::UINT64:
    return convert<uint64_t>(element, shape, tensor.uint64_data());
  case TensorProto::UINT32:
    return convert<uint32_t>(element, shape, tensor.uint64_data());
  case TensorProto::INT32:
    return convert<int32_t>(element, shape, tensor.int32_data());
  case TensorProto::BOOL:
    return convert<bool>(element, shape, tensor.int32_data());
  case TensorProto::INT8:
  case TensorProto::UINT8:
    return convert<uint8_t>(element, shape, tensor.int32_data());
  default:
    // 16-bit integers, and floats as their bits.
    return convert<uint16_t>(element, shape, tensor.int32_data());
  }
}

/// Refers to `bytes` where they are aligned, else copies them.
HostTensor share(Type element, ArrayRef<int64_t> shape, StringRef bytes, const std::shared_ptr<const void> &owner) {
  int64_t size = HostTensor(element, {}).getElementBytes();
  if (reinterpret_cast<uintptr_t>(bytes.data()) % size == 0 && !element.isInteger(1))
    return HostTensor::borrow(element, shape, bytes.data(), owner);
  HostTensor copy(element, shape);
  std::memcpy(copy.mutableData(), bytes.data(), bytes.size());
  // Any byte but zero is true.
  if (element.isInteger(1))
    for (char *byte = copy.mutableData(), *end = byte + bytes.size(); byte != end; ++byte)
      *byte = *byte != 0;
  return copy;
}

} // namespace

void TensorReader::takeData(TensorProto &tensor) {
  if (tensor.has_raw_data())
    taken[&tensor] = std::shared_ptr<const std::string>(tensor.release_raw_data());
}

llvm::Expected<HostTensor> TensorReader::read(const TensorProto &tensor) {
  Type element = getElementType(tensor.data_type(), context);
  if (!element)
    return makeError("tensors of " + describeElementType(tensor.data_type()) + " are not supported",
                     "hgc has floats of 16 to 64 bits, integers of 8 to 64 bits and bool");
  if (tensor.has_segment())
    return makeError("tensors in segments are not supported", "store each tensor in one piece");
  SmallVector<int64_t> shape(tensor.dims().begin(), tensor.dims().end());
  std::optional<int64_t> count = countElements(shape, 8);
  if (!count)
    return makeError("the tensor has a negative or absurd shape", "the file is damaged: export it again");
  if (tensor.data_location() == TensorProto::EXTERNAL)
    return readExternal(tensor, element);
  std::shared_ptr<const std::string> own = taken.lookup(&tensor);
  if (!own && !tensor.has_raw_data())
    return readFields(tensor, element, shape);
  const std::string &bytes = own ? *own : tensor.raw_data();
  int64_t expected = *count * HostTensor(element, {}).getElementBytes();
  if (static_cast<int64_t>(bytes.size()) != expected)
    return makeSizeError(bytes.size(), "bytes", expected);
  return share(element, shape, bytes, own ? std::shared_ptr<const void>(own) : owner);
}

/// Opens a file in the model's folder, and nowhere else.
llvm::Expected<std::shared_ptr<llvm::MemoryBuffer>> TensorReader::open(StringRef location) {
  namespace path = llvm::sys::path;
  std::shared_ptr<llvm::MemoryBuffer> &file = files[location];
  if (file)
    return file;
  bool escapes = location.empty() || path::is_absolute(location) || location.contains('\0');
  for (auto it = path::begin(location); it != path::end(location); ++it)
    escapes |= *it == "..";
  SmallString<256> full(baseDir), folder, real;
  path::append(full, location);
  if (!escapes && !llvm::sys::fs::real_path(baseDir, folder) && !llvm::sys::fs::real_path(full, real)) {
    // A link may lead elsewhere.
    StringRef rest(real);
    escapes = !rest.consume_front(folder) || !(folder == "/" || rest.starts_with("/"));
  }
  if (escapes)
    return makeError("external data '" + location + "' is outside of the model's folder",
                     "put the file beside the model, under a relative path without '..'");
  auto buffer = llvm::MemoryBuffer::getFile(full, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return makeError("cannot read external data '" + location + "': " + buffer.getError().message(),
                     "keep the model's data files beside it");
  file = std::move(*buffer);
  return file;
}

llvm::Expected<HostTensor> TensorReader::readExternal(const TensorProto &tensor, Type element) {
  StringRef location;
  uint64_t offset = 0;
  std::optional<uint64_t> length;
  for (const auto &entry : tensor.external_data()) {
    StringRef value(entry.value());
    bool isBad = false;
    if (entry.key() == "location")
      location = value;
    else if (entry.key() == "offset")
      isBad = value.getAsInteger(10, offset);
    else if (entry.key() == "length")
      isBad = value.getAsInteger(10, length.emplace());
    if (isBad)
      return makeError("external data has the " + Twine(entry.key()) + " '" + value + "'",
                       "expected a number of bytes");
  }
  llvm::Expected<std::shared_ptr<llvm::MemoryBuffer>> file = open(location);
  if (!file)
    return file.takeError();
  StringRef bytes = (*file)->getBuffer();
  SmallVector<int64_t> shape(tensor.dims().begin(), tensor.dims().end());
  uint64_t expected = *countElements(shape) * HostTensor(element, {}).getElementBytes();
  if (length && *length != expected)
    return makeSizeError(*length, "bytes", expected);
  if (offset > bytes.size() || expected > bytes.size() - offset)
    return makeError("external data '" + location + "' ends before the tensor does: it has " + Twine(bytes.size()) +
                         " bytes, the tensor is at " + Twine(offset) + " and has " + Twine(expected),
                     "the file is cut off or belongs to another model");
  return share(element, shape, bytes.substr(offset, expected), *file);
}
