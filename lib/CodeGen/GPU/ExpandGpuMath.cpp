//===- ExpandGpuMath.cpp - functions PTX lacks become arithmetic ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/Common/MathExpansion.h"
#include "hgc/CodeGen/GPU/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace hgc {
#define GEN_PASS_DEF_EXPANDGPUMATH
#include "hgc/CodeGen/GPU/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;

namespace {
struct ExpandGpuMath final : hgc::impl::ExpandGpuMathBase<ExpandGpuMath> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    codegen::populateMathExpansionPatterns(patterns, /*hasLibm=*/false);
    arith::populateCeilFloorDivExpandOpsPatterns(patterns);
    // Below sm_80 there is no bf16, and LLVM would round twice.
    arith::populateExpandBFloat16Patterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
