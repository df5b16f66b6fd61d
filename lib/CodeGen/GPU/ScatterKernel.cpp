//===- ScatterKernel.cpp - GPU kernels with a scatter ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Updates of one element are combined in their order, so no two threads may work
// on it. Where the result is small, every element has a thread that looks at all
// updates of its line ("pull"). Else the input is copied and every line has a
// thread that applies its updates one after the other ("push").
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/Common/Combine.h"
#include "hgc/CodeGen/Common/ScatterShape.h"
#include "hgc/CodeGen/GPU/Emitters.h"
#include "hgc/CodeGen/GPU/PointSpace.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::gpu;

/// Looking at an update is so much cheaper than a chain of dependent accesses to
/// memory that pulling wins up to this many elements.
static constexpr int64_t kMostPulled = int64_t(1) << 18;
/// Lines that keep a GPU busy on their own.
static constexpr int64_t kManyLines = 4096;
static constexpr int64_t kThreads = 128;

namespace {

struct ScatterPlan : ScatterShape {
  explicit ScatterPlan(exec::KernelOp kernel) : ScatterShape(cast<graph::ScatterOp>(getRoot(kernel))) {
    Value stored = getStore(kernel).getValue();
    compute = graph::getComputeType(input.getElementType());
    isPulled = lines < kManyLines && lines * extent <= kMostPulled;
    isInOutput = cast<RankedTensorType>(stored.getType()).getElementType() == compute;
    isFinished = isInOutput && stored == op.getResult();
  }

  Type compute;
  bool isPulled;
  /// Whether values between launches are in the output buffer, and whether they
  /// are the result then.
  bool isInOutput, isFinished;
};

/// Threads over the elements of the input, and of what is made of the result.
PointSpace getInputSpace(exec::KernelOp kernel, const GpuTable &target) {
  return PointSpace(kernel, target, cast<graph::ScatterOp>(getRoot(kernel)).getInput());
}
PointSpace getResultSpace(exec::KernelOp kernel, const GpuTable &target) {
  return PointSpace(kernel, target, getStore(kernel).getValue(), getRoot(kernel)->getResult(0));
}

struct ScatterEmitter final : KernelEmitter {
  FailureOr<KernelPlan> plan(exec::KernelOp kernel, const GpuTable &target) const override;
  LogicalResult emit(KernelContext &context, size_t number) const override;
};

struct LaunchEmitter {
  LaunchEmitter(KernelContext &context, const ScatterPlan &plan)
      : context(context), plan(plan), ix(context.builder, context.loc) {}

  void pull();
  void copy();
  void push();
  void finish();

private:
  /// The buffer of values between launches.
  Value getValues();
  Value combine(Value old, Value update);

  KernelContext &context;
  ScatterPlan plan;
  IndexBuilder ix;
};

} // namespace

//===----------------------------------------------------------------------===//
// One launch
//===----------------------------------------------------------------------===//

Value LaunchEmitter::combine(Value old, Value update) {
  std::optional<graph::ReduceKind> kind = getReduceKind(plan.op.getKind());
  if (!kind)
    return update;
  Combiner combiner{*kind, graph::isUnsigned(plan.input.getElementType())};
  return combiner.combine(context.builder, context.loc, old, update);
}

void LaunchEmitter::pull() {
  Value id = context.globalId();
  ix.ifThen(ix.lessThan(id, ix.constant(plan.lines * plan.extent)), [&] {
    SmallVector<LaneIndex> at;
    for (Value i : ix.delinearize(id, plan.input.getShape()))
      at.push_back(i);
    Value own = at[plan.axis].base;
    Value first = ElementEmitter(context, 1).eval(plan.op.getInput(), at);
    Value last = ix.loop(ix.constant(0), ix.constant(plan.picks), 1, ValueRange{first},
                         [&](Value pick, ValueRange carried) -> SmallVector<Value> {
                           Value target = plan.getTarget(context, at, pick);
                           Type type = carried[0].getType();
                           return ix.select(
                               ix.equal(target, own), type,
                               [&]() -> SmallVector<Value> {
                                 return {combine(carried[0], plan.getUpdate(context, at, pick, 1))};
                               },
                               [&]() -> SmallVector<Value> { return {carried[0]}; });
                         })
                     .front();
    ElementEmitter result(context, 1);
    result.bind(plan.op.getResult(), last);
    result.storeResult(at);
  });
}

