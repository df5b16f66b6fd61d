//===- PadKernel.cpp - kernels with a pad ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The result is written row by row: border, interior, border. Outside of the
// interior `constant` writes the value, the other modes read the input at an index
// moved back into range.
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/Emitters.h"
#include "hgc/CodeGen/CPU/UnitLoops.h"
#include "hgc/CodeGen/Common/Lanes.h"
#include "hgc/CodeGen/Common/PadIndex.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;
using graph::PadMode;

namespace {

/// The part of an axis of the result that shows the input.
struct Interior {
  int64_t lower = 0, upper = 0;
  /// Index into the input is the result's minus this; extent of the input.
  int64_t low = 0, extent = 0;
};

struct PadPlan {
  PadPlan(exec::KernelOp kernel, const DeviceTable &target);

  graph::PadOp pad;
  SmallVector<int64_t> inShape, outShape;
  SmallVector<Axis> axes;
  /// One per axis.
  SmallVector<Interior> interiors;
  int64_t lanes = 1;
  /// Over all axes but the last.
  UnitLoops loops;

private:
  SmallVector<Axis> merge(exec::KernelOp kernel) const;
};

struct PadEmitter final : KernelEmitter {
  KernelSchedule plan(exec::KernelOp kernel, const DeviceTable &target) const override {
    PadPlan plan(kernel, target);
    KernelSchedule schedule;
    schedule.units = plan.loops.units;
    schedule.grain = chooseGrain(kernel, target, schedule.units);
    schedule.text = llvm::formatv("pad loops={0} lanes={1}", plan.axes.size(), plan.lanes);
    return schedule;
  }
  LogicalResult emit(KernelContext &context) const override;
};

} // namespace

/// Dims merge as in a copy, except that a padded dim never joins the one outside
/// of it, nor, where borders read the input, the one inside of it.
SmallVector<Axis> PadPlan::merge(exec::KernelOp kernel) const {
  graph::PadOp op = pad;
  size_t rank = outShape.size();
  SmallVector<LinearForm> forms = identityForms(rank);
  Access stored = getRowMajorAccess(outShape, forms);
  SmallVector<Access> accesses{stored};
  for (size_t d = 0; d < rank; ++d) {
    if (op.getLow()[d] == 0 && op.getHigh()[d] == 0)
      continue;
    Access barrier(rank, 0);
    barrier[d] = stored[d];
    if (op.getMode() == PadMode::Constant)
      std::copy(stored.begin() + d, stored.end(), barrier.begin() + d);
    accesses.push_back(barrier);
  }
  collectAccesses(getStore(kernel).getValue(), forms, op.getResult(), accesses);
  collectAccesses(op.getInput(), forms, {}, accesses);
  return mergeDims(outShape, {}, accesses);
}

PadPlan::PadPlan(exec::KernelOp kernel, const DeviceTable &target) : pad(cast<graph::PadOp>(getRoot(kernel))) {
  inShape.assign(cast<RankedTensorType>(pad.getInput().getType()).getShape());
  outShape.assign(cast<RankedTensorType>(pad.getResult().getType()).getShape());
  axes = merge(kernel);
  for (const Axis &axis : axes) {
    // Only the outermost dim of a merged axis is padded; find it by its extent.
    int64_t inner = 1;
    int dim = axis.dim;
    while (dim > 0 && inner * outShape[dim] < axis.extent)
      inner *= outShape[dim--];
    Interior interior;
    if (dim >= 0) {
      interior.low = pad.getLow()[dim] * inner;
      interior.extent = inShape[dim] * inner;
    } else {
      interior.extent = 1;
    }
    interior.lower = std::clamp<int64_t>(interior.low, 0, axis.extent);
    interior.upper = std::clamp<int64_t>(interior.low + interior.extent, interior.lower, axis.extent);
    interiors.push_back(interior);
  }
  lanes = chooseLanes(kernel, target, axes.back().extent, 2);
  SmallVector<int64_t> extents;
  for (const Axis &axis : ArrayRef<Axis>(axes).drop_back())
    extents.push_back(axis.extent);
  if (extents.empty())
    extents.push_back(axes.back().extent == 0 ? 0 : 1);
  loops = UnitLoops::plan(extents, axes.back().extent, 1);
}

namespace {
/// Emits the rows of one pad.
class RowEmitter {
public:
  RowEmitter(KernelContext &context, const PadPlan &plan)
      : context(context), plan(plan), b(context.builder, context.loc), pad(plan.pad) {}

