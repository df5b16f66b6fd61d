//===- PointwiseKernel.cpp - kernels without a root -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every element of the result is computed on its own: lanes along the innermost
// merged loop, or all of several short lines. Where inputs are read across (a
// transposition), blocks of elements are turned in registers: lanes run along the
// inputs, and shuffles bring together what is stored side by side. Where some are and
// others are not, iterations run in tiles so that each cache line read is used up while
// it is still near.
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/Emitters.h"
#include "hgc/CodeGen/CPU/StreamedStores.h"
#include "hgc/CodeGen/CPU/UnitLoops.h"
#include "hgc/CodeGen/Common/Lanes.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

/// Iterations of the loop along which a transposed input is contiguous that run
/// inside the vector loop.
static constexpr int64_t kTile = 32;

/// Least lanes, or rows, of a block that is turned in registers.
static constexpr int64_t kLeastSide = 4;

/// Bytes of a line of the cache.
static constexpr int64_t kLineBytes = 64;

namespace {

/// Loops of one pointwise kernel.
struct PointwisePlan {
  PointwisePlan(exec::KernelOp kernel, const DeviceTable &target);

  /// The innermost loop, over [lower, upper): `body(i, lanes)` computes the points
  /// [i, i + lanes).
  void emitLanes(IndexBuilder &b, Value lower, Value upper, function_ref<void(Value, int64_t)> body) const;

  SmallVector<Axis> axes;
  size_t rank = 0;
  /// Whether the last but one axis runs in tiles inside the last.
  bool isTiled = false;
  /// Elements along the last axis of a block that is turned in registers, whose `lanes`
  /// run along the last axis but one; 0 for none. Blocks of whole lines that follow each
  /// other are one piece; of others, several side by side fill lines of the cache.
  int64_t rows = 0, strip = 0;
  bool isPiece = false;
  /// Elements along the last axis but one that all strips visit before the next ones, where strips share lines of the
  /// cache.
  int64_t stretch = 0;
  /// Whether a buffer is read and written: then no point is visited twice.
  bool isUpdate = false;
  /// Whether stores go past the caches.
  bool isStreamed = false;
  /// Lanes of one step; several short lines make one together.
  int64_t lanes = 1, lines = 1;
  UnitLoops loops;

private:
  int64_t chooseLines(exec::KernelOp kernel, const DeviceTable &target) const;
  bool chooseBlock(exec::KernelOp kernel, ArrayRef<Access> accesses, const DeviceTable &target);
  int64_t chooseStretch(exec::KernelOp kernel, const DeviceTable &target) const;
};

struct PointwiseEmitter final : KernelEmitter {
  KernelSchedule plan(exec::KernelOp kernel, const DeviceTable &target) const override {
    PointwisePlan plan(kernel, target);
    KernelSchedule schedule;
    schedule.units = plan.loops.units;
    schedule.grain = chooseGrain(kernel, target, schedule.units);
    std::string across = plan.rows ? " turned by " + std::to_string(plan.rows) : plan.isTiled ? " tiled" : "";
    schedule.text = llvm::formatv("pointwise loops={0} lanes={1}{2}{3}{4}", plan.axes.size(), plan.lanes, across,
                                  plan.lines > 1 ? " of several lines" : "", plan.isStreamed ? " streamed" : "");
    return schedule;
  }

  LogicalResult emit(KernelContext &context) const override;
};

} // namespace

/// How far an access moves per step of an axis, forwards or backwards.
static int64_t getStep(const Access &access, const Axis &axis) {
  return axis.dim >= 0 && static_cast<size_t>(axis.dim) < access.size() ? std::abs(access[axis.dim]) : 0;
}

/// The axis along which an access that strides over the innermost axis is
/// contiguous; -1 when there is none.
static int findTransposedAxis(ArrayRef<Axis> axes, ArrayRef<Access> accesses) {
  for (const Access &access : accesses) {
    if (getStep(access, axes.back()) <= 1)
      continue;
    for (size_t a = 0; a + 1 < axes.size(); ++a)
      if (getStep(access, axes[a]) == 1)
        return static_cast<int>(a);
  }
  return -1;
}

/// Bytes of the narrowest elements that are stored.
static int64_t getNarrowestBytes(exec::KernelOp kernel) {
  int64_t bytes = INT64_MAX;
  for (exec::StoreOp store : kernel.getStores())
    bytes = std::min(bytes, graph::getElementBytes(getElementTypeOrSelf(store.getValue().getType())));
  return bytes;
}

/// Whether elements are found where others say.
static bool looksUp(exec::KernelOp kernel) {
  return llvm::any_of(kernel.getBody().front(),
                      [](Operation &op) { return isa<graph::GatherOp, graph::GatherAlongOp>(op); });
}

