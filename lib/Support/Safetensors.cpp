//===- Safetensors.cpp - files of named tensors ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layout: u64 header length, header (JSON), data. Every number of the header is
// checked before it is used; a hostile file costs an error, nothing else.
//===----------------------------------------------------------------------===//

#include "hgc/Support/Safetensors.h"

#include "dialects/Graph/ElementTypes.h"
#include "hgc/Support/Error.h"
#include "hgc/Support/Literal.h"
#include "hgc/Support/OutputFile.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cstring>

using namespace mlir;
using namespace hgc;

/// The format's own limit on its header.
static constexpr uint64_t kLargestHeader = 100 << 20;

static llvm::Error malformed(const llvm::Twine &what) {
  return makeError("malformed safetensors file: " + what, "write the file again, or copy it again if it is cut short");
}

static llvm::StringRef elementName(llvm::StringRef dtype) {
  return llvm::StringSwitch<llvm::StringRef>(dtype)
      .Case("F64", "f64")
      .Case("F32", "f32")
      .Case("F16", "f16")
      .Case("BF16", "bf16")
      .Case("BOOL", "i1")
      .Case("I8", "i8")
      .Case("I16", "i16")
      .Case("I32", "i32")
      .Case("I64", "i64")
      .Case("U8", "ui8")
      .Case("U16", "ui16")
      .Case("U32", "ui32")
      .Case("U64", "ui64")
      .Default("");
}

static std::string dtypeName(Type element) {
  if (element.isInteger(1))
    return "BOOL";
  if (element.isBF16())
    return "BF16";
  const char *kind = isa<FloatType>(element) ? "F" : element.isUnsignedInteger() ? "U" : "I";
  return kind + std::to_string(element.getIntOrFloatBitWidth());
}

/// The JSON parser recurses; a valid header nests three levels.
static bool nestsDeeply(llvm::StringRef json) {
  int depth = 0;
  bool inString = false;
  for (size_t i = 0; i < json.size(); ++i) {
    char c = json[i];
    if (inString) {
      i += c == '\\';
      inString = c != '"';
      continue;
    }
    inString = c == '"';
    depth += (c == '{' || c == '[') - (c == '}' || c == ']');
    if (depth > 16)
      return true;
  }
  return false;
}

namespace hgc {
/// Fills a SafetensorsFile from its header.
struct SafetensorsReader {
  SafetensorsFile &file;
  MLIRContext *context;
  uint64_t dataBytes;

  llvm::Error readEntry(llvm::StringRef name, const llvm::json::Object &object) {
    std::optional<llvm::StringRef> dtype = object.getString("dtype");
    const llvm::json::Array *shape = object.getArray("shape");
    const llvm::json::Array *offsets = object.getArray("data_offsets");
    if (!dtype || !shape || !offsets || offsets->size() != 2)
      return malformed("tensor '" + name + "' lacks dtype, shape or data_offsets");
    SafetensorsFile::Entry entry;
    entry.element = parseElementType(elementName(*dtype), context);
    if (!entry.element)
      return makeError("tensor '" + name + "' has dtype '" + *dtype + "', which is not an element type",
                       "convert it to F16, BF16, F32, F64, BOOL, I8..I64 or U8..U64");
    for (const llvm::json::Value &extent : *shape) {
      std::optional<int64_t> value = extent.getAsInteger();
      if (!value || *value < 0)
        return malformed("tensor '" + name + "' has an extent that is no natural number");
      entry.shape.push_back(*value);
    }
    std::optional<int64_t> begin = (*offsets)[0].getAsInteger(), end = (*offsets)[1].getAsInteger();
    if (!begin || !end || *begin < 0 || *end < *begin || static_cast<uint64_t>(*end) > dataBytes)
      return malformed("tensor '" + name + "' lies outside the file's " + llvm::Twine(dataBytes) + " bytes of data");
    int64_t elementBytes = graph::getElementBytes(entry.element);
    std::optional<int64_t> count = countElements(entry.shape, elementBytes);
    if (!count || *end - *begin != *count * elementBytes)
      return malformed("tensor '" + name + "' has " + llvm::Twine(*end - *begin) +
                       " bytes, which its shape and dtype do not need");
    entry.begin = *begin;
    entry.end = *end;
    file.entries[name] = std::move(entry);
    file.names.push_back(name.str());
    return llvm::Error::success();
  }

  llvm::Error checkOverlaps() {
    auto begin = [&](const std::string &name) { return file.entries.find(name)->second.begin; };
    auto end = [&](const std::string &name) { return file.entries.find(name)->second.end; };
    llvm::sort(file.names, [&](const std::string &a, const std::string &b) {
      return std::make_tuple(begin(a), end(a), llvm::StringRef(a)) <
             std::make_tuple(begin(b), end(b), llvm::StringRef(b));
    });
    for (size_t i = 1; i < file.names.size(); ++i)
      if (end(file.names[i - 1]) > begin(file.names[i]))
        return malformed("tensors '" + file.names[i - 1] + "' and '" + file.names[i] + "' overlap");
    return llvm::Error::success();
  }

