//===- SortKernel.cpp - kernels with a sort -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each line along the axis is sorted on its own in scratch memory: bottom-up
// merges without branches on the data, or, for a few of many elements, insertion
// into a short list.
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/Emitters.h"
#include "hgc/CodeGen/CPU/UnitLoops.h"
#include "hgc/CodeGen/Common/SortItems.h"

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

struct SortPlan : SortItems {
  explicit SortPlan(exec::KernelOp kernel) : SortItems(cast<graph::ArgSortOp>(getRoot(kernel))) {
    isInserted = kept <= kMaxInserted && 2 * kept <= length;
  }

  /// Items of one array; merges need two halves.
  int64_t arrayLength() const { return isInserted ? kept : 2 * length; }

  bool isInserted;
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
    ix.loop(plan.kept, [&](Value i) { plan.write(context, index, i, load(ix.add(first, i))); });
  }

private:
  SortItem load(Value at) { return SortItems::load(context, arrays, at); }
  void store(const SortItem &item, Value at) { SortItems::store(context, arrays, at, item); }
  SortItem makeItem(Value position) { return plan.build(context, index, position); }
  /// Items of a line come in the order of their positions: keys decide.
  Value less(const SortItem &a, const SortItem &b) { return plan.lessKey(context, a, b); }
  /// Sorts; each gives where the first item is.
  Value insertAll();
  Value mergeAll();
  void insert(const SortItem &item, Value slot);
  void mergeRuns(Value from, Value to, Value lower, Value middle, Value upper);

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

/// Moves items from `slot` on by one until `item` fits.
void LineEmitter::insert(const SortItem &item, Value slot) {
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
    SortItem item = makeItem(i);
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
    SortItem left = load(ix.add(from, ix.min(at[0], end))), right = load(ix.add(from, ix.min(at[1], end)));
    Value isLess = less(right, left);
    Value leftEmpty = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, at[0], middle);
    Value wins = arith::OrIOp::create(b, loc, leftEmpty, isLess);
    Value takesRight = arith::AndIOp::create(b, loc, ix.lessThan(at[1], upper), wins);
    SortItem chosen;
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

LogicalResult SortEmitter::emit(KernelContext &context) const {
  SortPlan plan(context.kernel);
  IndexBuilder b(context.builder, context.loc);
  b.loop(context.begin, context.end, 1, [&](Value line) { LineEmitter(context, plan, line).emit(); });
  return success();
}

std::unique_ptr<KernelEmitter> cpu::createSortEmitter() { return std::make_unique<SortEmitter>(); }
