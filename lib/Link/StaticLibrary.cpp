//===- StaticLibrary.cpp - model.a ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Model and runtime are joined to one object whose hidden symbols are made
// local, so that several models, also of several versions, can be linked into
// one program. The weights are a member of their own: they need not be copied
// through memory.
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include "llvm/ObjCopy/CommonConfig.h"
#include "llvm/ObjCopy/ConfigManager.h"
#include "llvm/ObjCopy/ObjCopy.h"
#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::link;

/// Joins model and runtime; keeps what the exported functions reach.
static llvm::Error joinObjects(const LinkInputs &inputs) {
  std::vector<std::string> arguments = {"-r", "--gc-sections", "--threads=1", "--build-id=none"};
  for (const std::string &symbol : inputs.job.info.exportedSymbols(/*staticLibrary=*/true))
    arguments.insert(arguments.end(), {"-u", symbol});
  arguments.insert(arguments.end(), {"-o", inputs.scratch.path("joined.o")});
  llvm::append_range(arguments, inputs.objects);
  llvm::append_range(arguments, inputs.runtime);
  return runLinker(arguments);
}

static llvm::Error localizeHidden(const ScratchFolder &scratch, bool strip) {
  auto buffer = llvm::MemoryBuffer::getFile(scratch.path("joined.o"));
  if (!buffer)
    return llvm::errorCodeToError(buffer.getError());
  auto object = llvm::object::ObjectFile::createObjectFile(**buffer);
  if (!object)
    return object.takeError();
  llvm::objcopy::ConfigManager config;
  config.ELF.LocalizeHidden = true;
  config.Common.OutputFormat = llvm::objcopy::FileFormat::Unspecified;
  config.Common.StripDebug = strip;
  if (strip)
    config.Common.DiscardMode = llvm::objcopy::DiscardType::All;
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (llvm::Error error = llvm::objcopy::executeObjcopyOnBinary(config, **object, stream))
    return error;
  return scratch.write("local.o", text);
}

static llvm::Error writeArchive(const ScratchFolder &scratch, StringRef stem, bool withWeights) {
  std::vector<llvm::NewArchiveMember> members;
  const std::pair<StringRef, std::string> files[] = {{"local.o", stem.str() + ".o"},
                                                     {"weights.o", stem.str() + ".weights.o"}};
  // Members refer to their names.
  llvm::StringMap<char> names;
  for (const auto &[file, name] : ArrayRef(files).take_front(withWeights ? 2 : 1)) {
    auto member = llvm::NewArchiveMember::getFile(scratch.path(file), /*Deterministic=*/true);
    if (!member)
      return member.takeError();
    member->MemberName = names.insert({name, 0}).first->getKey();
    members.push_back(std::move(*member));
  }
  return llvm::writeArchive(scratch.path("out.a"), members, llvm::SymtabWritingMode::NormalSymtab,
                            llvm::object::Archive::K_GNU, /*Deterministic=*/true, /*Thin=*/false);
}

llvm::Error link::linkStaticLibrary(ModuleOp module, ArrayRef<cpu::ObjectCode> objects, const LinkOptions &options) {
  llvm::Expected<LinkInputs> inputs = LinkInputs::create(module, objects, options);
  if (!inputs)
    return inputs.takeError();
  const ScratchFolder &scratch = inputs->scratch;
  if (llvm::Error error = joinObjects(*inputs))
    return error;
  if (llvm::Error error = localizeHidden(scratch, options.strip))
    return error;
  if (llvm::Error error = writeArchive(scratch, inputs->job.info.cName, inputs->weights.has_value()))
    return error;
  return scratch.publish("out.a", options.output);
}
