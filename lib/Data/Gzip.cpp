//===- Gzip.cpp - files that may be compressed ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Data/Arrays.h"
#include "hgc/Support/Error.h"

#include <zlib.h>

using namespace hgc;

/// What zlib takes and gives at once; it counts in 32 bits.
static constexpr size_t kPiece = size_t(1) << 26;

namespace {

/// Decompresses all members of a gzip file.
class Inflater {
public:
  ~Inflater() { inflateEnd(&stream); }

  llvm::Error run(llvm::StringRef in, std::string &out) {
    if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK)
      return makeError("zlib cannot be initialised", "check the installation of zlib");
    size_t used = 0;
    while (true) {
      int status = step(in, used, out);
      bool isEnd = status == Z_STREAM_END;
      if (isEnd && used == in.size())
        return llvm::Error::success();
      if (isEnd)
        inflateReset(&stream); // another member follows
      else if (status == Z_BUF_ERROR || (status == Z_OK && used == in.size() && !isFull))
        return makeError("the gzip file is cut short: its " + llvm::Twine(in.size()) + " bytes end after " +
                             llvm::Twine(out.size()) + " decompressed ones",
                         "copy or download it again");
      else if (status != Z_OK)
        return makeError("the gzip file is damaged: " + llvm::Twine(stream.msg ? stream.msg : "wrong data"),
                         "copy or download it again");
    }
  }

private:
  int step(llvm::StringRef in, size_t &used, std::string &out) {
    size_t done = out.size(), room = std::min(kPiece, std::max<size_t>(in.size(), 4096));
    out.resize(done + room);
    stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(in.data() + used));
    stream.avail_in = std::min(kPiece, in.size() - used);
    stream.next_out = reinterpret_cast<Bytef *>(out.data() + done);
    stream.avail_out = room;
    size_t given = stream.avail_in;
    int status = inflate(&stream, Z_NO_FLUSH);
    used += given - stream.avail_in;
    isFull = stream.avail_out == 0;
    out.resize(done + room - stream.avail_out);
    return status;
  }

  z_stream stream = {};
  bool isFull = false;
};

} // namespace

llvm::Expected<OwnedBytes> hgc::readPlainBytes(llvm::StringRef path) {
  llvm::Expected<std::shared_ptr<llvm::MemoryBuffer>> file = openFile(path);
  if (!file)
    return file.takeError();
  llvm::StringRef bytes = (*file)->getBuffer();
  if (!bytes.starts_with("\x1f\x8b"))
    return OwnedBytes{bytes, *file};
  auto plain = std::make_shared<std::string>();
  if (llvm::Error error = Inflater().run(bytes, *plain))
    return addContext("'" + path + "'", std::move(error));
  return OwnedBytes{*plain, plain};
}
