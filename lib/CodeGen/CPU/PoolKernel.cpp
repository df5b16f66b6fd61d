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

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;
using graph::PoolKind;
using graph::WindowDim;

/// Window volume from which f32 sums are taken in f64.
static constexpr int64_t kLongSum = 256;

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

/// Position of a result in canonical dims.
struct OutputPoint {
  LaneIndex batch, channel;
  std::array<LaneIndex, 3> spatial;
  /// Whether the windows lie inside along the last spatial dim.
  bool isInner = false;
};

/// Emits results of one pool.
class WindowEmitter {
public:
  WindowEmitter(KernelContext &context, const PoolPlan &plan)
      : context(context), plan(plan), b(context.builder, context.loc), pool(plan.pool) {}

  void emit(const OutputPoint &out, int64_t lanes);

private:
  SmallVector<LaneIndex> toTensor(const LaneIndex &batch, const LaneIndex &channel, ArrayRef<LaneIndex> spatial);
  std::pair<Value, Value> tapRange(const WindowDim &dim, const LaneIndex &position, bool isInner);
  Value divisor(ArrayRef<std::pair<Value, Value>> ranges, Type type);
  Value widen(Value value);
  Value finish(Value total, ArrayRef<std::pair<Value, Value>> ranges);
  Type elementType() { return cast<RankedTensorType>(pool.getInput().getType()).getElementType(); }
  Type accumulatorType();

  KernelContext &context;
  const PoolPlan &plan;
  IndexBuilder b;
  graph::PoolOp pool;
};

} // namespace

/// Whether every window lies inside the input along `dim`.
static bool isUnpadded(const WindowDim &dim) {
  return dim.padLow == 0 && (dim.output - 1) * dim.stride + (dim.window - 1) * dim.dilation < dim.input;
}

PoolPlan::PoolPlan(exec::KernelOp kernel, const DeviceTable &target)
    : pool(cast<graph::PoolOp>(getRoot(kernel))), shape(pool.getShape()) {
  for (const WindowDim &dim : shape.spatial)
    volume *= dim.window;
  const WindowDim &last = shape.spatial[2];
  isByChannel = shape.channelsLast && shape.inChannels > 1;
  int64_t reach = (last.window - 1) * last.dilation;
  innerLower = std::min<int64_t>(last.output, llvm::divideCeil(last.padLow, last.stride));
  int64_t room = last.input - 1 - reach + last.padLow;
  innerUpper = room < 0 ? innerLower : std::clamp<int64_t>(room / last.stride + 1, innerLower, last.output);
  int64_t rows[] = {shape.batch, shape.inChannels, shape.spatial[0].output, shape.spatial[1].output};
  int64_t pixels[] = {shape.batch, shape.spatial[0].output, shape.spatial[1].output, last.output, shape.inChannels};
  lanes = chooseLanes(kernel, target, isByChannel ? shape.inChannels : innerUpper - innerLower, 2);
  loops = isByChannel ? UnitLoops::plan(pixels, volume, lanes) : UnitLoops::plan(rows, volume * last.output, 1);
  if (last.output == 0)
    loops.units = 0;
}

SmallVector<LaneIndex> WindowEmitter::toTensor(const LaneIndex &batch, const LaneIndex &channel,
                                               ArrayRef<LaneIndex> spatial) {
  SmallVector<LaneIndex> index{batch};
  if (!plan.shape.channelsLast)
    index.push_back(channel);
  index.append(spatial.end() - plan.shape.rank, spatial.end());
  if (plan.shape.channelsLast)
    index.push_back(channel);
  return index;
}

/// Taps of the window at `position` that lie inside the input.
std::pair<Value, Value> WindowEmitter::tapRange(const WindowDim &dim, const LaneIndex &position, bool isInner) {
  Value lower = b.constant(0), upper = b.constant(dim.window);
  if (isInner || isUnpadded(dim))
    return {lower, upper};
  // Tap k reads start + k * dilation.
  Value start = b.add(b.mul(position.base, dim.stride), -dim.padLow);
  Value before = b.max(b.sub(b.constant(0), start), b.constant(0));
  Value after = b.max(b.sub(b.constant(dim.input), start), b.constant(0));
  lower = b.min(b.div(b.add(before, dim.dilation - 1), dim.dilation), upper);
  upper = b.min(b.div(b.add(after, dim.dilation - 1), dim.dilation), upper);
  return {lower, upper};
}

Type WindowEmitter::accumulatorType() {
  Type compute = graph::getComputeType(elementType());
  if (pool.getKind() == PoolKind::Max)
    return compute;
  if (compute.isF32() && plan.volume >= kLongSum)
    return context.builder.getF64Type();
  return isa<IntegerType>(compute) ? context.builder.getI64Type() : compute;
}

/// An element in the type of the accumulator.
Value WindowEmitter::widen(Value value) {
  Type type = accumulatorType();
  if (isa<FloatType>(type))
    return convertFloat(context.builder, context.loc, value, type);
  Type wide = getLaneType(type, getLanes(value));
  if (wide == value.getType())
    return value;
  if (graph::isUnsigned(elementType()))
    return arith::ExtUIOp::create(context.builder, context.loc, wide, value);
  return arith::ExtSIOp::create(context.builder, context.loc, wide, value);
}

