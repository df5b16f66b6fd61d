//===- PoolKernel.cpp - GPU kernels with a sliding window reduction -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread walks the window of its results: neighbouring channels where these
// come last, else one element.
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/Common/PoolWindow.h"
#include "hgc/CodeGen/GPU/Emitters.h"
#include "hgc/CodeGen/GPU/PointSpace.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::gpu;

/// Dim of spatial dim `number` (0 to 2) in the tensors; negative: it has none.
static int getTensorDim(const graph::ConvShape &shape, int number) {
  int spatial = number - (3 - static_cast<int>(shape.rank));
  return spatial < 0 ? -1 : spatial + (shape.channelsLast ? 1 : 2);
}

static PointSpace makeSpace(exec::KernelOp kernel, const GpuTable &target) {
  auto pool = cast<graph::PoolOp>(getRoot(kernel));
  graph::ConvShape shape = pool.getShape();
  size_t rank = shape.rank + 2;
  SmallVector<LinearForm> forms = identityForms(rank);
  SmallVector<Access> accesses;
  // Spatial dims stay loops of their own: windows are cut at their borders.
  SmallVector<LinearForm> source(forms);
  for (int number = 0; number < 3; ++number) {
    int dim = getTensorDim(shape, number);
    if (dim < 0)
      continue;
    Access barrier(rank, 0);
    barrier[dim] = 1;
    accesses.push_back(barrier);
    source[dim] = LinearForm();
  }
  collectAccesses(pool.getInput(), source, {}, accesses);
  bool isByChannel = shape.channelsLast && shape.inChannels > 1;
  return PointSpace(kernel, target, getStore(kernel).getValue(), pool.getResult(), accesses, isByChannel ? 0 : 1);
}

namespace {
struct PoolEmitter final : KernelEmitter {
  FailureOr<KernelPlan> plan(exec::KernelOp kernel, const GpuTable &target) const override {
    PointSpace space = makeSpace(kernel, target);
    KernelPlan plan;
    plan.launches.push_back(space.getLaunch());
    plan.text = llvm::formatv("pool lanes={0}", space.lanes);
    return plan;
  }

  LogicalResult emit(KernelContext &context, size_t) const override {
    auto pool = cast<graph::PoolOp>(getRoot(context.kernel));
    graph::ConvShape shape = pool.getShape();
    makeSpace(context.kernel, context.target).emit(context, [&](ArrayRef<LaneIndex> at, int64_t lanes) {
      PoolPoint point;
      point.batch = at[0];
      point.channel = shape.channelsLast ? at.back() : at[1];
      for (int number = 0; number < 3; ++number) {
        int dim = getTensorDim(shape, number);
        point.spatial[number] = dim < 0 ? LaneIndex(IndexBuilder(context.builder, context.loc).constant(0)) : at[dim];
      }
      PoolWindow(context, pool).emit(point, lanes);
    });
    return success();
  }
};
} // namespace

std::unique_ptr<KernelEmitter> hgc::gpu::createPoolEmitter() { return std::make_unique<PoolEmitter>(); }
