//===- Team.cpp - threads that share a reduction --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads without a result of their own compute that of another, so that all
// reach every barrier; only stores are conditional.
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/GPU/Team.h"

#include "hgc/CodeGen/Common/Lanes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace hgc::gpu {

/// Steps after which a sum moves on to the total.
static constexpr int64_t kChunkSteps = 64;

//===----------------------------------------------------------------------===//
// Points
//===----------------------------------------------------------------------===//

Team::Team(KernelContext &context, const TeamPlan &plan)
    : context(context), plan(plan), b(context.builder, context.loc) {
  Value thread = context.threadId();
  // Rows: the threads of a team are neighbours. Columns: those of teams are.
  member = plan.isRow ? b.rem(thread, plan.team) : b.div(thread, plan.teams);
  place = plan.isRow ? b.div(thread, plan.team) : b.rem(thread, plan.teams);
  Value group = b.add(b.mul(context.blockId(0), plan.teams), place);
  if (plan.groups() % plan.teams != 0) {
    exists = b.lessThan(group, b.constant(plan.groups()));
    group = b.min(group, b.constant(plan.groups() - 1));
  }
  result = b.mul(group, plan.resultLanes());
  part = context.blockId(1);
  first = b.mul(part, plan.partSteps);
  last = b.constant(plan.steps);
  if (plan.parts > 1)
    last = b.min(last, b.add(first, plan.partSteps));
}

SmallVector<LaneIndex> Team::resultIndex() {
  SmallVector<int64_t> extents;
  for (size_t axis : plan.parallel)
    extents.push_back(plan.axes[axis].extent);
  SmallVector<LaneIndex> positions(plan.axes.size(), LaneIndex(b.constant(0)));
  int64_t lanes = plan.resultLanes();
  Value group = b.div(result, lanes);
  if (!extents.empty())
    extents.back() /= lanes;
  for (auto [axis, at] : llvm::zip_equal(plan.parallel, b.delinearize(group, extents)))
    positions[axis] = at;
  if (lanes > 1)
    positions.back() = {b.mul(positions.back().base, lanes), 1};
  return makeIndex(b, plan.rank, plan.axes, positions);
}

TeamPoint Team::makePoint(Value step) {
  TeamPoint point;
  point.lanes = plan.lanes;
  point.index = resultIndex();
  SmallVector<int64_t> extents;
  for (size_t axis : plan.reduced)
    extents.push_back(plan.axes[axis].extent);
  if (extents.empty())
    return point;
  if (plan.isRow)
    extents.back() /= plan.lanes;
  SmallVector<Value> positions = b.delinearize(step, extents);
  for (auto [axis, at] : llvm::zip_equal(plan.reduced, positions))
    if (plan.axes[axis].dim >= 0)
      point.index[plan.axes[axis].dim] = at;
  if (plan.isRow && plan.lanes > 1)
    point.index[plan.axes.back().dim] = {b.mul(positions.back(), plan.lanes), 1};
  return point;
}

void Team::forEach(function_ref<void(const TeamPoint &)> visit) {
  visitWhere(TeamPoint{{}, 1, exists},
             [&] { b.loop(b.add(first, member), last, plan.team, [&](Value step) { visit(makePoint(step)); }); });
}

SmallVector<TeamPoint> Team::listPoints() {
  SmallVector<TeamPoint> points;
  for (int64_t i = 0; i < plan.kept; ++i) {
    Value step = b.add(member, i * plan.team);
    Value isInside;
    if ((i + 1) * plan.team > plan.steps) {
      isInside = b.lessThan(step, b.constant(plan.steps));
      step = b.min(step, b.constant(plan.steps - 1));
    }
    points.push_back(makePoint(step));
    points.back().exists = isInside;
  }
  return points;
}

Value Team::evalWhere(const TeamPoint &point, Value neutral, function_ref<Value()> value) {
  if (!point.exists)
    return value();
  return arith::SelectOp::create(context.builder, context.loc, point.exists, value(), neutral);
}

void Team::visitWhere(const TeamPoint &point, function_ref<void()> visit) {
  Value condition = point.exists;
  if (exists && point.exists != exists)
    condition = condition ? b.both(condition, exists) : exists;
  if (!condition)
    return visit();
  b.ifThen(condition, visit);
}

