//===- Pipeline.cpp - the order of all passes -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only this file orders passes. Each stage ends with the pass that verifies it.
//===----------------------------------------------------------------------===//

#include "hgc/Pipeline/Pipeline.h"
#include "hgc/Pipeline/MemoryLimit.h"

#include "dialects/Graph/GraphOps.h"
#include "hgc/Autodiff/Passes.h"
#include "hgc/Autodiff/Training/Passes.h"
#include "hgc/CodeGen/CPU/Passes.h"
#include "hgc/CodeGen/GPU/Passes.h"
#include "hgc/Conversion/Passes.h"
#include "hgc/Placement/Passes.h"
#include "hgc/Report/Collect.h"
#include "hgc/Report/Passes.h"
#include "hgc/Target/DeviceTable.h"
#include "hgc/Target/GpuTable.h"
#include "hgc/Transforms/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace hgc;

static constexpr llvm::StringLiteral kStageNames[] = {"source", "graph", "placed", "fused", "exec", "llvm"};

llvm::StringRef hgc::stringify(Stage stage) { return kStageNames[static_cast<size_t>(stage)]; }

std::optional<Stage> hgc::parseStage(llvm::StringRef name) {
  const auto *it = llvm::find(kStageNames, name);
  if (it == std::end(kStageNames))
    return std::nullopt;
  return static_cast<Stage>(it - kStageNames);
}

/// All entries: flat, static, named.
static void addEntryPasses(OpPassManager &pm, const CompileOptions &options) {
  // One flat function per entry: every later pass looks at entries alone.
  pm.addPass(createInlineCalls());
  // Names move to locations before cloning, so that variants share them.
  pm.addPass(createNameOps());
  // Pinned ops that vanish from here on are reported.
  pm.addPass(createRecordPins());
  // Everything behind this point has static shapes.
  pm.addPass(createBindDims({options.dims}));
  // On the model as written: what is folded or simplified is both, loss and gradient.
  pm.addPass(createDifferentiate());
  if (const TrainingOptions &train = options.training; train.enabled)
    pm.addPass(createMakeTraining(
        {train.loss, train.optimizer, train.schedule, train.regularize, train.metrics, train.entry}));
}

/// Source to graph: the entries, simplified.
static void buildGraphPipeline(OpPassManager &pm, const CompileOptions &options) {
  addEntryPasses(pm, options);
  if (options.optLevel > 0) {
    // While weights and biases are integers: everything below folds constants.
    pm.addPass(createIntegerContractions({options.baseDir}));
    pm.addPass(createCanonicalizerPass());
    pm.addPass(createSimplify());
    // After simplification, so that only what remains is evaluated.
    FoldConstantsOptions fold;
    fold.baseDir = options.baseDir;
    pm.addPass(createFoldConstants(fold));
    pm.addPass(createCSEPass());
    // With indices known and equal slices joined; parts of constants are constants again.
    pm.addPass(createNarrow());
    pm.addPass(createFoldConstants(fold));
    pm.addPass(createCSEPass());
  }
  pm.addPass(createVerifyGraph());
}

namespace {
/// Lets the collector of a plan see the module in the middle of a pipeline.
struct VisitModule final : PassWrapper<VisitModule, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(VisitModule)
  using Visit = void (plans::PlanCollector::*)(ModuleOp);
  VisitModule(plans::PlanCollector &collector, Visit visit) : collector(collector), visit(visit) {}

  StringRef getName() const override { return "VisitModule"; }

  void runOnOperation() override {
    (collector.*visit)(getOperation());
    markAllAnalysesPreserved();
  }

  plans::PlanCollector &collector;
  Visit visit;
};
} // namespace

static void addVisit(OpPassManager &pm, plans::PlanCollector *collector, VisitModule::Visit visit) {
  if (collector)
    pm.addPass(std::make_unique<VisitModule>(*collector, visit));
}

