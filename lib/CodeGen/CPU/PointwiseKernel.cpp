//===- PointwiseKernel.cpp - kernels without a root -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every element of the result is computed on its own: lanes along the innermost
// merged loop. Where an input is read across (a transposition), iterations run in
// tiles so that each cache line read is used up while it is still near.
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/Emitters.h"
#include "hgc/CodeGen/CPU/UnitLoops.h"
#include "hgc/CodeGen/Common/Lanes.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

/// Iterations of the loop along which a transposed input is contiguous that run
/// inside the vector loop.
static constexpr int64_t kTile = 32;

namespace {

/// Loops of one pointwise kernel.
struct PointwisePlan {
  PointwisePlan(exec::KernelOp kernel, const DeviceTable &target);

  SmallVector<Axis> axes;
  size_t rank = 0;
  /// Whether the last but one axis runs in tiles inside the last.
  bool isTiled = false;
  int64_t lanes = 1;
  UnitLoops loops;
};

struct PointwiseEmitter final : KernelEmitter {
  KernelSchedule plan(exec::KernelOp kernel, const DeviceTable &target) const override {
    PointwisePlan plan(kernel, target);
    KernelSchedule schedule;
    schedule.units = plan.loops.units;
    schedule.grain = chooseGrain(kernel, target, schedule.units);
    schedule.text =
        llvm::formatv("pointwise loops={0} lanes={1}{2}", plan.axes.size(), plan.lanes, plan.isTiled ? " tiled" : "");
    return schedule;
  }

  LogicalResult emit(KernelContext &context) const override;
};

} // namespace

/// The axis along which an access that strides over the innermost axis is
/// contiguous; -1 when there is none.
static int findTransposedAxis(ArrayRef<Axis> axes, ArrayRef<Access> accesses) {
  for (const Access &access : accesses) {
    auto step = [&](const Axis &axis) {
      return axis.dim >= 0 && static_cast<size_t>(axis.dim) < access.size() ? access[axis.dim] : 0;
    };
    if (std::abs(step(axes.back())) <= 1)
      continue;
    for (size_t a = 0; a + 1 < axes.size(); ++a)
      if (std::abs(step(axes[a])) == 1)
        return static_cast<int>(a);
  }
  return -1;
}

PointwisePlan::PointwisePlan(exec::KernelOp kernel, const DeviceTable &target) {
  Value result = getStore(kernel).getValue();
  ArrayRef<int64_t> shape = cast<RankedTensorType>(result.getType()).getShape();
  rank = shape.size();
  SmallVector<LinearForm> forms = identityForms(rank);
  SmallVector<Access> accesses{getRowMajorAccess(shape, forms)};
  collectAccesses(result, forms, {}, accesses);
  axes = mergeDims(shape, {}, accesses);
  int transposed = findTransposedAxis(axes, accesses);
  isTiled = transposed >= 0;
  lanes = chooseLanes(kernel, target, axes.back().extent, isTiled ? 1 : 2);
  // Loops may run in any order: bring the two of a tile together.
  if (isTiled)
    std::rotate(axes.begin() + transposed, axes.begin() + transposed + 1, axes.end() - 1);
  SmallVector<int64_t> extents;
  for (const Axis &axis : axes)
    extents.push_back(axis.extent);
  if (isTiled)
    extents[extents.size() - 2] = llvm::divideCeil(extents[extents.size() - 2], kTile);
  loops = UnitLoops::plan(extents, isTiled ? kTile : 1, lanes);
}

LogicalResult PointwiseEmitter::emit(KernelContext &context) const {
  PointwisePlan plan(context.kernel, context.target);
  IndexBuilder b(context.builder, context.loc);
  int64_t extent = plan.axes.back().extent;
  auto point = [&](ArrayRef<Value> outer, Value last) {
    SmallVector<LaneIndex> positions(outer.begin(), outer.end());
    positions.push_back({last, plan.lanes == 1 ? 0 : 1});
    ElementEmitter(context, plan.lanes).storeResult(makeIndex(b, plan.rank, plan.axes, positions));
  };
  plan.loops.emit(b, context.begin, context.end, [&](ArrayRef<Value> outer, Value lower, Value upper) {
    if (!plan.isTiled)
      return emitLaneLoop(b, lower, upper, extent, plan.lanes, [&](Value i) { point(outer, i); });
    SmallVector<Value> at(outer);
    int64_t tiledExtent = plan.axes[plan.axes.size() - 2].extent;
    Value first = b.mul(at.pop_back_val(), kTile);
    Value limit = b.min(b.add(first, kTile), b.constant(tiledExtent));
    emitLaneLoop(b, lower, upper, extent, plan.lanes, [&](Value i) {
      b.loop(first, limit, 1, [&](Value t) {
        at.push_back(t);
        point(at, i);
        at.pop_back();
      });
    });
  });
  return success();
}

std::unique_ptr<KernelEmitter> cpu::createPointwiseEmitter() { return std::make_unique<PointwiseEmitter>(); }
