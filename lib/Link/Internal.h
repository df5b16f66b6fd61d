//===- Internal.h - pieces of the linker step -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_LINK_INTERNAL_H
#define HGC_LIB_LINK_INTERNAL_H

#include "hgc/CodeGen/CPU/ModelInfo.h"
#include "hgc/CodeGen/CPU/WeightsImage.h"
#include "hgc/Link/Link.h"

#include "llvm/TargetParser/Triple.h"

namespace hgc::link {

/// Files that are part of the compiler, for libraries of one architecture.
struct EmbeddedFiles {
  llvm::StringRef runtime;
  /// The runtime's CUDA device, for models with a GPU plan.
  llvm::StringRef cudaRuntime;
  llvm::StringRef libcStub, libmStub;

  /// An error when this compiler was built without them.
  static llvm::Expected<EmbeddedFiles> get(const llvm::Triple &triple, cpu::Sanitizer sanitizer);
};

/// An error with a hint on its second line, as all of hgc's are.
llvm::Error makeError(const llvm::Twine &what, const llvm::Twine &hint);

/// A folder of our own next to `output`, so that a finished file can be renamed
/// to it. Removed with all its files when it goes out of scope.
class ScratchFolder {
public:
  static llvm::Expected<ScratchFolder> create(llvm::StringRef output);
  ScratchFolder(ScratchFolder &&other) : folder(std::move(other.folder)) { other.folder.clear(); }
  ScratchFolder(const ScratchFolder &) = delete;
  ~ScratchFolder();

  std::string path(llvm::StringRef name) const { return folder + "/" + name.str(); }
  llvm::Error write(llvm::StringRef name, llvm::StringRef contents) const;
  /// Writes a large file again, in one piece, if there is room for that. Where file systems have them, it then lies
  /// in huge pages, also for those who map it: reading weights takes fewer look-ups of addresses.
  void writeAtOnce(llvm::StringRef name) const;
  /// Moves file `name` to `output`, replacing what is there.
  llvm::Error publish(llvm::StringRef name, llvm::StringRef output) const;

private:
  ScratchFolder() = default;
  std::string folder;
};

/// Runs lld; an error carries its messages.
llvm::Error runLinker(llvm::ArrayRef<std::string> arguments);

/// What all kinds of libraries are made of.
struct LinkJob {
  cpu::ModelInfo info;
  cpu::WeightsImage weights;
  llvm::Triple triple;
  /// Functions that remain undefined because the model calls them.
  bool hasLibrarySymbols;

  static llvm::Expected<LinkJob> create(mlir::ModuleOp module);
};

/// The files every kind of library is linked from, written into a folder of their own.
struct LinkInputs {
  LinkJob job;
  EmbeddedFiles files;
  ScratchFolder scratch;
  /// Paths of the model's objects.
  std::vector<std::string> objects;
  /// What the linker must be told to take of the runtime what the model needs.
  std::vector<std::string> runtime;
  /// Path of the object with the weights, unless they are empty or external.
  std::optional<std::string> weights;

  static llvm::Expected<LinkInputs> create(mlir::ModuleOp module, llvm::ArrayRef<cpu::ObjectCode> objects,
                                           const LinkOptions &options);

private:
  llvm::Error write(llvm::ArrayRef<cpu::ObjectCode> codes, const LinkOptions &options);
  llvm::Error writeRuntime();
};

/// Names are the user's: `text` with nothing in it that could end a comment.
std::string commentText(llvm::StringRef text);

/// `f32[batch, 784]`
std::string describe(const cpu::TensorInfo &tensor, const cpu::EntryInfo &entry);

/// Writes a relocatable object whose one read-only section holds the weights
/// under the hidden symbol `symbol`.
llvm::Error writeWeightsObject(const cpu::WeightsImage &weights, llvm::StringRef symbol, const llvm::Triple &triple,
                               llvm::StringRef path);

} // namespace hgc::link

#endif // HGC_LIB_LINK_INTERNAL_H
