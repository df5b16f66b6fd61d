//===- Pipeline.h - the order of all passes ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_PIPELINE_PIPELINE_H
#define HGC_PIPELINE_PIPELINE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include <optional>
#include <string>

namespace hgc {

/// Named points of the pipeline, in order. `Source` is what a front end makes.
enum class Stage { Source, Graph, Placed, Fused, Exec, LLVM };

llvm::StringRef stringify(Stage stage);
std::optional<Stage> parseStage(llvm::StringRef name);

/// What a compilation is asked for. Everything that changes the output is here.
struct CompileOptions {
  /// Name of the model; empty: the module's.
  std::string name;
  std::string targetCpu = "x86-64-v3";
  /// GPUs of the GPU plan, `a100,sm_90`; empty: the library has none.
  std::string gpu;
  /// Path of NVIDIA's assembler, to add cubins for those GPUs; empty: PTX only.
  std::string ptxas;
  /// Pins by name, `gpu(encoder.*); cpu(=probs)`.
  std::string place;
  /// 0 to 3; 0 keeps ops apart and skips optimisation.
  unsigned optLevel = 3;
  /// Extents of named dims, `batch=1,32;seq=8`.
  std::string dims;
  /// Folder `#hgc.file` paths are relative to.
  std::string baseDir = ".";
  /// Each buffer in an allocation of its own, with guards.
  bool separateArena = false;
  /// A pin that cannot be honoured is an error.
  bool strictPlacement = false;
  /// "", "address" or "thread": instruments the generated code.
  std::string sanitize;
  /// Weights in a file beside the library instead of inside it.
  bool externalWeights = false;
  /// The library is an archive: its symbols carry the model's name.
  bool staticLibrary = false;
  /// Threads an instance uses unless told otherwise; 0: all cores.
  int64_t numThreads = 0;
};

/// Adds the passes that lead from the stage before `stage` to `stage`.
void buildStagePipeline(Stage stage, mlir::OpPassManager &pm, const CompileOptions &options);

/// Runs the module from stage `from` to stage `to`; problems are diagnostics.
llvm::LogicalResult runStages(mlir::ModuleOp module, Stage from, Stage to, const CompileOptions &options);

} // namespace hgc

#endif // HGC_PIPELINE_PIPELINE_H