void Team::ifFinisher(function_ref<void()> body) {
  Value isFirst = b.equal(member, b.constant(0));
  b.ifThen(exists ? b.both(isFirst, exists) : isFirst, body);
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

Value Team::combineRange(const Combiner &combiner, Value lower, Value upper, Value init,
                         function_ref<Value(Value)> element) {
  return b
      .loop(lower, upper, plan.team, ValueRange{init},
            [&](Value step, ValueRange carried) -> SmallVector<Value> {
              return {combiner.combine(context.builder, context.loc, carried[0], element(step))};
            })
      .front();
}

Value Team::reduce(const Combiner &combiner, Type type, Element element) {
  OpBuilder &builder = context.builder;
  Location loc = context.loc;
  Value neutral = combiner.neutral(builder, loc, getLaneType(type, plan.lanes));
  auto fold = [&](Value value) { return plan.isRow ? combiner.fold(builder, loc, value) : value; };
  auto evalStep = [&](Value step) { return element(makePoint(step)); };
  if (plan.count == 0)
    return fold(neutral);
  Value lower = b.add(first, member);
  int64_t chunk = kChunkSteps * plan.team;
  bool isSum = combiner.kind == graph::ReduceKind::Sum || combiner.kind == graph::ReduceKind::Mean;
  if (!isSum || !isa<FloatType>(type) || plan.partSteps <= chunk)
    return combineAll(combiner, fold(combineRange(combiner, lower, last, neutral, evalStep)));
  // Sums of chunks are added in double precision: one in many operations.
  Type wide = type.isF32() ? Type(builder.getF64Type()) : type;
  Value total = combiner.neutral(builder, loc, getLaneType(wide, plan.resultLanes()));
  total = b.loop(lower, last, chunk, ValueRange{total}, [&](Value from, ValueRange carried) -> SmallVector<Value> {
             Value sum = combineRange(combiner, from, b.min(b.add(from, chunk), last), neutral, evalStep);
             Value more = convertFloat(builder, loc, fold(sum), wide);
             return {combiner.combine(builder, loc, carried[0], more)};
           }).front();
  return convertFloat(builder, loc, combineAll(combiner, total), type);
}

Value Team::combineSteps(const Combiner &combiner, Type type, function_ref<Value(Value)> element) {
  Value neutral = combiner.neutral(context.builder, context.loc, getLaneType(type, plan.resultLanes()));
  return combineAll(combiner, combineRange(combiner, b.add(first, member), last, neutral, element));
}

Value Team::reduceKept(const Combiner &combiner, ArrayRef<Value> values) {
  Value total = values.front();
  for (Value value : values.drop_front())
    total = combiner.combine(context.builder, context.loc, total, value);
  return combineAll(combiner, plan.isRow ? combiner.fold(context.builder, context.loc, total) : total);
}

//===----------------------------------------------------------------------===//
// Exchange between threads
//===----------------------------------------------------------------------===//

/// `value` of the thread whose lane differs in bit `offset`. Hardware moves 32
/// bits: narrower values are extended, wider ones go in two halves.
static Value exchange(OpBuilder &b, Location loc, Value value, int64_t offset) {
  Type type = value.getType(), i32 = b.getI32Type(), i64 = b.getI64Type();
  if (type == i32 || type.isF32())
    return mlir::gpu::ShuffleOp::create(b, loc, value, offset, kWarp, mlir::gpu::ShuffleMode::XOR).getShuffleResult();
  if (type.isF64()) {
    Value bits = exchange(b, loc, arith::BitcastOp::create(b, loc, i64, value), offset);
    return arith::BitcastOp::create(b, loc, type, bits);
  }
  if (type != i64)
    return arith::TruncIOp::create(b, loc, type, exchange(b, loc, arith::ExtUIOp::create(b, loc, i32, value), offset));
  Value shift = arith::ConstantIntOp::create(b, loc, 32, 64);
  Value low = exchange(b, loc, arith::TruncIOp::create(b, loc, i32, value), offset);
  Value high = arith::ShRUIOp::create(b, loc, value, shift);
  high = exchange(b, loc, arith::TruncIOp::create(b, loc, i32, high), offset);
  Value upper = arith::ShLIOp::create(b, loc, arith::ExtUIOp::create(b, loc, i64, high), shift);
  return arith::OrIOp::create(b, loc, upper, arith::ExtUIOp::create(b, loc, i64, low));
}

Value combineLanes(KernelContext &context, const Combiner &combiner, Value value, int64_t width) {
  // Both partners combine the same two values: all threads end with equal bits.
  for (int64_t offset = width / 2; offset > 0; offset /= 2)
    value =
        combiner.combine(context.builder, context.loc, value, exchange(context.builder, context.loc, value, offset));
  return value;
}

Value Team::combineAll(const Combiner &combiner, Value value) {
  if (plan.team == 1)
    return value;
  if (!plan.isRow)
    return combineColumns(combiner, value);
  value = combineLanes(context, combiner, value, std::min(plan.team, kWarp));
  return plan.team > kWarp ? combineWarps(combiner, value) : value;
}

/// The team is the block. Every call has an array of its own, so that one
/// barrier is enough.
Value Team::combineWarps(const Combiner &combiner, Value value) {
  OpBuilder &builder = context.builder;
  Location loc = context.loc;
  int64_t warps = plan.team / kWarp;
  Type type = value.getType();
  Value shared = context.addShared({warps}, graph::getStorageType(type));
  Value warp = b.div(member, kWarp), lane = b.rem(member, kWarp);
  b.ifThen(b.equal(lane, b.constant(0)),
           [&] { memref::StoreOp::create(builder, loc, toStorage(builder, loc, value, type), shared, warp); });
  context.barrier();
  Value partial = memref::LoadOp::create(builder, loc, shared, b.rem(lane, warps));
  return combineLanes(context, combiner, toCompute(builder, loc, partial, type), warps);
}

Value Team::combineColumns(const Combiner &combiner, Value value) {
  OpBuilder &builder = context.builder;
  int64_t width = plan.teams * plan.lanes;
  Type type = getElementTypeOrSelf(value.getType());
  Value shared = context.addShared({plan.team * width}, graph::getStorageType(type));
  Value column = b.mul(place, plan.lanes);
  auto at = [&](Value row) { return LaneIndex(b.add(b.mul(row, width), column), plan.lanes == 1 ? 0 : 1); };
  ElementEmitter memory(context, plan.lanes);
  memory.store(value, shared, at(member), type);
  context.barrier();
  Value total = memory.load(shared, at(b.constant(0)), type);
  for (int64_t row = 1; row < plan.team; ++row)
    total = combiner.combine(builder, context.loc, total, memory.load(shared, at(b.constant(row)), type));
  return total;
}

} // namespace hgc::gpu