  llvm::Error read(llvm::StringRef json) {
    if (nestsDeeply(json))
      return malformed("the header nests too deeply");
    llvm::Expected<llvm::json::Value> value = llvm::json::parse(json);
    if (!value)
      return malformed("the header is not JSON: " + llvm::toString(value.takeError()));
    const llvm::json::Object *object = value->getAsObject();
    if (!object)
      return malformed("the header is not a JSON object");
    for (const auto &[key, entry] : *object) {
      const llvm::json::Object *fields = entry.getAsObject();
      if (key == "__metadata__") {
        for (const auto &[name, text] : fields ? *fields : llvm::json::Object())
          file.metadata[name.str()] = text.getAsString().value_or("").str();
        continue;
      }
      if (!fields)
        return malformed("tensor '" + key.str() + "' is not a JSON object");
      if (llvm::Error error = readEntry(key, *fields))
        return error;
    }
    return checkOverlaps();
  }
};
} // namespace hgc

llvm::Expected<SafetensorsFile> SafetensorsFile::parse(std::shared_ptr<llvm::MemoryBuffer> buffer,
                                                       MLIRContext *context) {
  llvm::StringRef bytes = buffer->getBuffer();
  if (bytes.size() < 8)
    return malformed("it has only " + llvm::Twine(bytes.size()) + " bytes");
  uint64_t length = llvm::support::endian::read64le(bytes.data());
  if (length > kLargestHeader || length > bytes.size() - 8)
    return malformed("the header claims " + llvm::Twine(length) + " bytes, the file has " + llvm::Twine(bytes.size()));
  SafetensorsFile file;
  file.buffer = std::move(buffer);
  file.dataOffset = 8 + length;
  SafetensorsReader reader{file, context, bytes.size() - file.dataOffset};
  if (llvm::Error error = reader.read(bytes.substr(8, length)))
    return error;
  return file;
}

llvm::Expected<SafetensorsFile> SafetensorsFile::open(llvm::StringRef path, MLIRContext *context) {
  llvm::Expected<std::shared_ptr<llvm::MemoryBuffer>> buffer = openFile(path);
  if (!buffer)
    return buffer.takeError();
  llvm::Expected<SafetensorsFile> file = parse(std::move(*buffer), context);
  if (!file)
    return addContext("'" + path + "'", file.takeError());
  return file;
}

llvm::Expected<HostTensor> SafetensorsFile::get(llvm::StringRef name) const {
  auto it = entries.find(name);
  if (it == entries.end()) {
    std::string list;
    for (size_t i = 0; i < names.size() && i < 8; ++i)
      list += (i ? ", '" : " '") + names[i] + "'";
    return makeError("the file has no tensor '" + name + "'",
                     "it holds" + llvm::Twine(names.empty() ? " none" : list) + (names.size() > 8 ? ", ..." : ""));
  }
  const Entry &entry = it->second;
  const char *data = buffer->getBufferStart() + dataOffset + entry.begin;
  bool isBool = entry.element.isInteger(1);
  if (!isBool && reinterpret_cast<uintptr_t>(data) % graph::getElementBytes(entry.element) == 0)
    return HostTensor::borrow(entry.element, entry.shape, data, buffer);
  HostTensor copy(entry.element, entry.shape);
  char *out = copy.mutableData();
  for (uint64_t i = 0, size = entry.end - entry.begin; i < size; ++i)
    out[i] = isBool ? data[i] != 0 : data[i];
  return copy;
}

llvm::Error hgc::writeSafetensors(llvm::StringRef path, const NamedTensors &tensors,
                                  const SafetensorsOptions &options) {
  // The format demands that data follows data without holes. Wide elements come
  // first, so that all are aligned.
  std::vector<const NamedTensors::value_type *> order;
  for (const auto &entry : tensors)
    order.push_back(&entry);
  llvm::sort(order, [](const auto *a, const auto *b) {
    return std::make_pair(-a->second.getElementBytes(), a) < std::make_pair(-b->second.getElementBytes(), b);
  });
  std::string header;
  llvm::raw_string_ostream stream(header);
  llvm::json::OStream json(stream);
  int64_t offset = 0;
  json.object([&] {
    if (!options.metadata.empty())
      json.attributeObject("__metadata__", [&] {
        for (const auto &[name, text] : options.metadata)
          json.attribute(name, text);
      });
    for (const auto *entry : order) {
      const HostTensor &tensor = entry->second;
      json.attributeObject(entry->first, [&] {
        json.attribute("dtype", dtypeName(tensor.getElementType()));
        json.attributeArray("shape", [&] {
          for (int64_t extent : tensor.getShape())
            json.value(extent);
        });
        json.attributeArray("data_offsets", [&] {
          json.value(offset);
          json.value(offset + tensor.getNumBytes());
        });
      });
      offset += tensor.getNumBytes();
    }
  });
  header.append(llvm::offsetToAlignment(header.size(), llvm::Align(8)), ' ');
  llvm::Expected<std::unique_ptr<OutputFile>> out = OutputFile::create(path);
  if (!out)
    return out.takeError();
  char length[8];
  llvm::support::endian::write64le(length, header.size());
  (*out)->os() << llvm::StringRef(length, 8) << header;
  for (const auto *entry : order)
    (*out)->os() << llvm::StringRef(entry->second.data(), entry->second.getNumBytes());
  return (*out)->keep(options.durable);
}
