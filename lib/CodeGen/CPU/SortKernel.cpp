//===- SortKernel.cpp - kernels with a sort -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each line along the axis is sorted on its own in scratch memory: bottom-up
// merges without branches on the data, or, for a few of many elements, insertion
// into a short list. Keys of 32 bits are sorted together with their positions as
// one 64-bit integer; others in two arrays.
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/Emitters.h"
#include "hgc/CodeGen/CPU/UnitLoops.h"
#include "hgc/CodeGen/Common/Lanes.h"
#include "hgc/CodeGen/Common/OrderKey.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

/// A list of this many elements is kept sorted by insertion.
static constexpr int64_t kMaxInserted = 32;

namespace {

/// Key and position: one value, or two.
using Item = SmallVector<Value, 2>;

struct SortPlan {
  explicit SortPlan(exec::KernelOp kernel) {
    auto op = cast<graph::ArgSortOp>(getRoot(kernel));
    axis = op.getAxis(), input = op.getInput(), result = op.getResult();
    auto type = cast<RankedTensorType>(input.getType());
    length = type.getDimSize(axis);
    kept = cast<RankedTensorType>(result.getType()).getDimSize(axis);
    outer.assign(type.getShape().begin(), type.getShape().end());
    outer[axis] = 1;
    key = {type.getElementType(), op.getDescending(), !op.getDescending()};
    isJoined = key.getType().getWidth() == 32 && length < (int64_t(1) << 31);
    isInserted = kept <= kMaxInserted && 2 * kept <= length;
    for (int64_t extent : outer)
      lines *= extent;
  }

  /// Items of one array; merges need two halves.
  int64_t arrayLength() const { return isInserted ? kept : 2 * length; }
  int64_t columns() const { return isJoined ? 1 : 2; }

  Value input, result;
  OrderKey key;
  int64_t axis, length, kept, lines = 1;
  /// Extents of the input with 1 along the axis.
  SmallVector<int64_t> outer;
  bool isJoined, isInserted;
};

struct SortEmitter final : KernelEmitter {
  KernelSchedule plan(exec::KernelOp kernel, const DeviceTable &target) const override {
    SortPlan plan(kernel);
    KernelSchedule schedule;
    schedule.units = plan.lines;
    schedule.grain = chooseGrain(kernel, target, schedule.units);
    schedule.scratchBytes = plan.columns() * plan.arrayLength() * 8;
    schedule.text = llvm::formatv("{0} lines of {1}", plan.isInserted ? "insertion sort," : "merge sort,", plan.length);
    return schedule;
  }
  LogicalResult emit(KernelContext &context) const override;
};

/// Emits the sort of one line.
class LineEmitter {
public:
  LineEmitter(KernelContext &context, const SortPlan &plan, Value line);

  void emit() {
    Value first = plan.isInserted ? insertAll() : mergeAll();
    write(first);
  }

private:
  Item load(Value at);
  void store(const Item &item, Value at);
  Item makeItem(Value position);
  Value less(const Item &a, const Item &b) {
    return arith::CmpIOp::create(ix.builder, ix.loc, arith::CmpIPredicate::slt, a[0], b[0]);
  }
  /// Sorts; each gives where the first item is.
  Value insertAll();
  Value mergeAll();
  void insert(const Item &item, Value slot);
  void mergeRuns(Value from, Value to, Value lower, Value middle, Value upper);
  void write(Value first);

  KernelContext &context;
  const SortPlan &plan;
  IndexBuilder ix;
  SmallVector<LaneIndex> index;
  SmallVector<Value, 2> arrays;
};

} // namespace

LineEmitter::LineEmitter(KernelContext &context, const SortPlan &plan, Value line)
    : context(context), plan(plan), ix(context.builder, context.loc) {
  for (Value i : ix.delinearize(line, plan.outer))
    index.push_back(i);
  auto type = MemRefType::get({plan.arrayLength()}, context.builder.getI64Type());
  for (int64_t c = 0; c < plan.columns(); ++c)
    arrays.push_back(memref::ViewOp::create(context.builder, context.loc, type, context.scratch,
                                            ix.constant(c * plan.arrayLength() * 8), ValueRange{}));
}

Item LineEmitter::load(Value at) {
  Item item;
  for (Value array : arrays)
    item.push_back(memref::LoadOp::create(context.builder, context.loc, array, at));
  return item;
}

void LineEmitter::store(const Item &item, Value at) {
  for (auto [value, array] : llvm::zip_equal(item, arrays))
    memref::StoreOp::create(context.builder, context.loc, value, array, at);
}

Item LineEmitter::makeItem(Value position) {
  OpBuilder &b = context.builder;
  Location loc = context.loc;
  index[plan.axis] = position;
  Value key = plan.key.build(b, loc, ElementEmitter(context, 1).eval(plan.input, index));
  Type i64 = b.getI64Type();
  Value number = arith::IndexCastOp::create(b, loc, i64, position);
  if (key.getType() != i64)
    key = arith::ExtSIOp::create(b, loc, i64, key);
  if (!plan.isJoined)
    return {key, number};
  Value high = arith::ShLIOp::create(b, loc, key, createConstant(b, loc, i64, 32));
  return {arith::OrIOp::create(b, loc, high, number)};
}