PointwisePlan::PointwisePlan(exec::KernelOp kernel, const DeviceTable &target) {
  SmallVector<exec::StoreOp, 4> stores = kernel.getStores();
  ArrayRef<int64_t> shape = cast<RankedTensorType>(stores.front().getValue().getType()).getShape();
  rank = shape.size();
  isUpdate = kernel.updatesInPlace();
  SmallVector<LinearForm> forms = identityForms(rank);
  SmallVector<Access> accesses{getRowMajorAccess(shape, forms)};
  for (exec::StoreOp store : stores)
    collectAccesses(store.getValue(), forms, {}, accesses);
  axes = mergeDims(shape, {}, accesses);
  int transposed = findTransposedAxis(axes, accesses);
  isTiled = transposed >= 0;
  lanes = chooseLanes(kernel, target, axes.back().extent, isTiled ? 1 : 2);
  // Loops may run in any order: bring the two of a tile together.
  if (isTiled)
    std::rotate(axes.begin() + transposed, axes.begin() + transposed + 1, axes.end() - 1);
  if (isTiled && !isUpdate && chooseBlock(kernel, accesses, target))
    return;
  SmallVector<int64_t> extents;
  for (const Axis &axis : axes)
    extents.push_back(axis.extent);
  lines = isTiled || isUpdate ? 1 : chooseLines(kernel, target);
  if (lines > 1) {
    int64_t line = extents.pop_back_val();
    lanes = lines * line;
    loops = UnitLoops::plan(extents, line, lines);
    return;
  }
  if (isTiled)
    extents[extents.size() - 2] = llvm::divideCeil(extents[extents.size() - 2], kTile);
  loops = UnitLoops::plan(extents, isTiled ? kTile : 1, lanes);
  // All lines of results must start alike.
  bool isEven = axes.size() == 1 || axes.back().extent % lanes == 0;
  isStreamed = !isTiled && !isUpdate && lanes > 1 && isEven && fillsCaches(kernel, target);
}

/// Chooses loops over blocks that are turned in registers, where all inputs are read along the axis before the last.
bool PointwisePlan::chooseBlock(exec::KernelOp kernel, ArrayRef<Access> accesses, const DeviceTable &target) {
  // Most streams that become one piece, and most lanes of other blocks.
  constexpr int64_t mostStreams = 8, mostLanes = 16;
  const Axis &across = axes[axes.size() - 2], &last = axes.back();
  ArrayRef<Access> inputs = accesses.drop_front();
  // A few lines side by side are read by vectors as they are, and lanes taken out of them.
  bool isNear = llvm::all_of(inputs, [&](const Access &input) { return 2 * getStep(input, last) <= lanes; });
  bool isAcross = llvm::all_of(inputs, [&](const Access &input) { return getStep(input, across) <= 1; });
  if (!isAcross || looksUp(kernel) || (isNear && across.extent <= mostStreams))
    return false;
  int64_t along = chooseLanes(kernel, target, across.extent, 1);
  isPiece = last.extent <= mostStreams && getStep(accesses.front(), across) == last.extent;
  if (!isPiece)
    along = std::min(along, mostLanes);
  int64_t most = std::min(along, fitLanes(target.vectorRegisters, target.vectorRegisters / 2));
  int64_t side = isPiece ? last.extent : fitLanes(last.extent, most);
  if (along < kLeastSide || (!isPiece && side < kLeastSide))
    return false;
  lanes = along, rows = side;
  strip = isPiece ? rows : std::max(rows, kLineBytes / getNarrowestBytes(kernel));
  SmallVector<int64_t> extents;
  for (const Axis &axis : ArrayRef<Axis>(axes).drop_back(2))
    extents.push_back(axis.extent);
  stretch = isPiece ? across.extent : chooseStretch(kernel, target);
  extents.push_back(llvm::divideCeil(across.extent, stretch));
  if (!isPiece)
    extents.push_back(llvm::divideCeil(last.extent, strip));
  extents.push_back(stretch);
  loops = UnitLoops::plan(extents, strip, lanes);
  return true;
}

/// Lines of results that are not whole lines of the cache are written by two strips each: both while they are near.
int64_t PointwisePlan::chooseStretch(exec::KernelOp kernel, const DeviceTable &target) const {
  int64_t extent = axes[axes.size() - 2].extent, lineBytes = axes.back().extent * getNarrowestBytes(kernel);
  int64_t fits = target.l2Bytes / 8 / std::max<int64_t>(1, lineBytes) / lanes * lanes;
  return lineBytes % kLineBytes ? std::clamp(fits, lanes, extent) : extent;
}

