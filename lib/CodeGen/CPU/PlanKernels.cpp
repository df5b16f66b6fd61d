//===- PlanKernels.cpp - scratch memory of CPU kernels --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code generation decides what working memory a kernel needs; the memory plan
// has to know it earlier. Both ask the same function.
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/Emitters.h"
#include "hgc/CodeGen/CPU/Passes.h"

namespace hgc {
#define GEN_PASS_DEF_PLANKERNELS
#include "hgc/CodeGen/CPU/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

namespace {
struct PlanKernels final : hgc::impl::PlanKernelsBase<PlanKernels> {
  void runOnOperation() override {
    const DeviceTable &target = getCpuTable(getOperation());
    for (auto kernel : getOperation().getOps<exec::KernelOp>()) {
      if (isGpuKernel(kernel))
        continue;
      FailureOr<KernelSchedule> schedule = planKernel(kernel, target);
      if (failed(schedule))
        return signalPassFailure();
      if (schedule->scratchBytes > 0)
        kernel.setScratchBytes(schedule->scratchBytes);
    }
  }
};
} // namespace
