//===- WeightsObject.cpp - weights as an object file, and as a file -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Through LLVM's constants 100 MB of weights cost seconds and four times their
// size in memory. An object file with one section is a header, the bytes as
// they are, and four small tables.
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::link;
namespace ELF = llvm::ELF;

/// Sections may be mapped and shared page by page.
static constexpr uint64_t kPage = 4096;
/// Beyond this, code could no longer reach over the weights.
static constexpr int64_t kLargeBytes = int64_t(1) << 30;

namespace {

/// Section and symbol names in the order of the section table.
constexpr char kSectionNames[] = "\0.hgc_weights\0.symtab\0.strtab\0.note.GNU-stack";
enum Section : uint16_t { kNull, kWeights, kSymtab, kStrtab, kStackNote, kSectionCount };

/// Everything of the file but the weights.
struct ObjectLayout {
  ELF::Elf64_Ehdr header{};
  ELF::Elf64_Shdr sections[kSectionCount] = {};
  ELF::Elf64_Sym symbols[2] = {};
  std::string strings;
};

} // namespace

static uint32_t nameOffset(StringRef name) {
  return StringRef(kSectionNames, sizeof(kSectionNames)).find((name + Twine('\0')).str());
}

static void fillSections(ObjectLayout &layout, uint64_t bytes, bool large) {
  ELF::Elf64_Shdr *s = layout.sections;
  s[kWeights].sh_name = nameOffset(".hgc_weights");
  s[kWeights].sh_type = ELF::SHT_PROGBITS;
  s[kWeights].sh_flags = ELF::SHF_ALLOC | (large ? uint64_t(ELF::SHF_X86_64_LARGE) : 0);
  s[kWeights].sh_offset = kPage;
  s[kWeights].sh_size = bytes;
  s[kWeights].sh_addralign = kPage;
  s[kSymtab].sh_name = nameOffset(".symtab");
  s[kSymtab].sh_type = ELF::SHT_SYMTAB;
  s[kSymtab].sh_offset = llvm::alignTo(kPage + bytes, 8);
  s[kSymtab].sh_size = sizeof(layout.symbols);
  s[kSymtab].sh_link = kStrtab;
  s[kSymtab].sh_info = 1;
  s[kSymtab].sh_addralign = 8;
  s[kSymtab].sh_entsize = sizeof(ELF::Elf64_Sym);
  s[kStrtab].sh_name = nameOffset(".strtab");
  s[kStrtab].sh_type = ELF::SHT_STRTAB;
  s[kStrtab].sh_offset = s[kSymtab].sh_offset + s[kSymtab].sh_size;
  s[kStrtab].sh_size = layout.strings.size();
  s[kStrtab].sh_addralign = 1;
  s[kStackNote].sh_name = nameOffset(".note.GNU-stack");
  s[kStackNote].sh_type = ELF::SHT_PROGBITS;
  s[kStackNote].sh_offset = s[kStrtab].sh_offset;
  s[kStackNote].sh_addralign = 1;
}

static ObjectLayout makeLayout(uint64_t bytes, StringRef symbol, const llvm::Triple &triple) {
  ObjectLayout layout;
  // One string table serves section names and the symbol.
  layout.strings.assign(kSectionNames, sizeof(kSectionNames));
  layout.symbols[1].st_name = layout.strings.size();
  layout.strings += symbol;
  layout.strings += '\0';
  layout.symbols[1].setBindingAndType(ELF::STB_GLOBAL, ELF::STT_OBJECT);
  layout.symbols[1].st_other = ELF::STV_HIDDEN;
  layout.symbols[1].st_shndx = kWeights;
  layout.symbols[1].st_size = bytes;
  fillSections(layout, bytes, triple.isX86() && static_cast<int64_t>(bytes) > kLargeBytes);

  ELF::Elf64_Ehdr &header = layout.header;
  memcpy(header.e_ident, ELF::ElfMagic, 4);
  header.e_ident[ELF::EI_CLASS] = ELF::ELFCLASS64;
  header.e_ident[ELF::EI_DATA] = ELF::ELFDATA2LSB;
  header.e_ident[ELF::EI_VERSION] = ELF::EV_CURRENT;
  header.e_type = ELF::ET_REL;
  header.e_machine = triple.isAArch64() ? ELF::EM_AARCH64 : ELF::EM_X86_64;
  header.e_version = ELF::EV_CURRENT;
  header.e_ehsize = sizeof(ELF::Elf64_Ehdr);
  header.e_shoff = llvm::alignTo(layout.sections[kStrtab].sh_offset + layout.strings.size(), 8);
  header.e_shentsize = sizeof(ELF::Elf64_Shdr);
  header.e_shnum = kSectionCount;
  header.e_shstrndx = kStrtab;
  return layout;
}

