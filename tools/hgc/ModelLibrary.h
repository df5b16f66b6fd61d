//===- ModelLibrary.h - a compiled model, loaded ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_TOOLS_MODELLIBRARY_H
#define HGC_TOOLS_MODELLIBRARY_H

#include "PreparedCall.h"
#include "Signature.h"

#include "runtime/include/hgc_rt.h"

namespace hgc::driver {

/// A shared library made by `hgc compile`, and an instance of its model.
class ModelLibrary {
public:
  struct Options {
    int64_t threads = 0;
    std::string weightsPath;
    /// As hgc_rt_options has them; empty: the runtime's default.
    std::string device, emulator;
    /// Called after every kernel.
    void (*timing)(void *, const hgc_rt_kernel_timing *) = nullptr;
    void *timingUser = nullptr;
  };

  /// Loads the library and creates an instance.
  static llvm::Expected<std::unique_ptr<ModelLibrary>> open(llvm::StringRef path, const Options &options,
                                                            mlir::MLIRContext *context);
  /// Whether the path names a compiled library rather than a model: by its
  /// ending, or by what the file starts with.
  static bool isLibrary(llvm::StringRef path);
  /// JSON description of a library, without an instance: any CPU will do.
  static llvm::Expected<std::string> describe(llvm::StringRef path);

  ~ModelLibrary();
  ModelLibrary(const ModelLibrary &) = delete;
  ModelLibrary &operator=(const ModelLibrary &) = delete;

  llvm::ArrayRef<EntrySignature> getEntries() const { return entries; }
  hgc_rt_model *getModel() const { return model; }
  llvm::StringRef getName() const { return name; }

  /// Buffers for the outputs of a call with these inputs.
  llvm::Expected<std::vector<HostTensor>> makeOutputs(size_t entry, llvm::ArrayRef<HostTensor> inputs) const;
  /// Runs the entry; `outputs` come from makeOutputs.
  llvm::Error call(size_t entry, llvm::ArrayRef<HostTensor> inputs, std::vector<HostTensor> &outputs) const;

private:
  ModelLibrary() = default;

  void *handle = nullptr;
  hgc_rt_model *model = nullptr;
  std::string name;
  std::vector<EntrySignature> entries;
};

/// The element type an hgc_rt_dtype stands for.
mlir::Type getRuntimeElementType(int32_t dtype, mlir::MLIRContext *context);

} // namespace hgc::driver

#endif // HGC_TOOLS_MODELLIBRARY_H
