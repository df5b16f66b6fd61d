//===- TestFiles.h - files and errors in tests ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_UNITTESTS_SUPPORT_TESTFILES_H
#define HGC_UNITTESTS_SUPPORT_TESTFILES_H

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <string>

namespace hgc {

/// A folder that goes away with the test.
struct TestFolder {
  llvm::SmallString<128> path;

  TestFolder() { EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("hgc-unittest", path)); }
  ~TestFolder() { (void)llvm::sys::fs::remove_directories(path); }

  std::string file(llvm::StringRef name) const {
    llvm::SmallString<128> full(path);
    llvm::sys::path::append(full, name);
    return full.str().str();
  }
  std::string write(llvm::StringRef name, llvm::StringRef contents) const {
    std::error_code ec;
    llvm::raw_fd_ostream os(file(name), ec);
    EXPECT_FALSE(ec);
    os << contents;
    return file(name);
  }
  static std::string read(llvm::StringRef path) {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    return buffer ? (*buffer)->getBuffer().str() : std::string("<cannot read>");
  }
  int countFiles() const {
    std::error_code ec;
    int count = 0;
    for (llvm::sys::fs::directory_iterator it(path, ec), end; it != end && !ec; it.increment(ec))
      ++count;
    return count;
  }
};

/// Text of an error, or "" for success.
template <typename T> std::string errorOf(llvm::Expected<T> value) {
  return value ? std::string() : llvm::toString(value.takeError());
}
inline std::string errorOf(llvm::Error error) { return llvm::toString(std::move(error)); }

/// Expects that `text` has `part` in it and, on another line, a hint.
inline void expectError(const std::string &text, llvm::StringRef part) {
  EXPECT_NE(text.find(part.str()), std::string::npos) << "got: " << text << "\nwant: " << part.str();
  EXPECT_NE(text.find("\nhint: "), std::string::npos) << "no hint in: " << text;
}

} // namespace hgc

#endif // HGC_UNITTESTS_SUPPORT_TESTFILES_H
