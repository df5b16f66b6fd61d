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
#include "hgc/CodeGen/Common/Lanes.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;
using graph::ReduceKind;
using graph::ScatterKind;

namespace {

struct ScatterEmitter final : KernelEmitter {
  KernelSchedule plan(exec::KernelOp kernel, const DeviceTable &target) const override;
  LogicalResult emit(KernelContext &context) const override;
};

/// The op and where its updates are.
struct Scatter {
  explicit Scatter(exec::KernelOp kernel) : op(cast<graph::ScatterOp>(getRoot(kernel))) {
    indices = cast<RankedTensorType>(op.getIndices().getType());
    input = cast<RankedTensorType>(op.getInput().getType());
    axis = op.getAxis();
    picks = op.getSlices() ? indices.getNumElements() : indices.getDimSize(axis);
  }

  /// Index of an update from one of the input: `along` (one entry per dim that
  /// stands for `axis` in the updates) replaces the entry of the axis.
  template <typename T> SmallVector<T> toUpdate(ArrayRef<T> at, ArrayRef<T> along) const {
    SmallVector<T> result(at.take_front(axis));
    result.append(along.begin(), along.end());
    result.append(at.begin() + axis + 1, at.end());
    return result;
  }

  ReductionPlan plan(exec::KernelOp kernel, const DeviceTable &target) const;

  mutable graph::ScatterOp op;
  RankedTensorType indices, input;
  int64_t axis, picks;
};

/// Emits the updates of one line, or of neighbouring lines.
struct UpdateEmitter {
  KernelContext &context;
  const Scatter &scatter;
  const ReductionPlan &plan;
  ReductionNest &nest;
  RowBuffer &row;

  void emit() {
    IndexBuilder b(context.builder, context.loc);
    b.loop(scatter.picks, [&](Value pick) {
      if (scatter.op.getSlices() || nest.resultLanes() == 1)
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
    OpBuilder &b = context.builder;
    SmallVector<LaneIndex> along, whole(at);
    if (scatter.op.getSlices())
      for (Value i : IndexBuilder(b, context.loc).delinearize(pick, scatter.indices.getShape()))
        along.push_back(i);
    else
      along.push_back(pick);
    SmallVector<LaneIndex> update = scatter.toUpdate<LaneIndex>(at, along);
    ArrayRef<LaneIndex> chosen = scatter.op.getSlices() ? ArrayRef(along) : ArrayRef(update);
    Value picked = ElementEmitter(context, 1).eval(scatter.op.getIndices(), chosen);
    ReductionPoint point;
    point.position = wrapIndex(b, context.loc, picked, scatter.input.getDimSize(scatter.axis));
    point.index = whole;
    point.index[scatter.axis] = point.position;
    point.lanes = point.fresh = lanes;
    point.lane = lane;
    Value value = ElementEmitter(context, lanes).eval(scatter.op.getUpdates(), update);
    if (std::optional<ReduceKind> kind = getReduceKind(scatter.op.getKind())) {
      Combiner combiner{*kind, graph::isUnsigned(scatter.input.getElementType())};
      value = combiner.combine(b, context.loc, row.load(point), value);
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
  // Along the axis an update may be anywhere.
  SmallVector<LinearForm> along(op.getSlices() ? indices.getRank() : 1);
  SmallVector<LinearForm> update = toUpdate<LinearForm>(forms, along);
  collectAccesses(op.getUpdates(), update, {}, accesses);
  if (!op.getSlices())
    collectAccesses(op.getIndices(), update, {}, accesses);
  int64_t weight = 1 + 2 * picks / std::max<int64_t>(1, input.getDimSize(axis));
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
    UpdateEmitter{context, scatter, plan, nest, row}.emit();
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
