//===- Link.h - from object code to files users get -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linking runs in process and needs no file of the machine: runtime archives,
// stand-ins for the C library and the public header are part of the compiler.
// Outputs appear complete or not at all, and depend on nothing but the module.
//===----------------------------------------------------------------------===//

#ifndef HGC_LINK_LINK_H
#define HGC_LINK_LINK_H

#include "hgc/CodeGen/CPU/TranslateToObject.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"
#include <string>

namespace hgc::link {

struct LinkOptions {
  /// File to write; its folder must exist.
  std::string output;
  /// Leave the weights out; `writeWeightsFile` puts them into a file.
  bool externalWeights = false;
  /// Keep no symbols but the exported ones.
  bool strip = true;
  cpu::Sanitizer sanitizer = cpu::Sanitizer::None;
};

/// Fails when this compiler was built without what libraries for `triple` are
/// linked with.
llvm::Error checkTarget(llvm::StringRef triple);

/// Links the object code of `module` (at stage `llvm`, as made by
/// translateToObjects) with its weights and the runtime to a shared library.
llvm::Error linkSharedLibrary(mlir::ModuleOp module, llvm::ArrayRef<cpu::ObjectCode> objects,
                              const LinkOptions &options);

/// As linkSharedLibrary, but to an archive with nothing undefined but libc and
/// libm. Its module must have been emitted with `static-library`.
llvm::Error linkStaticLibrary(mlir::ModuleOp module, llvm::ArrayRef<cpu::ObjectCode> objects,
                              const LinkOptions &options);

/// Writes `<name>.weights.safetensors` into `folder`; returns its path.
llvm::Expected<std::string> writeWeightsFile(mlir::ModuleOp module, llvm::StringRef folder);

/// Bare name of that file.
llvm::Expected<std::string> getWeightsFileName(mlir::ModuleOp module);

/// The typed C header of a module at stage `exec` (with kernels planned) or
/// `llvm`.
llvm::Expected<std::string> generateHeader(mlir::ModuleOp module, bool staticLibrary = false);

/// The same with a C++17 class of the model behind it.
llvm::Expected<std::string> generateCxxHeader(mlir::ModuleOp module, bool staticLibrary = false);

/// The texts of hgc_rt.h and hgc_rt.hpp, which generated headers include.
llvm::StringRef getRuntimeHeader();
llvm::StringRef getRuntimeCxxHeader();

} // namespace hgc::link

#endif // HGC_LINK_LINK_H
