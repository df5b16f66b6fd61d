//===- LayerNormKernel.cpp - GPU kernels with a layer normalisation -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mean first, then the sum of squared differences from it: slower than one pass
// over squares, but exact for data far from zero. Short rows stay in registers.
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/Common/Lanes.h"
#include "hgc/CodeGen/GPU/Emitters.h"
#include "hgc/CodeGen/GPU/Team.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::gpu;

namespace {

struct LayerNormEmitter final : KernelEmitter {
  FailureOr<KernelPlan> plan(exec::KernelOp kernel, const GpuTable &target) const override;
  LogicalResult emit(KernelContext &context, size_t number) const override;
};

/// Emits the rows of one team.
struct RowEmitter {
  KernelContext &context;
  graph::LayerNormOp norm;
  Team &team;
  const TeamPlan &plan;
  Type type;
  Combiner sum{graph::ReduceKind::Sum};

  Value x(const TeamPoint &point) { return ElementEmitter(context, point.lanes).eval(norm.getInput(), point.index); }
  Value sub(Value a, Value b) {
    return arith::SubFOp::create(context.builder, context.loc, a, spread(context.builder, context.loc, b, getLanes(a)));
  }
  Value square(Value a) { return arith::MulFOp::create(context.builder, context.loc, a, a); }
  Value divideByCount(Value total) {
    Value divisor = createConstant(context.builder, context.loc, total.getType(), static_cast<double>(plan.count));
    return arith::DivFOp::create(context.builder, context.loc, total, divisor);
  }
  /// 1 / sqrt(variance + epsilon).
  Value reciprocalDeviation(Value squares) {
    OpBuilder &b = context.builder;
    Location loc = context.loc;
    Value variance = divideByCount(squares);
    Value epsilon = createConstant(b, loc, variance.getType(), norm.getEpsilon().convertToDouble());
    Value root = math::SqrtOp::create(b, loc, arith::AddFOp::create(b, loc, variance, epsilon));
    return arith::DivFOp::create(b, loc, createConstant(b, loc, root.getType(), 1), root);
  }
  void store(const TeamPoint &point, Value moved, Value factor) {
    OpBuilder &b = context.builder;
    Location loc = context.loc;
    ElementEmitter result(context, point.lanes);
    ArrayRef<LaneIndex> trailing = ArrayRef<LaneIndex>(point.index).drop_front(norm.getAxis());
    Value value = arith::MulFOp::create(b, loc, moved, spread(b, loc, factor, point.lanes));
    value = arith::MulFOp::create(b, loc, value, result.eval(norm.getScale(), trailing));
    value = arith::AddFOp::create(b, loc, value, result.eval(norm.getBias(), trailing));
    result.bind(norm.getResult(), value);
    result.storeResult(point.index);
  }

  void emitKept();
  void emitLoops();
};

} // namespace

void RowEmitter::emitKept() {
  SmallVector<TeamPoint> points = team.listPoints();
  SmallVector<Value> xs, moved, squares;
  auto zero = [&](const TeamPoint &point) {
    return sum.neutral(context.builder, context.loc, getLaneType(type, point.lanes));
  };
  for (const TeamPoint &point : points)
    xs.push_back(team.evalWhere(point, zero(point), [&] { return x(point); }));
  Value mean = divideByCount(team.reduceKept(sum, xs));
  for (auto [point, x] : llvm::zip_equal(points, xs)) {
    moved.push_back(sub(x, mean));
    Value squared = square(moved.back());
    squares.push_back(team.evalWhere(point, zero(point), [&] { return squared; }));
  }
  Value factor = reciprocalDeviation(team.reduceKept(sum, squares));
  for (size_t i = 0; i < points.size(); ++i)
    team.visitWhere(points[i], [&] { store(points[i], moved[i], factor); });
}

void RowEmitter::emitLoops() {
  Value mean = divideByCount(team.reduce(sum, type, [&](const TeamPoint &point) { return x(point); }));
  Value squares = team.reduce(sum, type, [&](const TeamPoint &point) { return square(sub(x(point), mean)); });
  Value factor = reciprocalDeviation(squares);
  team.forEach([&](const TeamPoint &point) { store(point, sub(x(point), mean), factor); });
}

FailureOr<KernelPlan> LayerNormEmitter::plan(exec::KernelOp kernel, const GpuTable &target) const {
  TeamPlan plan(kernel, target, ReducedDims(kernel), /*maySplit=*/false);
  KernelPlan result;
  result.launches.push_back(plan.getLaunch());
  result.text = "layer_norm " + plan.describe();
  return result;
}

LogicalResult LayerNormEmitter::emit(KernelContext &context, size_t) const {
  auto norm = cast<graph::LayerNormOp>(getRoot(context.kernel));
  TeamPlan plan(context.kernel, context.target, ReducedDims(context.kernel), /*maySplit=*/false);
  Team team(context, plan);
  Type type = graph::getComputeType(cast<RankedTensorType>(norm.getResult().getType()).getElementType());
  RowEmitter emitter{context, norm, team, plan, type};
  plan.kept ? emitter.emitKept() : emitter.emitLoops();
  return success();
}

std::unique_ptr<KernelEmitter> hgc::gpu::createLayerNormEmitter() { return std::make_unique<LayerNormEmitter>(); }
