//===- AttentionMma.cpp - attention on tensor cores -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block walks the keys in tiles, as the kernel without tensor cores does.
// Scores come out of one product as the left operand of the next: weights are
// rounded in the registers they are in. Values are copied while scores are
// multiplied, the next keys while values are.
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/GPU/AttentionMma.h"

#include "hgc/CodeGen/Common/Lanes.h"
#include "hgc/CodeGen/GPU/AttentionTile.h"
#include "hgc/CodeGen/GPU/GemmStore.h"
#include "hgc/CodeGen/GPU/Mma.h"
#include "hgc/CodeGen/GPU/Team.h"
#include "hgc/CodeGen/GPU/TileLoader.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::gpu;
using graph::ReduceKind;

/// Elements of 16 bytes.
static constexpr int64_t kChunkHalves = 8;
/// Most queries and keys of a block at a time.
static constexpr int64_t kMostWarps = 4, kMostKeys = 64;
/// Lanes that share a row of a product.
static constexpr int64_t kRowLanes = 4;

/// Elements from one line of `width` elements to the next in shared memory.
static int64_t getPitch(int64_t width) { return static_cast<int64_t>(llvm::PowerOf2Ceil(width)); }

int64_t AttentionMmaPlan::tileQueries() const { return warps * kFragment; }

std::optional<AttentionMmaPlan> AttentionMmaPlan::get(graph::AttentionOp op, const GpuTable &gpu) {
  AttentionMmaPlan plan;
  plan.element = getElementTypeOrSelf(op.getType());
  bool hasCores = plan.element.isF16() ? gpu.sm >= 75 : plan.element.isBF16() && gpu.sm >= 80;
  AttentionPlan extents(op);
  plan.batch = extents.batch;
  plan.batches = extents.batches, plan.queries = extents.queries, plan.keys = extents.keys;
  plan.features = extents.features, plan.results = extents.results;
  // Scores are compared before they are scaled.
  if (!hasCores || !(op.getFactor() > 0) || plan.features % kFragment != 0 || plan.results % kFragment != 0)
    return std::nullopt;
  plan.warps = std::min<int64_t>(kMostWarps, llvm::PowerOf2Ceil(llvm::divideCeil(plan.queries, kFragment)));
  int64_t room = kStaticSharedBytes / 2 - plan.tileQueries() * getPitch(plan.features);
  plan.tileKeys = kMostKeys;
  while (plan.tileKeys * (getPitch(plan.features) + getPitch(plan.results)) > room)
    plan.tileKeys /= 2;
  return plan;
}

namespace {

/// Lines of 16-byte chunks in shared memory, and where they come from.
struct MmaLines {
  Value buffer, base, shared;
  int64_t width, extent;
};

class MmaAttention {
public:
  MmaAttention(KernelContext &context, graph::AttentionOp op, const AttentionMmaPlan &plan)
      : context(context), op(op), plan(plan), ix(context.builder, context.loc), isAsync(context.target.sm >= 80) {}

  void emit();

private:
  using Values = SmallVector<Value>;
  /// The greatest score and this lane's part of the sum of weights, of two rows.
  struct Rows {
    Values greatest, total;
  };

  MmaLines makeLines(Value operand, int64_t rows);
  void copyLines(const MmaLines &lines, Value first, int64_t rows);
  void await();
  MmaFragment loadFragment(const MmaLines &lines, Value line, Value chunk, bool isTransposed);
  Values score(Value firstKey);
  void hide(Values &scores, Value firstKey);
  Value loadMask(Value query, Value key, int64_t lanes);
  void weigh(Rows &rows, Values &scores, Values &sums);
  Values accumulate(ArrayRef<Value> weights, Values sums);
  Value pack(Value low, Value high);
  void write(const Rows &rows, ValueRange sums);

  Value constant(double value) { return createConstant(ix.builder, ix.loc, ix.builder.getF32Type(), value); }
  Value exp2(Value x);
  /// Row of the block that `half` of this lane's sums belong to.
  Value row(int64_t half) { return ix.add(ix.add(ix.mul(warp, kFragment), ix.div(lane, kRowLanes)), half * 8); }

  KernelContext &context;
  graph::AttentionOp op;
  const AttentionMmaPlan &plan;
  IndexBuilder ix;
  bool isAsync;
  Values batch;
  Value thread, lane, warp, firstQuery;
  MmaLines queries, keys, values;
  SmallVector<MmaFragment> queryFragments;
};

} // namespace

