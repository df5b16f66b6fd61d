//===- GemmKernels.h - bodies of contraction kernels ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_GPU_GEMMKERNELS_H
#define HGC_CODEGEN_GPU_GEMMKERNELS_H

#include "hgc/CodeGen/GPU/GemmStore.h"

namespace hgc::gpu {

/// All that the body of a contraction's kernel is made from.
struct GemmJob {
  KernelContext &context;
  const Contraction &problem;
  const GemmPlan &plan;
  /// Flat buffers of the operands, and the result of the root.
  mlir::Value lhs, rhs, rootResult;
};

/// The block's place in a tiled plan. Blocks are numbered in one dim: by rows of a
/// group, columns, groups of rows, batch and share of the depth.
struct GemmBlock {
  GemmBlock(KernelContext &context, const Contraction &problem, const GemmPlan &plan);

  mlir::Value thread;
  mlir::Value column, row, batch, split;
  /// Steps [first, last) of the depth; the start of step s is
  /// s * tile.depth + origin, negative only for step 0.
  mlir::Value firstStep, lastStep;
  int64_t origin;

  mlir::Value depthAt(codegen::IndexBuilder &index, const GemmPlan &plan, mlir::Value step) const {
    return index.add(index.mul(step, plan.tile.depth), origin);
  }
};

/// Each emits the body of the first launch at the builder's insertion point.
void emitSimtGemm(const GemmJob &job);
void emitTensorCoreGemm(const GemmJob &job);
void emitColumnsGemm(const GemmJob &job);
void emitDotsGemm(const GemmJob &job);
void emitDirectGemm(const GemmJob &job);

} // namespace hgc::gpu

#endif // HGC_CODEGEN_GPU_GEMMKERNELS_H
