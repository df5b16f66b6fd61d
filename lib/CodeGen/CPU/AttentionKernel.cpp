//===- AttentionKernel.cpp - products around a softmax --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scores of all pairs of queries and keys are the largest tensor of an attention by
// far. Here it never exists: a unit is a few rows of one batch entry (a head), whose
// scores stay in the first-level cache until they are exponentials and have been
// multiplied with the values. Keys of an entry are turned once by each thread that meets
// it; values are read where they are, from the second-level cache at the latest.
//===----------------------------------------------------------------------===//

#include "AttentionRows.h"
#include "GemmLoops.h"

#include "dialects/Graph/StridedView.h"
#include "hgc/CodeGen/CPU/Emitters.h"
#include "hgc/CodeGen/CPU/GemmStore.h"
#include "hgc/CodeGen/Common/ElementEmitter.h"
#include "hgc/CodeGen/Common/Lanes.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

namespace {

struct AttentionPlan {
  AttentionPlan(exec::KernelOp kernel, const DeviceTable &target);

  AttentionForm form;
  /// The product before the softmax, if it is part of the kernel, and the one behind.
  std::optional<Matmul> scores;
  Matmul sums;
  GemmPlan scorePlan, sumPlan;
  int64_t batch, rows, keys;
  /// What scratch has rows of, and the number that the softmax takes it times: differences of scores are multiplied
  /// anyway.
  Value input;
  double scale = 1;
  /// Lanes of a vector, elements from row to row of the scores, and their bytes.
  int64_t lanes, stride, bytes;
  /// Rows of a unit, and units of a batch entry.
  int64_t blockRows, rowUnits;
  /// Where scores and factors are in scratch, and its size.
  int64_t scoreScratch, factorScratch, scratchBytes;

  int64_t scratchRows() const { return llvm::alignTo(blockRows, AttentionRows::kRows); }
  KernelSchedule schedule(const DeviceTable &target);

private:
  void findScale();
  int64_t chooseBlock(const DeviceTable &target) const;
  void layOutScratch();
};

} // namespace

static int64_t getPanelBytes(const GemmPlan &plan, int64_t bytes) {
  return plan.packRhs ? llvm::alignTo(plan.panelBlock * plan.width * plan.depthBlock * bytes, 64) : 0;
}

AttentionPlan::AttentionPlan(exec::KernelOp kernel, const DeviceTable &target)
    : form(*getAttention(kernel)), sums(form.sums, /*joinsBatch=*/false) {
  keys = form.softmax.getType().getShape().back();
  rows = sums.shape.rows, batch = sums.shape.batch;
  bytes = sums.shape.accumulatorBytes;
  lanes = std::max<int64_t>(1, target.vectorBytes / bytes);
  stride = llvm::alignTo(std::max<int64_t>(1, keys), lanes);
  sumPlan = planSomeRows(sums.shape, target);
  if (form.scores) {
    scores = Matmul(form.scores, /*joinsBatch=*/false);
    scorePlan = planSomeRows(scores->shape, target);
    scorePlan.rowTile = sumPlan.rowTile = std::min(scorePlan.rowTile, sumPlan.rowTile);
  }
  findScale();
  // The left operand of the second product is what is in scratch.
  sums.lhsOffset = 0;
  sums.lhsRowStride = stride, sums.lhsDepthStride = 1;
  sums.lhsBatchStrides.assign(sums.lhsBatchStrides.size(), 0);
  blockRows = chooseBlock(target);
  rowUnits = llvm::divideCeil(rows, blockRows);
  layOutScratch();
}

void AttentionPlan::findScale() {
  input = form.softmax.getInput();
  auto product = form.scores ? input.getDefiningOp<graph::MulOp>() : graph::MulOp();
  if (!product || !getElementTypeOrSelf(input.getType()).isF32())
    return;
  Value scored = product.getLhs(), other = product.getRhs();
  if (scored != form.scores.getResult())
    std::swap(scored, other);
  auto constant = other.getDefiningOp<graph::ConstantOp>();
  auto number = constant ? dyn_cast<SplatElementsAttr>(constant.getValue()) : SplatElementsAttr();
  if (!number || scored != form.scores.getResult())
    return;
  // Between these bounds no product comes near the ends of the range of f32 that would not anyway.
  double factor = number.getSplatValue<APFloat>().convertToFloat();
  if (factor >= 1e-6 && factor <= 1e6)
    input = scored, scale = factor;
}

/// Scores stay in the first-level cache, unless keys and values are too many for the
/// second-level one: then rows that share them are worth more. Threads want some units.
int64_t AttentionPlan::chooseBlock(const DeviceTable &target) const {
  int64_t operands = keys * (sums.shape.columns + (scores ? scores->shape.depth : 0)) * bytes;
  int64_t most = operands <= target.l2Bytes / 2 ? target.l1Bytes / 2 : target.l2Bytes / 4;
  constexpr int64_t wantedUnits = 16;
  int64_t all = llvm::divideCeil(rows, sumPlan.rowTile);
  int64_t tiles = std::min(most / (sumPlan.rowTile * stride * bytes), batch * all / wantedUnits);
  return std::clamp<int64_t>(tiles, 1, all) * sumPlan.rowTile;
}