/// Where the operand's matrix of this block starts; dims of one element repeat.
static Value emitMatrixOffset(IndexBuilder &ix, Value operand, ArrayRef<Value> batch) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(operand.getType()).getShape();
  int64_t stride = shape.end()[-2] * shape.back();
  Value offset = ix.constant(0);
  ArrayRef<int64_t> outer = shape.drop_back(2);
  for (size_t i = 0; i < outer.size(); ++i) {
    size_t d = outer.size() - 1 - i;
    if (outer[d] != 1)
      offset = ix.add(offset, ix.mul(batch[batch.size() - 1 - i], stride));
    stride *= outer[d];
  }
  return offset;
}

MmaLines MmaAttention::makeLines(Value operand, int64_t rows) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(operand.getType()).getShape();
  int64_t width = shape.back();
  return {getRootBuffer(context, operand), emitMatrixOffset(ix, operand, batch),
          context.addShared({rows * getPitch(width)}, plan.element), width, shape.end()[-2]};
}

/// Copies `rows` rows from `first` on; behind the end the last one is repeated,
/// whose scores nobody counts.
void MmaAttention::copyLines(const MmaLines &lines, Value first, int64_t rows) {
  OpBuilder &b = ix.builder;
  int64_t chunks = lines.width / kChunkHalves, total = rows * chunks;
  auto token = nvgpu::DeviceAsyncTokenType::get(b.getContext());
  for (int64_t done = 0; done < total; done += plan.threads()) {
    Value number = ix.add(thread, done), line = ix.div(number, chunks), chunk = ix.rem(number, chunks);
    Value isInside = done + plan.threads() > total ? ix.lessThan(number, ix.constant(total))
                                                   : Value(arith::ConstantIntOp::create(b, ix.loc, 1, 1));
    ix.ifThen(isInside, [&] {
      Value at = ix.add(first, line);
      if (lines.extent % rows != 0)
        at = ix.min(at, ix.constant(lines.extent - 1));
      Value from = ix.add(lines.base, ix.add(ix.mul(at, lines.width), ix.mul(chunk, kChunkHalves)));
      Value to = ix.mul(emitChunkPlace(ix, line, chunk, getPitch(lines.width) / kChunkHalves), kChunkHalves);
      if (isAsync)
        nvgpu::DeviceAsyncCopyOp::create(b, ix.loc, token, lines.shared, to, lines.buffer, from,
                                         b.getIndexAttr(kChunkHalves), Value(), /*bypassL1=*/b.getUnitAttr());
      else
        emitVectorStore(ix, emitVectorLoad(ix, lines.buffer, from, kChunkHalves), lines.shared, to);
    });
  }
  if (isAsync)
    NVVM::CpAsyncCommitGroupOp::create(b, ix.loc);
}

/// All copies have arrived, and all warps are here.
void MmaAttention::await() {
  if (isAsync)
    NVVM::CpAsyncWaitGroupOp::create(ix.builder, ix.loc, 0);
  context.barrier();
}

MmaFragment MmaAttention::loadFragment(const MmaLines &lines, Value line, Value chunk, bool isTransposed) {
  Value place = emitChunkPlace(ix, line, chunk, getPitch(lines.width) / kChunkHalves);
  return emitLdMatrix(ix, lines.shared, ix.mul(place, kChunkHalves), isTransposed);
}

Value MmaAttention::exp2(Value x) {
  OpBuilder &b = ix.builder;
  StringAttr name = b.getStringAttr("llvm.nvvm.ex2.approx.ftz.f32");
  return LLVM::CallIntrinsicOp::create(b, ix.loc, b.getF32Type(), name, ValueRange{x}).getResult(0);
}

/// Products of this warp's queries with a tile of keys, block by block of eight.
MmaAttention::Values MmaAttention::score(Value firstKey) {
  Value inMatrix = ix.rem(lane, 8), low = ix.rem(ix.div(lane, 8), 2), high = ix.div(lane, 16);
  Values sums(plan.tileKeys / kMmaColumns * 4, constant(0));
  for (int64_t k = 0; k < plan.features; k += kFragment)
    for (int64_t j = 0; j < plan.tileKeys; j += kFragment) {
      Value line = ix.add(ix.add(ix.mul(high, 8), inMatrix), j);
      MmaFragment b = loadFragment(keys, line, ix.add(low, k / kChunkHalves), false);
      for (int64_t half = 0; half < 2; ++half)
        emitMma(ix, plan.element, context.target.sm, queryFragments[k / kFragment],
                ArrayRef<Value>(b).slice(half * 2, 2),
                MutableArrayRef<Value>(sums).slice((j / kMmaColumns + half) * 4, 4));
    }
  hide(sums, firstKey);
  return sums;
}

Value MmaAttention::loadMask(Value query, Value key, int64_t lanes) {
  SmallVector<LaneIndex> index = getAttentionIndex(ix, batch, op.getMask(), query, key);
  if (lanes > 1)
    index.back() = {key, 1};
  return ElementEmitter(context, lanes).eval(op.getMask(), index);
}