/// Lines that fill four registers together where one does not fill its vectors.
int64_t PointwisePlan::chooseLines(exec::KernelOp kernel, const DeviceTable &target) const {
  int64_t line = axes.back().extent, full = chooseLanes(kernel, target, INT64_MAX, 2);
  // Lines of their own look up an element once.
  if (axes.size() < 2 || line < 2 || 2 * lanes > full || looksUp(kernel))
    return 1;
  auto most = static_cast<int64_t>(llvm::bit_floor(static_cast<uint64_t>(2 * full / line)));
  return axes[axes.size() - 2].extent >= most ? most : 1;
}

void PointwisePlan::emitLanes(IndexBuilder &b, Value lower, Value upper,
                              function_ref<void(Value, int64_t)> body) const {
  int64_t extent = axes.back().extent;
  auto wide = [&](Value i) { body(i, lanes); };
  if (!isUpdate || extent % lanes == 0)
    return emitLaneLoop(b, lower, upper, extent, lanes, wide);
  // Units start at whole vectors: only the last one has points left over.
  Value limit = b.min(upper, b.constant(extent / lanes * lanes));
  b.loop(lower, limit, lanes, wide);
  b.loop(limit, upper, 1, [&](Value i) { body(i, 1); });
}

/// Vectors start where the result is aligned: all units move by as much, and points
/// before and behind whole vectors go one by one.
static void emitStreamed(KernelContext &context, const PointwisePlan &plan,
                         function_ref<void(ArrayRef<Value>, Value, int64_t)> point) {
  IndexBuilder b(context.builder, context.loc);
  Value shift = emitUnaligned(context, plan.lanes), zero = b.constant(0), extent = b.constant(plan.axes.back().extent);
  plan.loops.emit(b, context.begin, context.end, [&](ArrayRef<Value> outer, Value lower, Value upper) {
    auto one = [&](Value i) { point(outer, i, 1); };
    b.ifThen(b.equal(lower, zero), [&] { b.loop(zero, shift, 1, one); });
    Value first = b.add(lower, shift), last = b.min(b.add(upper, shift), extent);
    Value whole = b.add(first, b.mul(b.div(b.sub(last, first), plan.lanes), plan.lanes));
    b.loop(first, whole, plan.lanes, [&](Value i) { point(outer, i, plan.lanes); });
    b.loop(whole, last, 1, one);
  });
  emitStreamFence(context);
}

/// Steps of several whole lines.
static void emitLines(KernelContext &context, const PointwisePlan &plan) {
  IndexBuilder b(context.builder, context.loc);
  int64_t line = plan.axes.back().extent, extent = plan.axes[plan.axes.size() - 2].extent;
  plan.loops.emit(b, context.begin, context.end, [&](ArrayRef<Value> outer, Value lower, Value upper) {
    emitLaneLoop(b, lower, upper, extent, plan.lines, [&](Value i) {
      SmallVector<LaneIndex> positions(outer.begin(), outer.end());
      positions.push_back({i, 0, Value(), 1});
      positions.push_back({b.constant(0), 1, Value(), -line});
      ElementEmitter(context, plan.lanes, line).storeResult(makeIndex(b, plan.rank, plan.axes, positions));
    });
  });
}

/// One block that is turned, `lanes` by `rows` elements: `at` has the first index of every axis.
static void emitBlock(KernelContext &context, const PointwisePlan &plan, ArrayRef<Value> at, int64_t lanes,
                      int64_t rows) {
  OpBuilder &builder = context.builder;
  Location loc = context.loc;
  IndexBuilder b(builder, loc);
  SmallVector<exec::StoreOp, 4> stores = context.kernel.getStores();
  SmallVector<SmallVector<Value>> streams(stores.size());
  ElementEmitter emitter(context, lanes);
  for (int64_t row = 0; row < rows; ++row) {
    SmallVector<LaneIndex> positions(at.begin(), at.end());
    positions.end()[-2].step = 1;
    positions.back().base = b.add(at.back(), row);
    SmallVector<LaneIndex> index = makeIndex(b, plan.rank, plan.axes, positions);
    for (auto [store, stream] : llvm::zip_equal(stores, streams)) {
      Type element = getElementTypeOrSelf(store.getValue().getType());
      stream.push_back(toStorage(builder, loc, emitter.eval(store.getValue(), index), element));
    }
  }
  auto shape = cast<RankedTensorType>(stores.front().getValue().getType()).getShape();
  auto offsetOf = [&](int64_t line) {
    SmallVector<LaneIndex> positions(at.begin(), at.end());
    positions.end()[-2].base = b.add(at[at.size() - 2], line);
    return emitter.flatten(makeIndex(b, plan.rank, plan.axes, positions), shape).base;
  };
  int64_t piece = plan.isPiece ? lanes : std::min(lanes, rows);
  for (auto [store, stream] : llvm::zip_equal(stores, streams)) {
    Value buffer = context.buffers.lookup(store.getBuffer());
    for (auto [number, vector] : llvm::enumerate(interleaveLanes(builder, loc, stream)))
      for (int64_t begin = 0; begin < lanes; begin += piece) {
        int64_t place = static_cast<int64_t>(number) * lanes + begin;
        Value offset = plan.isPiece ? b.add(offsetOf(0), place) : b.add(offsetOf(place / rows), place % rows);
        vector::StoreOp::create(builder, loc, slice(builder, loc, vector, begin, piece), buffer, offset);
      }
  }
}

