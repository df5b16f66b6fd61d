//===- LowerGpuToNVVM.cpp - the last conversion before LLVM IR ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Upstream's pass calls libdevice for functions that PTX has instructions for,
// and forbids the intrinsics that select them. This one uses its patterns, but
// elementary functions must be gone or become intrinsics.
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/GPU/Passes.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/GPUCommon/GPUCommonPass.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace hgc {
#define GEN_PASS_DEF_LOWERGPUTONVVM
#include "hgc/CodeGen/GPU/Passes.h.inc"
} // namespace hgc

using namespace mlir;

/// Vectors of several dims and slices become what LLVM has.
static LogicalResult simplifyVectors(Operation *module) {
  RewritePatternSet patterns(module->getContext());
  vector::populateVectorInsertExtractStridedSliceTransforms(patterns);
  vector::populateVectorBroadcastLoweringPatterns(patterns);
  vector::populateVectorBitCastLoweringPatterns(patterns);
  vector::populateVectorRankReducingFMAPattern(patterns);
  return applyPatternsGreedily(module, std::move(patterns));
}

namespace {
struct LowerGpuToNVVM final : hgc::impl::LowerGpuToNVVMBase<LowerGpuToNVVM> {
  void runOnOperation() override {
    if (failed(simplifyVectors(getOperation())))
      return signalPassFailure();
    LowerToLLVMOptions options(&getContext());
    // Bare pointers keep `noalias`, which descriptors would lose.
    options.useBarePtrCallConv = true;
    options.overrideIndexBitwidth(64);
    LLVMTypeConverter converter(&getContext(), options);
    configureGpuToNVVMTypeConverter(converter);
    RewritePatternSet patterns(&getContext());
    arith::populateArithToLLVMConversionPatterns(converter, patterns);
    cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
    populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns);
    populateVectorToLLVMConversionPatterns(converter, patterns);
    populateGpuToNVVMConversionPatterns(converter, patterns);
    // Above libdevice, which the patterns before bring along.
    populateMathToLLVMConversionPatterns(converter, patterns, /*approximateLog1p=*/false, /*benefit=*/10);
    LLVMConversionTarget target(getContext());
    target.addIllegalDialect<mlir::gpu::GPUDialect>();
    target.addLegalDialect<NVVM::NVVMDialect>();
    target.addLegalOp<mlir::gpu::GPUModuleOp, mlir::gpu::YieldOp>();
    if (failed(applyPartialConversion(getOperation(), target, std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
