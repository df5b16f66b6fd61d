//===- Png.cpp - pixels as a PNG file -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Data/Picture.h"

#include "llvm/Support/Endian.h"
#include <zlib.h>

using namespace hgc;

static std::string bigEndian(uint32_t value) {
  char bytes[4];
  llvm::support::endian::write32be(bytes, value);
  return std::string(bytes, 4);
}

static std::string chunk(llvm::StringRef kind, llvm::StringRef data) {
  std::string body = (kind + data).str();
  return bigEndian(data.size()) + body +
         bigEndian(crc32_z(0, reinterpret_cast<const Bytef *>(body.data()), body.size()));
}

std::string hgc::encodePng(int width, int height, llvm::ArrayRef<uint8_t> pixels) {
  std::string rows;
  for (int y = 0; y < height; ++y) {
    rows += '\0'; // no filter
    rows.append(reinterpret_cast<const char *>(pixels.data()) + size_t(y) * width * 3, size_t(width) * 3);
  }
  uLongf size = compressBound(rows.size());
  std::string packed(size, '\0');
  compress2(reinterpret_cast<Bytef *>(packed.data()), &size, reinterpret_cast<const Bytef *>(rows.data()), rows.size(),
            Z_BEST_COMPRESSION);
  packed.resize(size);
  // 8 bits a channel, colour without alpha, not interlaced.
  std::string header = bigEndian(width) + bigEndian(height) + std::string("\x08\x02\0\0\0", 5);
  return "\x89PNG\r\n\x1a\n" + chunk("IHDR", header) + chunk("IDAT", packed) + chunk("IEND", "");
}