/// `body(i, count)` for blocks of `most` elements in [lower, upper). The last one moves back to end with the axis, and
/// has no more than half as many elements where these are enough.
static void emitBlockLoop(IndexBuilder &b, Value lower, Value upper, int64_t extent, int64_t most,
                          function_ref<void(Value, int64_t)> body) {
  auto rest = static_cast<int64_t>(llvm::bit_ceil(static_cast<uint64_t>(extent % most)));
  rest = std::max(rest, kLeastSide);
  if (extent % most == 0 || 2 * rest > most)
    return emitLaneLoop(b, lower, upper, extent, most, [&](Value i) { body(i, most); });
  Value whole = b.add(lower, b.mul(b.div(b.sub(upper, lower), most), most));
  b.loop(lower, whole, most, [&](Value i) { body(i, most); });
  b.ifThen(b.lessThan(whole, upper), [&] { body(b.constant(extent - rest), rest); });
}

/// Blocks that are turned.
static void emitTurned(KernelContext &context, const PointwisePlan &plan) {
  IndexBuilder b(context.builder, context.loc);
  plan.loops.emit(b, context.begin, context.end, [&](ArrayRef<Value> outer, Value lower, Value upper) {
    int64_t extent = plan.axes.back().extent;
    SmallVector<Value> at(outer);
    Value first = plan.isPiece ? b.constant(0) : b.mul(at.pop_back_val(), plan.strip);
    Value end = b.min(b.add(first, plan.strip), b.constant(extent)), start = b.mul(at.pop_back_val(), plan.stretch);
    int64_t all = plan.axes[plan.axes.size() - 2].extent;
    // The last stretch may end before the unit's part of it begins.
    Value begin = b.add(start, lower), limit = b.max(begin, b.min(b.add(start, upper), b.constant(all)));
    auto emitRows = [&](Value across, int64_t lanes) {
      emitBlockLoop(b, first, end, extent, plan.rows, [&](Value row, int64_t rows) {
        SmallVector<Value> block(at);
        block.append({across, row});
        emitBlock(context, plan, block, lanes, rows);
      });
    };
    if (plan.isPiece)
      return emitLaneLoop(b, begin, limit, all, plan.lanes, [&](Value i) { emitRows(i, plan.lanes); });
    emitBlockLoop(b, begin, limit, all, plan.lanes, emitRows);
  });
}

LogicalResult PointwiseEmitter::emit(KernelContext &context) const {
  PointwisePlan plan(context.kernel, context.target);
  IndexBuilder b(context.builder, context.loc);
  auto point = [&](ArrayRef<Value> outer, Value last, int64_t lanes) {
    SmallVector<LaneIndex> positions(outer.begin(), outer.end());
    positions.push_back({last, lanes == 1 ? 0 : 1});
    ElementEmitter emitter(context, lanes);
    if (plan.isStreamed && lanes > 1)
      emitter.streamStores(getStreamAlignment(context.kernel, lanes));
    emitter.storeResult(makeIndex(b, plan.rank, plan.axes, positions));
  };
  if (plan.isStreamed) {
    emitStreamed(context, plan, point);
    return success();
  }
  if (plan.rows > 0) {
    emitTurned(context, plan);
    return success();
  }
  if (plan.lines > 1) {
    emitLines(context, plan);
    return success();
  }
  plan.loops.emit(b, context.begin, context.end, [&](ArrayRef<Value> outer, Value lower, Value upper) {
    if (!plan.isTiled)
      return plan.emitLanes(b, lower, upper, [&](Value i, int64_t lanes) { point(outer, i, lanes); });
    SmallVector<Value> at(outer);
    int64_t tiledExtent = plan.axes[plan.axes.size() - 2].extent;
    Value first = b.mul(at.pop_back_val(), kTile);
    Value limit = b.min(b.add(first, kTile), b.constant(tiledExtent));
    plan.emitLanes(b, lower, upper, [&](Value i, int64_t lanes) {
      b.loop(first, limit, 1, [&](Value t) {
        at.push_back(t);
        point(at, i, lanes);
        at.pop_back();
      });
    });
  });
  return success();
}

std::unique_ptr<KernelEmitter> cpu::createPointwiseEmitter() { return std::make_unique<PointwiseEmitter>(); }
