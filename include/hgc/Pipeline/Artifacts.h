//===- Artifacts.h - files a compilation makes ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_PIPELINE_ARTIFACTS_H
#define HGC_PIPELINE_ARTIFACTS_H

#include "hgc/Pipeline/Pipeline.h"
#include "hgc/Report/Plan.h"

#include "llvm/Support/Error.h"
#include <vector>

namespace hgc {

/// What machine code is wrapped in, and what is said about it.
enum class Artifact { LLVM, Asm, PTX, Object, StaticLibrary, Library, Header, CxxHeader, Plan, Report };

/// The artifact `--emit` calls `llvm`, `asm`, `ptx`, `obj`, `staticlib`, `lib`, `header`, `cxx-header`,
/// `plan`, `report`.
std::optional<Artifact> parseArtifact(llvm::StringRef name);

/// Says whether a library may be written: `link` writes the same code to a path
/// of the check's own.
using LibraryCheck = llvm::function_ref<llvm::Error(llvm::function_ref<llvm::Error(llvm::StringRef path)> link)>;

/// Compiles `module` from stage `from` and writes the artifact to `path`, and
/// for libraries the C header, `hgc_rt.h`, the plan and an external weights file
/// beside it; for all that has a plan the page `report` unless it is empty. A shared
/// library must pass `check` first. Files appear complete or not at all. Errors whose
/// text is empty were reported as diagnostics.
llvm::Error writeArtifact(mlir::ModuleOp module, Stage from, Artifact artifact, const CompileOptions &options,
                          llvm::StringRef path, llvm::StringRef report = "", LibraryCheck check = nullptr);

/// The plan that compiling `module` makes; no code is generated.
llvm::Expected<plans::Plan> makePlan(mlir::ModuleOp module, Stage from, const CompileOptions &options);

/// `folder/model.plan.json`, which lies beside `folder/model.so`.
std::string getPlanPath(llvm::StringRef library);

/// Prints a module so that `--start-from` can read it again; large data goes
/// into the resource section.
llvm::Error writeModule(mlir::ModuleOp module, llvm::StringRef path);

/// Files the model's parameters refer to, relative to the model.
std::vector<std::string> listFiles(mlir::ModuleOp module);

} // namespace hgc

#endif // HGC_PIPELINE_ARTIFACTS_H
