//===- SortKernel.cpp - GPU kernels with a sort ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks sort tiles of a line in shared memory by a bitonic network; short lines
// share a block. Tiles of long lines are merged pairwise, one launch a level:
// every item finds its place by counting the items of the other run before it.
// Positions make all items different, so that the order is the stable one. Of a
// run only the items that can be among the first `k` are kept.
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/Common/SortItems.h"
#include "hgc/CodeGen/GPU/Emitters.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::gpu;

/// Bytes of the items of a block: leaves room for a second block.
static constexpr int64_t kTileBytes = 32 << 10;
/// Items of a block that has several short lines.
static constexpr int64_t kFewItems = 512;
static constexpr int64_t kMostThreads = 512;
static constexpr int64_t kMergeThreads = 256;

namespace {

struct SortPlan : SortItems {
  explicit SortPlan(exec::KernelOp kernel);

  /// Runs of a line after `level` merges, and the place each has in scratch.
  int64_t runs(int64_t level) const { return llvm::divideCeil(length, tile << level); }
  int64_t stride(int64_t level) const { return std::min(kept, tile << level); }
  int64_t items(int64_t level) const { return lines * runs(level) * stride(level); }
  /// Bytes of the largest level that is even, or odd; the last one is not stored.
  int64_t scratchBytes(int64_t parity) const {
    int64_t most = 0;
    for (int64_t level = parity; level < levels; level += 2)
      most = std::max(most, items(level));
    return most * columns() * 8;
  }
  /// Even levels are before odd ones.
  int64_t scratchOffset(int64_t level) const { return level % 2 == 0 ? 0 : scratchBytes(0); }
  KernelPlan makeKernelPlan() const;

  /// Items that a block sorts of one line; a power of two.
  int64_t tile;
  /// Lines of a block.
  int64_t group;
  int64_t threads;
  int64_t levels;
};

struct SortEmitter final : KernelEmitter {
  FailureOr<KernelPlan> plan(exec::KernelOp kernel, const GpuTable &) const override {
    return SortPlan(kernel).makeKernelPlan();
  }
  LogicalResult emit(KernelContext &context, size_t number) const override;
};

/// What both kinds of launches need.
struct LaunchEmitter {
  LaunchEmitter(KernelContext &context, const SortPlan &plan)
      : context(context), plan(plan), ix(context.builder, context.loc) {}

  /// The arrays of a level in scratch memory.
  SmallVector<Value> getLevel(int64_t level);
  SmallVector<LaneIndex> getIndex(Value line);
  /// Items of run `run` of a line.
  Value getRunLength(Value run, int64_t level);
  /// Writes item `slot` of a run: into scratch memory, or as a result.
  void put(Value line, Value run, Value slot, int64_t level, const SortItem &item);

  KernelContext &context;
  const SortPlan &plan;
  IndexBuilder ix;
};

struct TileEmitter : LaunchEmitter {
  using LaunchEmitter::LaunchEmitter;
  void emit();

private:
  void forEachItem(function_ref<void(Value)> body);
  /// Line, run and slot of item `item` of this block.
  struct Place {
    Value line, run, slot, exists;
  };
  Place getPlace(Value item);
  void load(ValueRange arrays);
  void sort(ValueRange arrays);
  void exchange(ValueRange arrays, Value pair, Value stage, Value step);
  void store(ValueRange arrays);
};

struct MergeEmitter : LaunchEmitter {
  using LaunchEmitter::LaunchEmitter;
  void emit(int64_t level);

private:
  /// How many of `length` items from `first` on are before `item`.
  Value countBefore(ValueRange arrays, Value first, Value length, const SortItem &item, int64_t most);
};

} // namespace

SortPlan::SortPlan(exec::KernelOp kernel) : SortItems(cast<graph::ArgSortOp>(getRoot(kernel))) {
  int64_t most = kTileBytes / (8 * columns());
  tile = std::min<int64_t>(most, llvm::PowerOf2Ceil(std::max<int64_t>(2, length)));
  group = std::max<int64_t>(1, std::min<int64_t>(kFewItems / tile, llvm::PowerOf2Ceil(lines)));
  threads = std::clamp<int64_t>(group * tile / 2, kWarp, kMostThreads);
  levels = llvm::Log2_64_Ceil(runs(0));
}

