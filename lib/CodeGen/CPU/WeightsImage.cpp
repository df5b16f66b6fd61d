//===- WeightsImage.cpp - the bytes of all blobs, never copied ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/WeightsImage.h"

#include "dialects/Graph/ElementTypes.h"
#include "hgc/CodeGen/CPU/ModelInfo.h"
#include "runtime/include/hgc_rt.h"
#include "runtime/include/hgc_rt_hash.h"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

/// Data of the external file starts at a page, so that it can be mapped.
static constexpr int64_t kPage = 4096;
static constexpr size_t kPiece = 1 << 20;

/// Raw bytes of a value that has them in one piece; empty for splats and i1.
static std::optional<ArrayRef<char>> getContiguous(Attribute value) {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    return blob ? blob->getData() : ArrayRef<char>();
  }
  auto dense = cast<DenseElementsAttr>(value);
  if (dense.isSplat() || dense.getElementType().isInteger(1))
    return std::nullopt;
  return dense.getRawData();
}

/// Byte image of one element of a dense value.
static SmallVector<char, 8> getElementBytes(APInt bits, int64_t size) {
  bits = bits.zextOrTrunc(size * 8);
  SmallVector<char, 8> bytes;
  for (int64_t i = 0; i < size; ++i)
    bytes.push_back(static_cast<char>(bits.extractBitsAsZExtValue(8, i * 8)));
  return bytes;
}

//===----------------------------------------------------------------------===//
// Layout
//===----------------------------------------------------------------------===//

LogicalResult WeightsImage::add(exec::BlobOp blob, int64_t offset) {
  auto fail = [&](const Twine &what, const Twine &hint) {
    InFlightDiagnostic diag = blob.emitOpError(what);
    diag.attachNote() << "hint: " << hint;
    return diag;
  };
  Attribute value = blob.getValue();
  if (!isa<DenseElementsAttr, DenseResourceElementsAttr>(value))
    return fail("has a value that is not data", "load files and draw initial values before hgc-emit-model");
  int64_t bytes = blob.getByteSize();
  std::optional<ArrayRef<char>> data = getContiguous(value);
  if (data && static_cast<int64_t>(data->size()) != bytes)
    return fail("has " + Twine(data->size()) + " bytes of data, expected " + Twine(bytes),
                "give the resource the size of its type");
  if (offset < size && bytes > 0)
    return fail("lies at offset " + Twine(offset) + ", where another blob ends at " + Twine(size),
                "run hgc-plan-memory again");
  std::string tensor = blob.getParameter().value_or(blob.getSymName()).str() + (blob.getPacked() ? ".packed" : "");
  while (llvm::any_of(chunks, [&](const Chunk &chunk) { return chunk.tensor == tensor; }))
    tensor += "_";
  chunks.push_back({tensor, blob.getBufferType(), value, offset, bytes});
  // The image ends with its last byte, wherever an empty blob is said to lie.
  if (bytes > 0)
    size = offset + bytes;
  return success();
}

FailureOr<WeightsImage> WeightsImage::create(ModuleOp module) {
  WeightsImage image;
  SmallVector<std::pair<int64_t, exec::BlobOp>> places;
  for (exec::BlobOp blob : module.getOps<exec::BlobOp>()) {
    if (blob.getDeviceOnly())
      continue;
    if (!blob.getOffset()) {
      InFlightDiagnostic diag = blob.emitOpError("has no offset");
      diag.attachNote() << "hint: run hgc-plan-memory first";
      return diag;
    }
    // A mutable blob whose initial value is zero has no bytes in the weights.
    if (std::optional<int64_t> place = blob.getIsMutable() ? blob.getInitOffset() : blob.getOffset())
      places.push_back({*place, blob});
  }
  // Only empty blobs share an offset.
  llvm::sort(places, [](auto &a, auto &b) {
    return std::pair(a.first, a.second.getSymName()) < std::pair(b.first, b.second.getSymName());
  });
  for (auto [offset, blob] : places)
    if (failed(image.add(blob, offset)))
      return failure();
  return image;
}

//===----------------------------------------------------------------------===//
// Contents
//===----------------------------------------------------------------------===//

using Sink = llvm::function_ref<void(ArrayRef<char>)>;

static void streamRepeated(ArrayRef<char> element, int64_t bytes, Sink sink) {
  std::vector<char> piece;
  size_t most = std::min<size_t>(bytes, kPiece / element.size() * element.size());
  while (piece.size() < most)
    piece.insert(piece.end(), element.begin(), element.end());
  for (int64_t left = bytes; left > 0; left -= piece.size()) {
    piece.resize(std::min<size_t>(piece.size(), left));
    sink(piece);
  }
}

static void streamValue(Attribute value, int64_t bytes, Sink sink) {
  if (std::optional<ArrayRef<char>> data = getContiguous(value)) {
    for (ArrayRef<char> rest = *data; !rest.empty(); rest = rest.drop_front(std::min(rest.size(), kPiece)))
      sink(rest.take_front(kPiece));
    return;
  }
  auto dense = cast<DenseElementsAttr>(value);
  int64_t width = graph::getElementBytes(dense.getElementType());
  if (dense.isSplat()) {
    APInt bits = isa<FloatType>(dense.getElementType()) ? dense.getSplatValue<APFloat>().bitcastToAPInt()
                                                        : dense.getSplatValue<APInt>();
    streamRepeated(getElementBytes(bits, width), bytes, sink);
    return;
  }
  // Bits are packed in the attribute; in memory each takes a byte.
  std::vector<char> flags;
  for (bool flag : dense.getValues<bool>())
    flags.push_back(flag);
  sink(flags);
}