/// The first half of graph to placed: every op knows its device.
static void addPlacementPasses(OpPassManager &pm, const CompileOptions &options) {
  // Both plans see the same graph; from here on each has its own.
  pm.addPass(createSplitPlans());
  // Where callers have arguments is part of the plan they call.
  pm.addPass(createResolveResidents({options.strictPlacement, options.resident}));
  // What is placed and priced is what will be fused: first the ops that have
  // kernels, in the order their data will have.
  pm.addPass(createDecompose({options.optLevel > 1}));
  if (options.optLevel > 0) {
    pm.addPass(createChooseLayouts());
    pm.addPass(createCanonicalizerPass());
    // With the transposes in their places; what is left of them may be a view.
    pm.addPass(createMoveReshapes());
    pm.addPass(createCSEPass());
    // Forms have prices of their own.
    pm.addPass(createChooseConvForms({options.forceConv, !options.choosesConvForms(), options.getMatrixUnit()}));
    pm.addPass(createUseMatrixUnit({options.getMatrixUnit()}));
  }
  pm.addPass(createResolvePins({options.strictPlacement, options.place}));
  // Devices of an earlier plan are pins like any other, and must agree with them.
  if (!options.plan.empty())
    pm.addPass(createApplyPlan({options.plan}));
  PlaceOptions place;
  place.gpus = static_cast<unsigned>(options.gpus);
  place.memoryPrice = options.memoryPrice;
  place.objective = options.objective;
  place.weightsOnly = options.pricesWeightsOnly;
  place.keepApart = options.optLevel == 0;
  pm.addPass(createPlace(place));
  // Attention that is on the CPU is other ops, some of which may be there already; their place is a new question.
  pm.addPass(createDecompose({options.optLevel > 1}));
  if (options.optLevel > 0)
    pm.addPass(createCSEPass());
  place.missingOnly = true;
  pm.addPass(createPlace(place));
}

/// The second half: what placement makes necessary.
static void addTransferPasses(OpPassManager &pm, const CompileOptions &options) {
  // From copies made naively to those that are needed; each pass leaves less to
  // the next.
  pm.addPass(createMaterializeTransfers());
  if (options.optLevel > 0) {
    pm.addPass(createShareTransfers());
    pm.addPass(createCancelRoundTrips());
    pm.addPass(createNarrowTransfers());
  }
  // Part of the placement, whatever the level.
  pm.addPass(createRecompute());
  if (options.optLevel > 0) {
    pm.addPass(createBatchTransfers());
    // Last: the others do not look into pieces.
    pm.addPass(createSplitTransfers());
  }
  pm.addPass(createVerifyPlaced());
}

/// Graph to placed. Tuning has run the first half on its own.
static void buildPlacedPipeline(OpPassManager &pm, const CompileOptions &options, plans::PlanCollector *collector,
                                bool isTuned = false) {
  if (!isTuned)
    addPlacementPasses(pm, options);
  // Ops still are those that a plan pins; the next passes add copies of some.
  addVisit(pm, collector, &plans::PlanCollector::visitDecisions);
  addTransferPasses(pm, options);
}

/// Placed to fused: packing, kernels.
static void buildFusedPipeline(OpPassManager &pm, const CompileOptions &options) {
  if (options.optLevel > 0) {
    // Behind layouts: packing follows the filter's final order.
    pm.addPass(createPackContractions());
    pm.addPass(createCSEPass());
    // While both forms of a weight are still expressions that can be compared.
    if (!options.ownWeights)
      pm.addPass(createShareWeights());
  }
  pm.addPass(createFoldPacks({options.baseDir}));
  // What is left of such expressions would make the library grow; on the GPU it
  // takes memory that may be dear.
  if (options.memoryPrice == 0)
    pm.addPass(createHoistToLoad());
  // What is left after folding: later stages know bytes only.
  pm.addPass(createLoadParameters({options.baseDir}));
  pm.addPass(createFuse({options.optLevel == 0}));
  if (options.optLevel > 0)
    pm.addPass(createCSEPass());
  // On kernels: what is fused away needs no memory. Nothing merges ops behind it.
  if (!options.arenaTargets.empty())
    pm.addPass(createRematerialize({options.arenaTargets}));
  if (!options.arenaTargets.empty() && options.spills)
    pm.addPass(createSpill({options.arenaTargets}));
  pm.addPass(createVerifyFused({options.repairsCertificate}));
}