/// Number of elements an average divides by, in each lane of `type`.
Value WindowEmitter::divisor(ArrayRef<std::pair<Value, Value>> ranges, Type type) {
  OpBuilder &builder = context.builder;
  Value count = b.constant(1);
  for (auto [lower, upper] : ranges)
    count = b.mul(count, b.sub(upper, lower));
  if (pool.getCountIncludePad())
    count = b.constant(plan.volume);
  if (std::optional<int64_t> known = getConstant(count))
    return createConstant(builder, context.loc, type, static_cast<double>(*known));
  Type element = getElementTypeOrSelf(type);
  Value number = arith::IndexCastOp::create(builder, context.loc, builder.getI64Type(), count);
  if (isa<FloatType>(element))
    number = arith::SIToFPOp::create(builder, context.loc, element, number);
  auto vector = dyn_cast<VectorType>(type);
  return spread(builder, context.loc, number, vector ? vector.getNumElements() : 1);
}

Value WindowEmitter::finish(Value total, ArrayRef<std::pair<Value, Value>> ranges) {
  OpBuilder &builder = context.builder;
  Location loc = context.loc;
  if (pool.getKind() == PoolKind::Avg) {
    Value by = divisor(ranges, total.getType());
    if (isa<FloatType>(getElementTypeOrSelf(total.getType())))
      total = arith::DivFOp::create(builder, loc, total, by);
    else if (graph::isUnsigned(elementType()))
      total = arith::DivUIOp::create(builder, loc, total, by);
    else
      total = arith::DivSIOp::create(builder, loc, total, by);
  }
  Type compute = graph::getComputeType(elementType());
  if (isa<FloatType>(compute))
    return convertFloat(builder, loc, total, compute);
  Type type = getLaneType(compute, getLanes(total));
  return total.getType() == type ? total : Value(arith::TruncIOp::create(builder, loc, type, total));
}

void WindowEmitter::emit(const OutputPoint &out, int64_t lanes) {
  Combiner combiner{pool.getKind() == PoolKind::Max ? graph::ReduceKind::Max : graph::ReduceKind::Sum,
                    graph::isUnsigned(elementType())};
  Value total = combiner.neutral(context.builder, context.loc, getLaneType(accumulatorType(), lanes));
  SmallVector<std::pair<Value, Value>> ranges;
  for (size_t d = 0; d < 3; ++d)
    ranges.push_back(tapRange(plan.shape.spatial[d], out.spatial[d], d == 2 && out.isInner));
  SmallVector<LaneIndex> source;
  std::function<Value(Value)> taps = [&](Value carried) -> Value {
    size_t d = source.size();
    if (d == 3) {
      Value value = ElementEmitter(context, lanes).eval(pool.getInput(), toTensor(out.batch, out.channel, source));
      return combiner.combine(context.builder, context.loc, carried, widen(value));
    }
    const WindowDim &dim = plan.shape.spatial[d];
    return b
        .loop(ranges[d].first, ranges[d].second, 1, ValueRange{carried},
              [&](Value k, ValueRange values) -> SmallVector<Value> {
                Value start = b.add(b.mul(out.spatial[d].base, dim.stride), -dim.padLow);
                source.push_back({b.add(start, b.mul(k, dim.dilation)), out.spatial[d].step * dim.stride});
                Value next = taps(values[0]);
                source.pop_back();
                return {next};
              })
        .front();
  };
  total = finish(taps(total), ranges);
  ElementEmitter result(context, lanes);
  result.bind(pool.getResult(), total);
  result.storeResult(toTensor(out.batch, out.channel, out.spatial));
}

/// Results [lower, upper) of a row, `lanes` at a time.
static void emitRow(KernelContext &context, const PoolPlan &plan, OutputPoint out, int64_t lower, int64_t upper,
                    bool isInner) {
  if (lower >= upper)
    return;
  IndexBuilder b(context.builder, context.loc);
  int64_t lanes = isInner ? fitLanes(upper - lower, plan.lanes) : 1;
  out.isInner = isInner;
  emitLaneLoop(b, b.constant(lower), b.constant(upper), upper - lower, lanes, [&](Value i) {
    out.spatial[2] = {i, lanes == 1 ? 0 : 1};
    WindowEmitter(context, plan).emit(out, lanes);
  });
}

LogicalResult PoolEmitter::emit(KernelContext &context) const {
  PoolPlan plan(context.kernel, context.target);
  IndexBuilder b(context.builder, context.loc);
  plan.loops.emit(b, context.begin, context.end, [&](ArrayRef<Value> outer, Value lower, Value upper) {
    OutputPoint out;
    out.batch = outer[0];
    if (plan.isByChannel) {
      out.spatial = {LaneIndex(outer[1]), LaneIndex(outer[2]), LaneIndex(outer[3])};
      emitLaneLoop(b, lower, upper, plan.shape.inChannels, plan.lanes, [&](Value c) {
        out.channel = {c, plan.lanes == 1 ? 0 : 1};
        WindowEmitter(context, plan).emit(out, plan.lanes);
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