/// Moves items from `slot` on by one until `item` fits.
void LineEmitter::insert(const Item &item, Value slot) {
  OpBuilder &b = context.builder;
  Location loc = context.loc;
  Type type = b.getIndexType();
  auto before = [&](OpBuilder &, Location, ValueRange args) {
    Value above = ix.max(ix.add(args[0], -1), ix.constant(0));
    Value isMoved = ix.both(ix.lessThan(ix.constant(0), args[0]), less(item, load(above)));
    scf::ConditionOp::create(b, loc, isMoved, args);
  };
  auto after = [&](OpBuilder &, Location, ValueRange args) {
    Value above = ix.add(args[0], -1);
    store(load(above), args[0]);
    scf::YieldOp::create(b, loc, above);
  };
  OpBuilder::InsertionGuard guard(b);
  auto loop = scf::WhileOp::create(b, loc, TypeRange{type}, ValueRange{slot}, before, after);
  b.setInsertionPointAfter(loop);
  store(item, loop.getResult(0));
}

Value LineEmitter::insertAll() {
  Value last = ix.constant(plan.kept - 1);
  // Equal items that come later do not move earlier ones.
  ix.loop(plan.kept, [&](Value i) { insert(makeItem(i), i); });
  ix.loop(ix.constant(plan.kept), ix.constant(plan.length), 1, [&](Value i) {
    Item item = makeItem(i);
    ix.ifThen(less(item, load(last)), [&]() { insert(item, last); });
  });
  return ix.constant(0);
}

/// Merges items [lower, middle) and [middle, upper) of the half at `from` into
/// the half at `to`.
void LineEmitter::mergeRuns(Value from, Value to, Value lower, Value middle, Value upper) {
  OpBuilder &b = context.builder;
  Location loc = context.loc;
  Value end = ix.constant(plan.length - 1);
  ix.loop(lower, upper, 1, ValueRange{lower, middle}, [&](Value k, ValueRange at) -> SmallVector<Value> {
    Item left = load(ix.add(from, ix.min(at[0], end))), right = load(ix.add(from, ix.min(at[1], end)));
    Value isLess = less(right, left);
    Value leftEmpty = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, at[0], middle);
    Value wins = arith::OrIOp::create(b, loc, leftEmpty, isLess);
    Value takesRight = arith::AndIOp::create(b, loc, ix.lessThan(at[1], upper), wins);
    Item chosen;
    for (auto [l, r] : llvm::zip_equal(left, right))
      chosen.push_back(arith::SelectOp::create(b, loc, takesRight, r, l));
    store(chosen, ix.add(to, k));
    Value step = arith::IndexCastUIOp::create(b, loc, b.getIndexType(), takesRight);
    return {ix.add(at[0], ix.sub(ix.constant(1), step)), ix.add(at[1], step)};
  });
}

Value LineEmitter::mergeAll() {
  OpBuilder &b = context.builder;
  Location loc = context.loc;
  ix.loop(plan.length, [&](Value i) { store(makeItem(i), i); });
  auto passes = static_cast<int64_t>(llvm::Log2_64_Ceil(std::max<int64_t>(plan.length, 1)));
  Value length = ix.constant(plan.length), one = ix.constant(1);
  ix.loop(passes, [&](Value pass) {
    Value width = arith::ShLIOp::create(b, loc, one, pass);
    Value from = ix.mul(ix.rem(pass, 2), plan.length), to = ix.sub(length, from);
    Value rounded = ix.add(length, ix.add(ix.add(width, width), -1));
    Value pairs = arith::ShRUIOp::create(b, loc, rounded, ix.add(pass, 1));
    ix.loop(ix.constant(0), pairs, 1, [&](Value pair) {
      Value lower = ix.mul(pair, ix.add(width, width));
      Value middle = ix.min(ix.add(lower, width), length);
      mergeRuns(from, to, lower, middle, ix.min(ix.add(middle, width), length));
    });
  });
  return ix.constant(passes % 2 * plan.length);
}

void LineEmitter::write(Value first) {
  OpBuilder &b = context.builder;
  ix.loop(plan.kept, [&](Value i) {
    Item item = load(ix.add(first, i));
    Value position = item.back();
    if (plan.isJoined) {
      Value mask = createConstant(b, context.loc, position.getType(), 0xffffffffu);
      position = arith::AndIOp::create(b, context.loc, position, mask);
    }
    index[plan.axis] = i;
    ElementEmitter result(context, 1);
    result.bind(plan.result, position);
    result.storeResult(index);
  });
}

LogicalResult SortEmitter::emit(KernelContext &context) const {
  SortPlan plan(context.kernel);
  IndexBuilder b(context.builder, context.loc);
  b.loop(context.begin, context.end, 1, [&](Value line) { LineEmitter(context, plan, line).emit(); });
  return success();
}

std::unique_ptr<KernelEmitter> cpu::createSortEmitter() { return std::make_unique<SortEmitter>(); }