/// Fused to exec: buffers, launches, memory.
static void buildExecPipeline(OpPassManager &pm, const CompileOptions &options) {
  pm.addPass(createConvertToExec());
  if (options.optLevel > 0) {
    pm.addPass(createUpdateInPlace());
    pm.addPass(createMergeKernels());
  }
  if (options.interOpThreads > 1)
    pm.addPass(createGroupKernels({options.interOpThreads}));
  // The order of issue decides what overlaps, and streams follow it.
  if (options.schedule == "overlap")
    pm.addPass(createScheduleExec());
  // Which buffers may share memory depends on who waits for whom.
  pm.addPass(createAssignStreams({options.schedule == "serial"}));
  pm.addPass(createSimulateExec());
  // Working memory counts, too.
  pm.addPass(createPlanKernels());
  pm.addPass(createPlanGpuKernels({options.ownKernels}));
  pm.addPass(createPlanMemory({options.separateArena ? "separate" : "packed"}));
  pm.addPass(createVerifyExec());
}

/// Exec to llvm: loops of kernels, functions of programs, the model descriptor.
static void buildLLVMPipeline(OpPassManager &pm, const CompileOptions &options) {
  // GPU kernels first: they end as text, and nothing below sees their dialects.
  pm.addPass(createEmitGpuKernels());
  pm.addPass(createLowerGpuToPtx());
  pm.addPass(createAssembleCubins({options.ptxas}));
  pm.addPass(createEmitKernels());
  // Kernels are lowered before programs exist: those are LLVM from the start.
  buildLowerToLLVMPipeline(pm);
  pm.addPass(createEmitPrograms());
  pm.addPass(createEmitModel({options.staticLibrary, options.strictPlacement, options.externalWeights,
                              static_cast<int32_t>(options.numThreads)}));
}

void hgc::buildStagePipeline(Stage stage, OpPassManager &pm, const CompileOptions &options,
                             plans::PlanCollector *collector) {
  switch (stage) {
  case Stage::Source:
    return;
  case Stage::Graph:
    return buildGraphPipeline(pm, options);
  case Stage::Placed:
    return buildPlacedPipeline(pm, options, collector);
  case Stage::Fused:
    return buildFusedPipeline(pm, options);
  case Stage::Exec:
    return buildExecPipeline(pm, options);
  case Stage::LLVM:
    return buildLLVMPipeline(pm, options);
  }
}

/// The pass that proves a module is what the stage promises.
static void addVerifier(Stage stage, OpPassManager &pm, const CompileOptions &options) {
  switch (stage) {
  case Stage::Source:
  case Stage::LLVM:
    return;
  case Stage::Graph:
    return pm.addPass(createVerifyGraph());
  case Stage::Placed:
    return pm.addPass(createVerifyPlaced());
  case Stage::Fused:
    return pm.addPass(createVerifyFused({options.repairsCertificate}));
  case Stage::Exec:
    return pm.addPass(createVerifyExec());
  }
}

namespace {
/// Says what the passes that can take long are for.
class TellProgress : public PassInstrumentation {
public:
  explicit TellProgress(const CompileOptions &options) : tell(options.progress), hasGpu(!options.gpu.empty()) {}

  void runBeforePass(Pass *pass, Operation *) override {
    StringRef activity = StringSwitch<StringRef>(pass->getArgument())
                             .Case("hgc-split-plans", "placing ops on devices")
                             .Cases({"hgc-pack-contractions", "hgc-fold-packs"}, "packing weights")
                             .Case("hgc-fuse", "fusing ops to kernels")
                             .Case("hgc-convert-to-exec", "planning launches and memory")
                             .Case("hgc-emit-gpu-kernels", hasGpu ? "generating GPU code" : "")
                             .Case("hgc-emit-kernels", "generating loops of kernels")
                             .Default("");
    if (!activity.empty())
      tell(activity);
  }

private:
  std::function<void(StringRef)> tell;
  bool hasGpu;
};
} // namespace

/// Runs the passes that `add` adds.
static LogicalResult runPasses(ModuleOp module, const CompileOptions &options,
                               llvm::function_ref<void(OpPassManager &)> add) {
  PassManager pm(module.getContext());
  if (failed(applyPassManagerCLOptions(pm)))
    return failure();
  applyDefaultTimingPassManagerCLOptions(pm);
  if (options.progress)
    pm.addInstrumentation(std::make_unique<TellProgress>(options));
  add(pm);
  return pm.run(module);
}