KernelPlan SortPlan::makeKernelPlan() const {
  KernelPlan plan;
  Launch first;
  first.grid[0] = llvm::divideCeil(lines * runs(0), group);
  first.block[0] = threads;
  plan.launches.push_back(first);
  for (int64_t level = 1; level <= levels; ++level) {
    Launch merge;
    merge.grid[0] = llvm::divideCeil(items(level - 1), kMergeThreads);
    merge.block[0] = kMergeThreads;
    plan.launches.push_back(merge);
  }
  plan.scratchBytes = scratchBytes(0) + scratchBytes(1);
  plan.text = llvm::formatv("sort lines of {0}, tiles of {1}, merges={2}", length, tile, levels);
  return plan;
}

//===----------------------------------------------------------------------===//
// Both
//===----------------------------------------------------------------------===//

SmallVector<Value> LaunchEmitter::getLevel(int64_t level) {
  SmallVector<Value> arrays;
  int64_t count = plan.items(level);
  for (int64_t c = 0; c < plan.columns(); ++c)
    arrays.push_back(
        context.getScratch(plan.scratchOffset(level) + c * count * 8, count, context.builder.getI64Type()));
  return arrays;
}

SmallVector<LaneIndex> LaunchEmitter::getIndex(Value line) {
  SmallVector<LaneIndex> index;
  for (Value i : ix.delinearize(line, plan.outer))
    index.push_back(i);
  return index;
}

Value LaunchEmitter::getRunLength(Value run, int64_t level) {
  int64_t covered = plan.tile << level;
  Value left = ix.sub(ix.constant(plan.length), ix.mul(run, covered));
  return ix.max(ix.constant(0), ix.min(left, ix.constant(plan.stride(level))));
}

void LaunchEmitter::put(Value line, Value run, Value slot, int64_t level, const SortItem &item) {
  if (level == plan.levels) {
    SmallVector<LaneIndex> index = getIndex(line);
    plan.write(context, index, slot, item);
    return;
  }
  Value place = ix.add(ix.mul(line, plan.runs(level)), run);
  SortItems::store(context, getLevel(level), ix.add(ix.mul(place, plan.stride(level)), slot), item);
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

void TileEmitter::forEachItem(function_ref<void(Value)> body) {
  int64_t items = plan.group * plan.tile;
  if (items >= plan.threads)
    return ix.loop(context.threadId(), ix.constant(items), plan.threads, body);
  ix.ifThen(ix.lessThan(context.threadId(), ix.constant(items)), [&] { body(context.threadId()); });
}

TileEmitter::Place TileEmitter::getPlace(Value item) {
  Value number = ix.add(ix.mul(context.blockId(), plan.group), ix.div(item, plan.tile));
  Place place{ix.div(number, plan.runs(0)), ix.rem(number, plan.runs(0)), ix.rem(item, plan.tile), Value()};
  place.exists = ix.both(ix.lessThan(number, ix.constant(plan.lines * plan.runs(0))),
                         ix.lessThan(ix.add(ix.mul(place.run, plan.tile), place.slot), ix.constant(plan.length)));
  return place;
}

void TileEmitter::load(ValueRange arrays) {
  forEachItem([&](Value i) {
    Place place = getPlace(i);
    SmallVector<Type> types(plan.columns(), context.builder.getI64Type());
    auto element = [&]() -> SmallVector<Value> {
      SmallVector<LaneIndex> index = getIndex(place.line);
      SortItem item = plan.build(context, index, ix.add(ix.mul(place.run, plan.tile), place.slot));
      return {item.begin(), item.end()};
    };
    auto last = [&]() -> SmallVector<Value> {
      SortItem item = plan.buildLast(context, ix.add(place.slot, plan.length));
      return {item.begin(), item.end()};
    };
    SmallVector<Value> values = ix.select(place.exists, types, element, last);
    SortItems::store(context, arrays, i, SortItem(values.begin(), values.end()));
  });
}

/// Orders items `step` apart: ascending where bit `stage` of the place in the tile
/// is clear, else descending.
void TileEmitter::exchange(ValueRange arrays, Value pair, Value stage, Value step) {
  OpBuilder &b = context.builder;
  Location loc = context.loc;
  Value low = arith::AndIOp::create(b, loc, pair, ix.add(step, -1));
  Value first = ix.sub(ix.add(pair, pair), low), second = ix.add(first, step);
  SortItem a = SortItems::load(context, arrays, first), c = SortItems::load(context, arrays, second);
  Value inTile = arith::AndIOp::create(b, loc, first, ix.constant(plan.tile - 1));
  Value bit = arith::AndIOp::create(b, loc, inTile, stage);
  Value isDescending = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, bit, ix.constant(0));
  Value isLess = plan.less(context, a, c);
  // Items are all different: one of them is less.
  Value swaps = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, isLess, isDescending);
  ix.ifThen(swaps, [&] {
    SortItems::store(context, arrays, first, c);
    SortItems::store(context, arrays, second, a);
  });
}