static void streamWeights(const cpu::WeightsImage &weights, llvm::raw_ostream &out) {
  [[maybe_unused]] uint64_t begin = out.tell();
  weights.stream([&](ArrayRef<char> piece) { out.write(piece.data(), piece.size()); });
  assert(static_cast<int64_t>(out.tell() - begin) == weights.getByteSize() && "the image has no gaps");
}

static llvm::Error finish(llvm::raw_fd_ostream &out, StringRef path) {
  out.close();
  std::error_code error = out.error();
  if (!error)
    return llvm::Error::success();
  out.clear_error();
  return makeError("cannot write '" + path + "': " + error.message(), "check the free space of that file system");
}

/// Says so before, not after, the disk is full.
static llvm::Error checkSpace(const cpu::WeightsImage &weights, StringRef path) {
  StringRef folder = llvm::sys::path::parent_path(path);
  llvm::ErrorOr<llvm::sys::fs::space_info> space = llvm::sys::fs::disk_space(folder.empty() ? "." : folder);
  uint64_t bytes = weights.getByteSize();
  if (!space || bytes <= space->available)
    return llvm::Error::success();
  return makeError("the weights take " + Twine(bytes) + " bytes, but '" + folder + "' has only " +
                       Twine(space->available) + " left",
                   "make room, or choose another folder");
}

llvm::Error link::writeWeightsObject(const cpu::WeightsImage &weights, StringRef symbol, const llvm::Triple &triple,
                                     StringRef path) {
  if (llvm::Error error = checkSpace(weights, path))
    return error;
  llvm::sys::RemoveFileOnSignal(path);
  std::error_code error;
  llvm::raw_fd_ostream out(path, error);
  if (error)
    return makeError("cannot write '" + path + "': " + error.message(), "check the permissions of its folder");
  ObjectLayout layout = makeLayout(weights.getByteSize(), symbol, triple);
  out.write(reinterpret_cast<const char *>(&layout.header), sizeof(layout.header));
  out.write_zeros(kPage - sizeof(layout.header));
  streamWeights(weights, out);
  out.write_zeros(layout.sections[kSymtab].sh_offset - kPage - weights.getByteSize());
  out.write(reinterpret_cast<const char *>(layout.symbols), sizeof(layout.symbols));
  out << layout.strings;
  out.write_zeros(layout.header.e_shoff - layout.sections[kStrtab].sh_offset - layout.strings.size());
  out.write(reinterpret_cast<const char *>(layout.sections), sizeof(layout.sections));
  return finish(out, path);
}

llvm::Expected<std::string> link::getWeightsFileName(ModuleOp module) {
  FailureOr<cpu::ModelInfo> info = cpu::getModelInfo(module);
  if (failed(info))
    return makeError("the module is not a planned model", "see the errors above");
  return cpu::WeightsImage::getFileName(info->name);
}

llvm::Expected<std::string> link::writeWeightsFile(ModuleOp module, StringRef folder) {
  llvm::Expected<LinkJob> job = LinkJob::create(module);
  if (!job)
    return job.takeError();
  std::string name = cpu::WeightsImage::getFileName(job->info.name);
  llvm::SmallString<256> path(folder);
  llvm::sys::path::append(path, name);
  llvm::Expected<ScratchFolder> scratch = ScratchFolder::create(path);
  if (!scratch)
    return scratch.takeError();
  if (llvm::Error failure = checkSpace(job->weights, scratch->path(name)))
    return failure;
  std::error_code error;
  llvm::raw_fd_ostream out(scratch->path(name), error);
  if (error)
    return makeError("cannot write '" + path + "': " + error.message(), "check the permissions of its folder");
  out << job->weights.describeFile().header;
  streamWeights(job->weights, out);
  if (llvm::Error failure = finish(out, path))
    return failure;
  if (llvm::Error failure = scratch->publish(name, path))
    return failure;
  return path.str().str();
}
