//===- AttentionTile.h - queries of one block -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block of 16 x 8 threads has a tile of queries. Every row of threads owns some
// queries; its 8 threads share their keys and their results by columns.
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_GPU_ATTENTIONTILE_H
#define HGC_CODEGEN_GPU_ATTENTIONTILE_H

#include "hgc/CodeGen/Common/ElementEmitter.h"
#include "hgc/CodeGen/GPU/KernelContext.h"

namespace hgc::gpu {

/// Extents and tile sizes of one attention.
struct AttentionPlan {
  explicit AttentionPlan(graph::AttentionOp op);

  static constexpr int64_t kRows = 16, kColumns = 8, kThreads = kRows * kColumns;

  /// Queries, scores of a query, and results of a query that a thread has.
  int64_t rows() const { return tileQueries / kRows; }
  int64_t scores() const { return tileKeys / kColumns; }
  int64_t sums() const { return (results + kColumns * width - 1) / (kColumns * width) * width; }
  int64_t queryTiles() const { return (queries + tileQueries - 1) / tileQueries; }
  int64_t keyTiles() const { return (keys + tileKeys - 1) / tileKeys; }
  /// Features with the zeros that fill the last step of four.
  int64_t paddedFeatures() const { return (features + 3) / 4 * 4; }

  llvm::SmallVector<int64_t> batch;
  int64_t batches = 1, queries, keys, features, results;
  int64_t tileQueries, tileKeys;
  /// Neighbouring results of a thread.
  int64_t width = 1;
};

/// Index of an operand or result at a row and column of the matrix that belongs to
/// `batch`; dims of one element repeat.
llvm::SmallVector<LaneIndex> getAttentionIndex(IndexBuilder &ix, llvm::ArrayRef<mlir::Value> batch, mlir::Value tensor,
                                               mlir::Value row, mlir::Value column);

/// `score`, or minus infinity where the i1 `mask` (may be null) or causality hides
/// the key from the query, or where there are just `keys` of them (0: no matter).
mlir::Value emitHiddenScore(IndexBuilder &ix, graph::AttentionOp op, mlir::Value score, mlir::Value mask,
                            mlir::Value query, mlir::Value key, int64_t keys);

/// Tiles of keys, of `tiles` in all, that `tileQueries` queries from `firstQuery`
/// on look at.
mlir::Value emitKeyTileCount(IndexBuilder &ix, graph::AttentionOp op, mlir::Value firstQuery, int64_t tileQueries,
                             int64_t tileKeys, int64_t tiles);

/// Shared memory and arithmetic of a block's tiles; everything is f32.
class AttentionTile {
public:
  AttentionTile(KernelContext &context, graph::AttentionOp op, const AttentionPlan &plan);

  using Values = llvm::SmallVector<mlir::Value>;

  void loadQueries();
  /// Both use the same memory: all threads must be done with what was there.
  void loadKeys(mlir::Value firstKey);
  void loadValues(mlir::Value firstKey);
  /// Scaled and masked scores, `scores()` for each of `rows()`.
  Values score(mlir::Value firstKey);
  /// Hands weights to the other threads of the row.
  void storeWeights(mlir::ValueRange weights);
  /// `sums` and the weighted values of the tile.
  Values accumulate(mlir::ValueRange sums);
  /// Writes the results of the thread.
  void write(mlir::ValueRange results);

  /// Tiles of keys that the block looks at.
  mlir::Value getTileCount() {
    return emitKeyTileCount(ix, op, firstQuery, plan.tileQueries, plan.tileKeys, plan.keyTiles());
  }

private:
  struct Matrix;
  void loadMatrix(const Matrix &matrix, llvm::function_ref<mlir::Value(mlir::Value, mlir::Value)> place,
                  mlir::Value array);
  llvm::SmallVector<LaneIndex> getIndex(mlir::Value tensor, mlir::Value row, mlir::Value column) {
    return getAttentionIndex(ix, batch, tensor, row, column);
  }
  /// The mask at the thread's keys of one query.
  Values loadMask(mlir::Value query, mlir::Value firstKey);
  /// Query, key and result in the tile that the thread's elements belong to.
  mlir::Value row(int64_t number) { return ix.add(threadRow, number * AttentionPlan::kRows); }
  mlir::Value keyColumn(int64_t number);
  mlir::Value resultColumn(int64_t number);
  /// Where the tile keeps feature `feature` of key `key`.
  mlir::Value placeKey(mlir::Value key, mlir::Value feature);
  /// Feature `feature + unrolled` of the thread's keys.
  Values loadThreadKeys(mlir::Value feature, int64_t unrolled);
  mlir::Value load(mlir::Value array, mlir::Value at);
  /// Some neighbours at once.
  Values loadWide(mlir::Value array, mlir::Value at, int64_t count);

  KernelContext &context;
  graph::AttentionOp op;
  const AttentionPlan &plan;
  IndexBuilder ix;
  llvm::SmallVector<mlir::Value> batch;
  mlir::Value threadRow, threadColumn, firstQuery;
  /// Queries by rows, keys by columns or values by rows, weights by rows.
  mlir::Value queries, others, weights;
};

} // namespace hgc::gpu

#endif // HGC_CODEGEN_GPU_ATTENTIONTILE_H