void TileEmitter::sort(ValueRange arrays) {
  OpBuilder &b = context.builder;
  Location loc = context.loc;
  int64_t stages = llvm::Log2_64(plan.tile), pairs = plan.group * plan.tile / 2;
  Value one = ix.constant(1);
  ix.loop(stages, [&](Value s) {
    Value stage = arith::ShLIOp::create(b, loc, one, ix.add(s, 1));
    ix.loop(one, ix.add(s, 2), 1, [&](Value t) {
      context.barrier();
      Value step = arith::ShRUIOp::create(b, loc, stage, t);
      auto body = [&](Value pair) { exchange(arrays, pair, stage, step); };
      if (pairs >= plan.threads)
        return ix.loop(context.threadId(), ix.constant(pairs), plan.threads, body);
      ix.ifThen(ix.lessThan(context.threadId(), ix.constant(pairs)), [&] { body(context.threadId()); });
    });
  });
  context.barrier();
}

void TileEmitter::store(ValueRange arrays) {
  forEachItem([&](Value i) {
    Place place = getPlace(i);
    Value isKept = ix.both(place.exists, ix.lessThan(place.slot, ix.constant(plan.stride(0))));
    ix.ifThen(isKept, [&] { put(place.line, place.run, place.slot, 0, SortItems::load(context, arrays, i)); });
  });
}

void TileEmitter::emit() {
  SmallVector<Value> arrays;
  for (int64_t c = 0; c < plan.columns(); ++c)
    arrays.push_back(context.addShared({plan.group * plan.tile}, context.builder.getI64Type()));
  load(arrays);
  sort(arrays);
  store(arrays);
}

//===----------------------------------------------------------------------===//
// Merges
//===----------------------------------------------------------------------===//

Value MergeEmitter::countBefore(ValueRange arrays, Value first, Value length, const SortItem &item, int64_t most) {
  OpBuilder &b = context.builder;
  Location loc = context.loc;
  // Halves [low, high) until it is empty; as many steps for all threads.
  auto steps = static_cast<int64_t>(llvm::Log2_64(most)) + 1;
  Value zero = ix.constant(0);
  return ix
      .loop(zero, ix.constant(steps), 1, ValueRange{zero, length},
            [&](Value, ValueRange range) -> SmallVector<Value> {
              Value isOpen = ix.lessThan(range[0], range[1]);
              Value middle = ix.div(ix.add(range[0], range[1]), 2);
              // An empty range may be behind the last item.
              Value safe = arith::SelectOp::create(b, loc, isOpen, ix.add(first, middle), zero);
              Value isBefore = plan.less(context, SortItems::load(context, arrays, safe), item);
              Value goesUp = arith::AndIOp::create(b, loc, isOpen, isBefore);
              Value low = arith::SelectOp::create(b, loc, goesUp, ix.add(middle, 1), range[0]);
              Value stays = arith::SelectOp::create(b, loc, isOpen, middle, range[1]);
              return {low, arith::SelectOp::create(b, loc, goesUp, range[1], stays)};
            })
      .front();
}

void MergeEmitter::emit(int64_t level) {
  int64_t from = level - 1, runs = plan.runs(from), stride = plan.stride(from);
  Value id = context.globalId();
  SmallVector<Value> arrays = getLevel(from);
  ix.ifThen(ix.lessThan(id, ix.constant(plan.items(from))), [&] {
    SmallVector<Value> at = ix.delinearize(id, {plan.lines, runs, stride});
    ix.ifThen(ix.lessThan(at[2], getRunLength(at[1], from)), [&] {
      SortItem item = SortItems::load(context, arrays, id);
      Value other = arith::XOrIOp::create(context.builder, context.loc, at[1], ix.constant(1));
      Value first = ix.mul(ix.add(ix.mul(at[0], runs), other), stride);
      Value rank = countBefore(arrays, first, getRunLength(other, from), item, stride);
      Value slot = ix.add(at[2], rank), run = ix.div(at[1], 2);
      ix.ifThen(ix.lessThan(slot, ix.constant(plan.stride(level))), [&] { put(at[0], run, slot, level, item); });
    });
  });
}

LogicalResult SortEmitter::emit(KernelContext &context, size_t number) const {
  SortPlan plan(context.kernel);
  if (number == 0)
    TileEmitter(context, plan).emit();
  else
    MergeEmitter(context, plan).emit(static_cast<int64_t>(number));
  return success();
}

std::unique_ptr<KernelEmitter> hgc::gpu::createSortEmitter() { return std::make_unique<SortEmitter>(); }
