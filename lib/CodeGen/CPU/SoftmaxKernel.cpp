//===- SoftmaxKernel.cpp - kernels with a softmax -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Three passes over each row: maximum, sum of exponentials, result. The
// exponentials (or, for the logarithm, computed inputs) are kept in between.
//===----------------------------------------------------------------------===//

#include "RowPipeline.h"

#include "hgc/CodeGen/CPU/Emitters.h"
#include "hgc/CodeGen/CPU/ExpOfDifference.h"
#include "hgc/CodeGen/CPU/GemmTile.h"
#include "hgc/CodeGen/CPU/ReductionNest.h"
#include "hgc/CodeGen/Common/Lanes.h"
#include "hgc/CodeGen/Common/ReducedDims.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;
using graph::ReduceKind;

/// Work per element, in that of a pointwise kernel.
static constexpr int64_t kWeight = 4;

namespace {

struct SoftmaxEmitter final : KernelEmitter {
  KernelSchedule plan(exec::KernelOp kernel, const DeviceTable &target) const override;
  LogicalResult emit(KernelContext &context) const override;
};

/// What both ops have in common.
struct Softmax {
  explicit Softmax(exec::KernelOp kernel) : root(getRoot(kernel)) { isLog = isa<graph::LogSoftmaxOp>(root); }
  Value input() const { return root->getOperand(0); }
  Value result() const { return root->getResult(0); }
  RankedTensorType type() const { return cast<RankedTensorType>(result().getType()); }
  /// Whether values are kept between passes.
  bool keepsRow() const { return !isLog || !isPlainLoad(input()); }
  /// Whether three rows may be in work at once.
  bool mayPipeline(exec::KernelOp kernel, const ReductionPlan &plan, const DeviceTable &target) const {
    return !isLog && type().getElementType().isF32() && isPlainLoad(input()) &&
           RowPipeline::isPossible(kernel, plan, target);
  }
  ReductionPlan plan(exec::KernelOp kernel, const DeviceTable &target) const;

  Operation *root;
  bool isLog;
};

} // namespace

ReductionPlan Softmax::plan(exec::KernelOp kernel, const DeviceTable &target) const {
  ReducedDims dims(kernel);
  return ReductionPlan(kernel, target, dims.input, dims.isReduced, dims.accesses, kWeight);
}

KernelSchedule SoftmaxEmitter::plan(exec::KernelOp kernel, const DeviceTable &target) const {
  Softmax softmax(kernel);
  ReductionPlan plan = softmax.plan(kernel, target);
  KernelSchedule schedule;
  schedule.units = plan.loops.units;
  schedule.grain = chooseGrain(kernel, target, schedule.units);
  if (softmax.keepsRow())
    schedule.scratchBytes = RowBuffer::scratchBytes(kernel, plan, softmax.input(), plan.alignsStores(kernel, target));
  bool isPipelined = softmax.mayPipeline(kernel, plan, target);
  if (isPipelined)
    schedule.scratchBytes =
        std::max(schedule.scratchBytes, RowPipeline::keptElements(kernel, plan, target) *
                                            graph::getElementBytes(softmax.type().getElementType()));
  schedule.text = "softmax " + plan.describe() + (isPipelined ? ", three at a time" : "") +
                  (plan.streamsStores(kernel, target) ? ", streamed" : "");
  return schedule;
}

namespace {
/// Emits one row.
struct RowEmitter {
  KernelContext &context;
  const Softmax &softmax;
  ReductionNest &nest;
  RowBuffer *row;

  Value x(const ReductionPoint &point) {
    if (row && !isPlainLoad(softmax.input()))
      return row->load(point);
    return ElementEmitter(context, point.lanes).eval(softmax.input(), point.index);
  }

  Value maximum(Type type) {
    // A NaN of the row is in the sum of exponentials again.
    return nest.reduce({ReduceKind::Max, false, /*mayIgnoreNan=*/true}, type, [&](const ReductionPoint &point) {
      Value value = ElementEmitter(context, point.lanes).eval(softmax.input(), point.index);
      if (row && !isPlainLoad(softmax.input()))
        row->store(point, value);
      return value;
    });
  }

  Value powerAt(const ReductionPoint &point, Value max) {
    Value moved = arith::SubFOp::create(context.builder, context.loc, x(point), nest.spreadTo(point, max));
    return emitExpOfDifference(context, moved);
  }

  /// What the powers of a row are scaled by.
  Value reciprocal(Value sum) {
    Value one = createConstant(context.builder, context.loc, sum.getType(), 1);
    return arith::DivFOp::create(context.builder, context.loc, one, sum);
  }

