//===- PlanGpuKernels.cpp - scratch memory of GPU kernels -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code generation decides what working memory a kernel needs; the memory plan
// has to know it earlier. Both ask the same function.
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/GPU/KernelContext.h"
#include "hgc/CodeGen/GPU/Passes.h"

namespace hgc {
#define GEN_PASS_DEF_PLANGPUKERNELS
#include "hgc/CodeGen/GPU/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;
using namespace hgc::gpu;

namespace {
struct PlanGpuKernels final : hgc::impl::PlanGpuKernelsBase<PlanGpuKernels> {
  using PlanGpuKernelsBase::PlanGpuKernelsBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (ownKernels)
      module->setAttr(kOwnKernelsAttr, UnitAttr::get(&getContext()));
    GpuTable target = getGpuTable(module);
    for (auto kernel : module.getOps<exec::KernelOp>()) {
      if (!isGpuKernel(kernel))
        continue;
      FailureOr<KernelPlan> plan = planKernel(kernel, target);
      if (failed(plan))
        return signalPassFailure();
      if (plan->scratchBytes > 0)
        kernel.setScratchBytes(plan->scratchBytes);
      if (plan->gemm)
        kernel->setAttr(kGemmAttr, plan->gemm);
    }
  }
};
} // namespace