LogicalResult hgc::fuseForTuning(ModuleOp module, const CompileOptions &options) {
  CompileOptions silent = options;
  silent.progress = nullptr;
  return runPasses(module, silent, [&](OpPassManager &pm) {
    addTransferPasses(pm, silent);
    pm.addPass(createFuse({options.optLevel == 0}));
  });
}

/// Adds the stages behind `from` up to `to`, without the first half of `placed` if that has run.
static void addStages(OpPassManager &pm, Stage from, Stage to, const CompileOptions &options,
                      plans::PlanCollector *collector, bool isTuned) {
  for (int number = static_cast<int>(from); number <= static_cast<int>(to); ++number) {
    auto stage = static_cast<Stage>(number);
    if (stage == Stage::Placed && isTuned)
      buildPlacedPipeline(pm, options, collector, isTuned);
    else if (stage != from)
      buildStagePipeline(stage, pm, options, collector);
    if (stage == Stage::Placed)
      addVisit(pm, collector, &plans::PlanCollector::visitPlaced);
    else if (stage == Stage::Fused)
      addVisit(pm, collector, &plans::PlanCollector::visitFused);
    else if (stage == Stage::Exec)
      addVisit(pm, collector, &plans::PlanCollector::visitExec);
  }
}

/// Runs stages with settled options.
static LogicalResult runSpan(ModuleOp module, Stage from, Stage to, const CompileOptions &options,
                             plans::PlanCollector *collector) {
  if (options.progress)
    options.progress("simplifying the graph");
  bool isTuned = options.tune && from < Stage::Placed && to >= Stage::Placed;
  if (isTuned) {
    auto place = [&](OpPassManager &pm) {
      addVerifier(from, pm, options);
      addStages(pm, from, Stage::Graph, options, collector, /*isTuned=*/false);
      addPlacementPasses(pm, options);
    };
    if (failed(runPasses(module, options, place)) || failed(options.tune(module, options)))
      return failure();
    from = Stage::Placed;
  }
  return runPasses(module, options, [&](OpPassManager &pm) {
    // What starts in the middle comes from a file that anyone may have edited.
    if (!isTuned)
      addVerifier(from, pm, options);
    addStages(pm, from, to, options, collector, isTuned);
  });
}

LogicalResult hgc::runStages(ModuleOp module, Stage from, Stage to, const CompileOptions &options,
                             plans::PlanCollector *collector) {
  if (!module->hasAttr(plans::kModelHashAttr))
    module->setAttr(plans::kModelHashAttr, StringAttr::get(module.getContext(), plans::computeModelHash(module)));
  if (!module->hasAttr(kTargetCpuAttr))
    module->setAttr(kTargetCpuAttr, StringAttr::get(module.getContext(), options.targetCpu));
  if (!options.gpu.empty() && !module->hasAttr(kTargetGpuAttr))
    module->setAttr(kTargetGpuAttr, StringAttr::get(module.getContext(), options.gpu));
  if (!options.cpuTable.empty())
    module->setAttr(kTargetCpuTableAttr, StringAttr::get(module.getContext(), options.cpuTable));
  if (!options.gpuTable.empty())
    module->setAttr(kTargetGpuTableAttr, StringAttr::get(module.getContext(), options.gpuTable));
  if (options.allowTf32)
    module->setAttr(kAllowTf32Attr, UnitAttr::get(module.getContext()));
  if (!options.name.empty())
    module.setSymName(options.name);
  if (options.memoryLimit.empty() || from > Stage::Graph || to <= Stage::Graph)
    return runSpan(module, from, to, options, collector);
  // The plan under a limit is found on the graph.
  if (from < Stage::Graph && failed(runSpan(module, from, Stage::Graph, options, nullptr)))
    return failure();
  FailureOr<CompileOptions> chosen = chooseUnderLimit(module, options);
  if (failed(chosen) || failed(runSpan(module, Stage::Graph, to, *chosen, collector)))
    return failure();
  return to >= Stage::Exec ? checkMemoryLimit(module, options) : success();
}

LogicalResult hgc::expandEntries(ModuleOp module, const CompileOptions &options) {
  bool any = options.training.enabled;
  for (auto function : module.getOps<func::FuncOp>())
    any |= function->hasAttr(graph::HGCDialect::kGrad);
  if (!any)
    return success();
  PassManager pm(module.getContext());
  addEntryPasses(pm, options);
  return pm.run(module);
}
