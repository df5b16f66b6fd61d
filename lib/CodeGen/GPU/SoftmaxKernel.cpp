//===- SoftmaxKernel.cpp - GPU kernels with a softmax ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maximum, sum of exponentials, result. Short rows stay in registers in between,
// long ones are read again.
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/Common/Lanes.h"
#include "hgc/CodeGen/GPU/Emitters.h"
#include "hgc/CodeGen/GPU/Team.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::gpu;
using graph::ReduceKind;

namespace {

struct SoftmaxEmitter final : KernelEmitter {
  FailureOr<KernelPlan> plan(exec::KernelOp kernel, const GpuTable &target) const override;
  LogicalResult emit(KernelContext &context, size_t number) const override;
};

/// What both ops have in common.
struct Softmax {
  explicit Softmax(exec::KernelOp kernel) : root(getRoot(kernel)) {
    isLog = isa<graph::LogSoftmaxOp>(root);
    type = graph::getComputeType(tensorType().getElementType());
  }
  RankedTensorType tensorType() const { return cast<RankedTensorType>(root->getResult(0).getType()); }

  Operation *root;
  bool isLog;
  Type type;
};

/// Emits the rows of one team.
struct RowEmitter {
  KernelContext &context;
  const Softmax &softmax;
  Team &team;
  Combiner max{ReduceKind::Max}, sum{ReduceKind::Sum};

  Value x(const TeamPoint &point) {
    return ElementEmitter(context, point.lanes).eval(softmax.root->getOperand(0), point.index);
  }
  Value sub(Value a, Value b) {
    return arith::SubFOp::create(context.builder, context.loc, a, spread(context.builder, context.loc, b, getLanes(a)));
  }
  Value power(Value x, Value most) { return math::ExpOp::create(context.builder, context.loc, sub(x, most)); }
  Value neutral(const Combiner &combiner, int64_t lanes) {
    return combiner.neutral(context.builder, context.loc, getLaneType(softmax.type, lanes));
  }
  /// What results need of the sum: its reciprocal, or its logarithm.
  Value scale(Value total) {
    if (softmax.isLog)
      return math::LogOp::create(context.builder, context.loc, total);
    Value one = createConstant(context.builder, context.loc, total.getType(), 1);
    return arith::DivFOp::create(context.builder, context.loc, one, total);
  }
  /// Stores the result from `value`, the power or for the logarithm the
  /// difference from the maximum.
  void store(const TeamPoint &point, Value value, Value factor) {
    factor = spread(context.builder, context.loc, factor, point.lanes);
    Value result =
        softmax.isLog ? sub(value, factor) : Value(arith::MulFOp::create(context.builder, context.loc, value, factor));
    ElementEmitter emitter(context, point.lanes);
    emitter.bind(softmax.root->getResult(0), result);
    emitter.storeResult(point.index);
  }

  void emitKept();
  void emitLoops();
};

} // namespace

void RowEmitter::emitKept() {
  SmallVector<TeamPoint> points = team.listPoints();
  SmallVector<Value> xs, powers;
  for (const TeamPoint &point : points)
    xs.push_back(team.evalWhere(point, neutral(max, point.lanes), [&] { return x(point); }));
  Value most = team.reduceKept(max, xs);
  for (auto [point, x] : llvm::zip_equal(points, xs)) {
    Value value = power(x, most);
    powers.push_back(team.evalWhere(point, neutral(sum, point.lanes), [&] { return value; }));
  }
  Value factor = scale(team.reduceKept(sum, powers));
  for (size_t i = 0; i < points.size(); ++i)
    team.visitWhere(points[i], [&] { store(points[i], softmax.isLog ? sub(xs[i], most) : powers[i], factor); });
}

void RowEmitter::emitLoops() {
  Value most = team.reduce(max, softmax.type, [&](const TeamPoint &point) { return x(point); });
  Value total = team.reduce(sum, softmax.type, [&](const TeamPoint &point) { return power(x(point), most); });
  Value factor = scale(total);
  team.forEach([&](const TeamPoint &point) {
    store(point, softmax.isLog ? sub(x(point), most) : power(x(point), most), factor);
  });
}

FailureOr<KernelPlan> SoftmaxEmitter::plan(exec::KernelOp kernel, const GpuTable &target) const {
  TeamPlan plan(kernel, target, ReducedDims(kernel), /*maySplit=*/false);
  KernelPlan result;
  result.launches.push_back(plan.getLaunch());
  result.text = "softmax " + plan.describe();
  return result;
}

LogicalResult SoftmaxEmitter::emit(KernelContext &context, size_t) const {
  Softmax softmax(context.kernel);
  TeamPlan plan(context.kernel, context.target, ReducedDims(context.kernel), /*maySplit=*/false);
  Team team(context, plan);
  RowEmitter emitter{context, softmax, team};
  plan.kept ? emitter.emitKept() : emitter.emitLoops();
  return success();
}

std::unique_ptr<KernelEmitter> hgc::gpu::createSoftmaxEmitter() { return std::make_unique<SoftmaxEmitter>(); }
