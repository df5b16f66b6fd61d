//===- AttentionTile.cpp - queries of one block ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keys lie in shared memory by columns. Threads that write neighbouring features
// of a key and threads that read a feature of four keys each hit different banks:
// the groups of four are exchanged from one step of features to the next, and the
// keys of a group rotate within a step.
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/GPU/AttentionTile.h"

#include "hgc/CodeGen/Common/Lanes.h"
#include "hgc/CodeGen/GPU/GemmStore.h"
#include "hgc/CodeGen/GPU/TileLoader.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace hgc::gpu {

/// Shared memory for the queries: rows of the tile follow from it.
static constexpr int64_t kQueryWords = 4096;
/// Keys, or features, that one iteration of an inner loop takes; rows that are
/// read in such steps are one step apart from a multiple of all banks.
static constexpr int64_t kStep = 4;

AttentionPlan::AttentionPlan(graph::AttentionOp op) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(op.getType()).getShape();
  ArrayRef<int64_t> key = cast<RankedTensorType>(op.getKey().getType()).getShape();
  batch.assign(shape.begin(), shape.end() - 2);
  for (int64_t extent : batch)
    batches *= extent;
  queries = shape.end()[-2], results = shape.back(), keys = key.end()[-2], features = key.back();
  int64_t widest = std::max<int64_t>({64, features, results});
  tileQueries = std::max<int64_t>(kRows, kQueryWords / static_cast<int64_t>(llvm::PowerOf2Ceil(widest)));
  tileQueries = std::min<int64_t>(tileQueries, llvm::alignTo(llvm::PowerOf2Ceil(queries), kRows));
  tileKeys = widest > 128 ? 16 : 32;
  while (width < kStep && results % (2 * width * kColumns) == 0)
    width *= 2;
}

AttentionTile::AttentionTile(KernelContext &context, graph::AttentionOp op, const AttentionPlan &plan)
    : context(context), op(op), plan(plan), ix(context.builder, context.loc) {
  Value thread = context.threadId(), block = context.blockId();
  threadRow = ix.div(thread, AttentionPlan::kColumns);
  threadColumn = ix.rem(thread, AttentionPlan::kColumns);
  firstQuery = ix.mul(ix.rem(block, plan.queryTiles()), plan.tileQueries);
  batch = ix.delinearize(ix.div(block, plan.queryTiles()), plan.batch);
  Type f32 = context.builder.getF32Type();
  int64_t words = std::max(plan.paddedFeatures() * (plan.tileKeys + 1), plan.tileKeys * plan.sums() * plan.kColumns);
  queries = context.addShared({plan.tileQueries * (plan.paddedFeatures() + kStep)}, f32);
  others = context.addShared({words}, f32);
  weights = context.addShared({plan.tileQueries * (plan.tileKeys + kStep)}, f32);
}

Value AttentionTile::load(Value array, Value at) {
  return memref::LoadOp::create(context.builder, context.loc, array, at);
}

AttentionTile::Values AttentionTile::loadWide(Value array, Value at, int64_t count) {
  Value wide = emitVectorLoad(ix, array, at, count);
  Values values;
  for (int64_t i = 0; i < count; ++i)
    values.push_back(emitLane(ix, wide, i));
  return values;
}

SmallVector<LaneIndex> getAttentionIndex(IndexBuilder &ix, ArrayRef<Value> batch, Value tensor, Value row,
                                         Value column) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(tensor.getType()).getShape();
  SmallVector<Value> whole(batch);
  whole.append({row, column});
  SmallVector<LaneIndex> index;
  for (auto [extent, at] : llvm::zip(shape, ArrayRef(whole).take_back(shape.size())))
    index.push_back(extent == 1 ? ix.constant(0) : at);
  return index;
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

Value AttentionTile::resultColumn(int64_t number) {
  int64_t width = plan.width, group = number / width * width * AttentionPlan::kColumns;
  return ix.add(ix.mul(threadColumn, width), group + number % width);
}

/// Whether the keys of a thread are neighbours.
static bool isGrouped(const AttentionPlan &plan) { return plan.scores() == kStep; }

Value AttentionTile::keyColumn(int64_t number) {
  if (isGrouped(plan))
    return ix.add(ix.mul(threadColumn, kStep), number);
  return ix.add(threadColumn, number * AttentionPlan::kColumns);
}

Value AttentionTile::placeKey(Value key, Value feature) {
  if (!isGrouped(plan))
    return ix.add(ix.mul(feature, plan.tileKeys + 1), key);
  Value step = ix.rem(ix.div(feature, kStep), AttentionPlan::kColumns);
  Value group = arith::XOrIOp::create(context.builder, context.loc, ix.div(key, kStep), step);
  Value inGroup = ix.rem(ix.add(key, feature), kStep);
  return ix.add(ix.mul(feature, plan.tileKeys), ix.add(ix.mul(group, kStep), inGroup));
}