void AttentionPlan::layOutScratch() {
  sumPlan.rhsScratch = scores ? getPanelBytes(scorePlan, bytes) : 0;
  scorePlan.rhsScratch = 0;
  scoreScratch = sumPlan.rhsScratch + getPanelBytes(sumPlan, bytes);
  factorScratch = scoreScratch + llvm::alignTo(scratchRows() * stride * bytes, 64);
  scratchBytes = factorScratch + llvm::alignTo(scratchRows() * bytes, 64);
}

KernelSchedule AttentionPlan::schedule(const DeviceTable &target) {
  int64_t units = batch * rowUnits;
  graph::OpCost cost = cast<graph::CostOp>(form.softmax.getOperation()).getCost();
  int64_t ps = estimateContractionPs(form.sums.getCost(), target) + estimateContractionPs(cost, target);
  if (form.scores)
    ps += estimateContractionPs(form.scores.getCost(), target);
  std::string text = llvm::formatv("attention: tile {0}x{1}, {2} rows of {3} keys at a time{4}", sumPlan.rowTile,
                                   sumPlan.panelTile * sumPlan.width, std::min(blockRows, rows), keys,
                                   scores ? "" : ", scores are read");
  return {units, chooseGrain(units, ps, target), scratchBytes, text};
}

namespace {

class Attention {
public:
  explicit Attention(KernelContext &context)
      : context(context), plan(context.kernel, context.target), index(context.builder, context.loc) {
    Type element = getElementTypeOrSelf(plan.form.sums.getType());
    scores = emitScratch(index, context.scratch, plan.scoreScratch, plan.scratchRows() * plan.stride, element);
    Value factors = emitScratch(index, context.scratch, plan.factorScratch, plan.scratchRows(), element);
    rows.emplace(context, scores, factors, plan.keys, plan.stride, plan.lanes, plan.scale);
  }

  void emit();

private:
  std::optional<GemmLoops> makeScoreLoops();
  GemmLoops makeSumLoops();
  void storeSums(ArrayRef<Value> at, Value column, ArrayRef<ColumnPiece> pieces, ArrayRef<Value> sums, int64_t columns);
  void emitUnit(Value entry, std::optional<GemmLoops> &scoreLoops, GemmLoops &sumLoops);
  void loadScores(Value entry, Value count);

  KernelContext &context;
  AttentionPlan plan;
  IndexBuilder index;
  Value scores;
  std::optional<AttentionRows> rows;
  /// The first row of the unit.
  Value firstRow;
};

} // namespace

std::optional<GemmLoops> Attention::makeScoreLoops() {
  graph::MatmulOp op = plan.form.scores;
  if (!op)
    return std::nullopt;
  Value result = op.getResult();
  auto put = [this, result](Value tile, Value row, ArrayRef<Value> at, Value column, ArrayRef<ColumnPiece> pieces,
                            ArrayRef<Value> sums, int64_t columns) {
    Value place = index.mul(index.add(index.sub(tile, firstRow), row), plan.stride);
    emitStoreRowTo(context, {plan.input, scores, place}, result, at, column, pieces, sums, columns);
  };
  return GemmLoops(context, result, *plan.scores, getRootBuffer(context, op.getLhs()),
                   getRootBuffer(context, op.getRhs()), plan.scorePlan, put);
}

/// A row of sums, or of what is computed from them, where the ops that only move elements put it.
void Attention::storeSums(ArrayRef<Value> at, Value column, ArrayRef<ColumnPiece> pieces, ArrayRef<Value> sums,
                          int64_t columns) {
  Value result = plan.form.sums.getResult();
  exec::StoreOp store = getStore(context.kernel);
  graph::StridedView view = *graph::StridedView::trace(store.getValue());
  if (view.source == store.getValue())
    return emitStoreRow(context, result, at, column, pieces, sums, columns);
  graph::StridedView places = *view.invert();
  Value place = index.constant(0);
  for (auto [i, position] : llvm::enumerate(at))
    place = index.add(place, index.mul(position, places.strides[i]));
  emitStoreRowTo(context, {view.source, context.buffers.lookup(store.getBuffer()), place}, result, at, column, pieces,
                 sums, columns);
}

