//===- ArgReduceKernel.cpp - kernels with the position of an extreme ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two reductions, both in all lanes: the greatest key, then the least position
// that has it. Carrying positions along with keys would cost as much and make the
// first one depend on the order of lanes.
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/Emitters.h"
#include "hgc/CodeGen/CPU/ReductionNest.h"
#include "hgc/CodeGen/Common/Combine.h"
#include "hgc/CodeGen/Common/Lanes.h"
#include "hgc/CodeGen/Common/OrderKey.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;
using graph::ReduceKind;

namespace {

struct ArgReduceEmitter final : KernelEmitter {
  KernelSchedule plan(exec::KernelOp kernel, const DeviceTable &target) const override;
  LogicalResult emit(KernelContext &context) const override;
};

/// Emits one row, or neighbouring columns.
struct ExtremeEmitter {
  ExtremeEmitter(KernelContext &context, graph::ArgReduceOp op, ReductionNest &nest)
      : context(context), op(op), nest(nest) {
    auto input = cast<RankedTensorType>(op.getInput().getType());
    key = {input.getElementType(), op.getKind() == graph::ArgReduceKind::Min, true};
    bool isShort = input.getDimSize(op.getAxis()) < (int64_t(1) << 31);
    positionType = isShort ? context.builder.getI32Type() : context.builder.getI64Type();
  }

  /// The position, as an i64 in every lane of the result.
  Value emit() {
    Value best =
        nest.reduce(ReduceKind::Max, false, key.getType(), [&](const ReductionPoint &point) { return getKey(point); });
    Value position = nest.reduce(ReduceKind::Min, false, positionType,
                                 [&](const ReductionPoint &point) { return getCandidate(point, best); });
    Type i64 = getLaneType(context.builder.getI64Type(), getLanes(position));
    if (position.getType() == i64)
      return position;
    return arith::ExtSIOp::create(context.builder, context.loc, i64, position);
  }

private:
  Value getKey(const ReductionPoint &point) {
    Value value = ElementEmitter(context, point.lanes).eval(op.getInput(), point.index);
    return key.build(context.builder, context.loc, value);
  }

  /// The position of the point where it has the best key, else one past all.
  Value getCandidate(const ReductionPoint &point, Value best) {
    OpBuilder &b = context.builder;
    Location loc = context.loc;
    Value value = getKey(point);
    Value isBest = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, value, nest.spreadTo(point, best));
    Value first = arith::IndexCastOp::create(b, loc, positionType, point.position);
    Value position = spread(b, loc, first, point.lanes);
    if (nest.resultLanes() == 1 && point.lanes > 1) {
      SmallVector<Attribute> steps;
      for (int64_t l = 0; l < point.lanes; ++l)
        steps.push_back(b.getIntegerAttr(positionType, l));
      Value offsets =
          arith::ConstantOp::create(b, loc, DenseElementsAttr::get(cast<VectorType>(position.getType()), steps));
      position = arith::AddIOp::create(b, loc, position, offsets);
    }
    Value none = Combiner{ReduceKind::Min, false}.neutral(b, loc, position.getType());
    return arith::SelectOp::create(b, loc, isBest, position, none);
  }

  KernelContext &context;
  graph::ArgReduceOp op;
  ReductionNest &nest;
  OrderKey key;
  Type positionType;
};

} // namespace

/// `perDim` (one entry per dim of the input) as seen by the result's dims.
template <typename T> static SmallVector<T> dropAxis(graph::ArgReduceOp op, SmallVector<T> perDim, const T &ofReduced) {
  if (op.getKeepdims())
    perDim[op.getAxis()] = ofReduced;
  else
    perDim.erase(perDim.begin() + op.getAxis());
  return perDim;
}

static ReductionPlan makePlan(exec::KernelOp kernel, const DeviceTable &target) {
  auto op = cast<graph::ArgReduceOp>(getRoot(kernel));
  auto rank = static_cast<size_t>(cast<RankedTensorType>(op.getInput().getType()).getRank());
  SmallVector<bool> isReduced(rank, false);
  isReduced[op.getAxis()] = true;
  SmallVector<LinearForm> forms = dropAxis(op, identityForms(rank), LinearForm());
  Value result = getStore(kernel).getValue();
  SmallVector<Access> accesses{getRowMajorAccess(cast<RankedTensorType>(result.getType()).getShape(), forms)};
  collectAccesses(result, forms, op.getResult(), accesses);
  return ReductionPlan(kernel, target, op.getInput(), isReduced, accesses, 2);
}

KernelSchedule ArgReduceEmitter::plan(exec::KernelOp kernel, const DeviceTable &target) const {
  ReductionPlan plan = makePlan(kernel, target);
  KernelSchedule schedule;
  schedule.units = plan.loops.units;
  schedule.grain = chooseGrain(kernel, target, schedule.units);
  schedule.text = "arg_reduce " + plan.describe();
  return schedule;
}

LogicalResult ArgReduceEmitter::emit(KernelContext &context) const {
  auto op = cast<graph::ArgReduceOp>(getRoot(context.kernel));
  ReductionPlan plan = makePlan(context.kernel, context.target);
  LaneIndex zero = IndexBuilder(context.builder, context.loc).constant(0);
  ReductionNest::emit(context, plan, [&](ReductionNest &nest) {
    Value position = ExtremeEmitter(context, op, nest).emit();
    ElementEmitter result(context, nest.resultLanes());
    result.bind(op.getResult(), position);
    result.storeResult(dropAxis(op, nest.resultIndex(), zero));
  });
  return success();
}

std::unique_ptr<KernelEmitter> cpu::createArgReduceEmitter() { return std::make_unique<ArgReduceEmitter>(); }