AttentionTile::Values AttentionTile::loadThreadKeys(Value feature, int64_t unrolled) {
  Values keys;
  if (!isGrouped(plan)) {
    for (int64_t c = 0; c < plan.scores(); ++c)
      keys.push_back(load(others, placeKey(keyColumn(c), ix.add(feature, unrolled))));
    return keys;
  }
  Value step = ix.rem(ix.div(feature, kStep), AttentionPlan::kColumns);
  Value group = arith::XOrIOp::create(context.builder, context.loc, threadColumn, step);
  Value at = ix.add(ix.mul(ix.add(feature, unrolled), plan.tileKeys), ix.mul(group, kStep));
  Values rotated = loadWide(others, at, kStep);
  for (int64_t c = 0; c < kStep; ++c)
    keys.push_back(rotated[(c + unrolled) % kStep]);
  return keys;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// A piece of an operand: `rows` from `first` on, `columns` that are filled up
/// with zeros to `padded`.
struct AttentionTile::Matrix {
  Value tensor, first;
  int64_t rows, extent, columns, padded;
};

void AttentionTile::loadMatrix(const Matrix &matrix, function_ref<Value(Value, Value)> place, Value array) {
  OpBuilder &b = context.builder;
  Location loc = context.loc;
  // Threads read whole words.
  int64_t bytes = graph::getElementBytes(getElementTypeOrSelf(matrix.tensor.getType()));
  int64_t lanes = bytes == 2 && matrix.columns % 2 == 0 ? 2 : 1;
  int64_t words = matrix.padded / lanes;
  Type type = getLaneType(b.getF32Type(), lanes);
  ix.loop(context.threadId(), ix.constant(matrix.rows * words), AttentionPlan::kThreads, [&](Value i) {
    Value row = ix.div(i, words), column = ix.mul(ix.rem(i, words), lanes), at = ix.add(matrix.first, row);
    Value exists = ix.lessThan(at, ix.constant(matrix.extent));
    if (matrix.columns < matrix.padded)
      exists = ix.both(exists, ix.lessThan(column, ix.constant(matrix.columns)));
    auto element = [&]() -> SmallVector<Value> {
      SmallVector<LaneIndex> index = getIndex(matrix.tensor, at, column);
      if (lanes > 1)
        index.back() = {column, 1};
      return {ElementEmitter(context, lanes).eval(matrix.tensor, index)};
    };
    auto zero = [&]() -> SmallVector<Value> { return {createConstant(b, loc, type, 0)}; };
    Value value = ix.select(exists, type, element, zero).front();
    for (int64_t l = 0; l < lanes; ++l)
      memref::StoreOp::create(b, loc, emitLane(ix, value, l), array, place(row, ix.add(column, l)));
  });
}

void AttentionTile::loadQueries() {
  int64_t stride = plan.paddedFeatures() + kStep;
  loadMatrix(
      {op.getQuery(), firstQuery, plan.tileQueries, plan.queries, plan.features, plan.paddedFeatures()},
      [&](Value row, Value column) { return ix.add(ix.mul(row, stride), column); }, queries);
}

void AttentionTile::loadKeys(Value firstKey) {
  loadMatrix(
      {op.getKey(), firstKey, plan.tileKeys, plan.keys, plan.features, plan.paddedFeatures()},
      [&](Value row, Value column) { return placeKey(row, column); }, others);
}

void AttentionTile::loadValues(Value firstKey) {
  int64_t stride = plan.sums() * AttentionPlan::kColumns;
  loadMatrix(
      {op.getValue(), firstKey, plan.tileKeys, plan.keys, plan.results, stride},
      [&](Value row, Value column) { return ix.add(ix.mul(row, stride), column); }, others);
}

void AttentionTile::storeWeights(ValueRange values) {
  int64_t count = isGrouped(plan) ? kStep : 1;
  for (int64_t r = 0; r < plan.rows(); ++r)
    for (int64_t c = 0; c < plan.scores(); c += count) {
      Values wide(values.slice(r * plan.scores() + c, count));
      emitVectorStore(ix, emitLanes(ix, wide), weights, ix.add(ix.mul(row(r), plan.tileKeys + kStep), keyColumn(c)));
    }
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

Value emitKeyTileCount(IndexBuilder &ix, graph::AttentionOp op, Value firstQuery, int64_t tileQueries, int64_t tileKeys,
                       int64_t tiles) {
  Value all = ix.constant(tiles);
  if (!op.getCausal())
    return all;
  // No query of the tile sees a key behind the last query.
  Value last = ix.add(firstQuery, tileQueries + tileKeys - 1);
  return ix.min(all, ix.div(last, tileKeys));
}

AttentionTile::Values AttentionTile::loadMask(Value query, Value firstKey) {
  Value mask = op.getMask();
  int64_t extent = cast<RankedTensorType>(mask.getType()).getShape().back();
  int64_t lanes = isGrouped(plan) && extent % kStep == 0 ? kStep : 1;
  // What lies outside of the scores is computed like their border.
  Value row = ix.min(query, ix.constant(plan.queries - 1));
  Values values;
  for (int64_t c = 0; c < plan.scores(); c += lanes) {
    Value key = ix.min(ix.add(firstKey, keyColumn(c)), ix.constant(plan.keys - lanes));
    SmallVector<LaneIndex> index = getIndex(mask, row, key);
    if (lanes > 1)
      index.back() = {key, 1};
    Value wide = ElementEmitter(context, lanes).eval(mask, index);
    for (int64_t l = 0; l < lanes; ++l)
      values.push_back(emitLane(ix, wide, l));
  }
  return values;
}

Value emitHiddenScore(IndexBuilder &ix, graph::AttentionOp op, Value score, Value mask, Value query, Value key,
                      int64_t keys) {
  OpBuilder &b = ix.builder;
  Location loc = ix.loc;
  Value hidden = createConstant(b, loc, b.getF32Type(), -std::numeric_limits<double>::infinity());
  if (mask)
    score = arith::SelectOp::create(b, loc, mask, score, hidden);
  if (op.getCausal()) {
    Value isSeen = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sle, key, query);
    score = arith::SelectOp::create(b, loc, isSeen, score, hidden);
  }
  if (keys > 0) {
    Value exists = ix.lessThan(key, ix.constant(keys));
    score = arith::SelectOp::create(b, loc, exists, score, hidden);
  }
  return score;
}

AttentionTile::Values AttentionTile::score(Value firstKey) {
  OpBuilder &b = context.builder;
  Location loc = context.loc;
  int64_t rows = plan.rows(), columns = plan.scores();
  Values init(rows * columns, emitZero(ix, b.getF32Type()));
  auto step = [&](Value feature, ValueRange carried) -> Values {
    Values next(carried.begin(), carried.end());
    SmallVector<Values> query;
    for (int64_t r = 0; r < rows; ++r)
      query.push_back(loadWide(queries, ix.add(ix.mul(row(r), plan.paddedFeatures() + kStep), feature), kStep));
    for (int64_t u = 0; u < kStep; ++u) {
      Values keys = loadThreadKeys(feature, u);
      for (int64_t c = 0; c < columns; ++c)
        for (int64_t r = 0; r < rows; ++r)
          next[r * columns + c] = emitMultiplyAdd(ix, query[r][u], keys[c], next[r * columns + c]);
    }
    return next;
  };
  Values sums = ix.loop(ix.constant(0), ix.constant(plan.paddedFeatures()), kStep, init, step);
  Value factor = createConstant(b, loc, b.getF32Type(), op.getFactor());
  for (int64_t r = 0; r < rows; ++r) {
    Value query = ix.add(firstQuery, row(r));
    Values mask = op.getMask() ? loadMask(query, firstKey) : Values(columns);
    for (int64_t c = 0; c < columns; ++c) {
      Value &score = sums[r * columns + c];
      score = arith::MulFOp::create(b, loc, score, factor);
      if (mask[c] && isa<FloatType>(mask[c].getType()))
        score = arith::AddFOp::create(b, loc, score, std::exchange(mask[c], Value()));
      score = emitHiddenScore(ix, op, score, mask[c], query, ix.add(firstKey, keyColumn(c)),
                              plan.keys % plan.tileKeys != 0 ? plan.keys : 0);
    }
  }
  return sums;
}

AttentionTile::Values AttentionTile::accumulate(ValueRange sums) {
  int64_t rows = plan.rows(), columns = plan.sums(), stride = columns * AttentionPlan::kColumns;
  auto step = [&](Value key, ValueRange carried) -> Values {
    Values next(carried.begin(), carried.end());
    SmallVector<Values> factors;
    for (int64_t r = 0; r < rows; ++r)
      factors.push_back(loadWide(weights, ix.add(ix.mul(row(r), plan.tileKeys + kStep), key), kStep));
    for (int64_t u = 0; u < kStep; ++u)
      for (int64_t c = 0; c < columns; c += plan.width) {
        Value at = ix.add(ix.mul(ix.add(key, u), stride), resultColumn(c));
        for (auto [l, value] : llvm::enumerate(loadWide(others, at, plan.width)))
          for (int64_t r = 0; r < rows; ++r) {
            Value &sum = next[r * columns + c + l];
            sum = emitMultiplyAdd(ix, factors[r][u], value, sum);
          }
      }
    return next;
  };
  return ix.loop(ix.constant(0), ix.constant(plan.tileKeys), kStep, sums, step);
}

void AttentionTile::write(ValueRange results) {
  int64_t width = plan.width;
  for (int64_t r = 0; r < plan.rows(); ++r)
    for (int64_t c = 0; c < plan.sums(); c += width) {
      Value query = ix.add(firstQuery, row(r)), at = resultColumn(c);
      Value exists = ix.lessThan(query, ix.constant(plan.queries));
      // Several neighbours fill the tile.
      if (width == 1)
        exists = ix.both(exists, ix.lessThan(at, ix.constant(plan.results)));
      ix.ifThen(exists, [&] {
        SmallVector<LaneIndex> index = getIndex(op.getResult(), query, at);
        if (width > 1)
          index.back() = {at, 1};
        ElementEmitter emitter(context, width);
        emitter.bind(op.getResult(), emitLanes(ix, Values(results.slice(r * plan.sums() + c, width))));
        emitter.storeResult(index);
      });
    }
}

} // namespace hgc::gpu
