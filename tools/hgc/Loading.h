//===- Loading.h - from a path on the command line to a model ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_TOOLS_LOADING_H
#define HGC_TOOLS_LOADING_H

#include "DeviceFlags.h"
#include "Driver.h"
#include "ModelLibrary.h"
#include "Session.h"

namespace hgc::driver {

/// Options of the commands that call a model: run, bench.
struct LoadFlags {
  std::vector<std::string> paths;
  std::string entry, weightsPath;
  CompileFlags compile;
  DeviceFlags device;
  InputOptions inputs;

  void addTo(ArgParser &parser);
};

/// A library with an instance, and the entry to call.
struct LoadedModel {
  std::unique_ptr<Session> session;
  std::unique_ptr<ModelLibrary> library;
  size_t entry = 0;
};

/// A call of that entry with inputs of the command line.
struct LoadedCall {
  LoadedModel model;
  std::vector<HostTensor> inputs, outputs;
  std::unique_ptr<PreparedCall> call;

  const EntrySignature &getEntry() const { return model.library->getEntries()[model.entry]; }
};

/// Loads a library, or compiles a model into a temporary one that is removed
/// once it is loaded.
llvm::Expected<LoadedModel> loadModel(const ArgParser &parser, LoadFlags &flags, ModelLibrary::Options options);

/// loadModel, and memory for a call.
llvm::Expected<LoadedCall> loadCall(const ArgParser &parser, LoadFlags &flags, ModelLibrary::Options options);

/// A fresh folder that is removed with everything in it.
class TempFolder {
public:
  static llvm::Expected<std::unique_ptr<TempFolder>> create();
  ~TempFolder();
  /// Path of `file` in the folder.
  std::string path(llvm::StringRef file) const;

private:
  TempFolder() = default;
  std::string root;
};

} // namespace hgc::driver

#endif // HGC_TOOLS_LOADING_H
