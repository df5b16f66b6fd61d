//===- Pipeline.cpp - the order of all passes -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only this file orders passes. Each stage ends with the pass that verifies it.
//===----------------------------------------------------------------------===//

#include "hgc/Pipeline/Pipeline.h"

#include "hgc/CodeGen/CPU/Passes.h"
#include "hgc/CodeGen/GPU/Passes.h"
#include "hgc/Conversion/Passes.h"
#include "hgc/Placement/Passes.h"
#include "hgc/Target/DeviceTable.h"
#include "hgc/Target/GpuTable.h"
#include "hgc/Transforms/Passes.h"

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

/// Source to graph: flat, static, named, simplified.
static void buildGraphPipeline(OpPassManager &pm, const CompileOptions &options) {
  // One flat function per entry: every later pass looks at entries alone.
  pm.addPass(createInlineCalls());
  // Names move to locations before cloning, so that variants share them.
  pm.addPass(createNameOps());
  // Everything behind this point has static shapes.
  pm.addPass(createBindDims({options.dims}));
  if (options.optLevel > 0) {
    pm.addPass(createCanonicalizerPass());
    pm.addPass(createSimplify());
    // After simplification, so that only what remains is evaluated.
    FoldConstantsOptions fold;
    fold.baseDir = options.baseDir;
    pm.addPass(createFoldConstants(fold));
    pm.addPass(createCSEPass());
  }
  pm.addPass(createVerifyGraph());
}

/// Graph to placed: every op knows its device.
static void buildPlacedPipeline(OpPassManager &pm, const CompileOptions &options) {
  // Both plans see the same graph; from here on each has its own.
  pm.addPass(createSplitPlans());
  pm.addPass(createPlace({options.strictPlacement, options.place}));
  pm.addPass(createMaterializeTransfers());
  pm.addPass(createVerifyPlaced());
}

/// Placed to fused: layouts, packing, kernels.
static void buildFusedPipeline(OpPassManager &pm, const CompileOptions &options) {
  // Pointwise forms fuse with their neighbours; composite ones would not.
  pm.addPass(createDecompose({options.optLevel > 1}));
  if (options.optLevel > 0) {
    pm.addPass(createChooseLayouts());
    pm.addPass(createCanonicalizerPass());
    // Layouts first: packing follows the filter's final order.
    pm.addPass(createPackContractions());
    pm.addPass(createCSEPass());
    // Canonicalisation makes one constant of those of two devices.
    pm.addPass(createMaterializeTransfers());
    // While both forms of a weight are still expressions that can be compared.
    pm.addPass(createShareWeights());
  }
  pm.addPass(createFoldPacks({options.baseDir}));
  // What is left after folding: later stages know bytes only.
  pm.addPass(createLoadParameters({options.baseDir}));
  pm.addPass(createFuse({options.optLevel == 0}));
  pm.addPass(createCSEPass());
  pm.addPass(createVerifyFused());
}

/// Fused to exec: buffers, launches, memory.
static void buildExecPipeline(OpPassManager &pm, const CompileOptions &options) {
  pm.addPass(createConvertToExec());
  // Which buffers may share memory depends on who waits for whom.
  pm.addPass(createAssignStreams());
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

void hgc::buildStagePipeline(Stage stage, OpPassManager &pm, const CompileOptions &options) {
  switch (stage) {
  case Stage::Source:
    return;
  case Stage::Graph:
    return buildGraphPipeline(pm, options);
  case Stage::Placed:
    return buildPlacedPipeline(pm, options);
  case Stage::Fused:
    return buildFusedPipeline(pm, options);
  case Stage::Exec:
    return buildExecPipeline(pm, options);
  case Stage::LLVM:
    return buildLLVMPipeline(pm, options);
  }
}

/// The pass that proves a module is what the stage promises.
static void addVerifier(Stage stage, OpPassManager &pm) {
  switch (stage) {
  case Stage::Source:
  case Stage::LLVM:
    return;
  case Stage::Graph:
    return pm.addPass(createVerifyGraph());
  case Stage::Placed:
    return pm.addPass(createVerifyPlaced());
  case Stage::Fused:
    return pm.addPass(createVerifyFused());
  case Stage::Exec:
    return pm.addPass(createVerifyExec());
  }
}

LogicalResult hgc::runStages(ModuleOp module, Stage from, Stage to, const CompileOptions &options) {
  if (!module->hasAttr(kTargetCpuAttr))
    module->setAttr(kTargetCpuAttr, StringAttr::get(module.getContext(), options.targetCpu));
  if (!options.gpu.empty() && !module->hasAttr(kTargetGpuAttr))
    module->setAttr(kTargetGpuAttr, StringAttr::get(module.getContext(), options.gpu));
  if (!options.name.empty())
    module.setSymName(options.name);
  PassManager pm(module.getContext());
  if (failed(applyPassManagerCLOptions(pm)))
    return failure();
  applyDefaultTimingPassManagerCLOptions(pm);
  // What starts in the middle comes from a file that anyone may have edited.
  addVerifier(from, pm);
  for (int stage = static_cast<int>(from) + 1; stage <= static_cast<int>(to); ++stage)
    buildStagePipeline(static_cast<Stage>(stage), pm, options);
  return pm.run(module);
}
