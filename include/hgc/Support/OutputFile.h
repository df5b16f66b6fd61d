//===- OutputFile.h - files that appear complete or not at all --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_SUPPORT_OUTPUTFILE_H
#define HGC_SUPPORT_OUTPUTFILE_H

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>
#include <optional>
#include <string>

namespace hgc {

/// Writes to a temporary file beside the destination and renames it on keep();
/// destroyed before that, it leaves no trace. `-` is standard output, and what
/// exists but is no regular file (a device, a pipe) is written in place.
class OutputFile {
public:
  static llvm::Expected<std::unique_ptr<OutputFile>> create(llvm::StringRef path, bool executable = false);
  ~OutputFile();

  llvm::raw_pwrite_stream &os() { return *stream; }

  /// Flushes and moves the file to its name. Reports write errors. A durable
  /// file is on the disk before it replaces an older one.
  llvm::Error keep(bool durable = false);

private:
  OutputFile() = default;

  /// What the user asked for, and what that name resolves to.
  std::string name, target;
  std::optional<llvm::sys::fs::TempFile> temp;
  std::unique_ptr<llvm::raw_fd_ostream> file;
  /// Holds everything that goes to a destination that cannot seek.
  llvm::SmallString<0> contents;
  std::unique_ptr<llvm::raw_svector_ostream> buffer;
  llvm::raw_pwrite_stream *stream = nullptr;
};

/// Writes `contents` to `path` through an OutputFile.
llvm::Error writeFile(llvm::StringRef path, llvm::StringRef contents, bool executable = false);

} // namespace hgc

#endif // HGC_SUPPORT_OUTPUTFILE_H
