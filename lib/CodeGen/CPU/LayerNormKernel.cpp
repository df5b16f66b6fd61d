//===- LayerNormKernel.cpp - kernels with a layer normalisation -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mean first, then the sum of squared differences from it: slower than one pass
// over squares, but exact for data far from zero.
//===----------------------------------------------------------------------===//

#include "RowPipeline.h"

#include "hgc/CodeGen/CPU/Emitters.h"
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
static constexpr int64_t kWeight = 2;

namespace {
struct LayerNormEmitter final : KernelEmitter {
  KernelSchedule plan(exec::KernelOp kernel, const DeviceTable &target) const override;
  LogicalResult emit(KernelContext &context) const override;
};

/// Emits one row.
struct RowEmitter {
  KernelContext &context;
  graph::LayerNormOp norm;
  ReductionNest &nest;
  /// Computed inputs; null when the input is loaded.
  RowBuffer *row;
  int64_t count;

  Value x(const ReductionPoint &point) {
    return row ? row->load(point) : ElementEmitter(context, point.lanes).eval(norm.getInput(), point.index);
  }

  Value divideByCount(Value sum) {
    OpBuilder &b = context.builder;
    Value divisor = createConstant(b, context.loc, sum.getType(), static_cast<double>(count));
    return arith::DivFOp::create(b, context.loc, sum, divisor);
  }

  Value mean(Type type) {
    return divideByCount(nest.reduce({ReduceKind::Sum}, type, [&](const ReductionPoint &point) {
      Value value = ElementEmitter(context, point.lanes).eval(norm.getInput(), point.index);
      if (row)
        row->store(point, value);
      return value;
    }));
  }

  Value movedAt(const ReductionPoint &point, Value mean) {
    return arith::SubFOp::create(context.builder, context.loc, x(point), nest.spreadTo(point, mean));
  }

  Value square(Value moved) { return arith::MulFOp::create(context.builder, context.loc, moved, moved); }

  /// 1 / sqrt(variance + epsilon) for the sum of squares.
  Value reciprocalDeviation(Value squares) {
    OpBuilder &b = context.builder;
    Location loc = context.loc;
    Value variance = divideByCount(squares);
    Value epsilon = createConstant(b, loc, variance.getType(), norm.getEpsilon().convertToDouble());
    Value root = math::SqrtOp::create(b, loc, arith::AddFOp::create(b, loc, variance, epsilon));
    return arith::DivFOp::create(b, loc, createConstant(b, loc, root.getType(), 1), root);
  }

  Value reciprocalDeviation(Type type, Value mean) {
    return reciprocalDeviation(nest.reduce({ReduceKind::Sum}, type, [&](const ReductionPoint &point) {
      nest.prefetchNextRow(point, norm.getInput());
      nest.prefetchResult(point);
      return square(movedAt(point, mean));
    }));
  }

  /// `moved`: the difference from the mean.
  void writeAt(const ReductionPoint &point, Value moved, Value factor) {
    OpBuilder &b = context.builder;
    Location loc = context.loc;
    ElementEmitter result(context, point.lanes);
    ArrayRef<LaneIndex> trailing = ArrayRef<LaneIndex>(point.index).drop_front(norm.getAxis());
    Value value = arith::MulFOp::create(b, loc, moved, nest.spreadTo(point, factor));
    value = arith::MulFOp::create(b, loc, value, result.eval(norm.getScale(), trailing));
    value = arith::AddFOp::create(b, loc, value, result.eval(norm.getBias(), trailing));
    if (row)
      result.limitStores(point.fresh);
    result.bind(norm.getResult(), value);
    nest.storeResult(point, result);
  }

  void write(Value mean, Value factor) {
    nest.forEachResult([&](const ReductionPoint &point) { writeAt(point, movedAt(point, mean), factor); });
  }
};
} // namespace

static ReductionPlan makePlan(exec::KernelOp kernel, const DeviceTable &target) {
  ReducedDims dims(kernel);
  return ReductionPlan(kernel, target, dims.input, dims.isReduced, dims.accesses, kWeight);
}

