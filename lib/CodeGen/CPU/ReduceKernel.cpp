//===- ReduceKernel.cpp - kernels with a reduction ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/Emitters.h"
#include "hgc/CodeGen/CPU/ReductionNest.h"
#include "hgc/CodeGen/Common/Combine.h"
#include "hgc/CodeGen/Common/Lanes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;
using graph::ReduceKind;

namespace {
struct ReduceEmitter final : KernelEmitter {
  KernelSchedule plan(exec::KernelOp kernel, const DeviceTable &target) const override;
  LogicalResult emit(KernelContext &context) const override;
};
} // namespace

static RankedTensorType getInputType(graph::ReduceOp reduce) {
  return cast<RankedTensorType>(reduce.getInput().getType());
}

/// `perDim` (one entry per dim of the input) as seen by the result's dims.
template <typename T> static SmallVector<T> toResult(graph::ReduceOp reduce, ArrayRef<T> perDim, const T &ofReduced) {
  SmallVector<T> result;
  for (auto [d, value] : llvm::enumerate(perDim)) {
    if (!llvm::is_contained(reduce.getAxes(), static_cast<int64_t>(d)))
      result.push_back(value);
    else if (reduce.getKeepdims())
      result.push_back(ofReduced);
  }
  return result;
}

static ReductionPlan makePlan(exec::KernelOp kernel, const DeviceTable &target) {
  auto reduce = cast<graph::ReduceOp>(getRoot(kernel));
  auto rank = static_cast<size_t>(getInputType(reduce).getRank());
  SmallVector<bool> isReduced(rank, false);
  for (int64_t axis : reduce.getAxes())
    isReduced[axis] = true;
  SmallVector<LinearForm> forms = toResult<LinearForm>(reduce, identityForms(rank), LinearForm());
  Value result = getStore(kernel).getValue();
  SmallVector<Access> accesses{getRowMajorAccess(cast<RankedTensorType>(result.getType()).getShape(), forms)};
  collectAccesses(result, forms, reduce.getResult(), accesses);
  return ReductionPlan(kernel, target, reduce.getInput(), isReduced, accesses, 1);
}

/// Type in which elements are combined. Products of f32 can leave its range on
/// the way to a representable result; means of integers need the whole sum.
static Type getCombineType(graph::ReduceOp reduce) {
  Type compute = graph::getComputeType(getInputType(reduce).getElementType());
  Builder builder(reduce.getContext());
  if (reduce.getKind() == ReduceKind::Prod && compute.isF32())
    return builder.getF64Type();
  if (reduce.getKind() == ReduceKind::Mean && isa<IntegerType>(compute))
    return builder.getI64Type();
  return compute;
}

/// `value` in the type elements are combined in.
static Value widen(OpBuilder &b, Location loc, Value value, Type type, bool isUnsigned) {
  if (!isa<IntegerType>(type))
    return convertFloat(b, loc, value, type);
  Type wide = getLaneType(type, getLanes(value));
  if (value.getType() == wide)
    return value;
  return isUnsigned ? Value(arith::ExtUIOp::create(b, loc, wide, value))
                    : Value(arith::ExtSIOp::create(b, loc, wide, value));
}

/// The result from the combined value: divides means, restores the compute type.
static Value finish(OpBuilder &b, Location loc, graph::ReduceOp reduce, Value value, int64_t count, bool isUnsigned) {
  Type compute = graph::getComputeType(getInputType(reduce).getElementType());
  if (reduce.getKind() == ReduceKind::Mean) {
    Value divisor = createConstant(b, loc, value.getType(), static_cast<double>(count));
    if (isa<FloatType>(compute))
      value = arith::DivFOp::create(b, loc, value, divisor);
    else if (count > 0)
      value = isUnsigned ? Value(arith::DivUIOp::create(b, loc, value, divisor))
                         : Value(arith::DivSIOp::create(b, loc, value, divisor));
  }
  Type type = getLaneType(compute, getLanes(value));
  if (isa<IntegerType>(compute) && value.getType() != type)
    return arith::TruncIOp::create(b, loc, type, value);
  return convertFloat(b, loc, value, compute);
}

KernelSchedule ReduceEmitter::plan(exec::KernelOp kernel, const DeviceTable &target) const {
  ReductionPlan plan = makePlan(kernel, target);
  KernelSchedule schedule;
  schedule.units = plan.loops.units;
  schedule.grain = chooseGrain(kernel, target, schedule.units);
  schedule.text = "reduce " + plan.describe();
  return schedule;
}

LogicalResult ReduceEmitter::emit(KernelContext &context) const {
  auto reduce = cast<graph::ReduceOp>(getRoot(context.kernel));
  ReductionPlan plan = makePlan(context.kernel, context.target);
  bool isUnsigned = graph::isUnsigned(getInputType(reduce).getElementType());
  Type type = getCombineType(reduce);
  OpBuilder &b = context.builder;
  ReductionNest::emit(context, plan, [&](ReductionNest &nest) {
    Value value = nest.reduce(reduce.getKind(), isUnsigned, type, [&](const ReductionPoint &point) {
      Value element = ElementEmitter(context, point.lanes).eval(reduce.getInput(), point.index);
      return widen(b, context.loc, element, type, isUnsigned);
    });
    value = finish(b, context.loc, reduce, value, plan.count, isUnsigned);
    ElementEmitter result(context, nest.resultLanes());
    result.bind(reduce.getResult(), value);
    LaneIndex zero = IndexBuilder(b, context.loc).constant(0);
    result.storeResult(toResult<LaneIndex>(reduce, nest.resultIndex(), zero));
  });
  return success();
}

std::unique_ptr<KernelEmitter> cpu::createReduceEmitter() { return std::make_unique<ReduceEmitter>(); }
