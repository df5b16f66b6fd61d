//===- PointwiseKernel.cpp - GPU kernels without a root -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One thread computes a few neighbouring elements of the result, as many as fill
// the widest access; threads of a warp are neighbours. Inputs that are read across
// go through tiles in shared memory.
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/GPU/Emitters.h"
#include "hgc/CodeGen/GPU/TransposeTile.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::gpu;

namespace {
struct PointwiseEmitter final : KernelEmitter {
  FailureOr<KernelPlan> plan(exec::KernelOp kernel, const GpuTable &target) const override {
    PointSpace space(kernel, target, getStore(kernel).getValue());
    KernelPlan plan;
    if (std::optional<TransposeTile> tile = TransposeTile::create(kernel, space)) {
      plan.launches.push_back(tile->getLaunch());
      plan.text = llvm::formatv("pointwise dims={0} tiled inputs={1}", space.axes.size(), tile->inputs());
      return plan;
    }
    plan.launches.push_back(space.getLaunch());
    plan.text = llvm::formatv("pointwise dims={0} lanes={1}", space.axes.size(), space.lanes);
    return plan;
  }

  LogicalResult emit(KernelContext &context, size_t) const override {
    PointSpace space(context.kernel, context.target, getStore(context.kernel).getValue());
    if (std::optional<TransposeTile> tile = TransposeTile::create(context.kernel, space)) {
      tile->emit(context);
      return success();
    }
    space.emit(context, [&](ArrayRef<LaneIndex> at, int64_t lanes) { ElementEmitter(context, lanes).storeResult(at); });
    return success();
  }
};
} // namespace

std::unique_ptr<KernelEmitter> hgc::gpu::createPointwiseEmitter() { return std::make_unique<PointwiseEmitter>(); }
