//===- MemoryLimits.cpp - bytes per device, as users write them -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Support/MemoryLimits.h"

#include "hgc/Support/Error.h"

#include "llvm/ADT/StringExtras.h"

using namespace hgc;

static constexpr llvm::StringLiteral kUnits[] = {"KiB", "MiB", "GiB"};
static constexpr llvm::StringLiteral kForm = "write --memory-limit gpu=64MiB,cpu=1GiB; 'gpu:1' is the second GPU";
/// More GPUs than any plan has; keeps tables of untrusted numbers small.
static constexpr unsigned kMostGpus = 64;

llvm::Expected<int64_t> hgc::parseBytes(llvm::StringRef text) {
  llvm::StringRef number = text;
  int64_t unit = 1;
  for (auto [i, name] : llvm::enumerate(kUnits))
    if (number.consume_back(name))
      unit = int64_t(1) << (10 * (i + 1));
  double value = 0;
  bool isWhole = number.find_first_not_of("0123456789") == llvm::StringRef::npos;
  bool isNumber =
      !number.empty() && number.find_first_not_of("0123456789.") == llvm::StringRef::npos && !number.getAsDouble(value);
  if (!isNumber || (unit == 1 && !isWhole))
    return makeError("'" + text + "' is not a number of bytes", "write 1048576, 1024KiB, 1MiB or 0.5GiB");
  int64_t whole = 0;
  if (isWhole && (number.getAsInteger(10, whole) || whole > INT64_MAX / unit))
    return makeError("'" + text + "' is more memory than any device has", "write a size such as 16GiB");
  if (!isWhole && value >= double(INT64_MAX / unit))
    return makeError("'" + text + "' is more memory than any device has", "write a size such as 16GiB");
  return isWhole ? whole * unit : static_cast<int64_t>(value * static_cast<double>(unit));
}

std::optional<int64_t> MemoryLimits::getGpu(unsigned number) const {
  return number < gpus.size() && gpus[number] ? gpus[number] : allGpus;
}

void MemoryLimits::setGpu(unsigned number, int64_t bytes) {
  if (gpus.size() <= number)
    gpus.resize(number + 1);
  gpus[number] = bytes;
}

std::string MemoryLimits::str() const {
  llvm::SmallVector<std::string> parts;
  if (cpu)
    parts.push_back("cpu=" + std::to_string(*cpu));
  if (allGpus)
    parts.push_back("gpu=" + std::to_string(*allGpus));
  for (auto [i, bytes] : llvm::enumerate(gpus))
    if (bytes)
      parts.push_back("gpu:" + std::to_string(i) + "=" + std::to_string(*bytes));
  return llvm::join(parts, ",");
}

llvm::Expected<MemoryLimits> MemoryLimits::parse(llvm::StringRef text) {
  MemoryLimits limits;
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, ',');
  for (llvm::StringRef part : parts) {
    auto [device, size] = part.trim().split('=');
    if (size.empty())
      return makeError("the memory limit '" + part.trim() + "' is not of the form DEVICE=SIZE", kForm);
    llvm::Expected<int64_t> bytes = parseBytes(size);
    if (!bytes)
      return bytes.takeError();
    unsigned number = 0;
    llvm::StringRef index = device;
    bool isNumbered = index.consume_front("gpu:") && !index.getAsInteger(10, number);
    if (isNumbered && number >= kMostGpus)
      return makeError("the memory limit names '" + device + "', no plan has that many GPUs", kForm);
    if (!isNumbered && device != "gpu" && device != "cpu")
      return makeError("the memory limit names '" + device + "', expected cpu, gpu or gpu:N", kForm);
    bool isSet = isNumbered        ? number < limits.gpus.size() && limits.gpus[number]
                 : device == "cpu" ? limits.cpu.has_value()
                                   : limits.allGpus.has_value();
    if (isSet)
      return makeError("the memory limit names '" + device + "' twice", "give each device one limit");
    if (isNumbered)
      limits.setGpu(number, *bytes);
    else
      (device == "cpu" ? limits.cpu : limits.allGpus) = *bytes;
  }
  return limits;
}
