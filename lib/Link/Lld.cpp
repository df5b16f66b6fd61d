//===- Lld.cpp - the linker, in process -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include "lld/Common/Driver.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <cstdlib>
#include <mutex>
#include <sys/stat.h>
#include <unistd.h>

LLD_HAS_DRIVER(elf)

using namespace hgc;
using namespace hgc::link;
using llvm::StringRef;

llvm::Error link::makeError(const llvm::Twine &what, const llvm::Twine &hint) {
  return llvm::createStringError(what + "\nhint: " + hint);
}

//===----------------------------------------------------------------------===//
// ScratchFolder
//===----------------------------------------------------------------------===//

llvm::Expected<ScratchFolder> ScratchFolder::create(StringRef output) {
  llvm::SmallString<256> path(llvm::sys::path::parent_path(output));
  if (path.empty())
    path = ".";
  if (!llvm::sys::fs::is_directory(path))
    return makeError("cannot write '" + output + "': its folder does not exist",
                     "create '" + path + "' first, or name another output");
  llvm::sys::path::append(path, ".hgc-XXXXXX");
  std::string folder = path.str().str();
  if (!mkdtemp(folder.data())) {
    std::error_code error(errno, std::generic_category());
    return makeError("cannot write '" + output + "': " + error.message(),
                     "choose a folder you may write to and that has space left");
  }
  ScratchFolder scratch;
  scratch.folder = std::move(folder);
  return scratch;
}

ScratchFolder::~ScratchFolder() {
  if (!folder.empty())
    llvm::sys::fs::remove_directories(folder, /*IgnoreErrors=*/true);
}

llvm::Error ScratchFolder::write(StringRef name, StringRef contents) const {
  std::error_code error;
  llvm::raw_fd_ostream out(path(name), error);
  if (!error) {
    out << contents;
    out.close();
    error = out.error();
    out.clear_error();
  }
  if (!error)
    return llvm::Error::success();
  return makeError("cannot write '" + path(name) + "': " + error.message(), "check the free space of that file system");
}

void ScratchFolder::writeAtOnce(StringRef name) const {
  // Small ones have no huge pages; very large ones may not fit in memory.
  constexpr uint64_t least = 4 << 20, most = uint64_t(2) << 30;
  std::string file = path(name), copy = (name + ".copy").str();
  uint64_t size = 0;
  if (llvm::sys::fs::file_size(file, size) || size < least || size > most)
    return;
  // Read, not mapped: pages that are not there yet would cut the write into pieces.
  auto buffer =
      llvm::MemoryBuffer::getFile(file, /*IsText=*/false, /*RequiresNullTerminator=*/true, /*IsVolatile=*/true);
  llvm::ErrorOr<llvm::sys::fs::perms> mode = llvm::sys::fs::getPermissions(file);
  if (!buffer || !mode)
    return;
  llvm::Error error = write(copy, (*buffer)->getBuffer());
  // What there is will do.
  if (error || llvm::sys::fs::setPermissions(path(copy), *mode))
    llvm::consumeError(std::move(error));
  else
    llvm::consumeError(publish(copy, file));
}

llvm::Error ScratchFolder::publish(StringRef name, StringRef output) const {
  if (std::error_code error = llvm::sys::fs::rename(path(name), output))
    return makeError("cannot write '" + output + "': " + error.message(),
                     "remove what is there, or name another output");
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// lld
//===----------------------------------------------------------------------===//

llvm::Error link::runLinker(llvm::ArrayRef<std::string> arguments) {
  // lld keeps its state in globals.
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  static bool isUsable = true;
  if (!isUsable)
    return makeError("the linker crashed before and cannot run again", "restart hgc");
  std::vector<const char *> pointers = {"ld.lld"};
  for (const std::string &argument : arguments)
    pointers.push_back(argument.c_str());
  std::string output, messages;
  llvm::raw_string_ostream outputStream(output), messageStream(messages);
  // Otherwise a fatal error of lld would end the process without a message.
  llvm::CrashRecoveryContext::Enable();
  lld::Result result = lld::lldMain(pointers, outputStream, messageStream, {{lld::Gnu, &lld::elf::link}});
  llvm::CrashRecoveryContext::Disable();
  isUsable = result.canRunAgain;
  if (result.retCode == 0)
    return llvm::Error::success();
  if (StringRef(messages).contains("failed to open") || StringRef(messages).contains("failed to write"))
    return makeError("cannot write the library: " + StringRef(messages).rtrim(),
                     "check the free space of that file system");
  return makeError("linking failed: " + StringRef(messages).rtrim(),
                   "this is a bug in hgc unless the model calls functions of its own (custom_call)");
}