void WeightsImage::stream(Sink sink) const {
  const char zero = 0;
  int64_t position = 0;
  for (const Chunk &chunk : chunks) {
    if (chunk.bytes == 0)
      continue;
    if (chunk.offset > position)
      streamRepeated(zero, chunk.offset - position, sink);
    streamValue(chunk.value, chunk.bytes, sink);
    position = chunk.offset + chunk.bytes;
  }
}

//===----------------------------------------------------------------------===//
// File beside the library
//===----------------------------------------------------------------------===//

std::string WeightsImage::getFileName(StringRef modelName) { return CNames().take(modelName) + ".weights.safetensors"; }

static StringRef getSafetensorsType(Type element) {
  switch (getRuntimeDtype(element)) {
  case HGC_RT_F32:
    return "F32";
  case HGC_RT_F64:
    return "F64";
  case HGC_RT_F16:
    return "F16";
  case HGC_RT_BF16:
    return "BF16";
  case HGC_RT_BOOL:
    return "BOOL";
  case HGC_RT_I8:
    return "I8";
  case HGC_RT_I16:
    return "I16";
  case HGC_RT_I32:
    return "I32";
  case HGC_RT_I64:
    return "I64";
  case HGC_RT_U16:
    return "U16";
  case HGC_RT_U32:
    return "U32";
  case HGC_RT_U64:
    return "U64";
  default:
    return "U8";
  }
}

static void writeTensor(llvm::json::OStream &json, StringRef name, StringRef type, ArrayRef<int64_t> shape,
                        int64_t begin, int64_t end) {
  json.attributeObject(name, [&] {
    json.attribute("dtype", type);
    json.attributeArray("shape", [&] {
      for (int64_t extent : shape)
        json.value(extent);
    });
    json.attributeArray("data_offsets", [&] {
      json.value(begin);
      json.value(end);
    });
  });
}

WeightsFileInfo WeightsImage::describeFile() const {
  WeightsFileInfo info;
  StreamHash hash(size);
  stream([&](ArrayRef<char> piece) { hash.update(piece); });
  info.dataHash = hash.finish();

  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::json::OStream json(stream);
  json.object([&] {
    json.attributeObject("__metadata__", [&] { json.attribute("hgc_hash", llvm::utohexstr(info.dataHash)); });
    int64_t position = 0;
    for (const Chunk &chunk : chunks) {
      // The format allows no holes: gaps of the alignment are tensors, too.
      if (chunk.offset > position && chunk.bytes > 0) {
        int64_t gap = chunk.offset - position;
        writeTensor(json, "__gap__." + std::to_string(position), "U8", gap, position, chunk.offset);
        position = chunk.offset;
      }
      int64_t begin = chunk.bytes > 0 ? chunk.offset : position;
      writeTensor(json, chunk.tensor, getSafetensorsType(chunk.type.getElementType()), chunk.type.getShape(), begin,
                  begin + chunk.bytes);
      position = begin + chunk.bytes;
    }
  });
  text.resize(llvm::alignTo(text.size() + sizeof(uint64_t), kPage) - sizeof(uint64_t), ' ');
  char length[sizeof(uint64_t)];
  llvm::support::endian::write64le(length, text.size());
  info.header.assign(length, sizeof(length));
  info.header += text;
  info.headerHash = hgc_rt_hash64(info.header.data(), info.header.size());
  return info;
}

//===----------------------------------------------------------------------===//
// StreamHash
//===----------------------------------------------------------------------===//

StreamHash::StreamHash(uint64_t totalBytes)
    : lanes{UINT64_C(0x243F6A8885A308D3), UINT64_C(0x13198A2E03707344), UINT64_C(0xA4093822299F31D0),
            UINT64_C(0x082EFA98EC4E6C89)},
      total(totalBytes) {}

void StreamHash::update(ArrayRef<char> data) {
  auto *bytes = reinterpret_cast<const unsigned char *>(data.data());
  size_t left = data.size();
  while (left > 0) {
    size_t count = std::min(left, sizeof(pending) - pendingBytes);
    memcpy(pending + pendingBytes, bytes, count);
    pendingBytes += count;
    bytes += count;
    left -= count;
    if (pendingBytes < sizeof(pending))
      return;
    for (unsigned lane = 0; lane < 4; ++lane)
      lanes[lane] = hgc_rt_hash_mix(lanes[lane], hgc_rt_hash_word(pending + 8 * lane, 8));
    pendingBytes = 0;
  }
}

uint64_t StreamHash::finish() {
  unsigned lane = 0;
  for (size_t at = 0; at < pendingBytes; at += 8, ++lane)
    lanes[lane] = hgc_rt_hash_mix(lanes[lane], hgc_rt_hash_word(pending + at, std::min<size_t>(8, pendingBytes - at)));
  uint64_t hash = total;
  for (uint64_t value : lanes)
    hash = hgc_rt_hash_mix(hash, value);
  return hash;
}
