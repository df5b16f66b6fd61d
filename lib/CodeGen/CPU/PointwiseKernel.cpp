//===- PointwiseKernel.cpp - kernels without a root -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every element of the result is computed on its own: lanes along the innermost
// merged loop, or all of several short lines. Where an input is read across (a
// transposition), iterations run in tiles so that each cache line read is used up
// while it is still near.
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/Emitters.h"
#include "hgc/CodeGen/CPU/StreamedStores.h"
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

  /// The innermost loop, over [lower, upper): `body(i, lanes)` computes the points
  /// [i, i + lanes).
  void emitLanes(IndexBuilder &b, Value lower, Value upper, function_ref<void(Value, int64_t)> body) const;

  SmallVector<Axis> axes;
  size_t rank = 0;
  /// Whether the last but one axis runs in tiles inside the last.
  bool isTiled = false;
  /// Whether a buffer is read and written: then no point is visited twice.
  bool isUpdate = false;
  /// Whether stores go past the caches.
  bool isStreamed = false;
  /// Lanes of one step; several short lines make one together.
  int64_t lanes = 1, lines = 1;
  UnitLoops loops;

private:
  int64_t chooseLines(exec::KernelOp kernel, const DeviceTable &target) const;
};

struct PointwiseEmitter final : KernelEmitter {
  KernelSchedule plan(exec::KernelOp kernel, const DeviceTable &target) const override {
    PointwisePlan plan(kernel, target);
    KernelSchedule schedule;
    schedule.units = plan.loops.units;
    schedule.grain = chooseGrain(kernel, target, schedule.units);
    schedule.text = llvm::formatv("pointwise loops={0} lanes={1}{2}{3}{4}", plan.axes.size(), plan.lanes,
                                  plan.isTiled ? " tiled" : "", plan.lines > 1 ? " of several lines" : "",
                                  plan.isStreamed ? " streamed" : "");
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
  SmallVector<exec::StoreOp, 4> stores = kernel.getStores();
  ArrayRef<int64_t> shape = cast<RankedTensorType>(stores.front().getValue().getType()).getShape();
  rank = shape.size();
  isUpdate = kernel.updatesInPlace();
  SmallVector<LinearForm> forms = identityForms(rank);
  SmallVector<Access> accesses{getRowMajorAccess(shape, forms)};
  for (exec::StoreOp store : stores)
    collectAccesses(store.getValue(), forms, {}, accesses);
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
  lines = isTiled || isUpdate ? 1 : chooseLines(kernel, target);
  if (lines > 1) {
    int64_t line = extents.pop_back_val();
    lanes = lines * line;
    loops = UnitLoops::plan(extents, line, lines);
    return;
  }
  if (isTiled)
    extents[extents.size() - 2] = llvm::divideCeil(extents[extents.size() - 2], kTile);
  loops = UnitLoops::plan(extents, isTiled ? kTile : 1, lanes);
  // All lines of results must start alike.
  bool isEven = axes.size() == 1 || axes.back().extent % lanes == 0;
  isStreamed = !isTiled && !isUpdate && lanes > 1 && isEven && fillsCaches(kernel, target);
}

/// Lines that fill four registers together where one does not fill its vectors.
int64_t PointwisePlan::chooseLines(exec::KernelOp kernel, const DeviceTable &target) const {
  int64_t line = axes.back().extent, full = chooseLanes(kernel, target, INT64_MAX, 2);
  // Lines of their own look up an element once.
  bool looksUp = llvm::any_of(kernel.getBody().front(),
                              [](Operation &op) { return isa<graph::GatherOp, graph::GatherAlongOp>(op); });
  if (axes.size() < 2 || line < 2 || 2 * lanes > full || looksUp)
    return 1;
  auto most = static_cast<int64_t>(llvm::bit_floor(static_cast<uint64_t>(2 * full / line)));
  return axes[axes.size() - 2].extent >= most ? most : 1;
}

void PointwisePlan::emitLanes(IndexBuilder &b, Value lower, Value upper,
                              function_ref<void(Value, int64_t)> body) const {
  int64_t extent = axes.back().extent;
  auto wide = [&](Value i) { body(i, lanes); };
  if (!isUpdate || extent % lanes == 0)
    return emitLaneLoop(b, lower, upper, extent, lanes, wide);
  // Units start at whole vectors: only the last one has points left over.
  Value limit = b.min(upper, b.constant(extent / lanes * lanes));
  b.loop(lower, limit, lanes, wide);
  b.loop(limit, upper, 1, [&](Value i) { body(i, 1); });
}

/// Vectors start where the result is aligned: all units move by as much, and points
/// before and behind whole vectors go one by one.
static void emitStreamed(KernelContext &context, const PointwisePlan &plan,
                         function_ref<void(ArrayRef<Value>, Value, int64_t)> point) {
  IndexBuilder b(context.builder, context.loc);
  Value shift = emitUnaligned(context, plan.lanes), zero = b.constant(0), extent = b.constant(plan.axes.back().extent);
  plan.loops.emit(b, context.begin, context.end, [&](ArrayRef<Value> outer, Value lower, Value upper) {
    auto one = [&](Value i) { point(outer, i, 1); };
    b.ifThen(b.equal(lower, zero), [&] { b.loop(zero, shift, 1, one); });
    Value first = b.add(lower, shift), last = b.min(b.add(upper, shift), extent);
    Value whole = b.add(first, b.mul(b.div(b.sub(last, first), plan.lanes), plan.lanes));
    b.loop(first, whole, plan.lanes, [&](Value i) { point(outer, i, plan.lanes); });
    b.loop(whole, last, 1, one);
  });
  emitStreamFence(context);
}

/// Steps of several whole lines.
static void emitLines(KernelContext &context, const PointwisePlan &plan) {
  IndexBuilder b(context.builder, context.loc);
  int64_t line = plan.axes.back().extent, extent = plan.axes[plan.axes.size() - 2].extent;
  plan.loops.emit(b, context.begin, context.end, [&](ArrayRef<Value> outer, Value lower, Value upper) {
    emitLaneLoop(b, lower, upper, extent, plan.lines, [&](Value i) {
      SmallVector<LaneIndex> positions(outer.begin(), outer.end());
      positions.push_back({i, 0, Value(), 1});
      positions.push_back({b.constant(0), 1, Value(), -line});
      ElementEmitter(context, plan.lanes, line).storeResult(makeIndex(b, plan.rank, plan.axes, positions));
    });
  });
}

LogicalResult PointwiseEmitter::emit(KernelContext &context) const {
  PointwisePlan plan(context.kernel, context.target);
  IndexBuilder b(context.builder, context.loc);
  auto point = [&](ArrayRef<Value> outer, Value last, int64_t lanes) {
    SmallVector<LaneIndex> positions(outer.begin(), outer.end());
    positions.push_back({last, lanes == 1 ? 0 : 1});
    ElementEmitter emitter(context, lanes);
    if (plan.isStreamed && lanes > 1)
      emitter.streamStores(getStreamAlignment(context.kernel, lanes));
    emitter.storeResult(makeIndex(b, plan.rank, plan.axes, positions));
  };
  if (plan.isStreamed) {
    emitStreamed(context, plan, point);
    return success();
  }
  if (plan.lines > 1) {
    emitLines(context, plan);
    return success();
  }
  plan.loops.emit(b, context.begin, context.end, [&](ArrayRef<Value> outer, Value lower, Value upper) {
    if (!plan.isTiled)
      return plan.emitLanes(b, lower, upper, [&](Value i, int64_t lanes) { point(outer, i, lanes); });
    SmallVector<Value> at(outer);
    int64_t tiledExtent = plan.axes[plan.axes.size() - 2].extent;
    Value first = b.mul(at.pop_back_val(), kTile);
    Value limit = b.min(b.add(first, kTile), b.constant(tiledExtent));
    plan.emitLanes(b, lower, upper, [&](Value i, int64_t lanes) {
      b.loop(first, limit, 1, [&](Value t) {
        at.push_back(t);
        point(at, i, lanes);
        at.pop_back();
      });
    });
  });
  return success();
}

std::unique_ptr<KernelEmitter> cpu::createPointwiseEmitter() { return std::make_unique<PointwiseEmitter>(); }