  void emit(ArrayRef<Value> outer);

private:
  Value moveInside(Value position, const Interior &interior) {
    return emitPadSource(b, pad.getMode(), position, interior.low, interior.extent);
  }
  void segment(int64_t lower, int64_t upper, bool isInput, bool isBorder);
  void point(Value last, int64_t lanes, bool isInput, bool isBorder);
  bool isConstant() { return pad.getMode() == PadMode::Constant; }

  KernelContext &context;
  const PadPlan &plan;
  IndexBuilder b;
  graph::PadOp pad;
  SmallVector<Value> outer;
};
} // namespace

/// Writes `lanes` elements from position `last` of the row on.
void RowEmitter::point(Value last, int64_t lanes, bool isInput, bool isBorder) {
  SmallVector<LaneIndex> positions(outer.begin(), outer.end());
  positions.push_back({last, lanes == 1 ? 0 : 1});
  SmallVector<LaneIndex> target = makeIndex(b, plan.outShape.size(), plan.axes, positions);
  ElementEmitter emitter(context, lanes);
  if (!isInput) {
    emitter.bind(pad.getResult(), emitter.eval(pad.getValue(), {}));
    return emitter.storeResult(target);
  }
  // Dims without a loop have one index; it too may have to be moved.
  SmallVector<LaneIndex> source;
  for (size_t d = 0; d < plan.outShape.size(); ++d)
    source.push_back(moveInside(b.constant(0), {0, 0, pad.getLow()[d], plan.inShape[d]}));
  for (auto [number, axis] : llvm::enumerate(plan.axes)) {
    if (axis.dim < 0)
      continue;
    const Interior &interior = plan.interiors[number];
    bool isLast = number + 1 == plan.axes.size(), isMoved = isLast ? isBorder : !isConstant();
    LaneIndex at = positions[number];
    if (isConstant())
      at.base = b.add(at.base, -pad.getLow()[axis.dim]);
    else
      at.base = isMoved ? moveInside(at.base, interior) : b.add(at.base, -interior.low);
    source[axis.dim] = at;
  }
  emitter.bind(pad.getResult(), emitter.eval(pad.getInput(), source));
  emitter.storeResult(target);
}

/// Writes positions [lower, upper) of the row.
void RowEmitter::segment(int64_t lower, int64_t upper, bool isInput, bool isBorder) {
  if (lower >= upper)
    return;
  int64_t lanes = isInput && isBorder ? 1 : fitLanes(upper - lower, plan.lanes);
  emitLaneLoop(b, b.constant(lower), b.constant(upper), upper - lower, lanes,
               [&](Value i) { point(i, lanes, isInput, isBorder); });
}

void RowEmitter::emit(ArrayRef<Value> outerIndices) {
  outer.assign(outerIndices.begin(), outerIndices.end());
  outer.resize(plan.axes.size() - 1);
  const Interior &last = plan.interiors.back();
  int64_t extent = plan.axes.back().extent;
  if (!isConstant()) {
    segment(0, last.lower, true, true);
    segment(last.lower, last.upper, true, false);
    segment(last.upper, extent, true, true);
    return;
  }
  bool isVisible = true;
  for (size_t d = 0; d < plan.outShape.size(); ++d)
    if (plan.outShape[d] == 1)
      isVisible &= pad.getLow()[d] <= 0 && -pad.getLow()[d] < plan.inShape[d];
  Value isInside = arith::ConstantIntOp::create(b.builder, b.loc, isVisible, 1);
  for (auto [position, interior, axis] : llvm::zip(outer, plan.interiors, plan.axes)) {
    if (interior.lower > 0)
      isInside = b.both(isInside, b.lessThan(b.constant(interior.lower - 1), position));
    if (interior.upper < axis.extent)
      isInside = b.both(isInside, b.lessThan(position, b.constant(interior.upper)));
  }
  b.ifThen(
      isInside,
      [&]() {
        segment(0, last.lower, false, true);
        segment(last.lower, last.upper, true, false);
        segment(last.upper, extent, false, true);
      },
      [&]() { segment(0, extent, false, true); });
}

LogicalResult PadEmitter::emit(KernelContext &context) const {
  PadPlan plan(context.kernel, context.target);
  IndexBuilder b(context.builder, context.loc);
  plan.loops.emit(b, context.begin, context.end, [&](ArrayRef<Value> outer, Value lower, Value upper) {
    b.loop(lower, upper, 1, [&](Value i) {
      SmallVector<Value> at(outer);
      at.push_back(i);
      RowEmitter(context, plan).emit(at);
    });
  });
  return success();
}

std::unique_ptr<KernelEmitter> cpu::createPadEmitter() { return std::make_unique<PadEmitter>(); }