  Value sum(Type type, Value max) {
    return nest.reduce({ReduceKind::Sum}, type, [&](const ReductionPoint &point) {
      nest.prefetchNextRow(point, softmax.input());
      nest.prefetchResult(point);
      Value power = powerAt(point, max);
      if (!softmax.isLog)
        row->store(point, power);
      return power;
    });
  }

  /// Writes the results; `scale` is the reciprocal of the sum, or its logarithm.
  void write(Value max, Value scale) {
    OpBuilder &b = context.builder;
    nest.forEachResult([&](const ReductionPoint &point) {
      Value value;
      if (softmax.isLog) {
        value = arith::SubFOp::create(b, context.loc, x(point), nest.spreadTo(point, max));
        value = arith::SubFOp::create(b, context.loc, value, nest.spreadTo(point, scale));
      } else {
        value = arith::MulFOp::create(b, context.loc, row->load(point), nest.spreadTo(point, scale));
      }
      ElementEmitter result(context, point.lanes);
      if (row)
        result.limitStores(point.fresh);
      result.bind(softmax.result(), value);
      nest.storeResult(point, result);
    });
  }
};
} // namespace

/// The passes for several rows at a time.
static RowStages makeStages(KernelContext &context, const Softmax &softmax, Value kept) {
  Type element = softmax.type().getElementType();
  RowStages stages = RowStages::make({ReduceKind::Max, false, /*mayIgnoreNan=*/true}, {ReduceKind::Sum},
                                     getRootBuffer(context, softmax.input()), element);
  auto emitterOf = [&context, &softmax](ReductionNest &nest) { return RowEmitter{context, softmax, nest, nullptr}; };
  stages.firstElement = [=, &softmax](ReductionNest &nest, const ReductionPoint &point) {
    nest.prefetchNextRow(point, softmax.input(), context.target.streamLines);
    return emitterOf(nest).x(point);
  };
  stages.finishFirst = [](ReductionNest &, Value max) { return max; };
  stages.secondElement = [=, &context](ReductionNest &nest, const ReductionPoint &point, Value max, Value at) {
    nest.prefetchResult(point);
    Value power = emitterOf(nest).powerAt(point, max);
    ElementEmitter(context, point.lanes).store(power, kept, {at, 1}, element);
    return power;
  };
  stages.finishSecond = [=](ReductionNest &nest, Value sum) { return emitterOf(nest).reciprocal(sum); };
  stages.write = [=, &context, &softmax](ReductionNest &nest, const ReductionPoint &point, Value, Value scale,
                                         Value at) {
    ElementEmitter result(context, point.lanes);
    Value power = result.load(kept, {at, 1}, element);
    Value scaled = arith::MulFOp::create(context.builder, context.loc, power, nest.spreadTo(point, scale));
    result.bind(softmax.result(), scaled);
    nest.storeResult(point, result);
  };
  return stages;
}

LogicalResult SoftmaxEmitter::emit(KernelContext &context) const {
  Softmax softmax(context.kernel);
  ReductionPlan plan = softmax.plan(context.kernel, context.target);
  // Rows without elements leave nothing to write.
  if (plan.count == 0)
    return success();
  std::optional<RowBuffer> row;
  if (softmax.keepsRow())
    row.emplace(context, plan, softmax.input(), plan.alignsStores(context.kernel, context.target));
  OpBuilder &b = context.builder;
  Type type = graph::getComputeType(softmax.type().getElementType());
  auto emitRows = [&] {
    ReductionNest::emit(context, plan, [&](ReductionNest &nest) {
      RowEmitter emitter{context, softmax, nest, row ? &*row : nullptr};
      nest.prefetchNextEnd();
      Value max = emitter.maximum(type);
      Value sum = emitter.sum(type, max);
      emitter.write(max, softmax.isLog ? Value(math::LogOp::create(b, context.loc, sum)) : emitter.reciprocal(sum));
    });
  };
  if (!softmax.mayPipeline(context.kernel, plan, context.target)) {
    emitRows();
    return success();
  }
  IndexBuilder index(b, context.loc);
  Value kept =
      emitScratch(index, context.scratch, 0, RowPipeline::keptElements(context.kernel, plan, context.target), type);
  RowPipeline(context, plan, makeStages(context, softmax, kept)).emitOr(emitRows);
  return success();
}

std::unique_ptr<KernelEmitter> cpu::createSoftmaxEmitter() { return std::make_unique<SoftmaxEmitter>(); }
