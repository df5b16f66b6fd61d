//===- Npz.cpp - NumPy's .npz archives ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A .npz is a zip file of .npy files. The central directory at the end is the
// authority; local headers are used only to find where the data starts.
//===----------------------------------------------------------------------===//

#include "hgc/Support/Error.h"
#include "hgc/Support/Npy.h"
#include "hgc/Support/OutputFile.h"

#include "llvm/Support/Endian.h"
#include <zlib.h>

using namespace mlir;
using namespace hgc;
using llvm::support::endian::read16le;
using llvm::support::endian::read32le;
using llvm::support::endian::read64le;

static constexpr uint32_t kLocalMagic = 0x04034b50, kCentralMagic = 0x02014b50, kEndMagic = 0x06054b50;
static constexpr size_t kLocalBytes = 30, kCentralBytes = 46, kEndBytes = 22;
static constexpr uint16_t kStored = 0, kDeflated = 8;

static llvm::Error malformed(const llvm::Twine &what) {
  return makeError("malformed .npz file: " + what, "write it again with numpy.savez");
}

namespace {
struct ZipEntry {
  llvm::StringRef name;
  uint16_t method = 0;
  uint32_t crc = 0;
  uint64_t compressed = 0, size = 0, offset = 0;
};
} // namespace

/// Sizes above 4 GiB are all ones in the entry and follow in extra field 1.
static void readZip64(llvm::StringRef extra, ZipEntry &entry) {
  while (extra.size() >= 4) {
    uint16_t id = read16le(extra.data()), length = read16le(extra.data() + 2);
    llvm::StringRef body = extra.substr(4, length);
    extra = extra.drop_front(std::min<size_t>(extra.size(), 4 + size_t(length)));
    if (id != 1)
      continue;
    for (uint64_t *field : {&entry.size, &entry.compressed, &entry.offset})
      if (*field == UINT32_MAX && body.size() >= 8) {
        *field = read64le(body.data());
        body = body.drop_front(8);
      }
  }
}

static llvm::Expected<std::vector<ZipEntry>> readDirectory(llvm::StringRef bytes) {
  // A comment of up to 64 KiB may follow the end record.
  size_t end = llvm::StringRef::npos;
  for (size_t i = bytes.size() < kEndBytes ? 0 : bytes.size() - kEndBytes + 1, tries = 0; i-- > 0 && tries <= 65535;
       ++tries)
    if (read32le(bytes.data() + i) == kEndMagic) {
      end = i;
      break;
    }
  if (end == llvm::StringRef::npos)
    return malformed("no central directory (is the file truncated?)");
  uint64_t count = read16le(bytes.data() + end + 10), at = read32le(bytes.data() + end + 16);
  std::vector<ZipEntry> entries;
  for (uint64_t i = 0; i < count; ++i) {
    if (at > bytes.size() || bytes.size() - at < kCentralBytes || read32le(bytes.data() + at) != kCentralMagic)
      return malformed("entry " + llvm::Twine(i) + " of the central directory is broken");
    const char *p = bytes.data() + at;
    size_t nameBytes = read16le(p + 28), extraBytes = read16le(p + 30), commentBytes = read16le(p + 32);
    if (bytes.size() - at < kCentralBytes + nameBytes + extraBytes + commentBytes)
      return malformed("the central directory is truncated");
    if (read16le(p + 8) & 1)
      return malformed("it is encrypted");
    ZipEntry entry{bytes.substr(at + kCentralBytes, nameBytes),
                   read16le(p + 10),
                   read32le(p + 16),
                   read32le(p + 20),
                   read32le(p + 24),
                   read32le(p + 42)};
    readZip64(bytes.substr(at + kCentralBytes + nameBytes, extraBytes), entry);
    entries.push_back(entry);
    at += kCentralBytes + nameBytes + extraBytes + commentBytes;
  }
  return entries;
}

static llvm::Expected<std::string> inflateEntry(llvm::StringRef data, uint64_t size) {
  // Deflate cannot exceed 1032:1; a larger claim is a bomb or garbage.
  if (size / 1032 > data.size() + 1)
    return malformed("an entry claims " + llvm::Twine(size) + " bytes from " + llvm::Twine(data.size()));
  std::string out(size, '\0');
  z_stream stream = {};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
    return makeError("zlib cannot be initialised", "check the installation of zlib");
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(data.data()));
  stream.next_out = reinterpret_cast<Bytef *>(out.data());
  // zlib counts in 32 bits: feed and drain in pieces.
  uint64_t inLeft = data.size(), outLeft = size;
  int status = Z_OK;
  while (status == Z_OK) {
    uint64_t in = std::min<uint64_t>(inLeft, 1u << 30), space = std::min<uint64_t>(outLeft, 1u << 30);
    stream.avail_in = in;
    stream.avail_out = space;
    status = inflate(&stream, Z_NO_FLUSH);
    inLeft -= in - stream.avail_in;
    outLeft -= space - stream.avail_out;
  }
  inflateEnd(&stream);
  if (status != Z_STREAM_END || outLeft != 0)
    return malformed("compressed data is broken");
  return out;
}