GemmLoops Attention::makeSumLoops() {
  Value result = plan.form.sums.getResult();
  auto put = [this](Value tile, Value row, ArrayRef<Value> at, Value column, ArrayRef<ColumnPiece> pieces,
                    ArrayRef<Value> sums, int64_t columns) {
    Value factor = rows->emitFactor(index.add(index.sub(tile, firstRow), row));
    SmallVector<Value> scaled = llvm::map_to_vector(sums, [&](Value sum) -> Value {
      return arith::MulFOp::create(index.builder, index.loc, sum,
                                   spread(index.builder, index.loc, factor, getLanes(sum)));
    });
    storeSums(at, column, pieces, scaled, columns);
  };
  return GemmLoops(context, result, plan.sums, scores, getRootBuffer(context, plan.form.sums.getRhs()), plan.sumPlan,
                   put);
}

/// Units are numbered by batch entry, then by rows.
void Attention::emit() {
  if (plan.batch == 0 || plan.rows == 0)
    return;
  std::optional<GemmLoops> scoreLoops = makeScoreLoops();
  GemmLoops sumLoops = makeSumLoops();
  int64_t count = plan.rowUnits;
  index.loop(index.div(context.begin, count), index.div(index.add(context.end, count - 1), count), 1, [&](Value entry) {
    Value base = index.mul(entry, count);
    if (scoreLoops)
      scoreLoops->packEntry(scoreLoops->locateEntry(entry));
    sumLoops.packEntry(sumLoops.locateEntry(entry));
    index.loop(index.sub(index.max(context.begin, base), base),
               index.min(index.sub(context.end, base), index.constant(count)), 1, [&](Value unit) {
                 firstRow = index.mul(unit, plan.blockRows);
                 emitUnit(entry, scoreLoops, sumLoops);
               });
  });
}

void Attention::emitUnit(Value entry, std::optional<GemmLoops> &scoreLoops, GemmLoops &sumLoops) {
  Value end = index.add(firstRow, plan.blockRows);
  Value count = index.sub(index.min(end, index.constant(plan.rows)), firstRow);
  rows->emitPadding(count);
  if (scoreLoops) {
    GemmBlock block = scoreLoops->locateEntry(entry);
    block.row = firstRow, block.rowEnd = end;
    scoreLoops->emitRange(block);
  } else {
    loadScores(entry, count);
  }
  rows->emitSoftmax(count);
  GemmBlock block = sumLoops.locateEntry(entry);
  block.lhs = index.mul(firstRow, -plan.stride);
  block.row = firstRow, block.rowEnd = end;
  sumLoops.emitRange(block);
}

/// Rows that another kernel has made, and the ops before the softmax.
void Attention::loadScores(Value entry, Value count) {
  Value input = plan.form.softmax.getInput();
  SmallVector<Value> batch = index.delinearize(entry, plan.sums.batchExtents);
  index.loop(index.constant(0), count, 1, [&](Value row) {
    Value start = index.mul(row, plan.stride);
    auto load = [&](Value column, int64_t lanes) {
      SmallVector<LaneIndex> at(batch.begin(), batch.end());
      at.push_back(index.add(firstRow, row));
      at.push_back({column, lanes > 1 ? 1 : 0});
      emitStore(index, ElementEmitter(context, lanes).eval(input, at), scores, index.add(start, column));
    };
    int64_t main = plan.keys / plan.lanes * plan.lanes;
    index.loop(index.constant(0), index.constant(main), plan.lanes, [&](Value column) { load(column, plan.lanes); });
    for (const ColumnPiece &piece : splitColumns(plan.keys - main, plan.lanes))
      load(index.constant(main + piece.offset), piece.lanes);
  });
}

/// Rows that the ops behind the product move must stay whole.
static LogicalResult verifyStore(exec::KernelOp kernel, graph::MatmulOp sums) {
  Value stored = getStore(kernel).getValue();
  std::optional<graph::StridedView> view = graph::StridedView::trace(stored);
  if (view && view->source == stored)
    return success();
  std::optional<graph::StridedView> places = view ? view->invert() : std::nullopt;
  if (places && places->source.getType() == sums.getType() && places->strides.back() == 1)
    return success();
  InFlightDiagnostic diag = sums.emitOpError("has a result whose rows do not stay whole where it is stored");
  diag.attachNote() << "hint: give the ops that move its elements a kernel of their own";
  return diag;
}

namespace {
struct AttentionEmitter final : KernelEmitter {
  KernelSchedule plan(exec::KernelOp kernel, const DeviceTable &target) const override {
    return AttentionPlan(kernel, target).schedule(target);
  }

  LogicalResult emit(KernelContext &context) const override {
    std::optional<AttentionForm> form = getAttention(context.kernel);
    if (failed(verifyEmittable(context.kernel)) || (form->scores && failed(verifyRootOperands(form->scores))) ||
        failed(verifyRootOperands(form->sums, form->softmax.getResult())))
      return failure();
    if (failed(verifyStore(context.kernel, form->sums)))
      return failure();
    Attention(context).emit();
    return success();
  }
};
} // namespace

std::unique_ptr<KernelEmitter> cpu::createAttentionEmitter() { return std::make_unique<AttentionEmitter>(); }
