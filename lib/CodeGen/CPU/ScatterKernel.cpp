//===- ScatterKernel.cpp - kernels with a scatter -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines along the axis are independent; the updates of a line are applied one
// after the other, so that their order is the same for any number of threads.
// Three passes over each line: copy the input, apply updates, write the result.
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/Emitters.h"
#include "hgc/CodeGen/CPU/ReductionNest.h"
#include "hgc/CodeGen/Common/Combine.h"
#include "hgc/CodeGen/Common/ScatterShape.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;
using graph::ReduceKind;

namespace {

struct ScatterEmitter final : KernelEmitter {
  KernelSchedule plan(exec::KernelOp kernel, const DeviceTable &target) const override;
  LogicalResult emit(KernelContext &context) const override;
};

struct Scatter : ScatterShape {
  explicit Scatter(exec::KernelOp kernel) : ScatterShape(cast<graph::ScatterOp>(getRoot(kernel))) {}

  ReductionPlan plan(exec::KernelOp kernel, const DeviceTable &target) const;
};

/// Emits the updates of one line, or of neighbouring lines.
struct UpdateEmitter {
  KernelContext &context;
  const Scatter &scatter;
  ReductionNest &nest;
  RowBuffer &row;

  void emit() {
    IndexBuilder b(context.builder, context.loc);
    b.loop(scatter.picks, [&](Value pick) {
      if (scatter.slices || nest.resultLanes() == 1)
        return apply(pick, nest.resultIndex(), nest.resultLanes(), Value());
      // Every line has an index of its own.
      b.loop(nest.resultLanes(), [&](Value lane) {
        SmallVector<LaneIndex> at = nest.resultIndex();
        for (LaneIndex &i : at)
          if (!i.isUniform())
            i = b.add(i.base, b.mul(lane, i.step));
        apply(pick, at, 1, lane);
      });
    });
  }

private:
  void apply(Value pick, ArrayRef<LaneIndex> at, int64_t lanes, Value lane) {
    ReductionPoint point;
    point.position = scatter.getTarget(context, at, pick);
    point.index.assign(at.begin(), at.end());
    point.index[scatter.axis] = point.position;
    point.lanes = point.fresh = lanes;
    point.lane = lane;
    Value value = scatter.getUpdate(context, at, pick, lanes);
    if (std::optional<ReduceKind> kind = getReduceKind(scatter.op.getKind())) {
      Combiner combiner{*kind, graph::isUnsigned(scatter.input.getElementType())};
      value = combiner.combine(context.builder, context.loc, row.load(point), value);
    }
    row.store(point, value);
  }
};

} // namespace

ReductionPlan Scatter::plan(exec::KernelOp kernel, const DeviceTable &target) const {
  auto rank = static_cast<size_t>(input.getRank());
  SmallVector<bool> isReduced(rank, false);
  isReduced[axis] = true;
  SmallVector<LinearForm> forms = identityForms(rank);
  SmallVector<Access> accesses{getRowMajorAccess(input.getShape(), forms)};
  collectAccesses(getStore(kernel).getValue(), forms, op.getResult(), accesses);
  collectUpdateAccesses(accesses);
  int64_t weight = 1 + 2 * picks / std::max<int64_t>(1, extent);
  return ReductionPlan(kernel, target, op.getInput(), isReduced, accesses, weight);
}

KernelSchedule ScatterEmitter::plan(exec::KernelOp kernel, const DeviceTable &target) const {
  Scatter scatter(kernel);
  ReductionPlan plan = scatter.plan(kernel, target);
  KernelSchedule schedule;
  schedule.units = plan.loops.units;
  schedule.grain = chooseGrain(kernel, target, schedule.units);
  schedule.scratchBytes = RowBuffer::scratchBytes(kernel, plan, scatter.op.getInput());
  schedule.text = "scatter " + plan.describe();
  return schedule;
}

LogicalResult ScatterEmitter::emit(KernelContext &context) const {
  Scatter scatter(context.kernel);
  ReductionPlan plan = scatter.plan(context.kernel, context.target);
  RowBuffer row(context, plan, scatter.op.getInput());
  bool isFinished = row.isInOutput() && getStore(context.kernel).getValue() == scatter.op.getResult();
  ReductionNest::emit(context, plan, [&](ReductionNest &nest) {
    nest.forEach([&](const ReductionPoint &point) {
      row.store(point, ElementEmitter(context, point.lanes).eval(scatter.op.getInput(), point.index));
    });
    UpdateEmitter{context, scatter, nest, row}.emit();
    if (isFinished)
      return;
    nest.forEach([&](const ReductionPoint &point) {
      ElementEmitter result(context, point.lanes);
      result.limitStores(point.fresh);
      result.bind(scatter.op.getResult(), row.load(point));
      result.storeResult(point.index);
    });
  });
  return success();
}

std::unique_ptr<KernelEmitter> cpu::createScatterEmitter() { return std::make_unique<ScatterEmitter>(); }