static uint32_t checksum(llvm::StringRef data) {
  return crc32_z(0, reinterpret_cast<const Bytef *>(data.data()), data.size());
}

static llvm::Expected<HostTensor> readEntry(llvm::StringRef bytes, const ZipEntry &entry, MLIRContext *context) {
  if (entry.offset > bytes.size() || bytes.size() - entry.offset < kLocalBytes ||
      read32le(bytes.data() + entry.offset) != kLocalMagic)
    return malformed("entry '" + entry.name + "' has no local header");
  const char *p = bytes.data() + entry.offset;
  llvm::StringRef rest = bytes.drop_front(entry.offset + kLocalBytes);
  size_t skip = size_t(read16le(p + 26)) + read16le(p + 28);
  if (skip > rest.size() || entry.compressed > rest.size() - skip)
    return malformed("entry '" + entry.name + "' is truncated");
  llvm::StringRef data = rest.substr(skip, entry.compressed);
  std::string inflated;
  if (entry.method == kDeflated) {
    llvm::Expected<std::string> out = inflateEntry(data, entry.size);
    if (!out)
      return out.takeError();
    inflated = std::move(*out);
    data = inflated;
  } else if (entry.method != kStored) {
    return malformed("entry '" + entry.name + "' uses compression method " + llvm::Twine(entry.method));
  }
  if (checksum(data) != entry.crc)
    return malformed("entry '" + entry.name + "' fails its checksum");
  return parseNpy(data, context);
}

llvm::Expected<NamedTensors> hgc::parseNpz(llvm::StringRef bytes, MLIRContext *context) {
  llvm::Expected<std::vector<ZipEntry>> entries = readDirectory(bytes);
  if (!entries)
    return entries.takeError();
  NamedTensors result;
  for (const ZipEntry &entry : *entries) {
    llvm::StringRef name = entry.name;
    if (!name.consume_back(".npy"))
      continue;
    llvm::Expected<HostTensor> tensor = readEntry(bytes, entry, context);
    if (!tensor)
      return addContext("array '" + name + "'", tensor.takeError());
    result.emplace_back(name.str(), std::move(*tensor));
  }
  return result;
}

llvm::Expected<NamedTensors> hgc::readNpz(llvm::StringRef path, MLIRContext *context) {
  llvm::Expected<std::shared_ptr<llvm::MemoryBuffer>> buffer = openFile(path);
  if (!buffer)
    return buffer.takeError();
  llvm::Expected<NamedTensors> tensors = parseNpz((*buffer)->getBuffer(), context);
  if (!tensors)
    return addContext("'" + path + "'", tensors.takeError());
  return tensors;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static void put(std::string &out, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i)
    out += static_cast<char>(value >> (8 * i));
}

/// Fields that local and central headers share, from the version needed on.
static void putCommon(std::string &out, llvm::StringRef name, llvm::StringRef data) {
  put(out, 20, 2);
  put(out, 0x800, 2); // names are UTF-8
  put(out, kStored, 2);
  put(out, 0, 2);
  put(out, 0x21, 2); // 1980-01-01: the same tensors give the same file
  put(out, checksum(data), 4);
  put(out, data.size(), 4);
  put(out, data.size(), 4);
  put(out, name.size(), 2);
  put(out, 0, 2);
}

llvm::Error hgc::writeNpz(llvm::StringRef path, const NamedTensors &tensors) {
  llvm::Expected<std::unique_ptr<OutputFile>> out = OutputFile::create(path);
  if (!out)
    return out.takeError();
  std::string directory;
  uint64_t offset = 0;
  for (const auto &[key, tensor] : tensors) {
    std::string name = key + ".npy", data, header;
    llvm::raw_string_ostream stream(data);
    printNpy(tensor, stream);
    if (offset + data.size() > UINT32_MAX - 65536 || tensors.size() > UINT16_MAX)
      return makeError("cannot write '" + path + "': a .npz holds at most 4 GiB and 65535 arrays",
                       "write one .npy file per tensor");
    put(header, kLocalMagic, 4);
    putCommon(header, name, data);
    put(directory, kCentralMagic, 4);
    put(directory, 20, 2);
    putCommon(directory, name, data);
    directory.append(10, '\0'); // comment, disk and attributes
    put(directory, offset, 4);
    directory += name;
    (*out)->os() << header << name << data;
    offset += header.size() + name.size() + data.size();
  }
  std::string end;
  put(end, kEndMagic, 4);
  put(end, 0, 4);
  put(end, tensors.size(), 2);
  put(end, tensors.size(), 2);
  put(end, directory.size(), 4);
  put(end, offset, 4);
  put(end, 0, 2);
  (*out)->os() << directory << end;
  return (*out)->keep();
}
