//===- LowerGpuToPtx.cpp - GPU functions become PTX -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/GPU/Passes.h"
#include "hgc/CodeGen/GPU/PtxTarget.h"
#include "hgc/Target/GpuTable.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/NVGPUToNVVM/NVGPUToNVVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace hgc {
#define GEN_PASS_DEF_LOWERGPUTOPTX
#include "hgc/CodeGen/GPU/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;
using namespace hgc::gpu;

void hgc::gpu::buildLowerToNVVMPipeline(OpPassManager &pm) {
  // Emitters write naive index arithmetic; fold it while it is still typed.
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createConvertNVGPUToNVVMPass());
  OpPassManager &functions = pm.nest<mlir::gpu::GPUModuleOp>();
  // Before any lowering: the polynomials are arith on vectors.
  functions.addPass(createExpandGpuMath());
  functions.addPass(createConvertVectorToSCFPass());
  functions.addPass(createSCFToControlFlowPass());
  functions.addPass(memref::createExpandStridedMetadataPass());
  functions.addPass(createLowerAffinePass());
  functions.addPass(createLowerGpuToNVVM());
  functions.addPass(createCanonicalizerPass());
  functions.addPass(createCSEPass());
  functions.addPass(createReconcileUnrealizedCastsPass());
}

namespace {
struct LowerGpuToPtx final : hgc::impl::LowerGpuToPtxBase<LowerGpuToPtx> {
  LowerGpuToPtx() : pipeline(ModuleOp::getOperationName()) { buildLowerToNVVMPipeline(pipeline); }
  LowerGpuToPtx(const LowerGpuToPtx &other) : LowerGpuToPtxBase(other), pipeline(other.pipeline) {}

  void getDependentDialects(DialectRegistry &registry) const override { pipeline.getDependentDialects(registry); }
  void runOnOperation() override;

private:
  OpPassManager pipeline;
};
} // namespace

void LowerGpuToPtx::runOnOperation() {
  ModuleOp module = getOperation();
  auto functions = module.lookupSymbol<mlir::gpu::GPUModuleOp>(kGpuModuleName);
  if (!functions)
    return;
  if (failed(runPipeline(pipeline, module)))
    return signalPassFailure();
  functions = module.lookupSymbol<mlir::gpu::GPUModuleOp>(kGpuModuleName);
  PtxTarget target = PtxTarget::get(getGpuTable(module).sm);
  FailureOr<std::string> text = translateToPtx(functions, target);
  if (failed(text))
    return signalPassFailure();
  Builder builder(&getContext());
  SmallVector<Attribute> images;
  if (auto present = module->getAttrOfType<ArrayAttr>(kGpuImagesAttr))
    images.assign(present.begin(), present.end());
  images.push_back(builder.getDictionaryAttr({builder.getNamedAttr("kind", builder.getStringAttr("ptx")),
                                              builder.getNamedAttr("sm", builder.getI64IntegerAttr(target.sm)),
                                              builder.getNamedAttr("data", builder.getStringAttr(*text))}));
  module->setAttr(kGpuImagesAttr, builder.getArrayAttr(images));
  functions.erase();
}
