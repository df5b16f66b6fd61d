//===- Idx.cpp - the format of the MNIST files ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Data/Arrays.h"
#include "hgc/Support/Error.h"

#include "llvm/Support/Endian.h"
#include <algorithm>
#include <cstring>

using namespace hgc;

static mlir::Type elementOf(uint8_t code, mlir::MLIRContext *context) {
  mlir::Builder b(context);
  switch (code) {
  case 0x08:
    return b.getIntegerType(8, /*isSigned=*/false);
  case 0x09:
    return b.getI8Type();
  case 0x0B:
    return b.getI16Type();
  case 0x0C:
    return b.getI32Type();
  case 0x0D:
    return b.getF32Type();
  case 0x0E:
    return b.getF64Type();
  default:
    return {};
  }
}

bool hgc::isIdx(llvm::StringRef bytes) {
  return bytes.size() >= 4 && bytes[0] == 0 && bytes[1] == 0 && bytes[2] >= 8 && bytes[2] <= 0x0E && bytes[3] > 0;
}

llvm::Expected<HostTensor> hgc::parseIdx(const OwnedBytes &file, mlir::MLIRContext *context) {
  llvm::StringRef bytes = file.bytes;
  auto malformed = [](const llvm::Twine &what) {
    return makeError("malformed IDX file: " + what, "copy or download it again");
  };
  if (!isIdx(bytes))
    return malformed("it does not start with two zero bytes, an element type and a rank");
  mlir::Type element = elementOf(bytes[2], context);
  if (!element)
    return malformed("element type " + llvm::Twine(unsigned(bytes[2])) + " does not exist");
  size_t rank = static_cast<uint8_t>(bytes[3]), start = 4 + 4 * rank;
  if (bytes.size() < start)
    return malformed("its header is cut short");
  llvm::SmallVector<int64_t> shape;
  for (size_t i = 0; i < rank; ++i)
    shape.push_back(llvm::support::endian::read32be(bytes.data() + 4 + 4 * i));
  size_t elementBytes = element.getIntOrFloatBitWidth() / 8;
  std::optional<int64_t> count = countElements(shape, elementBytes);
  if (!count)
    return malformed("its extents are absurd");
  size_t needed = *count * elementBytes;
  llvm::StringRef data = bytes.drop_front(start);
  if (data.size() != needed)
    return malformed("its shape needs " + llvm::Twine(needed) + " bytes of data, it has " + llvm::Twine(data.size()));
  if (elementBytes == 1)
    return HostTensor::borrow(element, shape, data.data(), file.owner);
  HostTensor tensor(element, shape);
  char *out = tensor.mutableData();
  std::memcpy(out, data.data(), needed);
  for (size_t i = 0; i < needed; i += elementBytes)
    std::reverse(out + i, out + i + elementBytes);
  return tensor;
}