/// Adds the mask and takes out the keys that a query does not see.
void MmaAttention::hide(Values &scores, Value firstKey) {
  OpBuilder &b = ix.builder;
  bool mayEnd = plan.keys % plan.tileKeys != 0;
  if (!op.getMask() && !op.getCausal() && !mayEnd)
    return;
  int64_t extent = op.getMask() ? cast<RankedTensorType>(op.getMask().getType()).getShape().back() : 1;
  int64_t lanes = extent % 2 == 0 ? 2 : 1;
  for (int64_t half = 0; half < 2; ++half)
    for (int64_t j = 0; j < plan.tileKeys / kMmaColumns; ++j)
      for (int64_t i = 0; i < 2; i += lanes) {
        Value query = ix.add(firstQuery, row(half));
        Value key = ix.add(ix.add(firstKey, ix.mul(ix.rem(lane, kRowLanes), 2)), j * kMmaColumns + i);
        // What lies outside of the scores is computed like their border.
        Value mask;
        if (op.getMask())
          mask = loadMask(ix.min(query, ix.constant(plan.queries - 1)), ix.min(key, ix.constant(plan.keys - lanes)),
                          lanes);
        for (int64_t l = 0; l < lanes; ++l) {
          Value &score = scores[j * 4 + half * 2 + i + l];
          Value one = mask ? emitLane(ix, mask, l) : Value();
          if (one && isa<FloatType>(one.getType())) {
            // Scores are not scaled yet.
            one = arith::MulFOp::create(b, ix.loc, one, constant(1 / op.getFactor()));
            score = arith::AddFOp::create(b, ix.loc, score, one);
            one = Value();
          }
          score = emitHiddenScore(ix, op, score, one, query, ix.add(key, l), mayEnd ? plan.keys : 0);
        }
      }
}

/// Scores become weights relative to the greatest so far; sums are scaled to it.
void MmaAttention::weigh(Rows &rows, Values &scores, Values &sums) {
  OpBuilder &b = ix.builder;
  Location loc = ix.loc;
  Value none = constant(-std::numeric_limits<double>::infinity());
  // exp(factor * x) = 2^(scale * x)
  Value scale = constant(op.getFactor() * 1.4426950408889634);
  for (int64_t half = 0; half < 2; ++half) {
    auto each = [&](MutableArrayRef<Value> from, function_ref<void(Value &)> body) {
      for (size_t j = 0; j < from.size(); j += 4)
        for (size_t i = 0; i < 2; ++i)
          body(from[j + half * 2 + i]);
    };
    Value most = rows.greatest[half], before = most, local = scores[half * 2];
    each(scores, [&](Value &x) { local = arith::MaximumFOp::create(b, loc, local, x); });
    local = combineLanes(context, Combiner{ReduceKind::Max, false}, local, kRowLanes);
    most = arith::MaximumFOp::create(b, loc, most, local);
    // Without a key so far the difference to the greatest would be NaN.
    Value isNone = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, most, none);
    Value base = arith::SelectOp::create(b, loc, isNone, constant(0), most);
    Value offset = arith::NegFOp::create(b, loc, arith::MulFOp::create(b, loc, base, scale));
    auto relative = [&](Value x) { return exp2(emitMultiplyAdd(ix, x, scale, offset)); };
    Value shrink = relative(before), total = arith::MulFOp::create(b, loc, rows.total[half], shrink);
    each(scores, [&](Value &x) {
      x = relative(x);
      total = arith::AddFOp::create(b, loc, total, x);
    });
    each(sums, [&](Value &x) { x = arith::MulFOp::create(b, loc, x, shrink); });
    rows.greatest[half] = most;
    rows.total[half] = total;
  }
}

/// Two f32 in one register of halves.
Value MmaAttention::pack(Value low, Value high) {
  OpBuilder &b = ix.builder;
  auto type = VectorType::get({2}, plan.element);
  if (plan.element.isBF16()) {
    Value pair = NVVM::ConvertF32x2ToBF16x2Op::create(b, ix.loc, type, high, low, Value(), NVVM::FPRoundingMode::RN);
    return LLVM::BitcastOp::create(b, ix.loc, b.getI32Type(), pair);
  }
  Value halves[] = {arith::TruncFOp::create(b, ix.loc, plan.element, low),
                    arith::TruncFOp::create(b, ix.loc, plan.element, high)};
  return vector::FromElementsOp::create(b, ix.loc, type, ValueRange(halves));
}

