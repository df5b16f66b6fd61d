//===- Pipeline.h - the order of all passes ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_PIPELINE_PIPELINE_H
#define HGC_PIPELINE_PIPELINE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include <functional>
#include <optional>
#include <string>

namespace hgc {

namespace plans {
class PlanCollector;
}

/// Named points of the pipeline, in order. `Source` is what a front end makes.
enum class Stage { Source, Graph, Placed, Fused, Exec, LLVM };

llvm::StringRef stringify(Stage stage);
std::optional<Stage> parseStage(llvm::StringRef name);

/// Entries that train the model; see hgc-make-training.
struct TrainingOptions {
  bool enabled = false;
  std::string loss, optimizer = "adam", schedule, regularize, metrics;
  /// Entry to train; empty: the only one, or `predict`.
  std::string entry;
};

/// What a compilation is asked for. Everything that changes the output is here.
struct CompileOptions {
  /// Name of the model; empty: the module's.
  std::string name;
  std::string targetCpu = "x86-64-v3";
  /// GPUs of the GPU plan, `a100,sm_90`; empty: the library has none.
  std::string gpu;
  /// JSON of tables that replace those of the target CPU and GPU; empty: hgc's.
  std::string cpuTable, gpuTable;
  /// Path of NVIDIA's assembler, to add cubins for those GPUs; empty: PTX only.
  std::string ptxas;
  /// GPUs may round f32 operands of products and convolutions to tf32.
  bool allowTf32 = false;
  /// Form that the CPU's convolutions get where they can, a name of ConvForm.h; empty:
  /// the cost model chooses.
  std::string forceConv;
  /// No form of convolutions that rounds more than sums do.
  bool exactConv = false;
  /// Products by the CPU's matrix unit: "auto" where that is faster, "always" where possible, "never".
  std::string matrixUnit = "auto";
  /// Pins by name, `gpu(encoder.*); cpu(=probs)`.
  std::string place;
  /// Arguments and results that callers have on a GPU, `x=gpu,y=gpu:1`.
  std::string resident;
  /// GPUs the plan may use; pins may name more.
  int64_t gpus = 1;
  /// Most bytes an instance may allocate, `gpu=64MiB,cpu=1GiB`; empty: no limit.
  std::string memoryLimit;
  /// Picoseconds that a KiB on a GPU is worth to placement.
  int64_t memoryPrice = 0;
  /// That price is for immutable parameters alone.
  bool pricesWeightsOnly = false;
  /// Bytes of tensors at one time that recomputing, and with `spills` copies to
  /// the host, are to aim at, `gpu=65536`; empty: no such passes.
  std::string arenaTargets;
  bool spills = false;
  /// File of a plan whose devices become pins; empty: none.
  std::string plan;
  /// 0 to 3; 0 keeps ops apart and skips optimisation.
  unsigned optLevel = 3;
  /// Extents of named dims, `batch=1,32;seq=8`.
  std::string dims;
  /// Folder `#hgc.file` paths are relative to.
  std::string baseDir = ".";
  /// What the GPU plan is placed for: "makespan", the least time with overlap, or
  /// "serial", the least without.
  std::string objective = "makespan";
  /// "overlap": the GPU plan's actions in the order that lets them overlap most;
  /// "in-order": in the order of the graph; "serial": one at a time.
  std::string schedule = "overlap";
  /// Each buffer in an allocation of its own, with guards.
  bool separateArena = false;
  /// No product is left to cuBLAS, so that it needs no memory.
  bool ownKernels = false;
  /// GPUs have weights of their own in the library, in the form they read them:
  /// no memory is needed to make them from the CPU's.
  bool ownWeights = false;
  /// A pin that cannot be honoured is an error.
  bool strictPlacement = false;
  /// A certificate that the kernels do not keep is taken back, no error.
  bool repairsCertificate = false;
  /// "", "address" or "thread": instruments the generated code.
  std::string sanitize;
  /// Weights in a file beside the library instead of inside it.
  bool externalWeights = false;
  /// The library is an archive: its symbols carry the model's name.
  bool staticLibrary = false;
  /// Most CPU kernels that run side by side; 1: one after the other.
  int64_t interOpThreads = 1;
  /// Threads an instance uses unless told otherwise; 0: all cores.
  int64_t numThreads = 0;
  TrainingOptions training;
  /// Chooses forms and sizes of CPU kernels by measuring, where the cost model has chosen:
  /// sees the module once its ops have devices. None: the model's choice stays.
  std::function<llvm::LogicalResult(mlir::ModuleOp module, const CompileOptions &options)> tune;
  /// Told, by any thread, what is being done, in words. Changes no output.
  std::function<void(llvm::StringRef activity)> progress;

  /// Whether contractions may get other forms than the plain ones unasked. Their
  /// weights are larger, which a limit of memory may not allow.
  bool choosesForms() const { return optLevel > 1 && gpu.empty() && memoryLimit.empty(); }
  /// Whether that may be one of Winograd's.
  bool choosesConvForms() const { return forceConv.empty() && !exactConv && choosesForms(); }
  /// How matrix units are used in the end.
  std::string getMatrixUnit() const { return matrixUnit == "auto" && !choosesForms() ? "never" : matrixUnit; }
};

/// Adds the passes that lead from the stage before `stage` to `stage`.
void buildStagePipeline(Stage stage, mlir::OpPassManager &pm, const CompileOptions &options,
                        plans::PlanCollector *collector = nullptr);

/// Runs the module from stage `from` to stage `to`; problems are diagnostics.
/// `collector` sees the module at the stages it passes.
llvm::LogicalResult runStages(mlir::ModuleOp module, Stage from, Stage to, const CompileOptions &options,
                              plans::PlanCollector *collector = nullptr);

/// Fuses a module as `options.tune` sees it, without packing weights: which ops will
/// share a kernel. The module is good for nothing else then.
llvm::LogicalResult fuseForTuning(mlir::ModuleOp module, const CompileOptions &options);

/// Adds the entries that a module of stage source asks for beside its own, of
/// gradients and for training, and binds its dims. Does nothing if there are none.
/// The module is still of stage source; problems are diagnostics.
llvm::LogicalResult expandEntries(mlir::ModuleOp module, const CompileOptions &options);

} // namespace hgc

#endif // HGC_PIPELINE_PIPELINE_H
