//===- OutputFile.cpp - files that appear complete or not at all ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Support/OutputFile.h"

#include "hgc/Support/Error.h"

#include "llvm/Support/Path.h"
#include <fcntl.h>
#include <unistd.h>

using namespace hgc;
namespace fs = llvm::sys::fs;

static llvm::Error cannotWrite(llvm::StringRef path, llvm::StringRef why) {
  return makeError("cannot write '" + path + "': " + why, "check that the folder exists and that you may write to it");
}

llvm::Expected<std::unique_ptr<OutputFile>> OutputFile::create(llvm::StringRef path, bool executable) {
  std::unique_ptr<OutputFile> out(new OutputFile);
  out->name = out->target = path.str();
  bool isStdout = path == "-";
  fs::file_status status;
  bool exists = !isStdout && !fs::status(path, status) && fs::exists(status);
  if (exists && fs::is_directory(status))
    return cannotWrite(path, "it is a directory");
  if (isStdout || (exists && !fs::is_regular_file(status))) {
    std::error_code ec;
    out->file = std::make_unique<llvm::raw_fd_ostream>(path, ec);
    if (ec)
      return cannotWrite(path, ec.message());
    out->buffer = std::make_unique<llvm::raw_svector_ostream>(out->contents);
    out->stream = out->buffer.get();
    return out;
  }
  // A rename over a symbolic link would replace the link, not its target.
  llvm::SmallString<256> real;
  if (exists && !fs::real_path(path, real))
    out->target = real.str().str();
  unsigned mode = fs::all_read | fs::all_write | (executable ? fs::all_exe : 0);
  llvm::Expected<fs::TempFile> temp = fs::TempFile::create(out->target + ".tmp%%%%%%", mode);
  if (!temp)
    return cannotWrite(path, llvm::toString(temp.takeError()));
  out->temp.emplace(std::move(*temp));
  out->file = std::make_unique<llvm::raw_fd_ostream>(out->temp->FD, /*shouldClose=*/false);
  out->stream = out->file.get();
  return out;
}

OutputFile::~OutputFile() {
  if (file) {
    file->flush();
    file->clear_error();
  }
  file.reset();
  if (temp)
    llvm::consumeError(temp->discard());
}

/// Brings what a file or folder holds to the disk.
static std::error_code syncPath(llvm::StringRef path) {
  int file = ::open(path.str().c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return std::error_code(errno, std::generic_category());
  std::error_code error;
  // Some file systems cannot do it for folders.
  if (::fsync(file) && errno != EINVAL)
    error = std::error_code(errno, std::generic_category());
  ::close(file);
  return error;
}

llvm::Error OutputFile::keep(bool durable) {
  if (buffer)
    *file << contents;
  file->flush();
  if (std::error_code ec = file->error()) {
    file->clear_error();
    return cannotWrite(name, ec.message());
  }
  file.reset();
  if (!temp)
    return llvm::Error::success();
  if (durable)
    if (std::error_code ec = syncPath(temp->TmpName))
      return cannotWrite(name, ec.message());
  llvm::Error renamed = temp->keep(target);
  temp.reset();
  if (renamed)
    return cannotWrite(name, llvm::toString(std::move(renamed)));
  llvm::StringRef folder = llvm::sys::path::parent_path(target);
  if (durable)
    if (std::error_code ec = syncPath(folder.empty() ? "." : folder))
      return cannotWrite(name, ec.message());
  return llvm::Error::success();
}

llvm::Error hgc::writeFile(llvm::StringRef path, llvm::StringRef contents, bool executable) {
  llvm::Expected<std::unique_ptr<OutputFile>> out = OutputFile::create(path, executable);
  if (!out)
    return out.takeError();
  (*out)->os() << contents;
  return (*out)->keep();
}