/// Whether three rows may be in work at once.
static bool mayPipeline(exec::KernelOp kernel, const ReductionPlan &plan, const DeviceTable &target) {
  auto norm = cast<graph::LayerNormOp>(getRoot(kernel));
  return getElementTypeOrSelf(norm.getType()).isF32() && isPlainLoad(norm.getInput()) &&
         RowPipeline::isPossible(kernel, plan, target);
}

KernelSchedule LayerNormEmitter::plan(exec::KernelOp kernel, const DeviceTable &target) const {
  ReductionPlan plan = makePlan(kernel, target);
  Value input = cast<graph::LayerNormOp>(getRoot(kernel)).getInput();
  KernelSchedule schedule;
  schedule.units = plan.loops.units;
  schedule.grain = chooseGrain(kernel, target, schedule.units);
  if (!isPlainLoad(input))
    schedule.scratchBytes = RowBuffer::scratchBytes(kernel, plan, input, plan.alignsStores(kernel, target));
  bool isPipelined = mayPipeline(kernel, plan, target);
  schedule.text = "layer_norm " + plan.describe() + (isPipelined ? ", three at a time" : "") +
                  (plan.streamsStores(kernel, target) ? ", streamed" : "");
  return schedule;
}

/// The passes for several rows at a time.
static RowStages makeStages(KernelContext &context, graph::LayerNormOp norm, int64_t count) {
  auto emitterOf = [&context, norm, count](ReductionNest &nest) {
    return RowEmitter{context, norm, nest, nullptr, count};
  };
  Type element = getElementTypeOrSelf(norm.getType());
  RowStages stages =
      RowStages::make({ReduceKind::Sum}, {ReduceKind::Sum}, getRootBuffer(context, norm.getInput()), element);
  stages.firstElement = [=](ReductionNest &nest, const ReductionPoint &point) {
    RowEmitter emitter = emitterOf(nest);
    nest.prefetchNextRow(point, emitter.norm.getInput(), context.target.streamLines);
    return emitter.x(point);
  };
  stages.secondElement = [=](ReductionNest &nest, const ReductionPoint &point, Value mean, Value) {
    nest.prefetchResult(point);
    RowEmitter emitter = emitterOf(nest);
    return emitter.square(emitter.movedAt(point, mean));
  };
  stages.finishFirst = [=](ReductionNest &nest, Value sum) { return emitterOf(nest).divideByCount(sum); };
  stages.finishSecond = [=](ReductionNest &nest, Value sum) { return emitterOf(nest).reciprocalDeviation(sum); };
  stages.write = [=](ReductionNest &nest, const ReductionPoint &point, Value mean, Value factor, Value) {
    RowEmitter emitter = emitterOf(nest);
    emitter.writeAt(point, emitter.movedAt(point, mean), factor);
  };
  return stages;
}

LogicalResult LayerNormEmitter::emit(KernelContext &context) const {
  auto norm = cast<graph::LayerNormOp>(getRoot(context.kernel));
  ReductionPlan plan = makePlan(context.kernel, context.target);
  // Rows without elements leave nothing to write.
  if (plan.count == 0)
    return success();
  std::optional<RowBuffer> row;
  if (!isPlainLoad(norm.getInput()))
    row.emplace(context, plan, norm.getInput(), plan.alignsStores(context.kernel, context.target));
  Type type = graph::getComputeType(cast<RankedTensorType>(norm.getResult().getType()).getElementType());
  auto emitRows = [&] {
    ReductionNest::emit(context, plan, [&](ReductionNest &nest) {
      RowEmitter emitter{context, norm, nest, row ? &*row : nullptr, plan.count};
      nest.prefetchNextEnd();
      Value mean = emitter.mean(type);
      emitter.write(mean, emitter.reciprocalDeviation(type, mean));
    });
  };
  if (!mayPipeline(context.kernel, plan, context.target)) {
    emitRows();
    return success();
  }
  RowPipeline(context, plan, makeStages(context, norm, plan.count)).emitOr(emitRows);
  return success();
}

std::unique_ptr<KernelEmitter> cpu::createLayerNormEmitter() { return std::make_unique<LayerNormEmitter>(); }