//===----------------------------------------------------------------------===//
// Two or three launches
//===----------------------------------------------------------------------===//

Value LaunchEmitter::getValues() {
  if (plan.isInOutput)
    return context.buffers.lookup(getStore(context.kernel).getBuffer());
  return context.getScratch(0, plan.lines * plan.extent, graph::getStorageType(plan.compute));
}

void LaunchEmitter::copy() {
  getInputSpace(context.kernel, context.target).emit(context, [&](ArrayRef<LaneIndex> at, int64_t lanes) {
    ElementEmitter emitter(context, lanes);
    Value value = emitter.eval(plan.op.getInput(), at);
    emitter.store(value, getValues(), emitter.flatten(at, plan.input.getShape()), plan.compute);
  });
}

void LaunchEmitter::push() {
  Value id = context.globalId();
  ix.ifThen(ix.lessThan(id, ix.constant(plan.lines)), [&] {
    SmallVector<int64_t> extents(plan.input.getShape());
    extents[plan.axis] = 1;
    SmallVector<LaneIndex> at;
    for (Value i : ix.delinearize(id, extents))
      at.push_back(i);
    ix.loop(plan.picks, [&](Value pick) {
      at[plan.axis] = plan.getTarget(context, at, pick);
      ElementEmitter emitter(context, 1);
      LaneIndex offset = emitter.flatten(at, plan.input.getShape());
      Value update = plan.getUpdate(context, at, pick, 1);
      if (getReduceKind(plan.op.getKind()))
        update = combine(emitter.load(getValues(), offset, plan.compute), update);
      emitter.store(update, getValues(), offset, plan.compute);
    });
  });
}

void LaunchEmitter::finish() {
  getResultSpace(context.kernel, context.target).emit(context, [&](ArrayRef<LaneIndex> at, int64_t lanes) {
    ElementEmitter emitter(context, lanes);
    LaneIndex offset = emitter.flatten(at, plan.input.getShape());
    emitter.bind(plan.op.getResult(), emitter.load(getValues(), offset, plan.compute));
    emitter.storeResult(at);
  });
}

//===----------------------------------------------------------------------===//
// Emitter
//===----------------------------------------------------------------------===//

FailureOr<KernelPlan> ScatterEmitter::plan(exec::KernelOp kernel, const GpuTable &target) const {
  ScatterPlan scatter(kernel);
  KernelPlan plan;
  Launch launch;
  launch.block[0] = kThreads;
  plan.text = llvm::formatv("scatter {0}, lines={1} updates={2}", scatter.isPulled ? "pull" : "push", scatter.lines,
                            scatter.picks);
  if (scatter.isPulled) {
    launch.grid[0] = llvm::divideCeil(scatter.lines * scatter.extent, kThreads);
    plan.launches.push_back(launch);
    return plan;
  }
  launch.grid[0] = llvm::divideCeil(scatter.lines, kThreads);
  plan.launches.append({getInputSpace(kernel, target).getLaunch(), launch});
  if (!scatter.isFinished)
    plan.launches.push_back(getResultSpace(kernel, target).getLaunch());
  if (!scatter.isInOutput)
    plan.scratchBytes = scatter.lines * scatter.extent * graph::getElementBytes(scatter.compute);
  return plan;
}

LogicalResult ScatterEmitter::emit(KernelContext &context, size_t number) const {
  ScatterPlan plan(context.kernel);
  LaunchEmitter launch(context, plan);
  if (plan.isPulled)
    launch.pull();
  else if (number == 0)
    launch.copy();
  else if (number == 1)
    launch.push();
  else
    launch.finish();
  return success();
}

std::unique_ptr<KernelEmitter> hgc::gpu::createScatterEmitter() { return std::make_unique<ScatterEmitter>(); }
