//===- ConcatKernel.cpp - kernels with a concatenation --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One loop nest per input, over the input's own shape; the units of all inputs
// are numbered one after the other.
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/Emitters.h"
#include "hgc/CodeGen/CPU/UnitLoops.h"
#include "hgc/CodeGen/Common/Lanes.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

namespace {

/// Loops over one input.
struct InputPlan {
  InputPlan(exec::KernelOp kernel, const DeviceTable &target, Value input);

  Value input;
  SmallVector<Axis> axes;
  int64_t lanes = 1;
  UnitLoops loops;
};

struct ConcatEmitter final : KernelEmitter {
  KernelSchedule plan(exec::KernelOp kernel, const DeviceTable &target) const override;
  LogicalResult emit(KernelContext &context) const override;
};

} // namespace

InputPlan::InputPlan(exec::KernelOp kernel, const DeviceTable &target, Value input) : input(input) {
  auto concat = cast<graph::ConcatOp>(getRoot(kernel));
  ArrayRef<int64_t> shape = cast<RankedTensorType>(input.getType()).getShape();
  SmallVector<LinearForm> forms = identityForms(shape.size());
  // The input's index and the result's differ by a constant.
  SmallVector<Access> accesses{
      getRowMajorAccess(cast<RankedTensorType>(concat.getResult().getType()).getShape(), forms)};
  collectAccesses(getStore(kernel).getValue(), forms, concat.getResult(), accesses);
  collectAccesses(input, forms, {}, accesses);
  axes = mergeDims(shape, {}, accesses);
  lanes = chooseLanes(kernel, target, axes.back().extent, 2);
  SmallVector<int64_t> extents;
  for (const Axis &axis : axes)
    extents.push_back(axis.extent);
  loops = UnitLoops::plan(extents, 1, lanes);
}

static SmallVector<InputPlan> makePlans(exec::KernelOp kernel, const DeviceTable &target) {
  SmallVector<InputPlan> plans;
  for (Value input : getRoot(kernel)->getOperands())
    plans.emplace_back(kernel, target, input);
  return plans;
}

KernelSchedule ConcatEmitter::plan(exec::KernelOp kernel, const DeviceTable &target) const {
  KernelSchedule schedule;
  schedule.units = 0;
  for (const InputPlan &plan : makePlans(kernel, target))
    schedule.units += plan.loops.units;
  schedule.grain = chooseGrain(kernel, target, schedule.units);
  schedule.text = llvm::formatv("concat inputs={0}", getRoot(kernel)->getNumOperands());
  return schedule;
}

/// Emits the loops over units [begin, end) of one input, whose elements start at
/// `offset` of the result's dim `axis`.
static void emitInput(KernelContext &context, const InputPlan &plan, int64_t axis, int64_t offset, Value begin,
                      Value end) {
  IndexBuilder b(context.builder, context.loc);
  auto concat = cast<graph::ConcatOp>(getRoot(context.kernel));
  auto rank = static_cast<size_t>(cast<RankedTensorType>(plan.input.getType()).getRank());
  plan.loops.emit(b, begin, end, [&](ArrayRef<Value> outer, Value lower, Value upper) {
    emitLaneLoop(b, lower, upper, plan.axes.back().extent, plan.lanes, [&](Value i) {
      SmallVector<LaneIndex> positions(outer.begin(), outer.end());
      positions.push_back({i, plan.lanes == 1 ? 0 : 1});
      SmallVector<LaneIndex> at = makeIndex(b, rank, plan.axes, positions);
      ElementEmitter emitter(context, plan.lanes);
      emitter.bind(concat.getResult(), emitter.eval(plan.input, at));
      at[axis].base = b.add(at[axis].base, offset);
      emitter.storeResult(at);
    });
  });
}

LogicalResult ConcatEmitter::emit(KernelContext &context) const {
  auto concat = cast<graph::ConcatOp>(getRoot(context.kernel));
  int64_t axis = concat.getAxis(), offset = 0, first = 0;
  IndexBuilder b(context.builder, context.loc);
  for (const InputPlan &plan : makePlans(context.kernel, context.target)) {
    int64_t units = plan.loops.units;
    Value begin = b.max(b.sub(context.begin, b.constant(first)), b.constant(0));
    Value end = b.min(b.sub(context.end, b.constant(first)), b.constant(units));
    // A nest of one unit has no loop of its own that could run zero times.
    if (units == 1)
      b.ifThen(b.lessThan(begin, end), [&]() { emitInput(context, plan, axis, offset, begin, end); });
    else if (units > 1)
      emitInput(context, plan, axis, offset, begin, end);
    first += units;
    offset += cast<RankedTensorType>(plan.input.getType()).getDimSize(axis);
  }
  return success();
}

std::unique_ptr<KernelEmitter> cpu::createConcatEmitter() { return std::make_unique<ConcatEmitter>(); }