/// `sums` and the weighted values of a tile.
MmaAttention::Values MmaAttention::accumulate(ArrayRef<Value> weights, Values sums) {
  Value inMatrix = ix.rem(lane, 8), low = ix.rem(ix.div(lane, 8), 2), high = ix.div(lane, 16);
  for (int64_t k = 0; k < plan.tileKeys; k += kFragment) {
    ArrayRef<Value> block = weights.slice(k / kMmaColumns * 4, 8);
    MmaFragment a;
    for (int64_t i = 0; i < 8; i += 2)
      a.push_back(pack(block[i], block[i + 1]));
    for (int64_t n = 0; n < plan.results; n += kFragment) {
      Value line = ix.add(ix.add(ix.mul(low, 8), inMatrix), k);
      MmaFragment b = loadFragment(values, line, ix.add(high, n / kChunkHalves), true);
      for (int64_t half = 0; half < 2; ++half)
        emitMma(ix, plan.element, context.target.sm, a, ArrayRef<Value>(b).slice(half * 2, 2),
                MutableArrayRef<Value>(sums).slice((n / kMmaColumns + half) * 4, 4));
    }
  }
  return sums;
}

void MmaAttention::write(const Rows &rows, ValueRange sums) {
  OpBuilder &b = ix.builder;
  for (int64_t half = 0; half < 2; ++half) {
    // A query that sees no key divides zero by zero.
    Value whole = combineLanes(context, Combiner{ReduceKind::Sum, false}, rows.total[half], kRowLanes);
    Value query = ix.add(firstQuery, row(half));
    auto quotients = [&](int64_t block) {
      Values pair;
      for (int64_t i = 0; i < 2; ++i)
        pair.push_back(arith::DivFOp::create(b, ix.loc, sums[block * 4 + half * 2 + i], whole));
      return pair;
    };
    for (int64_t n = 0; n < plan.results / kMmaColumns; n += 2) {
      Values four = emitMmaExchange(ix, lane, quotients(n), quotients(n + 1));
      Value column = ix.add(emitExchangedColumn(ix, lane), n * kMmaColumns);
      ix.ifThen(ix.lessThan(query, ix.constant(plan.queries)), [&] {
        SmallVector<LaneIndex> index = getAttentionIndex(ix, batch, op.getResult(), query, column);
        index.back() = {column, 1};
        ElementEmitter emitter(context, 4);
        emitter.bind(op.getResult(), emitLanes(ix, four));
        emitter.storeResult(index);
      });
    }
  }
}

void MmaAttention::emit() {
  thread = context.threadId();
  lane = ix.rem(thread, kWarp), warp = ix.div(thread, kWarp);
  Value block = context.blockId();
  firstQuery = ix.mul(ix.rem(block, plan.queryTiles()), plan.tileQueries());
  batch = ix.delinearize(ix.div(block, plan.queryTiles()), plan.batch);
  queries = makeLines(op.getQuery(), plan.tileQueries());
  keys = makeLines(op.getKey(), plan.tileKeys);
  values = makeLines(op.getValue(), plan.tileKeys);
  copyLines(queries, firstQuery, plan.tileQueries());
  copyLines(keys, ix.constant(0), plan.tileKeys);
  await();
  Value line = ix.add(ix.mul(warp, kFragment), ix.rem(lane, 16));
  for (int64_t k = 0; k < plan.features; k += kFragment)
    queryFragments.push_back(loadFragment(queries, line, ix.add(ix.div(lane, 16), k / kChunkHalves), false));

  Value none = constant(-std::numeric_limits<double>::infinity()), zero = constant(0);
  Values state{none, none, zero, zero};
  state.append(plan.results / kMmaColumns * 4, zero);
  Value tiles = emitKeyTileCount(ix, op, firstQuery, plan.tileQueries(), plan.tileKeys, plan.keyTiles());
  state = ix.loop(ix.constant(0), tiles, 1, state, [&](Value number, ValueRange carried) -> Values {
    Value firstKey = ix.mul(number, plan.tileKeys);
    Rows rows{{carried[0], carried[1]}, {carried[2], carried[3]}};
    Values sums(carried.drop_front(4));
    copyLines(values, firstKey, plan.tileKeys);
    Values scores = score(firstKey);
    weigh(rows, scores, sums);
    await();
    ix.ifThen(ix.lessThan(ix.add(number, 1), tiles),
              [&] { copyLines(keys, ix.add(firstKey, plan.tileKeys), plan.tileKeys); });
    sums = accumulate(scores, sums);
    await();
    Values after{rows.greatest[0], rows.greatest[1], rows.total[0], rows.total[1]};
    after.append(sums);
    return after;
  });
  write({{state[0], state[1]}, {state[2], state[3]}}, ValueRange(state).drop_front(4));
}

void hgc::gpu::emitAttentionMma(KernelContext &context, graph::AttentionOp op, const AttentionMmaPlan &plan) {
  MmaAttention(context, op, plan).emit();
}
