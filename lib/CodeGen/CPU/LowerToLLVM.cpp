//===- LowerToLLVM.cpp - loops of kernels become LLVM dialect -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/Passes.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace hgc {
#define GEN_PASS_DEF_LOWERTOLLVM
#include "hgc/CodeGen/CPU/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;

void hgc::buildLowerToLLVMPipeline(OpPassManager &pm) {
  // Emitters write naive index arithmetic; fold it while it is still typed.
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  // Before any lowering: the polynomials are arith on vectors.
  pm.addPass(createExpandMath());
  // x86 has no bf16 conversions below AVX512, and LLVM would call functions.
  arith::ArithExpandOpsPassOptions arith;
  arith.includeBf16 = true;
  pm.addPass(arith::createArithExpandOpsPass(arith));
  // Vectors of higher rank and transfers become loops over one-dimensional ones.
  pm.addPass(createConvertVectorToSCFPass());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createConvertVectorToLLVMPass());
  // Intrinsics where LLVM has them, functions of libm for the rest.
  ConvertMathToLLVMPassOptions math;
  math.approximateLog1p = false; // log(1 + x) has no digits left at small x
  pm.addPass(createConvertMathToLLVMPass(math));
  pm.addPass(createConvertMathToLibmPass());
  pm.addPass(createConvertIndexToLLVMPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  // Bare pointers keep `noalias`, which descriptors would lose.
  ConvertFuncToLLVMPassOptions func;
  func.useBarePtrCallConv = true;
  pm.addPass(createConvertFuncToLLVMPass(func));
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
}

namespace {
struct LowerToLLVM final : hgc::impl::LowerToLLVMBase<LowerToLLVM> {
  LowerToLLVM() : pipeline(ModuleOp::getOperationName()) { buildLowerToLLVMPipeline(pipeline); }
  LowerToLLVM(const LowerToLLVM &other) : LowerToLLVMBase(other), pipeline(other.pipeline) {}

  void getDependentDialects(DialectRegistry &registry) const override { pipeline.getDependentDialects(registry); }

  void runOnOperation() override {
    if (failed(runPipeline(pipeline, getOperation())))
      signalPassFailure();
  }

private:
  OpPassManager pipeline;
};
} // namespace
