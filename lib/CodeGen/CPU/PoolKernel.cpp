//===- PoolKernel.cpp - kernels with a sliding window reduction -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The window's loops are cut at the borders of the input, so that no tap needs a
// test. Lanes are channels, or neighbouring results of a row where channels come
// first; the latter only where all their windows lie inside the row.
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/Emitters.h"
#include "hgc/CodeGen/CPU/UnitLoops.h"
#include "hgc/CodeGen/Common/Combine.h"
#include "hgc/CodeGen/Common/Lanes.h"
#include "hgc/CodeGen/Common/PoolWindow.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;
using graph::WindowDim;

namespace {

struct PoolPlan {
  PoolPlan(exec::KernelOp kernel, const DeviceTable &target);

  graph::PoolOp pool;
  graph::ConvShape shape;
  int64_t volume = 1, lanes = 1;
  /// Whether lanes are channels.
  bool isByChannel = true;
  /// Results along the last spatial dim whose windows lie inside the input.
  int64_t innerLower = 0, innerUpper = 0;
  /// Lanes by channel: batch, spatial, channel. Else batch, channel and all
  /// spatial dims but the last.
  UnitLoops loops;
};

struct PoolEmitter final : KernelEmitter {
  KernelSchedule plan(exec::KernelOp kernel, const DeviceTable &target) const override {
    PoolPlan plan(kernel, target);
    KernelSchedule schedule;
    schedule.units = plan.loops.units;
    schedule.grain = chooseGrain(kernel, target, schedule.units);
    schedule.text = llvm::formatv("pool {0} lanes={1}", plan.isByChannel ? "channels" : "rows", plan.lanes);
    return schedule;
  }
  LogicalResult emit(KernelContext &context) const override;
};

} // namespace

PoolPlan::PoolPlan(exec::KernelOp kernel, const DeviceTable &target)
    : pool(cast<graph::PoolOp>(getRoot(kernel))), shape(pool.getShape()) {
  for (const WindowDim &dim : shape.spatial)
    volume *= dim.window;
  const WindowDim &last = shape.spatial[2];
  isByChannel = shape.channelsLast && shape.inChannels > 1;
  std::tie(innerLower, innerUpper) = findInnerResults(last);
  int64_t rows[] = {shape.batch, shape.inChannels, shape.spatial[0].output, shape.spatial[1].output};
  int64_t pixels[] = {shape.batch, shape.spatial[0].output, shape.spatial[1].output, last.output, shape.inChannels};
  lanes = isByChannel ? chooseManyLanes(kernel, target, shape.inChannels)
                      : chooseLanes(kernel, target, innerUpper - innerLower, 2);
  loops = isByChannel ? UnitLoops::plan(pixels, volume, lanes) : UnitLoops::plan(rows, volume * last.output, 1);
  if (last.output == 0)
    loops.units = 0;
}

/// Results [lower, upper) of a row, `lanes` at a time.
static void emitRow(KernelContext &context, const PoolPlan &plan, PoolPoint out, int64_t lower, int64_t upper,
                    bool isInner) {
  if (lower >= upper)
    return;
  IndexBuilder b(context.builder, context.loc);
  int64_t lanes = isInner ? fitLanes(upper - lower, plan.lanes) : 1;
  out.isInner = isInner;
  emitLaneLoop(b, b.constant(lower), b.constant(upper), upper - lower, lanes, [&](Value i) {
    out.spatial[2] = {i, lanes == 1 ? 0 : 1};
    PoolWindow(context, plan.pool).emit(out, lanes);
  });
}

LogicalResult PoolEmitter::emit(KernelContext &context) const {
  PoolPlan plan(context.kernel, context.target);
  IndexBuilder b(context.builder, context.loc);
  plan.loops.emit(b, context.begin, context.end, [&](ArrayRef<Value> outer, Value lower, Value upper) {
    PoolPoint out;
    out.batch = outer[0];
    if (plan.isByChannel) {
      out.spatial = {LaneIndex(outer[1]), LaneIndex(outer[2]), LaneIndex(outer[3])};
      emitLaneLoop(b, lower, upper, plan.shape.inChannels, plan.lanes, [&](Value c) {
        out.channel = {c, plan.lanes == 1 ? 0 : 1};
        PoolWindow(context, plan.pool).emit(out, plan.lanes);
      });
      return;
    }
    out.channel = outer[1];
    out.spatial[0] = outer[2];
    b.loop(lower, upper, 1, [&](Value h) {
      out.spatial[1] = h;
      emitRow(context, plan, out, 0, plan.innerLower, false);
      emitRow(context, plan, out, plan.innerLower, plan.innerUpper, true);
      emitRow(context, plan, out, plan.innerUpper, plan.shape.spatial[2].output, false);
    });
  });
  return success();
}

std::unique_ptr<KernelEmitter> cpu::createPoolEmitter() { return std::make_unique<PoolEmitter>(); }
