//===- Artifacts.h - files a compilation makes ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_PIPELINE_ARTIFACTS_H
#define HGC_PIPELINE_ARTIFACTS_H

#include "hgc/Pipeline/Pipeline.h"

#include "llvm/Support/Error.h"
#include <vector>

namespace hgc {

/// What machine code is wrapped in.
enum class Artifact { LLVM, Asm, PTX, Object, StaticLibrary, Library, Header };

/// The artifact `--emit` calls `llvm`, `asm`, `ptx`, `obj`, `staticlib`, `lib`, `header`.
std::optional<Artifact> parseArtifact(llvm::StringRef name);

/// Compiles `module` from stage `from` and writes the artifact to `path`, and
/// for libraries the C header, `hgc_rt.h` and an external weights file beside
/// it. Files appear complete or not at all. Errors whose text is empty were
/// reported as diagnostics.
llvm::Error writeArtifact(mlir::ModuleOp module, Stage from, Artifact artifact, const CompileOptions &options,
                          llvm::StringRef path);

/// Prints a module so that `--start-from` can read it again; large data goes
/// into the resource section.
llvm::Error writeModule(mlir::ModuleOp module, llvm::StringRef path);

/// Files the model's parameters refer to, relative to the model.
std::vector<std::string> listFiles(mlir::ModuleOp module);

} // namespace hgc

#endif // HGC_PIPELINE_ARTIFACTS_H
